/// A command, described once: the parser, help, usage and completion scripts
/// all come from this.
package struct CommandSpec: Sendable {
  package var name: String
  /// One sentence.
  package var abstract: String
  /// Paragraphs below the abstract, empty for none.
  package var discussion = ""
  package var arguments: [ArgumentSpec] = []
  package var groups: [OptionGroup] = []
  package var subcommands: [CommandSpec] = []

  /// All options, those of every group, in help's order.
  package var options: [OptionSpec] { groups.flatMap(\.options) }
}

/// Options under one title of the help.
package struct OptionGroup: Sendable {
  package var title: String
  package var options: [OptionSpec]

  package init(_ title: String, _ options: [OptionSpec]) {
    self.title = title
    self.options = options
  }
}

/// An option: a flag when it has no value.
package struct OptionSpec: Sendable {
  package var name: OptionName
  package var short: Character?
  package var value: ValueSpec?
  package var abstract: String

  /// A flag.
  package init(_ name: OptionName, short: Character? = nil, _ abstract: String) {
    self.name = name
    self.short = short
    self.abstract = abstract
  }

  /// An option with a value.
  package init(
    _ name: OptionName, short: Character? = nil, _ value: ValueSpec, _ abstract: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.abstract = abstract
  }

  /// `--pt`.
  package var long: String { "--\(name.rawValue)" }

  /// `--pt <w[xh]>`: how messages call it.
  package var synopsis: String {
    guard let value else { return long }
    return value.isOptional ? "\(long) [<\(value.name)>]" : "\(long) <\(value.name)>"
  }

  /// `-o, --output <path>`: how help lists it.
  package var label: String {
    guard let short else { return synopsis }
    return "-\(short), \(synopsis)"
  }
}

/// The value of an option.
package struct ValueSpec: Sendable {
  package enum Kind: Sendable, Hashable {
    /// Anything; the command itself reads it.
    case text
    /// One of these and nothing else.
    case choice([String])
    /// Anything, these among others.
    case suggestions([String])
    /// A file's or a folder's path.
    case path
  }

  package var name: String
  package var kind: Kind
  /// Shown in help; nil where there is none.
  package var defaultText: String?
  /// Whether the option may stand without its value.
  package var isOptional = false

  package init(
    _ name: String, _ kind: Kind = .text, default defaultText: String? = nil,
    isOptional: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.defaultText = defaultText
    self.isOptional = isOptional
  }

  /// What a shell may offer.
  package var candidates: [String] {
    switch kind {
    case .choice(let values), .suggestions(let values): values
    case .text, .path: []
    }
  }
}

/// A positional argument; only the last one of a command may repeat.
package struct ArgumentSpec: Sendable {
  package var name: String
  package var kind: ValueSpec.Kind
  package var abstract: String
  package var isRepeated: Bool
  package var isOptional: Bool

  /// `<input> ...`, in brackets where it may be left out.
  package var synopsis: String {
    let text = isRepeated ? "<\(name)> ..." : "<\(name)>"
    return isOptional ? "[\(text)]" : text
  }

  /// How messages call it: `<input>`.
  package var plainName: String { "<\(name)>" }
}

/// Long names of all options, in the words of the command line.
package enum OptionName: String, Sendable, CaseIterable {
  case pt, px, scale, scales
  case mode, gravity, upscale, filter, fast, background
  case format, quality, palette
  case maxBytes = "max-bytes"
  case maxDecoded = "max-decoded"
  case output
  case strict
  case allowTruncated = "allow-truncated"
  case budget
  case dryRun = "dry-run"
  case jobs
  case json, quiet, verbose
  case noProgress = "no-progress"
  case version, help
  case generateCompletionScript = "generate-completion-script"
}
