import CTestWebP
import Testing
import WidgetCodecs
import WidgetCore

@Suite("WebP rows")
struct WebPReaderTests {
  static let kinds: [WebPFixture] = [
    .init("lossy", 97, 61), .init("one pixel", 1, 1), .init("one row", 300, 1),
    .init("one column", 1, 300), .init("no filter", 200, 150) { $0.no_filter = true },
    .init("simple filter", 200, 150) { $0.simple_filter = true },
    .init("2 partitions", 301, 203) { $0.partitions = 1 },
    .init("8 partitions", 301, 203) { $0.partitions = 3 },
    .init("8 partitions of one block", 9, 9) { $0.partitions = 3 },
    .init("flat", 500, 400, .WT_FLAT), .init("noise", 120, 90, .WT_NOISE),
    .init("alpha", 97, 61, alpha: true),
    .init("alpha, noise", 97, 61, .WT_NOISE, alpha: true),
    .init("alpha, plain", 97, 61, alpha: true) { $0.plain_alpha = true },
    .init("alpha, filtered", 97, 61, alpha: true) { $0.alpha_filtering = 2 },
    .init("alpha, 4 partitions", 130, 131, alpha: true) { $0.partitions = 2 },
    .init("lossless", 97, 61) { $0.lossless = true },
    .init("lossless, alpha", 97, 61, alpha: true) { $0.lossless = true },
    .init("lossless drawing", 350, 240, .WT_DRAWING) { $0.lossless = true },
    .init("lossless flat", 350, 240, .WT_FLAT) { $0.lossless = true },
    .init("lossless noise", 90, 70, .WT_NOISE) { $0.lossless = true },
    // Larger than the window of 2 MB, so that it moves.
    .init("wide", 2600, 700), .init("tall", 300, 5000),
    .init("large, 4 partitions", 1500, 1300) { $0.partitions = 2 },
    .init("large, alpha", 1100, 900, alpha: true),
    .init("large, lossless", 1100, 900) { $0.lossless = true },
    .init("large, lossless, best", 1000, 900) {
      $0.lossless = true
      $0.method = 5
    },
    // Bursts of rows: a byte stands for more than the window holds.
    .init("burst", 2000, 3000, .WT_FLAT), .init("burst below", 1400, 3000, .WT_HALF_FLAT),
    .init("burst with alpha", 1200, 2500, .WT_FLAT, alpha: true),
    .init("lossless burst", 1500, 2600, .WT_FLAT) { $0.lossless = true },
  ]

  @Test(arguments: kinds)
  func samePixelsAsLibwebp(_ fixture: WebPFixture) throws {
    let bytes = try fixture.encode()
    let result = try WebPReading.read(bytes, limit: 60_000_000)
    #expect(result.header.size == PixelSize(width: fixture.width, height: fixture.height))
    #expect(result.header.layout.hasAlpha == fixture.alpha)
    #expect(result.notes.isEmpty)
    // Not `==` inside the macro: it would describe millions of numbers.
    let isSame = WebPReading.reference(bytes, alpha: fixture.alpha) == result.pixels
    #expect(isSame, "pixels differ from libwebp's")
    #expect(result.ledgerPeak <= result.planned)
    #expect(Double(result.planned) <= Double(result.ledgerPeak) * 1.25 + 131_072)
  }

  @Test("A tight limit narrows the window, and bursts are decoded again")
  func burstsUnderATightLimit() throws {
    let fixture = WebPFixture("burst", 3000, 4000, .WT_FLAT)
    let bytes = try fixture.encode()
    let result = try WebPReading.read(bytes, limit: 9_000_000)
    #expect(result.ledgerPeak <= 9_000_000)
    let isSame = WebPReading.reference(bytes, alpha: false) == result.pixels
    #expect(isSame, "pixels differ from libwebp's")
  }

  @Test("Over the budget is refused before anything is decoded")
  func overBudget() throws {
    let bytes = try WebPFixture("lossless", 900, 700) { $0.lossless = true }.encode()
    #expect(throws: EngineError.self) { try WebPReading.read(bytes, limit: 1_000_000) }
    do throws(EngineError) {
      _ = try WebPReading.read(bytes, limit: 1_000_000)
    } catch {
      #expect(error.code == .overBudget)
      #expect((error.neededBytes ?? 0) > 900 * 700 * 4)
    }
  }

  // MARK: Cut and damaged files

