import CTestWebP
import Testing
import WidgetCodecs
import WidgetCore

@Suite("WebP headers")
struct HeaderWebPTests {
  private func detail(_ header: ImageHeader) throws -> ImageHeader.WebPDetail {
    guard case .webp(let detail) = header.detail else {
      throw EngineError(.internalFault, "not a WebP's detail")
    }
    return detail
  }

  @Test("Token partitions, through segments and filters", arguments: [0, 1, 2, 3], [0, 2, 4])
  func partitions(log2: Int, method: Int) throws {
    for (simple, none) in [(false, false), (true, false), (false, true)] {
      let fixture = WebPFixture("lossy", 150, 170) {
        $0.partitions = Int32(log2)
        $0.method = Int32(method)
        $0.simple_filter = simple
        $0.no_filter = none
      }
      let found = try detail(Head.read(fixture.encode()))
      // From method 3 on libwebp's encoder writes one, whatever it is told.
      #expect(found.partitions == (method < 3 ? 1 << log2 : 1))
      #expect(found.filterRows == (none ? 0 : simple ? 2 : 8))
      #expect(found.headBytes > 10 && found.headBytes < found.imageBytes)
    }
  }

  @Test func codings() throws {
    let kinds: [(WebPFixture, ImageCoding, Bool)] = [
      (.init("lossy", 33, 21), .webpLossy, false),
      (.init("alpha", 33, 21, alpha: true), .webpLossyAlpha, true),
      (.init("lossless", 33, 21) { $0.lossless = true }, .webpLossless, false),
      (.init("both", 33, 21, alpha: true) { $0.lossless = true }, .webpLossless, true),
    ]
    for (fixture, coding, alpha) in kinds {
      let header = try Head.read(fixture.encode())
      #expect(header.coding == coding)
      #expect(header.hasAlpha == alpha)
      #expect(header.layout == PixelLayout(alpha ? .rgba : .rgb))
      #expect(header.size == PixelSize(width: 33, height: 21))
      #expect(header.notes.isEmpty)
    }
  }

  @Test("Lossless tables are read to their end")
  func losslessTables() throws {
    for (scene, method) in [
      (wt_scene.WT_PHOTO, 0), (.WT_PHOTO, 6), (.WT_DRAWING, 0), (.WT_DRAWING, 6), (.WT_NOISE, 4),
      (.WT_FLAT, 4), (.WT_HALF_FLAT, 6),
    ] {
      let fixture = WebPFixture("lossless", 300, 260, scene, alpha: scene == .WT_NOISE) {
        $0.lossless = true
        $0.method = Int32(method)
      }
      let shape = try #require(try detail(Head.read(fixture.encode())).lossless)
      #expect(shape.isComplete)
      #expect(shape.groups >= 1 && shape.groups <= shape.groupNumbers)
    }
  }

  @Test("Sizes and flags that lie are not believed")
  func lies() throws {
    let picture = RIFF.chunks(try WebPFixture("alpha", 20, 11, alpha: true).encode())
      .filter { $0.name != "VP8X" }
    let exif: RIFF.Chunk = ("EXIF", Head.exifMark + Head.orientation(6))
    for size in [0, 4, 100, 0xFFFF_FFFF] {
      let file = RIFF.file([RIFF.canvas(20, 11)] + picture + [exif], size: size)
      let header = try Head.read(file)
      #expect(header.coding == .webpLossyAlpha)
      #expect(header.orientation == .right)
    }
    // Alpha and animation are stated, neither is there.
    let plain = RIFF.chunks(try WebPFixture("lossy", 20, 11).encode())
    let header = try Head.read(RIFF.file([RIFF.canvas(20, 11, flags: 0x12)] + plain))
    #expect(header.coding == .webpLossy)
    #expect(!header.hasAlpha)
    // Unknown chunks of odd length before the picture, junk after it.
    let odd = RIFF.file([RIFF.canvas(20, 11), ("ODDS", [1, 2, 3])] + plain) + [0, 1, 2, 0xFF]
    #expect(try Head.read(odd).size == PixelSize(width: 20, height: 11))
  }

  @Test func frames() throws {
    let small = try WebPFixture("frame", 8, 6).encode()
    let frame = RIFF.frame(small, x: 4, y: 2, width: 8, height: 6)
    let head: [RIFF.Chunk] = [RIFF.canvas(30, 20, flags: 2), ("ANIM", [0, 0, 0, 0, 0, 0])]
    let header = try Head.read(RIFF.file(head + [frame, frame, frame]))
    #expect(header.coding == .webpAnimated)
    #expect(header.frames == 3)
    #expect(header.size == PixelSize(width: 30, height: 20))
    #expect(header.layout == PixelLayout(.rgba))
    let found = try detail(header)
    #expect(found.frameSize == PixelSize(width: 8, height: 6))
    #expect([found.frameX, found.frameY] == [4, 2])
    let outside = RIFF.frame(small, x: 24, y: 2, width: 8, height: 6)
    #expect(Head.failure(RIFF.file(head + [outside]))?.code == .damaged)
    let wrongSize = RIFF.frame(small, x: 0, y: 0, width: 9, height: 6)
    #expect(Head.failure(RIFF.file(head + [wrongSize]))?.code == .damaged)
  }

  @Test func refused() throws {
    let lossy = RIFF.chunks(try WebPFixture("lossy", 20, 11).encode())
    #expect(Head.failure(RIFF.file([RIFF.canvas(21, 11)] + lossy))?.code == .damaged)
    #expect(Head.failure(RIFF.file([RIFF.canvas(20, 11)]))?.code == .damaged)
    #expect(Head.failure(RIFF.file([("VP8L", [0x2F, 1])]))?.code == .damaged)
    #expect(Head.failure(RIFF.file([("VP8L", [0x2E, 1, 0, 0, 0])]))?.code == .damaged)
    for byte in [0, 3, 4, 5] {
      var data = lossy[0].data
      data[byte] ^= byte == 0 ? 1 : 0xFF
      #expect(Head.failure(RIFF.file([("VP8 ", data)]))?.code == .damaged)
    }
    let file = RIFF.file([RIFF.canvas(20, 11)] + lossy)
    for length in 12..<(file.count - lossy[0].data.count + 10) {
      #expect(Head.failure(Array(file.prefix(length)))?.code == .truncated, "\(length)")
    }
  }

  @Test("A pipe: walked as far as it is held, read forward past that")
  func pipe() throws {
    let picture = RIFF.chunks(try WebPFixture("lossy", 200, 110, .WT_NOISE).encode())
    let exif: RIFF.Chunk = ("EXIF", Head.orientation(6))
    let junk: RIFF.Chunk = ("JUNK", [UInt8](repeating: 1, count: CodecInput.holdLimit - 3000))
    // The picture crosses the end of what is held.
    let file = RIFF.file([RIFF.canvas(200, 110, flags: 8), junk] + picture + [exif])
    let piped = try Head.piped(file)
    let result = try WebPReading.read(piped.input)
    #expect(result.header.notes.map(\.code) == ["orientation-unknown"])
    let isSame = result.pixels == (try WebPReading.read(file)).pixels
    #expect(isSame)
  }
}
