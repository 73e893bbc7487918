// Numbers and strings.
extension JSONReader {
  mutating func readNumber() throws(JSONError) -> JSONValue {
    let place = position
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    if next == UInt8(ascii: "0") {
      index += 1
      if isDigit(next) { throw JSONError("a number starts with a needless 0", at: place) }
    } else {
      try skipDigits()
    }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      try skipDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try skipDigits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw JSONError("a number is too large", at: place)
    }
    return .number(value)
  }

  func isDigit(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func skipDigits() throws(JSONError) {
    guard isDigit(next) else { throw error("\(found) where a digit is expected") }
    while isDigit(next) { index += 1 }
  }

  mutating func readString() throws(JSONError) -> String {
    let place = position
    advance()
    var text = [UInt8]()
    while true {
      guard let byte = next else { throw JSONError("a string has no end", at: place) }
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text.append(contentsOf: Array(String(Character(try readEscape())).utf8))
      case 0..<0x20:
        throw error("a control character stands in a string; it must be escaped")
      case 0x20..<0x80:
        text.append(byte)
        advance()
      default:
        let length = scalarLength()
        guard length > 0 else { throw error("a string is not valid UTF-8") }
        text.append(contentsOf: bytes[index..<index + length])
        advance(length)
      }
    }
  }

  /// Bytes of the scalar outside ASCII at the place, 0 where it is not valid
  /// UTF-8 (overlong, a surrogate, past U+10FFFF or cut).
  private func scalarLength() -> Int {
    let lead = bytes[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for at in index + 2..<max(index + 2, index + length) where bytes[at] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }

  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    let place = position
    advance()
    let letter = next
    if letter != nil, letter != UInt8(ascii: "u") { advance() }
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicodeEscape(at: place)
    default: throw JSONError("an escape of this kind does not exist", at: place)
    }
  }

  /// At the `u`; one scalar, of one or two `\uXXXX`.
  private mutating func readUnicodeEscape(
    at place: JSONPosition
  ) throws(JSONError) -> Unicode.Scalar {
    let first = try readHex(at: place)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, next == UInt8(ascii: "\\"), index + 1 < bytes.count,
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw JSONError("half of a surrogate pair stands alone", at: place) }
    advance()
    let second = try readHex(at: place)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError("half of a surrogate pair stands alone", at: place) }
    return scalar
  }

  private mutating func readHex(at place: JSONPosition) throws(JSONError) -> UInt32 {
    advance()
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        byte < 0x80
      else { throw JSONError("'\\u' must be followed by four hexadecimal digits", at: place) }
      value = value << 4 | UInt32(digit)
      advance()
    }
    return value
  }
}
