package import WidgetCore

/// What is wrong with the arguments, and what to show beside it.
package struct UsageError: Error, Sendable {
  package var message: String
  /// The option or argument that the `Help:` line tells about.
  package var helpLine: HelpLine?

  package struct HelpLine: Hashable, Sendable {
    package var label: String
    package var abstract: String
  }

  package init(_ message: String, help: HelpLine? = nil) {
    self.message = message
    helpLine = help
  }

  private init(_ message: String, option: OptionSpec) {
    self.init(message, help: HelpLine(label: option.label, abstract: option.abstract))
  }
}

// The wording is swift-argument-parser's, where that has one.
extension UsageError {
  package static func unknownOption(_ given: String, in command: CommandSpec) -> UsageError {
    let message = "Unknown option '\(given.printable)'"
    // Only long names: two short ones are always close.
    guard given.hasPrefix("--"),
      let best = closest(to: given, in: command.options.map(\.long))
    else { return UsageError(message) }
    return UsageError("\(message). Did you mean '\(best)'?")
  }

  package static func unexpectedArguments(
    _ given: [RawPath], commands: [CommandSpec]
  ) -> UsageError {
    let names = given.map { "'\($0.printable)'" }
    guard names.count == 1 else {
      return UsageError("\(names.count) unexpected arguments: \(names.joined(separator: ", "))")
    }
    let message = "Unexpected argument \(names[0])"
    guard let best = closest(to: given[0].description, in: commands.map(\.name)) else {
      return UsageError(message)
    }
    return UsageError("\(message). Did you mean '\(best)'?")
  }

  package static func missingValue(_ option: OptionSpec) -> UsageError {
    UsageError("Missing value for '\(option.synopsis)'", option: option)
  }

  package static func missingArgument(_ argument: ArgumentSpec) -> UsageError {
    UsageError(
      "Missing expected argument '\(argument.synopsis)'",
      help: HelpLine(label: argument.plainName, abstract: argument.abstract))
  }

  package static func needlessValue(_ option: OptionSpec, _ value: RawPath) -> UsageError {
    UsageError(
      "The option '\(option.long)' does not take any value, but '\(value.printable)' "
        + "was specified.")
  }

  /// With a reason, or with the values that are allowed.
  package static func invalidValue(
    _ option: OptionSpec, _ value: RawPath, reason: String? = nil
  ) -> UsageError {
    let message = "The value '\(value.printable)' is invalid for '\(option.synopsis)'"
    if let reason { return UsageError("\(message): \(reason)", option: option) }
    guard case .choice(let values)? = option.value?.kind else {
      return UsageError(message, option: option)
    }
    return UsageError("\(message). \(Self.pleaseProvide(values))", option: option)
  }

  private static func pleaseProvide(_ values: [String]) -> String {
    let quoted = values.map { "'\($0)'" }
    switch quoted.count {
    case 1: return "Please provide \(quoted[0])."
    case 2: return "Please provide one of \(quoted[0]) and \(quoted[1])."
    case 3...5:
      return "Please provide one of \(quoted.dropLast().joined(separator: ", ")) or "
        + "\(quoted[quoted.count - 1])."
    default:
      return "Please provide one of the following:\n"
        + values.map { "  - \($0)" }.joined(separator: "\n")
    }
  }

  package static func contradiction(_ one: OptionName, _ other: OptionName) -> UsageError {
    UsageError(
      "The options '--\(one.rawValue)' and '--\(other.rawValue)' can't be used together.")
  }

  /// The candidate with the smallest edit distance, if that is under 4 and less
  /// than the word is long.
  private static func closest(to word: String, in candidates: [String]) -> String? {
    // Longer words are no slips of a candidate, and the distance is quadratic.
    guard word.utf8.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = editDistance(word, candidate)
      if distance < min(4, candidate.count - 1), distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.name
  }
}

/// Insertions, deletions and replacements that make one word of the other.
package func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left.unicodeScalars)
  let right = Array(right.unicodeScalars)
  var previous = Array(0...right.count)
  for (row, scalar) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      let replaced = previous[column] + (scalar == other ? 0 : 1)
      current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
    }
    previous = current
  }
  return previous[right.count]
}
