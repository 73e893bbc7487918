public import WidgetCore

/// Where the compressed bytes come from.
public enum ImageInput: Hashable, Sendable {
  /// A file; the path's bytes are taken as they are.
  case file(RawPath)
  /// The process's standard input, read once.
  case standardInput
  /// Bytes in memory; they are copied, and count against the budget.
  case bytes([UInt8])

  /// A file whose path is text.
  public static func file(_ path: String) -> ImageInput { .file(RawPath(path)) }
}

/// Where the result goes.
public enum ImageDestination: Hashable, Sendable {
  /// A file, replaced atomically; never one that is an input. Not touched when
  /// its bytes would not change.
  case file(RawPath)
  /// The process's standard output.
  case standardOutput
  /// `FitResult.data`.
  case memory

  /// A file whose path is text.
  public static func file(_ path: String) -> ImageDestination { .file(RawPath(path)) }
}

extension ImageInput: ExpressibleByStringLiteral {
  /// A file whose path is the literal.
  public init(stringLiteral value: String) {
    self = .file(RawPath(value))
  }
}

extension ImageDestination: ExpressibleByStringLiteral {
  /// A file whose path is the literal.
  public init(stringLiteral value: String) {
    self = .file(RawPath(value))
  }
}
