import Testing
import WidgetCodecs
import WidgetCore

@Suite("PNG headers")
struct HeaderPNGTests {
  @Test("Depths and colour types", arguments: [UInt8(0), 1, 2, 3, 4, 5, 6, 7])
  func combinations(type: UInt8) throws {
    let valid: [UInt8: [UInt8]] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    for depth in UInt8(0)...32 {
      let file = Head.png(
        Head.ihdr(depth: depth, type: type), before: Head.chunk("PLTE", [1, 2, 3]))
      if valid[type]?.contains(depth) == true {
        let header = try Head.read(file)
        #expect(header.bitDepth == Int(depth))
        let channels: [PixelLayout.Channels] = [.grey, .grey, .rgb, .rgb, .greyAlpha, .grey, .rgba]
        #expect(header.layout.channels == channels[Int(type)])
        #expect(header.layout.depth == (depth == 16 ? .sixteen : .eight))
        #expect(header.hasAlpha == (type >= 4))
      } else {
        #expect(Head.failure(file)?.code == .damaged)
      }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var code: EngineError.Code
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "width 0", bytes: Head.png(Head.ihdr(0, 5)), code: .damaged),
    Case(name: "height 2^31", bytes: Head.png(Head.ihdr(5, 1 << 31)), code: .damaged),
    Case(name: "interlace 2", bytes: Head.png(Head.ihdr(interlace: 2)), code: .damaged),
    Case(
      name: "bad header checksum", code: .damaged
    ) { Head.png(Head.chunk("IHDR", [0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0], crc: 1)) },
    Case(name: "no header chunk", code: .damaged) {
      Head.pngSignature + Head.chunk("IDAT", [1]) + Head.ihdr()
    },
    Case(name: "crushed", code: .unsupported) {
      Head.pngSignature + Head.chunk("CgBI", [0x50, 0, 0x20, 6]) + Head.ihdr()
        + Head.chunk("IDAT", [1])
    },
    Case(name: "no palette", bytes: Head.png(Head.ihdr(type: 3)), code: .damaged),
    Case(name: "palette of 4 bytes", code: .damaged) {
      Head.png(Head.ihdr(type: 3), before: Head.chunk("PLTE", [1, 2, 3, 4]))
    },
    Case(name: "no pixels", code: .damaged) {
      Head.pngSignature + Head.ihdr() + Head.chunk("IEND", [])
    },
    Case(name: "unknown critical chunk", code: .damaged) {
      Head.png(before: Head.chunk("ABCD", []))
    },
    Case(name: "chunk name of digits", code: .damaged) {
      Head.png(before: Head.chunk("1234", []))
    },
    Case(name: "cut in the header", code: .truncated) { Array(Head.png().prefix(28)) },
    Case(name: "cut before the pixels", code: .truncated) { Array(Head.png().prefix(37)) },
  ])
  func refused(_ sample: Case) {
    #expect(Head.failure(sample.bytes)?.code == sample.code)
  }

  @Test func transparency() throws {
    func alpha(_ type: UInt8, _ data: [UInt8], palette: Bool = false, crc: UInt32? = nil) throws
      -> PixelLayout
    {
      let plte = palette ? Head.chunk("PLTE", [1, 2, 3, 4, 5, 6]) : []
      let file = Head.png(
        Head.ihdr(type: type), before: plte + Head.chunk("tRNS", data, crc: crc))
      let header = try Head.read(file)
      #expect(header.hasAlpha == header.layout.hasAlpha)
      return header.layout
    }
    #expect(try alpha(0, [0, 1]) == PixelLayout(.greyAlpha))
    #expect(try alpha(2, [0, 1, 0, 1, 0, 1]) == PixelLayout(.rgba))
    #expect(try alpha(3, [7], palette: true) == PixelLayout(.rgba))
    #expect(try alpha(3, [7, 7], palette: true) == PixelLayout(.rgba))
    // What libpng leaves out: a wrong length or checksum, or alpha there already.
    #expect(try alpha(3, [7, 7, 7], palette: true) == PixelLayout(.rgb))
    #expect(try alpha(2, [0, 1]) == PixelLayout(.rgb))
    #expect(try alpha(2, [0, 1, 0, 1, 0, 1], crc: 5) == PixelLayout(.rgb))
    #expect(try alpha(6, [0, 1]) == PixelLayout(.rgba))
    let late = Head.png(after: Head.chunk("tRNS", [0, 1, 0, 1, 0, 1]))
    #expect(try Head.read(late).hasAlpha == false)
  }

  @Test func whatTheChunksTell() throws {
    let chromaticities = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
    let file = Head.png(
      Head.ihdr(interlace: 1),
      before: Head.chunk("sRGB", [0]) + Head.chunk("gAMA", Head.big(45455, 4))
        + Head.chunk("cHRM", chromaticities.flatMap { Head.big($0, 4) })
        + Head.chunk("cICP", [12, 13, 0, 1])
        + Head.chunk("iCCP", Array("Display P3".utf8) + [0, 0, 1, 2, 3])
        + Head.chunk("gAMA", [1, 2]) + Head.chunk("acTL", Head.big(7, 4) + Head.big(0, 4)))
    let header = try Head.read(file)
    #expect(
      header.colorTags == [
        .srgbChunk, .gamma(45455), .chromaticities(chromaticities),
        .cicp(primaries: 12, transfer: 13, matrix: 0, fullRange: true),
        .icc(description: "Display P3", bytes: 3),
      ])
    #expect(header.frames == 7)
    #expect(header.coding == .pngAdam7)
    #expect(header.fileBytes == file.count)
    #expect(header.detail == .png(colorType: 2, paletteEntries: 0))
  }

  @Test("100,000 chunks end the walk, not the machine")
  func manyChunks() throws {
    let many = [UInt8]((0..<100_500).flatMap { _ in Head.chunk("IDAT", []) })
    let file = Head.png(after: many + Head.chunk("eXIf", Head.orientation(6)))
    #expect(try Head.read(file).orientation == .up)
  }

  @Test("A pipe longer than what is held: the orientation may stand behind")
  func pipe() throws {
    let pixels = Head.chunk("IDAT", [UInt8](repeating: 7, count: CodecInput.holdLimit))
    let file = Head.png(before: pixels, after: Head.chunk("eXIf", Head.orientation(6)))
    let piped = try Head.readPiped(file)
    #expect(!piped.isWhole)
    #expect(piped.header.orientation == .up)
    #expect(piped.header.fileBytes == nil)
    #expect(piped.header.notes.map(\.code) == ["orientation-unknown"])
    let before = Head.png(before: Head.chunk("eXIf", Head.orientation(6)) + pixels)
    #expect(try Head.readPiped(before).header.orientation == .right)
    #expect(try Head.readPiped(before).header.notes.isEmpty)
  }
}

extension HeaderPNGTests.Case {
  init(name: String, code: EngineError.Code, _ bytes: () -> [UInt8]) {
    self.init(name: name, bytes: bytes(), code: code)
  }
}
