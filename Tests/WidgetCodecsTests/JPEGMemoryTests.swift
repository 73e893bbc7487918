import Testing
import WidgetCodecs
import WidgetCore

@Suite("JPEG memory") struct JPEGMemoryTests {
  @Test(
    "planned bytes cover the ledger's peak, and not by much", arguments: JPEGFixture.all,
    [1, 2, 4, 8])
  func small(_ fixture: JPEGFixture, shrink: Int) throws {
    try check(fixture, shrink: shrink)
  }

  static let large: [JPEGFixture] = {
    var fixtures: [JPEGFixture] = [
      .sampled(), .sampled((2, 1)), .sampled((2, 2)), .sampled((4, 1)), .sampled((1, 3)),
      .sampled(progressive: true), .sampled((2, 1), progressive: true),
      .sampled((2, 2), progressive: true),
    ]
    var grey = JPEGFixture()
    grey.components = 1
    fixtures.append(grey)
    var cmyk = JPEGFixture()
    cmyk.components = 4
    fixtures.append(cmyk)
    cmyk.progressive = true
    fixtures.append(cmyk)
    var separate = JPEGFixture.sampled((2, 2))
    separate.separateScans = true
    fixtures.append(separate)
    return fixtures.flatMap { base -> [JPEGFixture] in
      var wide = base
      (wide.width, wide.height) = (4000, 3000)
      var flat = base
      (flat.width, flat.height) = (65_500, 20)
      return [wide, flat]
    }
  }()

  @Test("so they do for large pictures", arguments: large)
  func largePictures(_ fixture: JPEGFixture) throws {
    try check(fixture, shrink: 1)
  }

  private func check(_ fixture: JPEGFixture, shrink: Int) throws {
    let bytes = fixture.bytes
    let decoded = Decoded(
      .jpeg, .bytes(bytes), options: .init(shrink: shrink), keepsRows: false)
    #expect(decoded.error == nil)
    let parts = JPEGMemory.parts(for: try header(of: bytes), shrink: shrink)
    #expect(isFair(planned: parts, peak: decoded.peak), "\(parts), peak \(decoded.peak)")
  }

  @Test("a progressive picture of 12 MP takes a few megabytes, whatever its height")
  func progressive() {
    var fixture = JPEGFixture.sampled((2, 2), progressive: true)
    (fixture.width, fixture.height) = (4000, 3000)
    let tall = Decoded(.jpeg, .bytes(fixture.bytes), keepsRows: false)
    #expect(tall.error == nil)
    #expect(tall.peak < 1_500_000)
    fixture.height = 300
    #expect(Decoded(.jpeg, .bytes(fixture.bytes), keepsRows: false).peak == tall.peak)
  }

  @Test("every budget either holds or refuses, and nothing stays reserved")
  func everyBudget() {
    for fixture in [JPEGFixture.all[0], JPEGFixture.all[1]] {
      let bytes = fixture.bytes
      let peak = Decoded(.jpeg, .bytes(bytes)).peak + bytes.count
      for limit in stride(from: 0, through: peak, by: 997) {
        let decoded = Decoded(.jpeg, .bytes(bytes), limit: limit, keepsRows: false)
        #expect(decoded.error?.code == .overBudget)
        #expect(decoded.left == 0)
      }
      #expect(Decoded(.jpeg, .bytes(bytes), limit: peak).error == nil)
    }
  }

  @Test("parts saturate, and a zero factor does not trap")
  func odd() throws {
    var header = try header(of: JPEGFixture.all[1].bytes)
    header.size = PixelSize(width: .max, height: .max)
    #expect(MemoryPlan([.init("read", JPEGMemory.parts(for: header))]).peak == .max)
    header.detail = .jpeg(
      .init(
        components: [.init(id: 0, horizontalSampling: 0, verticalSampling: 0)], scans: 1,
        restartInterval: 0, adobeTransform: nil))
    _ = JPEGMemory.parts(for: header, shrink: 0)
  }
}
