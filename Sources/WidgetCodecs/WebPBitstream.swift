internal import WidgetCore

/// What the head of a VP8 or VP8L stream tells.
struct WebPBitstream {
  private(set) var size = PixelSize(width: 0, height: 0)
  /// VP8L's own alpha; that of VP8 stands in a chunk beside it.
  private(set) var hasAlpha = false
  /// VP8's token partitions, 0 for VP8L.
  private(set) var partitions = 0
  private(set) var filterRows = 0
  /// Bytes without which no row can come; 0 when not known.
  private(set) var headBytes = 0
  private(set) var lossless: ImageHeader.LosslessShape?

  // MARK: VP8L

  init(
    lossless reader: inout ByteReader, at offset: UInt64, count: UInt64
  ) throws(EngineError) {
    guard count >= 5 else { throw EngineError(.damaged, "the WebP's picture is empty") }
    guard let mark = try reader.byte(at: offset), let codes = try reader.little(at: offset + 1, 4)
    else { throw reader.cut("the WebP's header") }
    guard mark == 0x2F, codes >> 29 == 0 else {
      throw EngineError(.damaged, "the WebP's lossless header is damaged")
    }
    size = PixelSize(width: Int(codes & 0x3FFF) + 1, height: Int(codes >> 14 & 0x3FFF) + 1)
    hasAlpha = codes >> 28 & 1 == 1
    let shape = try VP8LTables.read(
      &reader, at: offset + 5, end: offset + count, size: size)
    lossless = shape
    headBytes = min(Int(count), shape.headBytes + 5)
  }

  // MARK: VP8

  init(lossy reader: inout ByteReader, at offset: UInt64, count: UInt64) throws(EngineError) {
    guard count >= 10 else { throw EngineError(.damaged, "the WebP's picture is empty") }
    guard let tag = try reader.little(at: offset, 3), let mark = try reader.big(at: offset + 3, 3),
      let width = try reader.little(at: offset + 6, 2),
      let height = try reader.little(at: offset + 8, 2)
    else { throw reader.cut("the WebP's header") }
    // A key frame, of a known profile, to be shown.
    let first = tag >> 5
    guard mark == 0x9D012A, tag & 1 == 0, tag >> 1 & 7 <= 3, tag >> 4 & 1 == 1, first < count,
      width & 0x3FFF > 0, height & 0x3FFF > 0
    else { throw EngineError(.damaged, "the WebP's lossy header is damaged") }
    size = PixelSize(width: Int(width & 0x3FFF), height: Int(height & 0x3FFF))

    var bits = BoolDecoder(offset: offset + 10, end: offset + 10 + first)
    try readFrameHeader(&reader, &bits)
    // The sizes of all partitions but the last stand before the first.
    var head = 10 + first + 3 * UInt64(partitions - 1)
    for index in 0..<UInt64(partitions - 1) {
      head += try reader.little(at: offset + 10 + first + 3 * index, 3) ?? 0
    }
    headBytes = Int(min(head, count))
  }

  /// RFC 6386, section 9: what lies before the number of partitions.
  private mutating func readFrameHeader(
    _ reader: inout ByteReader, _ bits: inout BoolDecoder
  ) throws(EngineError) {
    _ = try bits.literal(2, &reader)  // colour space, clamping
    if try bits.literal(1, &reader) == 1 {  // segments
      let hasMap = try bits.literal(1, &reader) == 1
      if try bits.literal(1, &reader) == 1 {
        _ = try bits.literal(1, &reader)
        for width in [7, 7, 7, 7, 6, 6, 6, 6] { try bits.skipOptional(width + 1, &reader) }
      }
      if hasMap {
        for _ in 0..<3 { try bits.skipOptional(8, &reader) }
      }
    }
    let isSimple = try bits.literal(1, &reader) == 1
    let level = try bits.literal(6, &reader)
    _ = try bits.literal(3, &reader)  // sharpness
    filterRows = level == 0 ? 0 : isSimple ? 2 : 8
    if try bits.literal(1, &reader) == 1, try bits.literal(1, &reader) == 1 {
      for _ in 0..<8 { try bits.skipOptional(7, &reader) }
    }
    partitions = 1 << (try bits.literal(2, &reader))
  }
}

/// RFC 6386, section 7, for even odds only. Reads zeros past its end.
private struct BoolDecoder {
  private var offset: UInt64
  private let end: UInt64
  private var value: UInt32 = 0
  private var range: UInt32 = 255
  private var bitsLeft = 0
  private var isStarted = false

  init(offset: UInt64, end: UInt64) {
    self.offset = offset
    self.end = end
  }

  private mutating func nextByte(_ reader: inout ByteReader) throws(EngineError) -> UInt32 {
    let byte = offset < end ? try reader.byte(at: offset) : nil
    offset += 1
    return UInt32(byte ?? 0)
  }

  private mutating func bit(_ reader: inout ByteReader) throws(EngineError) -> Int {
    if !isStarted {
      isStarted = true
      value = try nextByte(&reader) << 8
      value |= try nextByte(&reader)
      bitsLeft = 8
    }
    let split = 1 + ((range - 1) * 128) >> 8
    let isSet = value >= split << 8
    if isSet {
      range -= split
      value -= split << 8
    } else {
      range = split
    }
    while range < 128 {
      value <<= 1
      range <<= 1
      bitsLeft -= 1
      if bitsLeft == 0 {
        value |= try nextByte(&reader)
        bitsLeft = 8
      }
    }
    return isSet ? 1 : 0
  }

  mutating func literal(_ count: Int, _ reader: inout ByteReader) throws(EngineError) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 1 | (try bit(&reader)) }
    return value
  }

  /// A flag, and `count` bits when it is set.
  mutating func skipOptional(_ count: Int, _ reader: inout ByteReader) throws(EngineError) {
    if try bit(&reader) == 1 { _ = try literal(count, &reader) }
  }
}
