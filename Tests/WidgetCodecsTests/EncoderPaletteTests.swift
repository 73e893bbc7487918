import CTestDecode
import Testing
import WidgetCodecs
import WidgetCore

@Suite("Indexed PNG")
struct EncoderPaletteTests {
  /// `count` colours over a picture; every third is half transparent.
  static func picture(colors count: Int, opaque: Bool = false) -> TestPicture {
    var picture = TestPicture(31, 29, hasAlpha: true, .flat)
    for pixel in 0..<31 * 29 {
      let color = pixel % count
      let alpha: UInt8 = color % 3 == 0 && !opaque ? 128 : 255
      picture.pixels.replaceSubrange(
        pixel * 4..<pixel * 4 + 4,
        with: [UInt8(color), UInt8(255 - color), UInt8(color / 2), alpha])
    }
    return picture
  }

  static func encodeIndexed(_ picture: TestPicture) throws -> (bytes: [UInt8], palette: Palette) {
    var builder = PaletteBuilder()
    let fits = picture.pixels.withUnsafeBytes { builder.add($0) }
    #expect(fits)
    let made = builder.palette()
    let palette = try #require(made)
    let sink = try ByteSink.memory(on: MemoryLedger())
    var encoder = try RowEncoder(
      indexed: palette, size: picture.size, to: sink, on: MemoryLedger())
    var indices = [UInt8](repeating: 0, count: picture.size.width)
    let stride = picture.size.width * 4
    for row in 0..<picture.size.height {
      let pixels = Array(picture.pixels[row * stride..<(row + 1) * stride])
      indices.withUnsafeMutableBytes { indices in
        pixels.withUnsafeBytes { builder.map($0, into: indices) }
      }
      try indices.withBytes { bytes throws(EngineError) in try encoder.write(row: bytes) }
    }
    try encoder.finish()
    return (sink.bytes, palette)
  }

  @Test(
    "every pixel comes back, in the fewest bits",
    arguments: zip([1, 2, 3, 4, 5, 16, 17, 255, 256], [1, 1, 2, 2, 4, 4, 8, 8, 8]))
  func exact(colors: Int, depth: Int) throws {
    for opaque in [false, true] {
      let picture = Self.picture(colors: colors, opaque: opaque)
      let (bytes, palette) = try Self.encodeIndexed(picture)
      let decoded = try #require(StockPicture(bytes, by: test_decode_png))
      #expect(decoded.rgba == picture.pixels)
      #expect(palette.count == colors)
      let chunks = pngChunks(bytes)
      #expect(chunks.first.map { [$0.data[8], $0.data[9]] } == [UInt8(depth), 3])
      // Only as many alphas as colours that need one.
      let alphas = chunks.first { $0.type == "tRNS" }?.data.count ?? 0
      #expect(alphas == (opaque ? 0 : (colors + 2) / 3))
      #expect(
        chunks.map(\.type) == ["IHDR", "sRGB", "PLTE"] + (opaque ? [] : ["tRNS"]) + [
          "IDAT", "IEND",
        ])
    }
  }

  @Test("257 colours have no palette")
  func tooMany() {
    var builder = PaletteBuilder()
    let pixels = (0..<257).flatMap { (color: Int) -> [UInt8] in
      [UInt8(color & 255), UInt8(color >> 8), 0, 255]
    }
    let fits = pixels.withUnsafeBytes { builder.add($0) }
    #expect(!fits)
    let palette = builder.palette()
    #expect(palette == nil)
  }

  @Test("colours under full transparency are one")
  func transparent() throws {
    var builder = PaletteBuilder()
    let pixels = (0..<300).flatMap { (color: Int) -> [UInt8] in
      [UInt8(color & 255), UInt8(color >> 8), 7, 0]
    }
    let fits = pixels.withUnsafeBytes { builder.add($0) }
    #expect(fits)
    let palette = builder.palette()
    #expect(palette?.entries == [0, 0, 0, 0])
  }
}
