import CTestCodecs
import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

@Suite("What is written, by the options", .needsTool)
struct SeenOutputTests {
  @Test(
    "--max-bytes: the best quality under it; where none is, 1 and the smallest size reached",
    arguments: ["jpg", "webp"])
  func maxBytes(ending: String) throws {
    let folder = try TemporaryFolder()
    try folder.link("photo.jpg", symbolicTo: sample("photo.jpg"))
    let name = RawPath("a.\(ending)")
    let fitted = try tool("fit photo.jpg --px 300 --max-bytes 9KB -o \(name)", in: folder)
    #expect(fitted.status == 0, "\(fitted.errorText)")
    // Much less would mean that a better quality was there.
    #expect((7_500...9_000).contains(folder.read(name).count))

    let refused = try tool("fit photo.jpg --px 300 --max-bytes 300 -o b.\(ending)", in: folder)
    #expect(refused.status == 1)
    #expect(
      refused.errorText.wholeMatch(
        of: #/Error: photo\.jpg: 300 bytes can't be reached; the smallest has \d+\n/#) != nil,
      "\(refused.errorText)")
    #expect(folder.names() == [name, "photo.jpg"])
  }

  @Test("--palette allows an indexed PNG; without it none is written")
  func palette() throws {
    let folder = try TemporaryFolder()
    let halves = png(64, 64, .rgb) { x, _ in x < 32 ? [200, 0, 0] : [0, 0, 200] }
    try folder.write("halves.png", halves)
    #expect(try tool("fit halves.png --px 16 -o plain.png", in: folder).status == 0)
    #expect(try tool("fit halves.png --px 16 --palette -o indexed.png", in: folder).status == 0)
    // The colour type of IHDR.
    #expect(folder.read("plain.png")[25] == 2)
    #expect(folder.read("indexed.png")[25] == 3)
  }

  @Test("Alpha is kept only where a pixel is not opaque")
  func opaque() throws {
    let folder = try TemporaryFolder()
    for (name, alpha) in [("opaque.png", 255), ("clear.png", 254)] as [(RawPath, UInt8)] {
      let picture = png(40, 40, .rgba) { x, y in [UInt8(x), UInt8(y), 9, x == 20 ? alpha : 255] }
      try folder.write(name, picture)
    }
    #expect(try tool("fit opaque.png clear.png --px 40", in: folder).status == 0)
    #expect(DecodedPNG(folder.read("opaque-40x40.png"))?.channels == 3)
    #expect(DecodedPNG(folder.read("clear-40x40.png"))?.channels == 4)
  }

  @Test(
    "JPEG of a source with alpha: 64 without --background, that colour under it with one",
    arguments: [("white", 255, 255, 255), ("#f00", 254, 0, 0), ("#0000FF", 0, 0, 254)])
  func background(color: String, red: Int, green: Int, blue: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("clear.png", png(32, 32, .rgba) { _, _ in [0, 255, 0, 0] })
    let refused = try tool("fit clear.png --px 16 -o a.jpg", in: folder)
    #expect(refused.status == 64)
    #expect(refused.errorText.contains("a background colour is needed"))
    #expect(folder.names() == ["clear.png"])

    #expect(
      try BinaryUnderTest.run(
        ["fit", "clear.png", "--px", "16", "-o", "a.jpg", "--background", RawPath(color)],
        in: folder.path
      ).status == 0)
    // Read back through the tool: PNG of the JPEG's own size.
    #expect(try tool("fit a.jpg --px 16 -o b.png", in: folder).status == 0)
    let pixel = try #require(DecodedPNG(folder.read("b.png"))).pixel(8, 8)
    for (got, wanted) in zip(pixel, [red, green, blue]) { #expect(abs(Int(got) - wanted) <= 2) }
  }

  @Test(
    "WebP: lossless where the source was, else lossy; the name sets the format",
    arguments: [
      ("webp/lossless.webp", "VP8L"), ("webp/lossless-alpha.webp", "VP8L"),
      ("webp/lossy.webp", "VP8 "), ("webp/lossy-alpha.webp", "ALPH"), ("jpeg/ycc-420.jpg", "VP8 "),
    ])
  func webp(fixture: String, chunk: String) throws {
    let folder = try TemporaryFolder()
    let input = RawPath("\(PackageFolder.fixtures)/\(fixture)")
    let outcome = try BinaryUnderTest.run(
      ["fit", input, "--px", "30", "-o", "a.webp"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let bytes = folder.read("a.webp")
    #expect(bytes.starts(with: Array("RIFF".utf8)))
    let first = String(decoding: bytes.dropFirst(12).prefix(4), as: UTF8.self)
    // Behind a VP8X of 18 bytes where there is one.
    let name = String(decoding: bytes.dropFirst(first == "VP8X" ? 30 : 12).prefix(4), as: UTF8.self)
    #expect(name == chunk)
    let inspected = try BinaryUnderTest.run(["inspect", "a.webp"], in: folder.path)
    #expect(inspected.outputText.contains("size          30x20 px"))
  }

  @Test("A WebP whose last pad byte is gone: a note; --strict refuses it")
  func webpCutPad() throws {
    let folder = try TemporaryFolder()
    let whole = ProcessFile.read(RawPath("\(PackageFolder.fixtures)/webp/lossless.webp"))
    // Its last chunk is odd: what goes is padding.
    try #require(whole[16] % 2 == 1)
    try folder.write("cut.webp", Array(whole.dropLast()))
    let outcome = try tool("fit cut.webp --px 10", in: folder)
    #expect(outcome.status == 0)
    #expect(
      outcome.errorText
        == "note: cut.webp: the file ends without its end mark; every pixel is there\n")
    #expect(try tool("fit cut.webp --px 9 --strict", in: folder).status == 65)
  }

  @Test("--json: the contract's keys, in its order, for a result and a dry run")
  func jsonKeys() throws {
    let folder = try TemporaryFolder()
    try folder.link("logo.png", symbolicTo: sample("logo.png"))
    let keys = [
      "input", "path", "format", "coding", "width", "height", "bytes", "orientation", "colorSpace",
      "hasAlpha", "bitDepth", "frames", "output", "path", "reference", "format", "width", "height",
      "scale", "pointWidth", "pointHeight", "bytes", "decodedBytes", "sha256", "changed", "memory",
      "budget", "baseline", "planned", "ledgerPeak", "residentPeak", "strategy", "kernels", "notes",
      "seconds",
    ]
    for option in ["", "--dry-run"] {
      let text = try tool("fit logo.png --pt 18 --json \(option)", in: folder).outputText
      #expect(text.matches(of: #/"(\w+)":/#).map { String($0.1) } == keys)
    }
  }

  @Test(
    "Several inputs: each is tried; one kind of failure gives its status, two give 1",
    arguments: [("", 66), ("text.png", 1)])
  func several(second: String, status: Int) throws {
    let folder = try TemporaryFolder()
    for name in ["a.png", "b.png"] as [RawPath] {
      try folder.write(name, png(20, 20, .rgb) { x, y in [UInt8(x), UInt8(y), 0] })
    }
    try folder.write("text.png", Array("no image at all\n".utf8))
    let outcome = try tool("fit a.png gone.png \(second) b.png --pt 2", in: folder)
    #expect(outcome.status == status)
    #expect(outcome.outputText.split(separator: "\n").count == 2)
    #expect(folder.names() == ["a.png", "a@3x.png", "b.png", "b@3x.png", "text.png"])
  }
}
