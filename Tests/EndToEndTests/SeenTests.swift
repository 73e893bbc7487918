import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

/// The list "What must be seen" of the main job, on the built tool.
@Suite("What users must see", .needsTool)
struct SeenTests {
  @Test("An 18 pt mark: logo@3x.png, 54x54, and the contract's line")
  func logo() throws {
    let folder = try TemporaryFolder()
    try folder.write("logo.png", ProcessFile.read(sample("logo.png")))
    let outcome = try tool("fit logo.png --pt 18", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let line =
      #/logo\.png 1024x1024 -> logo@3x\.png 54x54 px \(18 pt @3x\), \d+\.\d KB, 11\.7 KB decoded, peak \d+\.\d of 30\.0 MB\n/#
    #expect(outcome.outputText.wholeMatch(of: line) != nil, "\(outcome.outputText)")
    #expect(folder.names() == ["logo.png", "logo@3x.png"])
    let written = try #require(DecodedPNG(folder.read("logo@3x.png")))
    #expect(written.size == PixelSize(width: 54, height: 54))
    #expect(written.channels == 4)
  }

  @Test("Scales 1,2,3: 18, 36, 54 px")
  func scales() throws {
    let folder = try TemporaryFolder()
    try folder.write("logo@2x.png", ProcessFile.read(sample("logo.png")))
    let outcome = try tool("fit logo@2x.png --pt 18 --scales 1,3 -o .", in: folder)
    #expect(outcome.status == 0)
    try folder.write("mark.png", ProcessFile.read(sample("logo.png")))
    #expect(try tool("fit mark.png --pt 18 --scales 1,2,3", in: folder).status == 0)
    for (name, side) in [
      ("logo@1x.png", 18), ("logo@3x.png", 54), ("mark@1x.png", 18), ("mark@2x.png", 36),
      ("mark@3x.png", 54),
    ] as [(RawPath, Int)] {
      #expect(DecodedPNG(folder.read(name))?.size == PixelSize(width: side, height: side))
    }
  }

  @Test(
    "The photograph of 6 MB, capped at 2 MB decoded: small, and in little memory",
    arguments: ["--px 4000", "", "--px 4000 --budget 15MB"])
  func photograph(options: String) throws {
    let folder = try TemporaryFolder()
    try folder.link("photo.jpg", symbolicTo: sample("photo.jpg"))
    let outcome = try tool("fit photo.jpg --max-decoded 2MB --json \(options)", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let value = try JSONReader.read(outcome.output)
    let width = try #require(value["output"]?["width"]?.intValue)
    let height = try #require(value["output"]?["height"]?.intValue)
    #expect(width * height * 4 <= 2_000_000)
    // The next larger size of that shape would pass the cap.
    #expect((width + 2) * (height + 2) * 4 > 2_000_000)
    #expect(value["output"]?["decodedBytes"]?.intValue == width * height * 4)
    #expect(try #require(value["memory"]?["residentPeak"]?.intValue) < 20_000_000)
    let planned = try #require(value["memory"]?["planned"]?.intValue)
    #expect(try #require(value["memory"]?["ledgerPeak"]?.intValue) <= planned)
    #expect(value["output"]?["changed"] == true)
    let name = try #require(value["output"]?["path"]?.stringValue)
    #expect(folder.read(RawPath(name)).count == value["output"]?["bytes"]?.intValue)
  }

  @Test("The colour under transparent pixels does not show")
  func transparentColour() throws {
    let folder = try TemporaryFolder()
    for under in [0, 255] as [UInt8] {
      let disc = png(64, 64, .rgba) { x, y in
        let (dx, dy) = (2 * x - 63, 2 * y - 63)
        return dx * dx + dy * dy < 3000 ? [255, 255, 255, 255] : [under, under, under, 0]
      }
      try folder.write(RawPath("on\(under).png"), disc)
    }
    #expect(try tool("fit on0.png on255.png --px 15", in: folder).status == 0)
    #expect(folder.read("on0-15x15.png") == folder.read("on255-15x15.png"))
    #expect(!folder.read("on0-15x15.png").isEmpty)
  }

  @Test("A checkerboard of 0 and 255 becomes 187 or 188, its mean as light")
  func linearLight() throws {
    let folder = try TemporaryFolder()
    let board = png(64, 64, .rgb) { x, y in
      [UInt8](repeating: (x + y) % 2 == 0 ? 255 : 0, count: 3)
    }
    try folder.write("board.png", board)
    #expect(try tool("fit board.png --px 32", in: folder).status == 0)
    let half = try #require(DecodedPNG(folder.read("board-32x32.png")))
    #expect(half.channels == 3)
    for place in [8, 15, 16, 23] {
      for value in half.pixel(place, 31 - place) { #expect((187...188).contains(value)) }
    }
  }

  @Test(
    "Sizes by the rule, never 0",
    arguments: [
      (1, 150, "--pt 18", 1, 54), (150, 1, "--pt 18", 54, 1), (5920, 6736, "--px 480", 422, 480),
      (1000, 667, "--px 500", 500, 334), (10, 10, "--pt 18", 10, 10),
      (10, 10, "--pt 18 --upscale", 54, 54), (300, 200, "--px 50 --mode cover", 50, 50),
      (300, 200, "--px 50x20 --mode stretch", 50, 20), (30, 20, "--px 60 --mode cover", 20, 20),
      (1, 1, "--px 1", 1, 1), (300, 200, "--max-decoded 4", 1, 1),
    ])
  func sizes(width: Int, height: Int, options: String, outWidth: Int, outHeight: Int) throws {
    let folder = try TemporaryFolder()
    let row = [UInt8](repeating: 0x5A, count: (width + 7) / 8 + 1).enumerated().map {
      $0.offset == 0 ? 0 : $0.element
    }
    let rows = [UInt8]((0..<height).lazy.map { _ in row }.joined())
    try folder.write("a.png", png(width, height, .grey, depth: 1, rows: rows))
    let outcome = try tool("fit a.png \(options) -o b.png", in: folder)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let written = try #require(DecodedPNG(folder.read("b.png")))
    #expect(written.size == PixelSize(width: outWidth, height: outHeight))
    let stays = (width == 10 && !options.contains("--upscale")) || width == 30
    #expect(
      outcome.errorText
        == (stays
          ? "note: a.png: the source is smaller than the box; it stays \(outWidth)x\(outHeight) px\n"
          : ""))
  }

  @Test("A rotated photograph stands upright, in an upright box")
  func orientation() throws {
    let folder = try TemporaryFolder()
    try folder.link("p.jpg", symbolicTo: sample("portrait.jpg"))
    let outcome = try tool("fit p.jpg --px 300 --format png", in: folder)
    #expect(outcome.outputText.hasPrefix("p.jpg 1200x1600 -> p-225x300.png 225x300 px, "))
    #expect(
      DecodedPNG(folder.read("p-225x300.png"))?.size == PixelSize(width: 225, height: 300))
  }

  @Test("A second run changes nothing and says so")
  func unchanged() throws {
    let folder = try TemporaryFolder()
    try folder.link("logo.png", symbolicTo: sample("logo.png"))
    for changed in [true, false] {
      let outcome = try tool("fit logo.png --pt 18 --json", in: folder)
      let value = try JSONReader.read(outcome.output)
      #expect(value["output"]?["changed"] == .bool(changed))
    }
  }

  @Test("inspect tells of every sample")
  func inspect() throws {
    let names = [
      "logo.png", "logo-palette.png", "photo.jpg", "cover.webp", "portrait.jpg", "deep.png",
    ]
    let outcome = try BinaryUnderTest.run(["inspect"] + names.map(sample))
    #expect(outcome.status == 0)
    for label in [
      "format", "size", "depth", "colour", "alpha", "orientation", "frames", "strategy",
      "planned peak",
    ] {
      let lines = outcome.outputText.split(separator: "\n").filter { $0.hasPrefix("  \(label) ") }
      #expect(lines.count == names.count, "\(label)")
    }
  }

  @Test("A dry run writes nothing")
  func dryRun() throws {
    let folder = try TemporaryFolder()
    try folder.link("logo.png", symbolicTo: sample("logo.png"))
    let outcome = try tool("fit logo.png --pt 18 --dry-run", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasPrefix("logo.png 1024x1024: would write logo@3x.png 54x54 px"))
    #expect(folder.names() == ["logo.png"])
  }
}
