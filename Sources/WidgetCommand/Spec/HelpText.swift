/// Help, usage and error texts, laid out as swift-argument-parser does.
package enum HelpText {
  private static let labelColumns = 26

  /// All of a command's help, with a line end at its end.
  package static func help(_ path: CommandPath, columns: Int) -> String {
    let command = path.command
    var sections = [wrapped("OVERVIEW: \(command.abstract)", columns: columns)]
    for paragraph in command.discussion.split(separator: "\n", omittingEmptySubsequences: true) {
      sections.append(wrapped(String(paragraph), columns: columns))
    }
    sections.append("USAGE: \(usage(path))")
    if !command.arguments.isEmpty {
      sections.append(
        section(
          "Arguments", command.arguments.map { ($0.plainName, $0.abstract + $0.suffix) }, columns))
    }
    for group in command.groups {
      sections.append(
        section(group.title, group.options.map { ($0.label, $0.abstract + $0.suffix) }, columns))
    }
    if !command.subcommands.isEmpty {
      let rows = command.subcommands.map { ($0.name, $0.abstract) }
      sections.append(section("Subcommands", rows, columns))
      sections.append("  See '\(path.text) help <subcommand>' for detailed help.")
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// `widgetimg fit [<options>] <input> ...`.
  package static func usage(_ path: CommandPath) -> String {
    let command = path.command
    var words = [path.text]
    let options = command.options.filter { $0.name != .help && $0.name != .version }
    if !command.subcommands.isEmpty {
      words.append("<subcommand>")
    } else if options.count > 12 {
      words.append("[<options>]")
    } else {
      words.append(contentsOf: options.map { "[\($0.synopsis)]" })
    }
    words.append(contentsOf: command.arguments.map(\.synopsis))
    return words.joined(separator: " ")
  }

  /// What goes to standard error for wrong arguments, with a line end.
  package static func error(_ error: UsageError, _ path: CommandPath) -> String {
    var lines = ["Error: \(error.message)"]
    if let help = error.helpLine { lines.append("Help:  \(help.label)  \(help.abstract)") }
    lines.append("Usage: \(usage(path))")
    lines.append("  See '\(path.text) --help' for more information.")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(
    _ title: String, _ rows: [(label: String, text: String)], _ columns: Int
  ) -> String {
    let title = title.prefix { $0 != "(" }.uppercased() + title.drop { $0 != "(" }
    return (["\(title):"] + rows.map { row($0.label, $0.text, columns) }).joined(separator: "\n")
  }

  private static func row(_ label: String, _ text: String, _ columns: Int) -> String {
    let label = "  \(label)"
    let body = wrapped(text, columns: columns, indent: labelColumns)
    if label.count >= labelColumns { return "\(label)\n\(body)" }
    return label + body.dropFirst(label.count)
  }

  /// `text` broken at spaces so that no line, `indent` included, is longer than
  /// `columns` where its words allow that.
  package static func wrapped(_ text: String, columns: Int, indent: Int = 0) -> String {
    let width = max(20, columns - indent)
    let margin = String(repeating: " ", count: indent)
    var lines = [String]()
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    lines.append(margin + line)
    return lines.joined(separator: "\n")
  }
}

extension OptionSpec {
  /// ` (values: a, b; default: a)`, empty where there is nothing to say.
  fileprivate var suffix: String {
    var parts = [String]()
    if case .choice(let values)? = value?.kind {
      parts.append("values: \(values.joined(separator: ", "))")
    }
    if let text = value?.defaultText { parts.append("default: \(text)") }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
  }
}

extension ArgumentSpec {
  fileprivate var suffix: String {
    guard case .choice(let values) = kind else { return "" }
    return " (values: \(values.joined(separator: ", ")))"
  }
}
