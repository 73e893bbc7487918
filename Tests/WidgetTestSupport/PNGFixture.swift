/// A PNG made in code, sound or odd, and the rows that a reader must give.
///
/// Pixel data is stored, not compressed, and rows are not filtered.
package struct PNGFixture: Sendable {
  package enum ColorType: UInt8, Sendable, CaseIterable {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyAlpha = 4
    case rgba = 6

    package var samples: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    /// Bit depths that the format knows.
    package var depths: [Int] {
      switch self {
      case .grey: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      default: [8, 16]
      }
    }
  }

  package struct Chunk: Sendable {
    package var type: String
    package var data: [UInt8]
    /// Turns a bit of the checksum.
    package var hasBadCRC = false

    package init(_ type: String, _ data: [UInt8] = [], hasBadCRC: Bool = false) {
      self.type = type
      self.data = data
      self.hasBadCRC = hasBadCRC
    }

    package var bytes: [UInt8] {
      let body = Array(type.utf8) + data
      let crc = PNGFixture.crc32(body) ^ (hasBadCRC ? 1 : 0)
      return PNGFixture.big(UInt32(data.count)) + body + PNGFixture.big(crc)
    }
  }

  package var width: Int
  package var height: Int
  package var colorType: ColorType
  package var depth: Int
  package var interlaced = false
  /// RGB triples; for `.palette` alone.
  package var palette: [UInt8] = []
  /// The payload of tRNS; nil leaves it out.
  package var transparency: [UInt8]?
  /// Chunks in front of the pixel data, after IHDR, PLTE and tRNS.
  package var before: [Chunk] = []
  package var after: [Chunk] = []
  /// Bytes of pixel data in one IDAT.
  package var idatBytes = Int.max
  /// Empty IDATs in front of each.
  package var emptyIDATs = 0
  /// Rows of pixel data left out.
  package var missingRows = 0

  /// A picture of this size with a palette of its own where one is needed.
  package init(_ colorType: ColorType, depth: Int = 8, width: Int = 19, height: Int = 11) {
    self.colorType = colorType
    self.depth = depth
    self.width = width
    self.height = height
    if colorType == .palette {
      for i in 0..<min(256, 1 << depth) {
        palette += [UInt8(i * 37 % 256), UInt8(i * 91 % 256), UInt8(255 - i)]
      }
    }
  }

  /// The sample `channel` of a pixel, within the depth's range.
  package func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    let mixed = (x &* 40_503 &+ y &* 25_717 &+ channel &* 7_919 &+ x &* y &* 131) & 0xFFFF
    return mixed & ((1 << depth) - 1)
  }

  /// The chunks, IHDR to IEND.
  package var chunks: [Chunk] {
    var header = Self.big(UInt32(width)) + Self.big(UInt32(height))
    header += [UInt8(depth), colorType.rawValue, 0, 0, interlaced ? 1 : 0]
    var chunks = [Chunk("IHDR", header)]
    if colorType == .palette { chunks.append(Chunk("PLTE", palette)) }
    if let transparency { chunks.append(Chunk("tRNS", transparency)) }
    chunks += before
    let data = Self.zlib(rawData)
    var start = 0
    while start < data.count {
      for _ in 0..<emptyIDATs { chunks.append(Chunk("IDAT")) }
      let end = min(data.count, start + min(idatBytes, data.count))
      chunks.append(Chunk("IDAT", Array(data[start..<end])))
      start = end
    }
    return chunks + after + [Chunk("IEND")]
  }

  /// The file.
  package var bytes: [UInt8] { Self.file(chunks) }

  package static func file(_ chunks: [Chunk]) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.flatMap(\.bytes)
  }

  // MARK: What a reader gives

  /// Channels and bits of the rows.
  package var rowChannels: Int {
    switch colorType {
    case .grey: transparency == nil ? 1 : 2
    case .greyAlpha: 2
    case .rgb, .palette: transparency == nil ? 3 : 4
    case .rgba: 4
    }
  }
  package var rowBits: Int { depth == 16 ? 16 : 8 }

  /// All rows, packed, 16 bits in the machine's byte order.
  package var rows: [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for value in pixel(x, y) {
          if rowBits == 8 {
            rows.append(UInt8(value))
          } else {
            withUnsafeBytes(of: UInt16(value)) { rows += $0 }
          }
        }
      }
    }
    return rows
  }

  private func pixel(_ x: Int, _ y: Int) -> [Int] {
    let stored = (0..<colorType.samples).map { sample(x, y, $0) }
    let full = (1 << rowBits) - 1
    if colorType == .palette {
      let index = stored[0]
      let color = (0..<3).map { Int(palette[3 * index + $0]) }
      guard let transparency else { return color }
      return color + [index < transparency.count ? Int(transparency[index]) : 255]
    }
    var values = depth < 8 ? stored.map { $0 * 255 / ((1 << depth) - 1) } : stored
    if let transparency {
      let key = (0..<stored.count).map {
        Int(transparency[2 * $0]) << 8 | Int(transparency[2 * $0 + 1])
      }
      values.append(stored == key ? 0 : full)
    }
    return values
  }

  // MARK: Pixel data

  private var rawData: [UInt8] {
    var passes: [(x: Int, y: Int, dx: Int, dy: Int)] = [(0, 0, 1, 1)]
    if interlaced {
      passes = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ]
    }
    var raw: [UInt8] = []
    for pass in passes where pass.x < width {
      for y in stride(from: pass.y, to: height - missingRows, by: pass.dy) {
        raw.append(0)
        raw += packedRow(y, stride(from: pass.x, to: width, by: pass.dx))
      }
    }
    return raw
  }

  private func packedRow(_ y: Int, _ columns: StrideTo<Int>) -> [UInt8] {
    var row: [UInt8] = []
    var bits = 0
    var held = 0
    for x in columns {
      for channel in 0..<colorType.samples {
        let value = sample(x, y, channel)
        if depth == 16 {
          row += [UInt8(value >> 8), UInt8(value & 255)]
          continue
        }
        held = held << depth | value
        bits += depth
        if bits == 8 {
          row.append(UInt8(held))
          (held, bits) = (0, 0)
        }
      }
    }
    if bits > 0 { row.append(UInt8(held << (8 - bits))) }
    return row
  }

  /// A zlib stream of stored blocks.
  package static func zlib(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let count = min(65_535, data.count - start)
      let isLast = start + count == data.count
      let size = UInt16(count)
      stream += [isLast ? 1 : 0, UInt8(size & 255), UInt8(size >> 8)]
      stream += [UInt8(~size & 255), UInt8(~size >> 8)]
      stream += data[start..<start + count]
      start += count
    } while start < data.count
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + big(b << 16 | a)
  }

  package static func big(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  package static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes { crc = crcTable[Int((crc ^ UInt32(byte)) & 255)] ^ (crc >> 8) }
    return ~crc
  }

  private static let crcTable: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }
}