  @Test(arguments: [
    WebPFixture("lossy", 97, 161), .init("alpha", 97, 161, alpha: true),
    .init("lossless", 97, 161) { $0.lossless = true },
    .init("4 partitions", 97, 161) { $0.partitions = 2 },
  ])
  func cutAtEveryTenth(_ fixture: WebPFixture) throws {
    let bytes = try fixture.encode()
    for tenth in 1..<10 {
      let cut = Array(bytes.prefix(bytes.count * tenth / 10))
      do throws(EngineError) {
        _ = try WebPReading.read(cut)
        Issue.record("\(tenth)/10 of \(fixture.name) was read")
      } catch {
        #expect(error.code == .truncated, "\(tenth)/10: \(error.message)")
      }
    }
  }

  @Test("A cut file gives the rows that came, where that is allowed")
  func allowTruncated() throws {
    let bytes = try WebPFixture("lossy", 97, 161).encode()
    let whole = try WebPReading.read(bytes)
    let cut = try WebPReading.read(
      Array(bytes.prefix(bytes.count / 2)), options: .init(allowTruncated: true))
    #expect(cut.notes == [.filledTruncation])
    let stride = 97 * 3
    let rows = (0..<161).prefix { row in
      cut.pixels[row * stride..<(row + 1) * stride]
        == whole.pixels[row * stride..<(row + 1) * stride]
    }.count
    #expect(rows > 30 && rows < 130)
    #expect(cut.pixels[(rows + 16) * stride..<161 * stride].allSatisfy { $0 == 0 })
  }

  @Test("A missing padding byte or last byte is a note where all rows are there")
  func lastByteMissing() throws {
    // A chunk that states one byte more than it needs.
    let chunk = RIFF.chunks(try WebPFixture("lossy", 97, 61).encode())[0]
    let file = RIFF.file([("VP8 ", chunk.data + [0, 0])])
    let whole = try WebPReading.read(file)
    #expect(whole.notes.isEmpty)
    let cut = try WebPReading.read(Array(file.dropLast(1)))
    #expect(cut.notes == [.trailerMissing])
    let isSame = cut.pixels == whole.pixels
    #expect(isSame)
  }

  @Test func trailingBytesAreANote() throws {
    let bytes = try WebPFixture("lossy", 97, 61).encode()
    let result = try WebPReading.read(bytes + [UInt8](repeating: 0x00, count: 3_000_000))
    #expect(result.notes == [.trailingBytes])
  }

  @Test("Damage is told, or gives what libwebp gives: never another picture")
  func flippedBytes() throws {
    var seed: UInt64 = 7
    for fixture in [
      WebPFixture("lossy", 64, 48), .init("alpha", 64, 48, alpha: true),
      .init("lossless", 64, 48) { $0.lossless = true },
      .init("drawing", 64, 48, .WT_DRAWING) { $0.lossless = true },
    ] {
      let bytes = try fixture.encode()
      for _ in 0..<700 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var damaged = bytes
        let place = 12 + Int(seed >> 33) % (bytes.count - 12)
        damaged[place] ^= UInt8(truncatingIfNeeded: seed >> 20) | 1
        // A mutated size may ask for much: the limit keeps it honest.
        guard let result = try? WebPReading.read(damaged, limit: 30_000_000),
          result.header.size == PixelSize(width: 64, height: 48),
          let expected = WebPReading.reference(damaged, alpha: result.header.layout.hasAlpha)
        else { continue }
        let isSame = expected == result.pixels
        #expect(isSame, "\(fixture.name) with byte \(place) changed")
      }
    }
  }

  // MARK: Animations

  @Test("The first frame stands at its place, the rest is transparent", arguments: [false, true])
  func firstFrameOnCanvas(lossless: Bool) throws {
    let fixture = WebPFixture("frame", 20, 14, alpha: true) { $0.lossless = lossless }
    let bytes = try fixture.encode()
    let other = try WebPFixture("other", 40, 30, .WT_FLAT).encode()
    let file = RIFF.file([
      RIFF.canvas(40, 30, flags: 0x12), ("ANIM", [0, 0, 0, 0, 0, 0]),
      RIFF.frame(bytes, x: 6, y: 4, width: 20, height: 14),
      RIFF.frame(other, x: 0, y: 0, width: 40, height: 30),
    ])
    let result = try WebPReading.read(file)
    #expect(result.header.coding == .webpAnimated)
    #expect(result.header.frames == 2)
    let frame = try #require(WebPReading.reference(bytes, alpha: true))
    var expected = [UInt8](repeating: 0, count: 40 * 30 * 4)
    for y in 0..<14 {
      let at = ((y + 4) * 40 + 6) * 4
      expected.replaceSubrange(at..<at + 80, with: frame[y * 80..<(y + 1) * 80])
    }
    let isSame = result.pixels == expected
    #expect(isSame)
  }
}
