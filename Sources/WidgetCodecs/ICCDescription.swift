internal import WidgetCore

/// The name of an embedded ICC profile, read in place from the pieces that the
/// profile is stored in. The profile itself is judged elsewhere.
struct ICCDescription {
  /// Where one piece of the profile stands in the file.
  struct Piece {
    var offset: UInt64
    var count: Int
  }

  private let pieces: [Piece]
  /// Only so far into a profile is looked for its name.
  private static let reach = 64 * 1024
  private static let longest = 100

  /// `pieces` in the profile's order.
  init(_ pieces: [Piece]) {
    self.pieces = pieces
  }

  var bytes: Int { pieces.reduce(0) { saturatingSum($0, $1.count) } }

  /// The colour tag for the profile; an unreadable name is empty.
  func tag(_ reader: inout ByteReader) throws(EngineError) -> ColorTag {
    .icc(description: try name(&reader) ?? "", bytes: bytes)
  }

  private func byte(_ reader: inout ByteReader, _ index: Int) throws(EngineError) -> UInt8? {
    var left = index
    for piece in pieces {
      if left < piece.count { return try reader.byte(at: piece.offset + UInt64(left)) }
      left -= piece.count
    }
    return nil
  }

  private func number(
    _ reader: inout ByteReader, _ index: Int, _ count: Int
  ) throws(EngineError) -> Int? {
    guard index >= 0, index <= Self.reach else { return nil }
    var value = 0
    for step in 0..<count {
      guard let byte = try byte(&reader, index + step) else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }

  private func name(_ reader: inout ByteReader) throws(EngineError) -> String? {
    guard let tags = try number(&reader, 128, 4) else { return nil }
    for index in 0..<min(tags, 100) {
      let entry = 132 + index * 12
      guard let signature = try number(&reader, entry, 4) else { return nil }
      if signature == 0x6465_7363 {  // desc
        guard let offset = try number(&reader, entry + 4, 4) else { return nil }
        return try text(&reader, at: offset)
      }
    }
    return nil
  }

  private func text(_ reader: inout ByteReader, at offset: Int) throws(EngineError) -> String? {
    switch try number(&reader, offset, 4) {
    case 0x6465_7363:  // desc: ASCII with its count, NUL included
      guard let count = try number(&reader, offset + 8, 4) else { return nil }
      return try characters(&reader, at: offset + 12, count: count, width: 1)
    case 0x6D6C_7563:  // mluc: the first of several languages, in UTF-16
      guard let count = try number(&reader, offset + 20, 4),
        let start = try number(&reader, offset + 24, 4)
      else { return nil }
      return try characters(&reader, at: offset + start, count: count / 2, width: 2)
    default: return nil
    }
  }

  private func characters(
    _ reader: inout ByteReader, at offset: Int, count: Int, width: Int
  ) throws(EngineError) -> String? {
    var units: [UInt16] = []
    for index in 0..<min(count, Self.longest) {
      guard let unit = try number(&reader, offset + index * width, width), unit != 0 else { break }
      // Control characters would reach a terminal.
      units.append(unit < 0x20 || (0x7F...0x9F).contains(unit) ? 0x3F : UInt16(unit))
    }
    return String(decoding: units, as: UTF16.self)
  }
}
