/// Completion for bash, from 3.2 (macOS's) on.
enum BashCompletion {
  static func script(for root: CommandSpec) -> String {
    let function = "_\(root.name)"
    var cases = [String]()
    for command in [root] + root.subcommands {
      cases.append(contentsOf: commandCase(command, isRoot: command.name == root.name))
    }
    let subcommands = root.subcommands.map(\.name).joined(separator: "|")
    return """
      # Completion of \(root.name) for bash. Made by '\(root.name) --generate-completion-script bash'.

      \(function)_words() {
          local word
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
      }

      \(function)_files() {
          local name
          while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$cur")
      }

      \(function)() {
          local cur="${COMP_WORDS[COMP_CWORD]}"
          local prev="${COMP_WORDS[COMP_CWORD-1]}"
          local command=\(root.name) options=1 index
          COMPREPLY=()
          # '--name=value' arrives as three words.
          if [[ $cur == '=' ]]; then
              cur=''
          elif [[ $prev == '=' && $COMP_CWORD -ge 2 ]]; then
              prev="${COMP_WORDS[COMP_CWORD-2]}"
          fi
          if [[ $COMP_CWORD -gt 1 ]]; then
              case "${COMP_WORDS[1]}" in
                  \(subcommands)) command="${COMP_WORDS[1]}" ;;
              esac
          fi
          for ((index = 1; index < COMP_CWORD; index++)); do
              if [[ ${COMP_WORDS[index]} == '--' ]]; then options=0; fi
          done
          case "$command" in
      \(cases.map { "        \($0)" }.joined(separator: "\n"))
          esac
      }

      complete -o filenames -F \(function) \(root.name)

      """
  }

  private static func commandCase(_ command: CommandSpec, isRoot: Bool) -> [String] {
    let function = "_\(CommandSpec.widgetimg.name)"
    var lines = ["\(command.name))"]
    let valued = command.options.filter { $0.value != nil }
    lines.append("    if [[ $options == 1 ]]; then")
    if !valued.isEmpty {
      lines.append("        case \"$prev\" in")
      for option in valued {
        let names = ([option.long] + (option.short.map { ["-\($0)"] } ?? []))
        lines.append(
          "            \(names.joined(separator: "|"))) \(action(option, function)); return ;;")
      }
      lines.append("        esac")
    }
    let names = command.options.flatMap { [$0.long] + ($0.short.map { ["-\($0)"] } ?? []) }
    lines.append("        if [[ $cur == -* ]]; then")
    lines.append(
      "            \(function)_words \(names.joined(separator: " ").shellQuoted); return")
    lines.append("        fi")
    lines.append("    fi")
    if isRoot {
      let words = command.subcommands.map(\.name).joined(separator: " ")
      lines.append("    \(function)_words \(words.shellQuoted)")
    } else if let argument = command.arguments.last {
      if case .choice(let values) = argument.kind {
        lines.append("    \(function)_words \(values.joined(separator: " ").shellQuoted)")
      } else {
        lines.append("    \(function)_files")
      }
    }
    lines.append("    ;;")
    return lines
  }

  private static func action(_ option: OptionSpec, _ function: String) -> String {
    guard let value = option.value else { return ":" }
    if value.kind == .path { return "\(function)_files" }
    if value.candidates.isEmpty { return ":" }
    return "\(function)_words \(value.candidates.joined(separator: " ").shellQuoted)"
  }
}
