/// A file's path as the system holds it: bytes, which need not be valid UTF-8.
///
/// A `String` made of such bytes is repaired and no longer names the file, so
/// paths that are to be opened stay bytes from the process's arguments on.
public struct RawPath: Hashable, Sendable {
  /// The bytes, without a NUL at the end.
  public let bytes: [UInt8]

  /// A path of these bytes.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A path of the text's UTF-8.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Whether a NUL stands in it. The system would take what is before the NUL
  /// for the path, so such a path must be refused before it is opened.
  package var containsNUL: Bool { bytes.contains(0) }

  /// Calls `body` with the bytes and a NUL after them.
  package func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var terminated = [CChar]()
    terminated.reserveCapacity(bytes.count + 1)
    for byte in bytes { terminated.append(CChar(bitPattern: byte)) }
    terminated.append(0)
    return try unsafe terminated.withUnsafeBufferPointer {
      buffer throws(Failure) -> Result in
      guard let base = buffer.baseAddress else { preconditionFailure("an array of one and more") }
      return try unsafe body(base)
    }
  }
}

extension RawPath: CustomStringConvertible {
  /// The path to show; what is not valid UTF-8 comes as U+FFFD.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension RawPath: ExpressibleByStringLiteral {
  /// A path of the literal's UTF-8.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
