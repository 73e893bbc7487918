/// A shell that completion scripts are made for.
package enum Shell: String, Sendable, CaseIterable {
  case bash, zsh, fish

  /// The shell whose executable `path` names (the value of `$SHELL`).
  package init?(executable path: String) {
    self.init(rawValue: String(path.split(separator: "/").last ?? ""))
  }

  /// The script for `root`: a pure function of the description.
  package func completionScript(for root: CommandSpec) -> String {
    switch self {
    case .bash: BashCompletion.script(for: root)
    case .zsh: ZshCompletion.script(for: root)
    case .fish: FishCompletion.script(for: root)
    }
  }

  /// The refusal of a shell that there is no script for.
  package static func unknown(_ name: String) -> UsageError {
    let names = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return UsageError(
      "Can't generate completion scripts for '\(name)'. Please use one of \(names)")
  }

  /// The refusal when `$SHELL` names none.
  package static let undetected = UsageError(
    "Can't tell the shell from $SHELL. Please use one of "
      + allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
}

extension String {
  /// In single quotes, for a POSIX shell.
  var shellQuoted: String { "'" + substituting("'", with: "'\\''") + "'" }

  /// Every `old` replaced by `new`. The standard library's way would link the
  /// regular expressions.
  func substituting(_ old: Character, with new: String) -> String {
    reduce(into: "") { $0 += $1 == old ? new : String($1) }
  }
}
