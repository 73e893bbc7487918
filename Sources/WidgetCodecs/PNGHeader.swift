internal import WidgetCore

/// The walk over a PNG's chunks.
///
/// Sizes, depths and transparency are judged as libpng judges them, so that
/// the layout told here is the one that the reader gives.
struct PNGHeader {
  private var reader: ByteReader
  private var size = PixelSize(width: 0, height: 0)
  private var depth = 0
  private var colorType = 0
  private var isInterlaced = false
  private var paletteEntries = 0
  private var hasTransparency = false
  private var frames = 1
  private var orientation: Orientation?
  private var colorTags: [ColorTag] = []
  private var notes: [ImageNote] = []
  private var metPixels = false

  private struct Chunk {
    var name: UInt64
    var count: UInt64
    /// Where its data stands; its CRC follows them.
    var data: UInt64
    var next: UInt64 { data + count + 4 }
    /// Ancillary chunks may be skipped by who doesn't know them.
    var isAncillary: Bool { name & 0x2000_0000 != 0 }
  }

  private init(_ reader: ByteReader) {
    self.reader = reader
  }

  static func read(_ reader: inout ByteReader) throws(EngineError) -> ImageHeader {
    var header = PNGHeader(reader)
    try header.readFirst()
    try header.walk()
    return header.result
  }

  // MARK: The first chunk

  private mutating func readFirst() throws(EngineError) {
    guard let first = try chunk(at: 8) else { throw reader.cut("the PNG's header") }
    if first.name == fourCC("CgBI") {
      throw EngineError(
        .unsupported, "this is Apple's crushed PNG (CgBI), as Xcode puts it in apps")
    }
    guard first.name == fourCC("IHDR"), first.count == 13 else {
      throw EngineError(.damaged, "the PNG does not begin with a header chunk of 13 bytes")
    }
    guard let width = try reader.big(at: 16, 4), let height = try reader.big(at: 20, 4),
      let codes = try reader.big(at: 24, 5), try reader.big(at: 29, 4) != nil
    else { throw reader.cut("the PNG's header") }
    guard try hasValidCRC(first) else {
      throw EngineError(.damaged, "the PNG's header chunk fails its checksum")
    }
    guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else {
      throw EngineError(.damaged, "the PNG states a size of \(width)x\(height)")
    }
    size = PixelSize(width: Int(width), height: Int(height))
    depth = Int(codes >> 32 & 0xFF)
    colorType = Int(codes >> 24 & 0xFF)
    let depths: [Int] =
      switch colorType {
      case 0: [1, 2, 4, 8, 16]
      case 3: [1, 2, 4, 8]
      case 2, 4, 6: [8, 16]
      default: []
      }
    guard depths.contains(depth) else {
      throw EngineError(
        .damaged, "the PNG states \(depth) bits with colour type \(colorType), which can't be")
    }
    let (compression, filter, interlace) = (codes >> 16 & 0xFF, codes >> 8 & 0xFF, codes & 0xFF)
    guard compression == 0, filter == 0, interlace <= 1 else {
      throw EngineError(.damaged, "the PNG states an unknown compression, filter or interlacing")
    }
    isInterlaced = interlace == 1
    if isInterlaced { try reader.holdAll("the PNG is interlaced, in passes") }
  }

  // MARK: The others

  private mutating func walk() throws(EngineError) {
    var offset: UInt64 = 33
    var visits = 0
    while visits < ImageHeader.visitLimit {
      visits += 1
      guard let chunk = try chunk(at: offset) else {
        if !metPixels { throw reader.cut("the PNG's header") }
        if !reader.isWhole, orientation == nil { notes.append(.orientationUnknown) }
        return
      }
      guard chunk.count <= 0x7FFF_FFFF, isName(chunk.name) else {
        // After the pixels such bytes are junk that follows a damaged end.
        if metPixels { return }
        throw EngineError(.damaged, "the PNG has an invalid chunk before its pixels")
      }
      if chunk.name == fourCC("IEND") { break }
      try visit(chunk)
      offset = chunk.next
    }
    if !metPixels { throw EngineError(.damaged, "the PNG has no pixels") }
  }

  private mutating func visit(_ chunk: Chunk) throws(EngineError) {
    switch chunk.name {
    case fourCC("IDAT"):
      if colorType == 3, paletteEntries == 0 {
        throw EngineError(.damaged, "the PNG has no palette before its pixels")
      }
      metPixels = true
    case fourCC("PLTE"): try readPalette(chunk)
    case fourCC("tRNS"): try readTransparency(chunk)
    case fourCC("eXIf"):
      // Both places are in use: before the pixels and after them.
      if orientation == nil, try isSound(chunk, atMost: 65536) {
        let exif = try EXIFReader(&reader, at: chunk.data, count: chunk.count)
        orientation = exif.orientation
        if !metPixels { colorTags += exif.tags }
      }
    case fourCC("acTL"):
      if !metPixels, chunk.count == 8, try isSound(chunk, atMost: 8),
        let count = try reader.big(at: chunk.data, 4), (1...0x7FFF_FFFF).contains(count)
      {
        frames = Int(count)
      }
    case fourCC("sRGB"), fourCC("gAMA"), fourCC("cHRM"), fourCC("cICP"), fourCC("iCCP"):
      if !metPixels { try readColor(chunk) }
    default:
      if chunk.isAncillary || metPixels { return }
      throw EngineError(.damaged, "the PNG has an unknown critical chunk")
    }
  }

