import CTestDecode
import Testing
import WidgetCodecs
import WidgetCore

@Suite("PNG encoder")
struct EncoderPNGTests {
  static let pictures = TestPicture.Content.allCases.flatMap { content in
    [(1, 1), (3, 5), (54, 36), (257, 2), (300, 200)].flatMap { width, height in
      [false, true].map { TestPicture(width, height, hasAlpha: $0, content) }
    }
  }

  @Test("every pixel comes back through stock libpng", arguments: pictures)
  func exact(_ picture: TestPicture) throws {
    for style in PNGOptions.Style.allCases {
      let bytes = try encode(picture) { sink, ledger throws(EngineError) in
        try RowEncoder(
          png: PNGOptions(style: style), size: picture.size, hasAlpha: picture.hasAlpha, to: sink,
          on: ledger)
      }
      let decoded = try #require(StockPicture(bytes, by: test_decode_png))
      #expect(decoded.size == picture.size)
      #expect(decoded.channels == (picture.hasAlpha ? 4 : 3))
      #expect(decoded.rgba == picture.rgba)
    }
  }

  @Test("IHDR, sRGB, IDAT, IEND and nothing else")
  func chunks() throws {
    let picture = TestPicture(200, 100, hasAlpha: true, .noise)
    let bytes = try encode(picture) { sink, ledger throws(EngineError) in
      try RowEncoder(
        png: PNGOptions(), size: picture.size, hasAlpha: true, to: sink, on: ledger)
    }
    let chunks = pngChunks(bytes)
    let kinds = chunks.map(\.type).reduce(into: [String]()) {
      if $0.last != $1 { $0.append($1) }
    }
    #expect(kinds == ["IHDR", "sRGB", "IDAT", "IEND"])
    // 8 bits, RGBA, deflate, adaptive, not interlaced; perceptual intent.
    #expect(chunks.first.map { Array($0.data[8...]) } == [8, 6, 0, 0, 0])
    #expect(chunks.first { $0.type == "sRGB" }?.data == [0])
  }

  @Test("the smallest style is found and holds what it promises")
  func smallest() throws {
    let picture = TestPicture(128, 128, hasAlpha: true, .artwork)
    let ledger = MemoryLedger()
    let best = try picture.pixels.withBytes { bytes throws(EngineError) in
      try PNGOptions.smallest(of: bytes, size: picture.size, hasAlpha: true, on: ledger)
    }
    let sizes = try PNGOptions.Style.allCases.map { style in
      try encode(picture) { sink, ledger throws(EngineError) in
        try RowEncoder(
          png: PNGOptions(style: style), size: picture.size, hasAlpha: true, to: sink, on: ledger)
      }.count
    }
    #expect(best.bytes == sizes.min())
    #expect(ledger.reserved == 0)
  }

  @Test("rows of another length, too many or too few are a fault, and it stays")
  func misuse() throws {
    let ledger = MemoryLedger()
    let size = PixelSize(width: 4, height: 2)
    let sink = try ByteSink.memory(on: ledger)
    var encoder = try RowEncoder(
      png: PNGOptions(), size: size, hasAlpha: false, to: sink, on: ledger)
    let row = [UInt8](repeating: 7, count: 12)
    try row.withBytes { bytes throws(EngineError) in try encoder.write(row: bytes) }
    do {
      try encoder.finish()
      Issue.record("finish with a row missing")
    } catch {
      #expect(error.code == .internalFault)
    }
    do {
      try row.withBytes { bytes throws(EngineError) in try encoder.write(row: bytes) }
      Issue.record("a row after a failure")
    } catch {
      #expect(error.code == .internalFault)
    }
  }

  @Test("sizes that PNG can't hold", arguments: [(0, 1), (1, 0), (1 << 31, 1), (-1, 5)])
  func impossible(_ width: Int, _ height: Int) throws {
    let ledger = MemoryLedger()
    let size = PixelSize(width: width, height: height)
    do {
      _ = try RowEncoder(
        png: PNGOptions(), size: size, hasAlpha: false, to: ByteSink.counting(on: ledger),
        on: ledger)
      Issue.record("opened")
    } catch {
      #expect([.badRequest, .internalFault].contains(error.code))
    }
    #expect(ledger.reserved == 0)
  }
}
