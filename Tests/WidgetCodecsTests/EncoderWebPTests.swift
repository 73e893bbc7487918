import CTestDecode
import Testing
import WidgetCodecs
import WidgetCore

@Suite("WebP encoder")
struct EncoderWebPTests {
  static let pictures = TestPicture.Content.allCases.flatMap { content in
    [(1, 1), (3, 5), (54, 36), (200, 133)].flatMap { width, height in
      [false, true].map { TestPicture(width, height, hasAlpha: $0, content) }
    }
  }

  @Test("lossless keeps every visible pixel at every method", arguments: pictures)
  func lossless(_ picture: TestPicture) throws {
    for method in 0...4 {
      let bytes = try encodeWebP(picture, WebPOptions(lossless: true, method: method))
      let decoded = try #require(StockPicture(bytes, by: test_decode_webp))
      #expect(decoded.size == picture.size)
      #expect(visible(decoded.rgba) == visible(picture.rgba))
      #expect(webpChunks(bytes) == ["VP8L"])
    }
  }

  @Test("lossy comes near, alpha exactly, and there is no metadata", arguments: [false, true])
  func lossy(hasAlpha: Bool) throws {
    let picture = TestPicture(120, 80, hasAlpha: hasAlpha)
    let bytes = try encodeWebP(picture, WebPOptions(lossless: false, quality: 95))
    let decoded = try #require(StockPicture(bytes, by: test_decode_webp))
    #expect(decoded.size == picture.size)
    #expect(webpChunks(bytes) == (hasAlpha ? ["VP8X", "ALPH", "VP8 "] : ["VP8 "]))
    let alphas = stride(from: 3, to: decoded.rgba.count, by: 4)
    #expect(alphas.allSatisfy { decoded.rgba[$0] == picture.rgba[$0] })
    let error = zip(decoded.rgba, picture.rgba).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    #expect(Double(error) / Double(decoded.rgba.count) < 4)
  }

  @Test("the highest method that fits is chosen")
  func method() {
    let size = PixelSize(width: 400, height: 400)
    let options = WebPOptions(lossless: true)
    let needs = (0...4).map { method in
      EncoderMemory.webpBytes(
        size: size, hasAlpha: true, options: WebPOptions(lossless: true, method: method))
    }
    #expect(needs == needs.sorted())
    #expect(options.fitting(.max, size: size, hasAlpha: true).method == 4)
    for method in 0...4 {
      #expect(options.fitting(needs[method], size: size, hasAlpha: true).method == method)
    }
    #expect(options.fitting(0, size: size, hasAlpha: true).method == 0)
    let lossy = WebPOptions(lossless: false)
    #expect(lossy.fitting(0, size: size, hasAlpha: false).method == 4)
  }

  @Test("over the ledger's limit nothing is encoded")
  func overBudget() throws {
    let picture = TestPicture(100, 100, hasAlpha: true)
    let options = WebPOptions(lossless: true)
    let need = EncoderMemory.webpBytes(size: picture.size, hasAlpha: true, options: options)
    let ledger = MemoryLedger(limit: need - 1)
    do {
      _ = try encodeWebP(picture, options, on: ledger)
      Issue.record("encoded")
    } catch {
      #expect(error.code == .overBudget)
      #expect(error.neededBytes == need)
    }
    #expect(ledger.reserved == 0)
    #expect(ledger.peak == 0)
  }

  @Test(
    "what WebP can't hold is refused", arguments: [(16_384, 1, 85), (1, 16_384, 85), (4, 4, 0)])
  func refused(_ width: Int, _ height: Int, _ quality: Int) throws {
    let picture = TestPicture(width, height, hasAlpha: false, .flat)
    do {
      _ = try encodeWebP(picture, WebPOptions(lossless: false, quality: quality))
      Issue.record("encoded")
    } catch {
      #expect(error.code == .badRequest)
    }
  }

  /// Pixels with the colour under full transparency taken out.
  private func visible(_ rgba: [UInt8]) -> [UInt8] {
    stride(from: 0, to: rgba.count, by: 4).flatMap {
      rgba[$0 + 3] == 0 ? [0, 0, 0, 0] : Array(rgba[$0..<$0 + 4])
    }
  }
}
