/// Completion for fish.
enum FishCompletion {
  static func script(for root: CommandSpec) -> String {
    let start = "complete -c \(root.name)"
    var lines = [
      "# Completion of \(root.name) for fish. Made by "
        + "'\(root.name) --generate-completion-script fish'."
    ]
    let atRoot = "-n __fish_use_subcommand"
    lines.append("\(start) \(atRoot) -f")
    for command in root.subcommands {
      lines.append("\(start) \(atRoot) -a \(command.name) -d \(command.abstract.fishQuoted)")
    }
    lines.append(contentsOf: root.options.map { "\(start) \(atRoot) \(option($0))" })
    for command in root.subcommands {
      let here = "-n \("__fish_seen_subcommand_from \(command.name)".fishQuoted)"
      for argument in command.arguments {
        switch argument.kind {
        case .path: lines.append("\(start) \(here) -F")
        case .choice(let values), .suggestions(let values):
          lines.append("\(start) \(here) -f -a \(values.joined(separator: " ").fishQuoted)")
        case .text: lines.append("\(start) \(here) -f")
        }
      }
      lines.append(contentsOf: command.options.map { "\(start) \(here) \(option($0))" })
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func option(_ option: OptionSpec) -> String {
    var words = ["-l \(option.name.rawValue)"]
    if let short = option.short { words.append("-s \(short)") }
    if let value = option.value {
      words.append(value.kind == .path ? "-r -F" : (value.isOptional ? "-f" : "-x"))
      if !value.candidates.isEmpty {
        words.append("-a \(value.candidates.joined(separator: " ").fishQuoted)")
      }
    }
    words.append("-d \(option.abstract.fishQuoted)")
    return words.joined(separator: " ")
  }
}

extension String {
  fileprivate var fishQuoted: String {
    "'" + substituting("\\", with: "\\\\").substituting("'", with: "\\'") + "'"
  }
}
