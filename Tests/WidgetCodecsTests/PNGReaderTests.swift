import Testing
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

@Suite("PNG rows") struct PNGReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var fixture: PNGFixture
  }

  /// Every colour type, depth, tRNS and interlacing, at awkward sizes.
  static let cases: [Case] = {
    var cases: [Case] = []
    for type in PNGFixture.ColorType.allCases {
      for depth in type.depths {
        for interlaced in [false, true] {
          for (width, height) in [(19, 11), (1, 1), (8, 3), (3, 17)] {
            for hasKey in [false, true] where !hasKey || type.samples != 2 && type != .rgba {
              var fixture = PNGFixture(type, depth: depth, width: width, height: height)
              fixture.interlaced = interlaced
              if hasKey { fixture.transparency = key(fixture) }
              let name = "\(type) \(depth) \(width)x\(height)"
              cases.append(
                Case(
                  testDescription: name + (interlaced ? " adam7" : "") + (hasKey ? " tRNS" : ""),
                  fixture: fixture))
            }
          }
        }
      }
    }
    return cases
  }()

  /// The first pixel's colour as the transparent one, or alphas for a palette.
  private static func key(_ fixture: PNGFixture) -> [UInt8] {
    if fixture.colorType == .palette { return [0, 128] }
    return (0..<fixture.colorType.samples).flatMap { channel -> [UInt8] in
      let value = fixture.sample(0, 0, channel)
      return [UInt8(value >> 8), UInt8(value & 255)]
    }
  }

  @Test("every kind gives its pixels", arguments: cases)
  func everyKind(_ test: Case) {
    let decoded = Decoded(.png, .bytes(test.fixture.bytes))
    #expect(decoded.error == nil)
    #expect(decoded.notes == [])
    #expect(decoded.layout?.channels.rawValue == test.fixture.rowChannels)
    #expect(decoded.layout?.depth.rawValue == test.fixture.rowBits)
    #expect(decoded.rows == test.fixture.rows)
    #expect(decoded.left == 0)
  }

  @Test("a PNG may stand anywhere in its input")
  func atOffset() {
    let fixture = PNGFixture(.rgb)
    let decoded = Decoded(
      .png, .bytes([UInt8](repeating: 7, count: 70_000) + fixture.bytes), at: 70_000)
    #expect(decoded.rows == fixture.rows)
    #expect(decoded.notes == [])
  }

  @Test("chunks of no use cost nothing and break nothing")
  func uselessChunks() {
    var fixture = PNGFixture(.rgba)
    // Each says it holds a profile, a text or frames; all of it is nonsense.
    let junk = [UInt8](repeating: 0xA5, count: 9_000_000)
    fixture.before = ["iCCP", "zTXt", "iTXt", "sPLT", "gAMA", "cHRM", "sRGB", "cICP", "acTL"].map {
      PNGFixture.Chunk($0, Array(junk[0..<3000]), hasBadCRC: true)
    }
    fixture.before.append(.init("iCCP", junk))
    fixture.after = [.init("fcTL", Array(junk[0..<26])), .init("fdAT", junk), .init("tEXt")]
    let decoded = Decoded(.png, .bytes(fixture.bytes))
    #expect(decoded.error == nil)
    #expect(decoded.notes == [])
    #expect(decoded.rows == fixture.rows)
    #expect(decoded.peak < 100_000)
  }

  @Test("pixel data may come in crumbs, with empty chunks between")
  func crumbs() {
    var fixture = PNGFixture(.rgb, depth: 16)
    fixture.idatBytes = 1
    fixture.emptyIDATs = 20
    let decoded = Decoded(.png, .bytes(fixture.bytes))
    #expect(decoded.error == nil)
    #expect(decoded.rows == fixture.rows)
  }

  @Test("the row buffer's length is checked")
  func wrongRowLength() throws {
    let ledger = MemoryLedger()
    let input = try CodecInput(bytes: PNGFixture(.rgb).bytes, on: ledger)
    var reader = try CodecReader(png: input, on: ledger)
    var row = [UInt8](repeating: 0, count: 19 * 3 - 1)
    #expect(throws: EngineError.self) {
      try row.withUnsafeMutableBytes { try reader.readRow(into: $0) }
    }
  }
}
