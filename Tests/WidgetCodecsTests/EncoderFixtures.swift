import CTestDecode
import WidgetCodecs
import WidgetCore

/// A picture in memory, and what may be in it.
struct TestPicture: CustomStringConvertible, Sendable {
  enum Content: Sendable, CaseIterable {
    case flat, noise, gradient, artwork
  }

  var size: PixelSize
  var hasAlpha: Bool
  var content: Content
  var pixels: [UInt8]

  init(_ width: Int, _ height: Int, hasAlpha: Bool, _ content: Content = .gradient) {
    size = PixelSize(width: width, height: height)
    self.hasAlpha = hasAlpha
    self.content = content
    var generator = Generator(state: 0x1234_5678)
    pixels = []
    pixels.reserveCapacity(width * height * (hasAlpha ? 4 : 3))
    for y in 0..<height {
      for x in 0..<width {
        let random = generator.next()
        let color = Self.color(content, x, y, random)
        pixels += [color.0, color.1, color.2]
        if hasAlpha { pixels.append(color.3) }
      }
    }
  }

  private static func color(
    _ content: Content, _ x: Int, _ y: Int, _ random: UInt32
  ) -> (UInt8, UInt8, UInt8, UInt8) {
    func byte(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    switch content {
    case .flat: return (90, 120, 33, 200)
    case .noise:
      return (
        byte(Int(random)), byte(Int(random >> 8)), byte(Int(random >> 16)), byte(Int(random >> 24))
      )
    case .gradient:
      return (byte(x * 2), byte(y * 3), byte(x + y), byte(255 - (x * y) % 90))
    case .artwork:
      let inside = (x / 7 + y / 5) % 3 == 0
      return inside ? (220, 30, 40, 255) : (0, 0, 0, 0)
    }
  }

  /// As RGBA.
  var rgba: [UInt8] {
    if hasAlpha { return pixels }
    return stride(from: 0, to: pixels.count, by: 3).flatMap { Array(pixels[$0..<$0 + 3]) + [255] }
  }

  var description: String { "\(size) \(hasAlpha ? "RGBA" : "RGB") \(content)" }
}

struct Generator {
  var state: UInt32
  mutating func next() -> UInt32 {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return state
  }
}

/// What a stock decoder sees.
struct StockPicture {
  var size: PixelSize
  var channels: Int
  var rgba: [UInt8]
  var sampling: [Int]
  var quantizer: Int

  init?(
    _ bytes: [UInt8], by decode: (UnsafePointer<UInt8>, Int) -> test_picture
  ) {
    var picture = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { decode($0, buffer.count) } ?? test_picture()
    }
    defer { test_picture_free(&picture) }
    guard picture.width > 0, let base = picture.rgba else { return nil }
    size = PixelSize(width: Int(picture.width), height: Int(picture.height))
    channels = Int(picture.channels)
    rgba = Array(UnsafeBufferPointer(start: base, count: size.width * size.height * 4))
    sampling = [Int(picture.h_sampling), Int(picture.v_sampling)]
    quantizer = Int(picture.dc_quantizer)
  }
}

/// Runs an encoder over a picture into memory.
func encode(
  _ picture: TestPicture, on ledger: MemoryLedger = MemoryLedger(), to sink: ByteSink? = nil,
  with make: (ByteSink, MemoryLedger) throws(EngineError) -> RowEncoder
) throws(EngineError) -> [UInt8] {
  let sink = if let sink { sink } else { try ByteSink.memory(on: MemoryLedger()) }
  var encoder = try make(sink, ledger)
  let stride = picture.pixels.count / picture.size.height
  for row in 0..<picture.size.height {
    try picture.pixels.withBytes { bytes throws(EngineError) in
      try encoder.write(
        row: UnsafeRawBufferPointer(rebasing: bytes[row * stride..<(row + 1) * stride]))
    }
  }
  try encoder.finish()
  return sink.bytes
}

func encodeWebP(
  _ picture: TestPicture, _ options: WebPOptions, on ledger: MemoryLedger = MemoryLedger(),
  to sink: ByteSink? = nil
) throws(EngineError) -> [UInt8] {
  let sink = if let sink { sink } else { try ByteSink.memory(on: MemoryLedger()) }
  try picture.pixels.withBytes { bytes throws(EngineError) in
    try WebPEncoder.encode(
      bytes, size: picture.size, hasAlpha: picture.hasAlpha, options: options, to: sink,
      on: ledger)
  }
  return sink.bytes
}

/// Types of the chunks of a PNG, with their data.
func pngChunks(_ bytes: [UInt8]) -> [(type: String, data: [UInt8])] {
  var chunks: [(String, [UInt8])] = []
  var offset = 8
  while offset + 12 <= bytes.count {
    let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
    guard offset + 12 + length <= bytes.count else { break }
    chunks.append((type, Array(bytes[offset + 8..<offset + 8 + length])))
    offset += 12 + length
  }
  return chunks
}

/// Markers of a JPEG in front of its data, in order.
func jpegMarkers(_ bytes: [UInt8]) -> [UInt8] {
  var markers: [UInt8] = []
  var offset = 2
  while offset + 4 <= bytes.count, bytes[offset] == 0xff {
    markers.append(bytes[offset + 1])
    if bytes[offset + 1] == 0xda { break }
    offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
  }
  return markers
}

/// Names of the chunks of a WebP.
func webpChunks(_ bytes: [UInt8]) -> [String] {
  var names: [String] = []
  var offset = 12
  while offset + 8 <= bytes.count {
    names.append(String(decoding: bytes[offset..<offset + 4], as: UTF8.self))
    let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
    offset += 8 + length + length % 2
  }
  return names
}

extension [UInt8] {
  /// `withUnsafeBytes` keeps no error type; this does.
  func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try withUnsafeBufferPointer { buffer throws(EngineError) in
      try body(UnsafeRawBufferPointer(buffer))
    }
  }
}