  private mutating func readPalette(_ chunk: Chunk) throws(EngineError) {
    if metPixels || colorType == 0 || colorType == 4 { return }
    let isNeeded = colorType == 3
    guard paletteEntries == 0, chunk.count % 3 == 0, (3...768).contains(chunk.count) else {
      if !isNeeded { return }
      throw EngineError(.damaged, "the PNG's palette is damaged")
    }
    paletteEntries = min(Int(chunk.count / 3), isNeeded ? 1 << depth : 256)
  }

  private mutating func readTransparency(_ chunk: Chunk) throws(EngineError) {
    let isValid =
      switch colorType {
      case 0: chunk.count == 2
      case 2: chunk.count == 6
      case 3: chunk.count >= 1 && chunk.count <= UInt64(paletteEntries)
      default: false
      }
    guard !metPixels, isValid, try isSound(chunk, atMost: 256) else { return }
    hasTransparency = true
  }

  private mutating func readColor(_ chunk: Chunk) throws(EngineError) {
    if chunk.name == fourCC("iCCP") {
      let name = try reader.bytes(at: chunk.data, min(80, Int(chunk.count))).prefix { $0 != 0 }
      let overhead = UInt64(name.count) + 2
      guard (1...79).contains(name.count), chunk.count > overhead else { return }
      // Latin-1; control characters would reach a terminal.
      let text = String(
        String.UnicodeScalarView(
          name.map { Unicode.Scalar($0 & 0x7F < 0x20 || $0 == 0x7F ? 0x3F : $0) }))
      return colorTags.append(.icc(description: text, bytes: Int(chunk.count - overhead)))
    }
    guard try isSound(chunk, atMost: 32) else { return }
    let values = try reader.bytes(at: chunk.data, Int(chunk.count)).map { Int($0) }
    let words = stride(from: 0, to: values.count - 3, by: 4).map {
      values[$0] << 24 | values[$0 + 1] << 16 | values[$0 + 2] << 8 | values[$0 + 3]
    }
    switch (chunk.name, values.count) {
    case (fourCC("sRGB"), 1) where values[0] < 4: colorTags.append(.srgbChunk)
    case (fourCC("gAMA"), 4) where words[0] > 0: colorTags.append(.gamma(words[0]))
    case (fourCC("cHRM"), 32): colorTags.append(.chromaticities(words))
    case (fourCC("cICP"), 4):
      colorTags.append(
        .cicp(
          primaries: values[0], transfer: values[1], matrix: values[2], fullRange: values[3] == 1))
    default: return
    }
  }

  private var result: ImageHeader {
    let hasAlpha = colorType >= 4 || hasTransparency
    let channels: PixelLayout.Channels =
      colorType == 0 || colorType == 4
      ? (hasAlpha ? .greyAlpha : .grey) : (hasAlpha ? .rgba : .rgb)
    return ImageHeader(
      coding: isInterlaced ? .pngAdam7 : .pngSequential, size: size, bitDepth: depth,
      layout: PixelLayout(channels, depth == 16 ? .sixteen : .eight), hasAlpha: hasAlpha,
      orientation: orientation ?? .up, frames: frames, colorTags: colorTags,
      fileBytes: reader.length, notes: notes,
      detail: .png(colorType: colorType, paletteEntries: colorType == 3 ? paletteEntries : 0))
  }

  // MARK: Chunks

  private mutating func chunk(at offset: UInt64) throws(EngineError) -> Chunk? {
    guard let count = try reader.big(at: offset, 4), let name = try reader.big(at: offset + 4, 4)
    else { return nil }
    return Chunk(name: name, count: count, data: offset + 8)
  }

  private func isName(_ name: UInt64) -> Bool {
    (0..<4).allSatisfy { index in
      let letter = name >> (8 * UInt64(index)) & 0xFF | 0x20
      return (0x61...0x7A).contains(letter)
    }
  }

  /// Whether a chunk of bounded size is all there and passes its checksum;
  /// libpng drops an ancillary chunk that doesn't. A longer one counts as unsound.
  private mutating func isSound(_ chunk: Chunk, atMost limit: UInt64) throws(EngineError) -> Bool {
    guard chunk.count <= limit else { return false }
    return try hasValidCRC(chunk)
  }

  private mutating func hasValidCRC(_ chunk: Chunk) throws(EngineError) -> Bool {
    var crc = CRC32()
    for offset in chunk.data - 4..<chunk.data + chunk.count {
      guard let byte = try reader.byte(at: offset) else { return false }
      crc.update(byte)
    }
    return try reader.big(at: chunk.data + chunk.count, 4) == UInt64(crc.value)
  }
}

/// The name of a chunk as a number, first letter highest.
func fourCC(_ name: StaticString) -> UInt64 {
  var value: UInt64 = 0
  for index in 0..<name.utf8CodeUnitCount {
    value = value << 8 | UInt64(unsafe name.utf8Start[index])
  }
  return value
}
