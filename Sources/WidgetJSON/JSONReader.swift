/// A strict reader of RFC 8259 JSON: one value, UTF-8, no comments, no trailing
/// commas, no key twice in one object.
package struct JSONReader {
  /// Bounds that keep a hostile text from using up stack or memory.
  package struct Limits: Hashable, Sendable {
    /// Arrays and objects inside each other, at most.
    package var depth: Int
    /// Bytes of the text, at most.
    package var bytes: Int

    package init(depth: Int = 64, bytes: Int = 16 << 20) {
      self.depth = depth
      self.bytes = bytes
    }
  }

  let bytes: [UInt8]
  let limits: Limits
  var index = 0
  var depth = 0
  private var line = 1
  private var lineStart = 0
  /// Bytes since `lineStart` that continue a scalar, so that columns count scalars.
  private var continuations = 0

  private init(_ bytes: [UInt8], _ limits: Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Reads the one value that `bytes` is.
  ///
  /// - Throws: `JSONError` with line and column of the first fault.
  /// - Complexity: O(`bytes.count`).
  package static func read(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes, limits)
    guard bytes.count <= limits.bytes else {
      throw reader.error("the text is longer than \(limits.bytes) bytes")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw reader.error("the text starts with a byte order mark, which JSON does not allow")
    }
    reader.skipSpace()
    let value = try reader.readValue()
    reader.skipSpace()
    guard reader.index == bytes.count else {
      throw reader.error("more text follows the value")
    }
    return value
  }

  /// As `read(_:limits:)`, for a text in memory.
  package static func read(
    _ text: String, limits: Limits = Limits()
  ) throws(JSONError) -> JSONValue {
    try read(Array(text.utf8), limits: limits)
  }
}

// MARK: Places

extension JSONReader {
  var position: JSONPosition {
    JSONPosition(line: line, column: index - lineStart - continuations + 1)
  }

  func error(_ message: String) -> JSONError { JSONError(message, at: position) }

  /// The byte at the place, nil at the end.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Steps over a whole scalar of `length` bytes.
  mutating func advance(_ length: Int = 1) {
    index += length
    continuations += length - 1
  }

  mutating func skipSpace() {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): index += 1
      case UInt8(ascii: "\n"): startLine()
      case UInt8(ascii: "\r"):
        // CR LF is one line end, counted at the LF.
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") {
          index += 1
        } else {
          startLine()
        }
      default: return
      }
    }
  }

  private mutating func startLine() {
    index += 1
    line += 1
    lineStart = index
    continuations = 0
  }

  /// What stands at the place, to be named in a message.
  var found: String {
    guard let byte = next else { return "the text ends" }
    if byte < 0x20 || byte == 0x7F { return "a control character stands" }
    if byte >= 0x80 { return "a character outside ASCII stands" }
    return "'\(Character(Unicode.Scalar(byte)))' stands"
  }
}

// MARK: Values

extension JSONReader {
  mutating func readValue() throws(JSONError) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    case UInt8(ascii: "-"): return try readNumber()
    case let byte? where isDigit(byte): return try readNumber()
    default: throw error("\(found) where a value is expected")
    }
  }

  private mutating func readWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    let text = word.description
    guard bytes[index...].starts(with: text.utf8) else {
      throw error("\(found) where a value is expected")
    }
    index += text.utf8.count
    return value
  }

  private mutating func enter() throws(JSONError) {
    guard depth < limits.depth else {
      throw error("arrays and objects are nested deeper than \(limits.depth)")
    }
    depth += 1
    index += 1
    skipSpace()
  }

  private mutating func leave() {
    depth -= 1
    index += 1
  }

  private mutating func readArray() throws(JSONError) -> JSONValue {
    try enter()
    var elements = [JSONValue]()
    if next == UInt8(ascii: "]") {
      leave()
      return .array(elements)
    }
    while true {
      elements.append(try readValue())
      skipSpace()
      if next == UInt8(ascii: "]") { break }
      guard next == UInt8(ascii: ",") else { throw error("\(found) where ',' or ']' is expected") }
      index += 1
      skipSpace()
    }
    leave()
    return .array(elements)
  }

  private mutating func readObject() throws(JSONError) -> JSONValue {
    try enter()
    var object = JSONObject()
    if next == UInt8(ascii: "}") {
      leave()
      return .object(object)
    }
    // By bytes: String's equality takes differently composed letters for one.
    var keys = Set<[UInt8]>()
    while true {
      guard next == UInt8(ascii: "\"") else { throw error("\(found) where a key is expected") }
      let place = position
      let key = try readString()
      guard keys.insert(Array(key.utf8)).inserted else {
        throw JSONError("the key \"\(key)\" stands twice in one object", at: place)
      }
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw error("\(found) where ':' is expected") }
      index += 1
      skipSpace()
      object.members.append(JSONMember(key, try readValue(), at: place))
      skipSpace()
      if next == UInt8(ascii: "}") { break }
      guard next == UInt8(ascii: ",") else { throw error("\(found) where ',' or '}' is expected") }
      index += 1
      skipSpace()
    }
    leave()
    return .object(object)
  }
}
