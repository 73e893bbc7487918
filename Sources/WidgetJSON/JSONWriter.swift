extension JSONValue {
  /// The value on one line, without spaces, members in their order. Text
  /// outside ASCII stands as it is; control characters are escaped.
  ///
  /// A number that JSON can't say (infinite, NaN) becomes `null`.
  package var json: String {
    var bytes = [UInt8]()
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends what `json` gives.
  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: Array("null".utf8))
    case .bool(let value): bytes.append(contentsOf: Array((value ? "true" : "false").utf8))
    case .integer(let value): bytes.append(contentsOf: Array(String(value).utf8))
    case .number(let value): bytes.append(contentsOf: Array(Self.text(of: value).utf8))
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// The shortest text that reads back as the same number; whole numbers
  /// without a fraction.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    if let whole = Int(exactly: value), abs(value) < 9_007_199_254_740_992,
      value.sign == .plus || whole != 0
    {
      return String(whole)
    }
    return "\(value)"
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes.append(contentsOf: Array("\\\"".utf8))
      case UInt8(ascii: "\\"): bytes.append(contentsOf: Array("\\\\".utf8))
      case 0x08: bytes.append(contentsOf: Array("\\b".utf8))
      case 0x0C: bytes.append(contentsOf: Array("\\f".utf8))
      case UInt8(ascii: "\n"): bytes.append(contentsOf: Array("\\n".utf8))
      case UInt8(ascii: "\r"): bytes.append(contentsOf: Array("\\r".utf8))
      case UInt8(ascii: "\t"): bytes.append(contentsOf: Array("\\t".utf8))
      case 0..<0x20, 0x7F:
        bytes.append(contentsOf: Array("\\u00".utf8))
        bytes.append(Self.hexDigit(byte >> 4))
        bytes.append(Self.hexDigit(byte & 15))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
