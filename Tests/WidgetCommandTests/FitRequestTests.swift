import Testing
import WidgetCommand
import WidgetCore
import WidgetImage

@Suite("What the options of fit set")
struct FitRequestTests {
  private func options(_ line: String) throws -> FitOptions {
    let harness = Harness()
    harness.image("a")
    #expect(harness.run(words("fit a " + line)) == .success, "\(harness.error.text)")
    return try #require(harness.engine.fits.last?.options)
  }

  @Test("Each option", arguments: OptionCase.all)
  func option(_ option: OptionCase) throws {
    var expected = FitOptions()
    option.change(&expected)
    #expect(try options(option.line) == expected)
  }

  @Test("Several scales are several results, in their order")
  func scales() {
    let harness = Harness()
    harness.image("a.png")
    #expect(harness.run(words("fit a.png --pt 18 --scales 3,1,2")) == .success)
    #expect(
      harness.engine.fits.map(\.destination)
        == [.file("a@3x.png"), .file("a@1x.png"), .file("a@2x.png")])
    #expect(harness.engine.fits.map { $0.options.box?.width } == [54, 18, 36])
  }
}

struct OptionCase: CustomTestStringConvertible, Sendable {
  var line: String
  var change: @Sendable (inout FitOptions) -> Void

  init(_ line: String, _ change: @escaping @Sendable (inout FitOptions) -> Void) {
    self.line = line
    self.change = change
  }

  var testDescription: String { line }

  static let all: [OptionCase] = [
    OptionCase("--pt 18", { $0.box = .init(width: 54, height: 54) }),
    OptionCase("--pt 18 --scale 1", { $0.box = .init(width: 18, height: 18) }),
    OptionCase("--pt 36.67x45 --scale 3", { $0.box = .init(width: 110, height: 135) }),
    OptionCase("--pt 0.1x18 --scale 1", { $0.box = .init(width: 1, height: 18) }),
    OptionCase("--px 120X40", { $0.box = .init(width: 120, height: 40) }),
    OptionCase("--px 9 --scale 2", { $0.box = .init(width: 9, height: 9) }),
    OptionCase("--max-decoded 2MB", { $0.maxDecodedBytes = 2_000_000 }),
    OptionCase(
      "--px 4000 --max-decoded 2MB",
      {
        $0.box = .init(width: 4000, height: 4000)
        $0.maxDecodedBytes = 2_000_000
      }
    ),
    OptionCase(
      "--max-decoded 4 --mode cover",
      {
        $0.maxDecodedBytes = 4; $0.mode = .cover
      }
    ),
    OptionCase(
      "--max-decoded 4 --gravity top-left",
      {
        $0.maxDecodedBytes = 4; $0.gravity = .topLeft
      }
    ),
    OptionCase(
      "--max-decoded 4 --upscale",
      {
        $0.maxDecodedBytes = 4; $0.allowsUpscaling = true
      }
    ),
    OptionCase(
      "--max-decoded 4 --filter catmull-rom",
      {
        $0.maxDecodedBytes = 4; $0.filter = .catmullRom
      }
    ),
    OptionCase(
      "--max-decoded 4 --fast",
      {
        $0.maxDecodedBytes = 4; $0.allowsShrinkOnLoad = true
      }
    ),
    OptionCase(
      "--max-decoded 4 --format webp",
      {
        $0.maxDecodedBytes = 4; $0.format = .webp
      }
    ),
    OptionCase("--max-decoded 4 --format auto", { $0.maxDecodedBytes = 4 }),
    OptionCase(
      "--max-decoded 4 --quality 100",
      {
        $0.maxDecodedBytes = 4; $0.quality = 100
      }
    ),
    OptionCase(
      "--max-decoded 4 --max-bytes 60KB",
      {
        $0.maxDecodedBytes = 4; $0.maxBytes = 60_000
      }
    ),
    OptionCase(
      "--max-decoded 4 --strict",
      {
        $0.maxDecodedBytes = 4; $0.tolerance = .strict
      }
    ),
    OptionCase(
      "--max-decoded 4 --allow-truncated",
      {
        $0.maxDecodedBytes = 4; $0.tolerance = .allowTruncated
      }
    ),
    OptionCase(
      "--max-decoded 4 --palette",
      {
        $0.maxDecodedBytes = 4; $0.allowsPalette = true
      }
    ),
    OptionCase(
      "--max-decoded 4 --budget watch",
      {
        $0.maxDecodedBytes = 4; $0.budget = .watch
      }
    ),
    OptionCase(
      "--max-decoded 4 --budget notification",
      {
        $0.maxDecodedBytes = 4; $0.budget = .notification
      }
    ),
    OptionCase(
      "--max-decoded 4 --budget 16MiB",
      {
        $0.maxDecodedBytes = 4; $0.budget = .init(bytes: 16_777_216)
      }
    ),
    OptionCase(
      "--max-decoded 4 --background WHITE",
      {
        $0.maxDecodedBytes = 4; $0.background = .init(red: 255, green: 255, blue: 255)
      }
    ),
    OptionCase(
      "--max-decoded 4 --background #1af",
      {
        $0.maxDecodedBytes = 4; $0.background = .init(red: 0x11, green: 0xAA, blue: 0xFF)
      }
    ),
    OptionCase(
      "--max-decoded 4 --background 0180FE",
      {
        $0.maxDecodedBytes = 4; $0.background = .init(red: 1, green: 128, blue: 254)
      }
    ),
    OptionCase(
      "--max-decoded 4 -o x.JPG",
      {
        $0.maxDecodedBytes = 4; $0.format = .jpeg
      }
    ),
    OptionCase(
      "--max-decoded 4 -o x.jpeg --format jpeg",
      {
        $0.maxDecodedBytes = 4; $0.format = .jpeg
      }
    ),
    OptionCase(
      "--max-decoded 4 -o x.webp --format auto",
      {
        $0.maxDecodedBytes = 4; $0.format = .webp
      }
    ),
    OptionCase(
      "--max-decoded 4 -o x.tmp --format png",
      {
        $0.maxDecodedBytes = 4; $0.format = .png
      }
    ),
    OptionCase("--max-decoded 4 -o plain", { $0.maxDecodedBytes = 4 }),
    OptionCase(
      "--max-decoded 4 -o - --format png",
      {
        $0.maxDecodedBytes = 4; $0.format = .png
      }
    ),
  ]
}
