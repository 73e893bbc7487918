import Testing
import WidgetCore
import WidgetImage

@Suite("Sizes by the rule")
struct FitGeometryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var source: (Int, Int)
    var box: (Int, Int)?
    var mode = FitMode.contain
    var upscale = false
    var cap: Int?
    var expected: (Int, Int)
    var undersized = false
    var testDescription: String {
      "\(source) \(mode.rawValue) into \(box.map { "\($0)" } ?? "-") cap \(cap ?? 0) -> \(expected)"
    }
  }

  static func geometry(_ test: Case) throws -> FitGeometry {
    var options = FitOptions()
    options.box = test.box.map { PixelSize(width: $0.0, height: $0.1) }
    options.mode = test.mode
    options.allowsUpscaling = test.upscale
    options.maxDecodedBytes = test.cap
    return try FitGeometry(
      source: PixelSize(width: test.source.0, height: test.source.1), options: options)
  }

  @Test(
    "sides round half up, are never 0, and never grow unasked",
    arguments: [
      Case(source: (1024, 1024), box: (54, 54), expected: (54, 54)),
      // User reports B9 and B10.
      Case(source: (5920, 6736), box: (480, 480), expected: (422, 480)),
      Case(source: (1000, 667), box: (500, 500), expected: (500, 334)),
      Case(source: (1, 150), box: (54, 54), expected: (1, 54)),
      Case(source: (150, 1), box: (54, 54), expected: (54, 1)),
      Case(source: (1, 100_000), box: (54, 54), expected: (1, 54)),
      Case(source: (3, 2), box: (1, 1), expected: (1, 1)),
      Case(source: (10, 10), box: (54, 54), expected: (10, 10), undersized: true),
      Case(source: (10, 10), box: (54, 54), upscale: true, expected: (54, 54)),
      Case(source: (10, 5), box: (54, 54), upscale: true, expected: (54, 27)),
      Case(source: (54, 54), box: (54, 54), expected: (54, 54)),
      Case(source: (200, 100), box: (100, 100), expected: (100, 50)),
      Case(source: (200, 101), box: (100, 100), expected: (100, 51)),
      // Cover: the box itself, or the largest box of its shape.
      Case(source: (4032, 3024), box: (300, 300), mode: .cover, expected: (300, 300)),
      Case(
        source: (100, 50), box: (300, 300), mode: .cover, expected: (50, 50), undersized: true),
      Case(
        source: (100, 50), box: (300, 100), mode: .cover, expected: (100, 33),
        undersized: true),
      Case(source: (100, 50), box: (300, 300), mode: .cover, upscale: true, expected: (300, 300)),
      // Stretch: each side by itself.
      Case(source: (100, 50), box: (20, 40), mode: .stretch, expected: (20, 40)),
      Case(
        source: (100, 50), box: (20, 400), mode: .stretch, expected: (20, 50),
        undersized: true),
      Case(source: (100, 50), box: (20, 400), mode: .stretch, upscale: true, expected: (20, 400)),
      // The cap on decoded bytes alone, and with a box.
      Case(source: (100, 100), cap: 40_000, expected: (100, 100)),
      Case(source: (100, 100), cap: 39_999, expected: (99, 99)),
      Case(source: (4032, 3024), cap: 2_000_000, expected: (816, 612)),
      Case(source: (4032, 3024), box: (4000, 4000), cap: 2_000_000, expected: (816, 612)),
      Case(source: (3024, 4032), cap: 2_000_000, expected: (612, 816)),
      Case(source: (1, 1_000_000), cap: 400, expected: (1, 100)),
      Case(source: (50, 50), cap: 4, expected: (1, 1)),
      Case(source: (400, 400), box: (300, 150), mode: .cover, cap: 20_000, expected: (100, 50)),
      Case(source: (400, 400), box: (300, 150), mode: .stretch, cap: 20_000, expected: (100, 50)),
    ])
  func sizes(_ test: Case) throws {
    let geometry = try Self.geometry(test)
    #expect(geometry.outputSize == PixelSize(width: test.expected.0, height: test.expected.1))
    #expect(geometry.isUndersized == test.undersized)
  }

  @Test("the cap is kept and the next larger long side would break it", arguments: 4...400)
  func capIsTight(_ cap: Int) throws {
    let size = try Self.geometry(Case(source: (97, 31), cap: cap, expected: (0, 0))).outputSize
    #expect(size.width * size.height * 4 <= cap)
    let next = size.width + 1
    let nextHeight = max(1, (2 * 31 * next + 97) / (2 * 97))
    #expect(next * nextHeight * 4 > cap)
  }

  @Test(
    "cover keeps the part that gravity names",
    arguments: [
      (Gravity.center, 100.0, 0.0), (.left, 0, 0), (.right, 200, 0), (.top, 100, 0),
      (.bottom, 100, 0), (.topLeft, 0, 0), (.bottomRight, 200, 0),
    ])
  func gravity(_ gravity: Gravity, _ x: Double, _ y: Double) throws {
    var options = FitOptions()
    options.box = PixelSize(width: 50, height: 50)
    options.mode = .cover
    options.gravity = gravity
    let wide = try FitGeometry(source: PixelSize(width: 300, height: 100), options: options)
    #expect(wide.sourceRect == PixelRect(x: x, y: y, width: 100, height: 100))
  }

  @Test("a crop's edges are fractional")
  func fractionalCrop() throws {
    var options = FitOptions()
    options.box = PixelSize(width: 30, height: 20)
    options.mode = .cover
    let crop = try FitGeometry(source: PixelSize(width: 100, height: 100), options: options)
    #expect(crop.sourceRect.width == 100)
    #expect(abs(crop.sourceRect.height - 200.0 / 3) < 1e-9)
    #expect(abs(crop.sourceRect.y - 50.0 / 3) < 1e-9)
  }

  @Test(
    "a request without a size, or with an absurd one, is refused",
    arguments: [
      (nil, nil), ((0, 5), nil), ((5, -1), nil), ((1_000_001, 5), nil), (nil, 3), (nil, 0),
    ] as [((Int, Int)?, Int?)])
  func refusals(_ box: (Int, Int)?, _ cap: Int?) {
    #expect {
      try Self.geometry(Case(source: (9, 9), box: box, cap: cap, expected: (0, 0)))
    } throws: {
      ($0 as? EngineError)?.code == .badRequest
    }
  }

  @Test("sides of 2^31 do not overflow")
  func largestSource() throws {
    let side = 1 << 31
    let test = Case(source: (side, side), box: (1_000_000, 1), upscale: true, expected: (1, 1))
    #expect(try Self.geometry(test).outputSize == PixelSize(width: 1, height: 1))
    var cover = test
    cover.mode = .cover
    #expect(try Self.geometry(cover).outputSize == PixelSize(width: 1_000_000, height: 1))
  }
}
