import CTestDecode
import Testing
import WidgetCodecs
import WidgetCore

@Suite("JPEG encoder")
struct EncoderJPEGTests {
  static let cases = [(1, 1), (7, 9), (16, 16), (54, 36), (200, 133)].flatMap { width, height in
    [1, 50, 85, 89, 90, 100].map { (TestPicture(width, height, hasAlpha: false), $0) }
  }

  static func encoded(_ picture: TestPicture, _ options: JPEGOptions) throws -> [UInt8] {
    try encode(picture) { sink, ledger throws(EngineError) in
      try RowEncoder(jpeg: options, size: picture.size, to: sink, on: ledger)
    }
  }

  @Test("stock libjpeg reads it, near the source, with the chroma of its quality", arguments: cases)
  func decodes(_ picture: TestPicture, quality: Int) throws {
    let bytes = try Self.encoded(picture, JPEGOptions(quality: quality))
    let decoded = try #require(StockPicture(bytes, by: test_decode_jpeg))
    #expect(decoded.size == picture.size)
    #expect(decoded.sampling == (quality >= 90 ? [1, 1] : [2, 2]))
    if quality == 100 {
      let worst = zip(decoded.rgba, picture.rgba).map { abs(Int($0) - Int($1)) }.max()
      #expect((worst ?? 255) <= 4)
    }
  }

  @Test("chroma can be forced")
  func chroma() throws {
    let picture = TestPicture(32, 32, hasAlpha: false)
    for (chroma, sampling) in [(JPEGOptions.Chroma.full, [1, 1]), (.half, [2, 2])] {
      for quality in [50, 95] {
        let bytes = try Self.encoded(picture, JPEGOptions(quality: quality, chroma: chroma))
        #expect(StockPicture(bytes, by: test_decode_jpeg)?.sampling == sampling)
      }
    }
  }

  @Test(
    "baseline, JFIF marker and no other metadata, made tables or not", arguments: [false, true])
  func markers(optimize: Bool) throws {
    let picture = TestPicture(64, 64, hasAlpha: false, .noise)
    let bytes = try Self.encoded(picture, JPEGOptions(quality: 1, optimize: optimize))
    let markers = Set(jpegMarkers(bytes))
    #expect(markers == [0xe0, 0xdb, 0xc0, 0xc4, 0xda])
    #expect(bytes.suffix(2) == [0xff, 0xd9])
  }

  @Test("made tables give the same pixels in fewer bytes")
  func optimized() throws {
    let picture = TestPicture(300, 200, hasAlpha: false)
    let plain = try Self.encoded(picture, JPEGOptions())
    let small = try Self.encoded(picture, JPEGOptions(optimize: true))
    #expect(small.count < plain.count)
    let left = try #require(StockPicture(plain, by: test_decode_jpeg))
    let right = try #require(StockPicture(small, by: test_decode_jpeg))
    #expect(left.rgba == right.rgba)
  }

  @Test("a higher quality quantises less")
  func quality() throws {
    let picture = TestPicture(32, 32, hasAlpha: false)
    let steps = try [10, 50, 85, 100].map {
      try #require(
        StockPicture(Self.encoded(picture, JPEGOptions(quality: $0)), by: test_decode_jpeg)
      )
      .quantizer
    }
    #expect(steps == steps.sorted(by: >))
    #expect(steps.last == 1)
  }

  @Test(
    "what JPEG can't hold is refused, and nothing stays reserved",
    arguments: [(65_501, 1, 85), (1, 65_501, 85), (0, 1, 85), (8, 8, 0), (8, 8, 101)])
  func refused(_ width: Int, _ height: Int, _ quality: Int) throws {
    let ledger = MemoryLedger()
    do {
      _ = try RowEncoder(
        jpeg: JPEGOptions(quality: quality), size: PixelSize(width: width, height: height),
        to: ByteSink.counting(on: ledger), on: ledger)
      Issue.record("opened")
    } catch {
      #expect(error.code == .badRequest)
    }
    #expect(ledger.reserved == 0)
  }
}
