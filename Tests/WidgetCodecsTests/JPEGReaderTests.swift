import CTestCodecs
import Testing
import WidgetCodecs
import WidgetCore

@Suite("JPEG rows") struct JPEGReaderTests {
  @Test("every coding and sampling gives stock libjpeg's pixels", arguments: JPEGFixture.all)
  func everyKind(_ fixture: JPEGFixture) {
    let bytes = fixture.bytes
    #expect(!bytes.isEmpty)
    let stock = StockJPEG(bytes)
    let decoded = Decoded(.jpeg, .bytes(bytes))
    #expect(decoded.error == nil)
    #expect(decoded.notes == [])
    #expect(decoded.layout == PixelLayout(fixture.components == 1 ? .grey : .rgb))
    #expect(decoded.rows == stock.rows)
    #expect(decoded.left == 0)
  }

  @Test(
    "shrinking by 2, 4 and 8 gives libjpeg's own scaled rows", arguments: JPEGFixture.all,
    [2, 4, 8])
  func shrinking(_ fixture: JPEGFixture, shrink: Int) {
    let bytes = fixture.bytes
    let stock = StockJPEG(bytes, shrink: shrink)
    let decoded = Decoded(.jpeg, .bytes(bytes), options: .init(shrink: shrink))
    #expect(decoded.error == nil)
    #expect(decoded.size?.width == (fixture.width + shrink - 1) / shrink)
    #expect(decoded.size?.height == (fixture.height + shrink - 1) / shrink)
    #expect(decoded.rows == stock.rows)
  }

  @Test("a shrink that libjpeg has not is refused", arguments: [3, 16, 0, -1])
  func badShrink(shrink: Int) {
    let decoded = Decoded(.jpeg, .bytes(JPEGFixture().bytes), options: .init(shrink: shrink))
    #expect(decoded.error?.code == .internalFault)
  }

  @Test("CMYK: Adobe's values are light, others are ink", arguments: [true, false])
  func ink(hasAdobe: Bool) throws {
    var fixture = JPEGFixture()
    fixture.components = 4
    fixture.untransformed = true
    fixture.hasAdobe = hasAdobe
    let bytes = fixture.bytes
    let info = StockJPEG(bytes).info
    #expect(info.adobe == hasAdobe)
    // The fixture's first component and its key are small at the left top: much
    // light if they are ink, little if they are light.
    let decoded = Decoded(.jpeg, .bytes(bytes))
    let first = try #require(decoded.rows.first)
    #expect(hasAdobe ? first < 64 : first > 128)
  }

  @Test("a JPEG may stand anywhere in its input")
  func atOffset() {
    let bytes = JPEGFixture().bytes
    let decoded = Decoded(
      .jpeg, .bytes([UInt8](repeating: 0xFF, count: 33_000) + bytes), at: 33_000)
    #expect(decoded.rows == StockJPEG(bytes).rows)
  }

  @Test("long segments are stepped over without being read")
  func segments() throws {
    var bytes = JPEGFixture().bytes
    let stock = StockJPEG(bytes).rows
    let segment: [UInt8] = [0xFF, 0xE5, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 65_533)
    bytes.insert(contentsOf: [[UInt8]](repeating: segment, count: 100).joined(), at: 2)
    let ledger = MemoryLedger()
    let input = try CodecInput(bytes: bytes, on: ledger)
    let reader = try CodecReader(jpeg: input, on: ledger)
    #expect(reader.size == PixelSize(width: 61, height: 47))
    #expect(input.bytesRead < 4_000_000)
    #expect(Decoded(.jpeg, .bytes(bytes)).rows == stock)
  }
}
