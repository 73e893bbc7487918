package import WidgetCore

/// What the arguments ask for.
package enum ParsedCommand: Sendable {
  case help(CommandPath)
  case version
  /// The shell that was named; nil: find out.
  case completionScript(Shell?)
  case run(CommandPath, ParsedArguments)
}

/// A command and the names that lead to it.
package struct CommandPath: Sendable {
  package var command: CommandSpec
  package var names: [String]

  /// `widgetimg fit`.
  package var text: String { names.joined(separator: " ") }

  package init(_ root: CommandSpec) {
    command = root
    names = [root.name]
  }

  package func appending(_ subcommand: CommandSpec) -> CommandPath {
    var path = self
    path.command = subcommand
    path.names.append(subcommand.name)
    return path
  }
}

/// Options and arguments as given; a repeated option's last value counts.
package struct ParsedArguments: Sendable {
  package var flags: Set<OptionName> = []
  package var values: [OptionName: RawPath] = [:]
  package var inputs: [RawPath] = []

  package func has(_ name: OptionName) -> Bool { flags.contains(name) || values[name] != nil }
}

/// A usage error and the command it belongs to.
package struct CommandUsageError: Error, Sendable {
  package var error: UsageError
  package var path: CommandPath
}

/// Reads arguments by a `CommandSpec`.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, joined short flags,
/// `--` ends the options, a lone `-` is a value.
package struct ArgumentParser {
  private var arguments: ArraySlice<RawPath>
  private var path: CommandPath
  private var parsed = ParsedArguments()

  private init(_ arguments: ArraySlice<RawPath>, _ path: CommandPath) {
    self.arguments = arguments
    self.path = path
  }

  /// Reads `arguments`, which start after the program's name.
  package static func parse(
    _ arguments: [RawPath], root: CommandSpec
  ) throws(CommandUsageError) -> ParsedCommand {
    var path = CommandPath(root)
    var rest = arguments[...]
    while let name = rest.first?.description,
      let subcommand = path.command.subcommands.first(where: { $0.name == name })
    {
      path = path.appending(subcommand)
      rest = rest.dropFirst()
    }
    // Help is help, whatever else is wrong.
    let options = rest.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") { return .help(path) }
    if path.command.name == "help" { return try helpTopic(rest, root, path) }
    var parser = ArgumentParser(rest, path)
    do throws(UsageError) {
      return try parser.parse()
    } catch {
      throw CommandUsageError(error: error, path: path)
    }
  }

  private static func helpTopic(
    _ words: ArraySlice<RawPath>, _ root: CommandSpec, _ here: CommandPath
  ) throws(CommandUsageError) -> ParsedCommand {
    var path = CommandPath(root)
    for word in words {
      guard let next = path.command.subcommands.first(where: { $0.name == word.description })
      else {
        let error =
          word.bytes.first == UInt8(ascii: "-")
          ? UsageError.unknownOption(word.description, in: here.command)
          : UsageError.unexpectedArguments([word], commands: path.command.subcommands)
        throw CommandUsageError(error: error, path: here)
      }
      path = path.appending(next)
    }
    return .help(path)
  }
}

// MARK: One command

extension ArgumentParser {
  private var command: CommandSpec { path.command }

  private mutating func parse() throws(UsageError) -> ParsedCommand {
    var positional = [RawPath]()
    while let argument = arguments.popFirst() {
      if argument == "--" {
        positional.append(contentsOf: arguments)
        break
      }
      if argument.isOptionLike {
        if argument.bytes.starts(with: Array("--".utf8)) {
          try readLong(argument)
        } else {
          try readShort(argument)
        }
      } else {
        positional.append(argument)
      }
    }
    if parsed.has(.version) { return .version }
    if let shell = parsed.values[.generateCompletionScript] {
      return .completionScript(Shell(rawValue: shell.description))
    }
    if parsed.flags.contains(.generateCompletionScript) { return .completionScript(nil) }
    try take(positional)
    if !command.subcommands.isEmpty { return .help(path) }
    return .run(path, parsed)
  }

  private mutating func take(_ positional: [RawPath]) throws(UsageError) {
    var rest = positional[...]
    for argument in command.arguments {
      if rest.isEmpty, !argument.isOptional { throw .missingArgument(argument) }
      let taken = argument.isRepeated ? rest.count : min(1, rest.count)
      parsed.inputs.append(contentsOf: rest.prefix(taken))
      rest = rest.dropFirst(taken)
    }
    if !rest.isEmpty { throw .unexpectedArguments(Array(rest), commands: command.subcommands) }
  }

  private mutating func readLong(_ argument: RawPath) throws(UsageError) {
    let parts = argument.bytes.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let given = String(decoding: parts[0], as: UTF8.self)
    guard let option = command.options.first(where: { $0.long == given }) else {
      throw .unknownOption(given, in: command)
    }
    let joined = parts.count > 1 ? RawPath(bytes: Array(parts[1])) : nil
    try store(option, joined)
  }

  private mutating func readShort(_ argument: RawPath) throws(UsageError) {
    var letters = argument.bytes.dropFirst()
    while let letter = letters.popFirst() {
      let name = Character(Unicode.Scalar(letter))
      guard letter < 0x80, let option = command.options.first(where: { $0.short == name }) else {
        let given = letters.isEmpty || letter >= 0x80 ? argument.description : "-\(name)"
        throw .unknownOption(given, in: command)
      }
      guard option.value != nil else {
        try store(option, nil)
        continue
      }
      // What is joined to it is its value, after an equals sign or not.
      if letters.first == UInt8(ascii: "=") { letters = letters.dropFirst() }
      let joined =
        letters.isEmpty && argument.bytes.count == 2 ? nil : RawPath(bytes: Array(letters))
      try store(option, joined)
      return
    }
  }

  private mutating func store(
    _ option: OptionSpec, _ joined: RawPath?
  ) throws(UsageError) {
    guard let spec = option.value else {
      if let joined { throw .needlessValue(option, joined) }
      parsed.flags.insert(option.name)
      return
    }
    var value = joined
    if value == nil, let next = arguments.first, !next.isOptionLike {
      value = next
      arguments = arguments.dropFirst()
    }
    guard let value, !value.bytes.isEmpty else {
      guard spec.isOptional, value == nil else { throw .missingValue(option) }
      parsed.flags.insert(option.name)
      return
    }
    if case .choice(let values) = spec.kind, !values.contains(value.description) {
      if option.name == .generateCompletionScript {
        throw Shell.unknown(value.printable)
      }
      throw .invalidValue(option, value)
    }
    parsed.values[option.name] = value
  }
}

extension RawPath {
  /// Starts with a hyphen and is more than one.
  fileprivate var isOptionLike: Bool { bytes.count > 1 && bytes[0] == UInt8(ascii: "-") }
}
