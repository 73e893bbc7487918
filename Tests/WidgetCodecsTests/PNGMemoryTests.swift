import Testing
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

@Suite("PNG memory") struct PNGMemoryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var type: PNGFixture.ColorType
    var depth: Int
    var width: Int
    var interlaced: Bool
    var hasKey: Bool
    var testDescription: String {
      "\(type) \(depth) \(width)\(interlaced ? " adam7" : "")\(hasKey ? " tRNS" : "")"
    }

    /// 3,000 rows by its header, of which only the first few are there: the
    /// peak is reached with the first. All passes, of a few rows, where there
    /// are several.
    var fixture: PNGFixture {
      let isCut = width > 100 && !interlaced
      var fixture = PNGFixture(
        type, depth: depth, width: width, height: isCut ? 3000 : width > 100 ? 9 : 2)
      fixture.missingRows = isCut ? 2997 : 0
      fixture.interlaced = interlaced
      if hasKey { fixture.transparency = type == .palette ? [0] : [0, 0, 0, 0, 0, 0] }
      if hasKey, type == .grey { fixture.transparency = [0, 0] }
      return fixture
    }

    var header: ImageHeader {
      let fixture = fixture
      return ImageHeader(
        coding: interlaced ? .pngAdam7 : .pngSequential,
        size: PixelSize(width: fixture.width, height: fixture.height), bitDepth: depth,
        layout: PixelLayout(
          PixelLayout.Channels(rawValue: fixture.rowChannels) ?? .grey,
          fixture.rowBits == 16 ? .sixteen : .eight),
        hasAlpha: fixture.rowChannels % 2 == 0, fileBytes: nil,
        detail: .png(colorType: Int(type.rawValue), paletteEntries: fixture.palette.count / 3))
    }
  }

  static let cases: [Case] = PNGFixture.ColorType.allCases.flatMap { type in
    type.depths.flatMap { depth in
      [1, 4000, 30_001].flatMap { width in
        [false, true].flatMap { interlaced in
          [false, true].compactMap { hasKey in
            if hasKey, type == .greyAlpha || type == .rgba { return nil }
            return Case(
              type: type, depth: depth, width: width, interlaced: interlaced, hasKey: hasKey)
          }
        }
      }
    }
  }

  @Test("planned bytes cover the ledger's peak, and not by much", arguments: cases)
  func planned(_ test: Case) {
    let decoded = Decoded(.png, .bytes(test.fixture.bytes), keepsRows: false)
    #expect(decoded.rowCount > 0)
    let parts = PNGMemory.parts(for: test.header)
    #expect(isFair(planned: parts, peak: decoded.peak), "\(parts), peak \(decoded.peak)")
  }

  @Test("an interlaced picture takes as much memory at any height")
  func anyHeight() {
    let peaks = [64, 2048].map { height in
      var fixture = PNGFixture(.rgba, depth: 8, width: 900, height: height)
      fixture.interlaced = true
      let decoded = Decoded(.png, .bytes(fixture.bytes), keepsRows: false)
      #expect(decoded.error == nil)
      return decoded.peak
    }
    #expect(peaks[0] == peaks[1])
    #expect(peaks[1] < 700_000)
  }

  @Test("sizes that no memory holds are refused, not computed wrongly", arguments: [false, true])
  func absurd(interlaced: Bool) {
    var fixture = PNGFixture(.rgba, depth: 16, width: 4, height: 4)
    fixture.interlaced = interlaced
    var chunks = fixture.chunks
    chunks[0].data.replaceSubrange(
      0..<8, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    let decoded = Decoded(.png, .bytes(PNGFixture.file(chunks)), limit: 100_000_000)
    #expect(decoded.error?.code == .overBudget)
    #expect(decoded.left == 0)
  }

  @Test("parts saturate")
  func saturation() {
    var header = PNGMemoryTests.Case(
      type: .rgba, depth: 16, width: 1, interlaced: true, hasKey: false
    ).header
    header.size = PixelSize(width: .max, height: .max)
    #expect(MemoryPlan([.init("read", PNGMemory.parts(for: header))]).peak == .max)
  }
}
