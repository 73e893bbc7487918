/// Completion for zsh.
enum ZshCompletion {
  static func script(for root: CommandSpec) -> String {
    let function = "_\(root.name)"
    let names = root.subcommands.map {
      "    \("\($0.name.substituting(":", with: "\\:")):\($0.abstract)".shellQuoted)"
    }
    let calls = root.subcommands.map { "      (\($0.name)) \(function)_\($0.name) ;;" }
    let functions = root.subcommands.map { command in
      """
      \(function)_\(command.name)() {
        _arguments -s -S : \\
      \(specs(of: command).map { "    \($0)" }.joined(separator: " \\\n"))
      }
      """
    }
    return """
      #compdef \(root.name)
      # Completion of \(root.name) for zsh. Made by '\(root.name) --generate-completion-script zsh'.

      \(function)_commands() {
        local -a commands
        commands=(
      \(names.joined(separator: "\n"))
        )
        _describe -t commands command commands
      }

      \(functions.joined(separator: "\n\n"))

      \(function)() {
        local curcontext="$curcontext" state line
        typeset -A opt_args
        _arguments -C -s -S : \\
      \(specs(of: root).map { "    \($0)" }.joined(separator: " \\\n")) \\
          '1: :\(function)_commands' \\
          '*:: :->arguments' && return 0
        if [[ $state == arguments ]]; then
          case $line[1] in
      \(calls.joined(separator: "\n"))
          esac
        fi
      }

      if [[ $funcstack[1] == \(function) ]]; then
        \(function) "$@"
      else
        compdef \(function) \(root.name)
      fi

      """
  }

  private static func specs(of command: CommandSpec) -> [String] {
    var lines = command.options.flatMap(specs)
    for argument in command.arguments {
      lines.append("'\(argument.isRepeated ? "*" : "1"):\(argument.name):\(action(argument.kind))'")
    }
    return lines
  }

  private static func specs(of option: OptionSpec) -> [String] {
    let description = "[\(option.abstract.escapedForBrackets)]"
    var value = ""
    if let spec = option.value {
      let name = spec.name.substituting(":", with: "\\:")
      value = (spec.isOptional ? "::" : ":") + "\(name):\(action(spec.kind))"
    }
    let long = option.value == nil ? option.long : "\(option.long)="
    guard let short = option.short else { return ["\(long)\(description)\(value)".shellQuoted] }
    // Each excludes the other.
    let excluded = "(-\(short) \(option.long))"
    let shortName = option.value == nil ? "-\(short)" : "-\(short)+"
    return [
      "\(excluded)\(shortName)\(description)\(value)".shellQuoted,
      "\(excluded)\(long)\(description)\(value)".shellQuoted,
    ]
  }

  private static func action(_ kind: ValueSpec.Kind) -> String {
    switch kind {
    case .text: " "
    case .path: "_files"
    case .choice(let values), .suggestions(let values): "(\(values.joined(separator: " ")))"
    }
  }
}

extension String {
  fileprivate var escapedForBrackets: String {
    reduce(into: "") {
      if $1 == "[" || $1 == "]" || $1 == "\\" || $1 == ":" { $0 += "\\" }
      $0.append($1)
    }
  }
}
