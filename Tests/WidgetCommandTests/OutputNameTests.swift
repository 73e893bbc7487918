import Testing
import WidgetCommand
import WidgetCore
import WidgetImage

@Suite("Names of results")
struct OutputNameTests {
  static let size = PixelSize(width: 54, height: 30)

  @Test(
    "By scale, beside the input",
    arguments: [
      ("logo.png", "logo@3x.png"), ("art/logo.jpeg", "art/logo@3x.png"),
      ("/logo.png", "/logo@3x.png"), ("logo", "logo@3x.png"), (".png", ".png@3x.png"),
      ("a.b.png", "a.b@3x.png"), ("logo@2x.png", "logo@3x.png"), ("logo@3x.png", "logo@3x.png"),
      ("logo@4x.png", "logo@4x@3x.png"), ("@2x.png", "@2x@3x.png"),
      ("logo@1x@2x.png", "logo@1x@3x.png"), ("a.b/c", "a.b/c@3x.png"),
      ("Logo [1] é 😀.png", "Logo [1] é 😀@3x.png"),
    ] as [(RawPath, RawPath)])
  func scale(input: RawPath, output: RawPath) {
    #expect(
      OutputName.make(for: input, in: nil, scale: 3, size: Self.size, format: .png) == output)
  }

  @Test("By size where there is no scale; the format's own extension; into a folder")
  func others() {
    let make = OutputName.make
    #expect(make("a/logo.png", nil, nil, Self.size, .jpeg) == "a/logo-54x30.jpg")
    #expect(make("a/logo@2x.png", nil, nil, Self.size, .webp) == "a/logo-54x30.webp")
    #expect(make("a/logo.png", "out", 2, nil, .png) == "out/logo@2x.png")
    #expect(make("a/logo.png", "out/", 2, nil, .png) == "out/logo@2x.png")
    #expect(make("logo.png", ".", 1, nil, .png) == "./logo@1x.png")
  }

  @Test("Bytes that are no UTF-8 stay")
  func bytes() {
    let input = RawPath(bytes: [0xFF, 0x2F, 0xFE, 0x2E, 0x70])
    let output = OutputName.make(for: input, in: nil, scale: 1, size: nil, format: .png)
    #expect(output.bytes == [0xFF, 0x2F, 0xFE] + Array("@1x.png".utf8))
  }

  @Test(
    "Extensions",
    arguments: [
      ("a.png", "png"), ("a.b.JPG", "JPG"), ("a", nil), (".png", nil), ("a.d/b", nil), ("a.", ""),
    ] as [(RawPath, String?)])
  func fileExtension(path: RawPath, expected: String?) {
    #expect(OutputName.fileExtension(of: path) == expected)
  }
}

@Suite("Results that would overwrite an input or each other")
struct OutputClashTests {
  private func refused(
    _ line: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ prepare: (Harness) -> Void
  ) {
    let harness = Harness()
    prepare(harness)
    #expect(harness.run(words(line)) == .usage, sourceLocation: sourceLocation)
    #expect(harness.error.text == "Error: \(message)\n", sourceLocation: sourceLocation)
    #expect(harness.engine.fits.isEmpty, sourceLocation: sourceLocation)
    #expect(harness.output.text.isEmpty, sourceLocation: sourceLocation)
  }

  @Test("Two inputs, one name")
  func twoInputs() {
    refused(
      "fit flag.png flag.jpg --pt 18 --format png",
      "'flag.png' and 'flag.jpg' would both be written to 'flag@3x.png'"
    ) {
      $0.image("flag.png")
      $0.image("flag.jpg")
    }
  }

  @Test("Two inputs, one name, told by the header only")
  func twoInputsAuto() {
    refused(
      "fit flag.png flag.jpg --pt 18",
      "'flag.png' and 'flag.jpg' would both be written to 'flag@3x.png'"
    ) {
      $0.image("flag.png")
      $0.image("flag.jpg", .init(format: "png"))
    }
  }

  @Test("Two inputs of differing formats have two names")
  func twoFormats() {
    let harness = Harness()
    harness.image("flag.png")
    harness.image("flag.jpg", .init(format: "jpeg", hasAlpha: false))
    #expect(harness.run(words("fit flag.png flag.jpg --pt 18")) == .success)
    #expect(
      harness.engine.fits.map(\.destination) == [.file("flag@3x.png"), .file("flag@3x.jpg")])
  }

  @Test("Names that differ in case or composition only")
  func caseOnly() {
    refused(
      "fit Flag.png flag.png --pt 18",
      "'Flag.png' and 'flag.png' would both be written to one file, 'Flag@3x.png' and 'flag@3x.png'"
    ) {
      $0.image("Flag.png")
      $0.image("flag.png")
    }
    refused(
      "fit \u{E9}.png e\u{301}.png --pt 18",
      "'\u{E9}.png' and 'e\u{301}.png' would both be written to one file, '\u{E9}@3x.png' and "
        + "'e\u{301}@3x.png'"
    ) {
      $0.image("\u{E9}.png")
      $0.image("e\u{301}.png")
    }
  }

  @Test("One folder by two paths")
  func folderByTwoPaths() {
    refused(
      "fit a/x.png b/x.jpg --pt 18 --format png",
      "'a/x.png' and 'b/x.jpg' would both be written to one file, 'a/x@3x.png' and 'b/x@3x.png'"
    ) {
      let folder = $0.folder("a/")
      $0.link("b/", to: folder)
      $0.image("a/x.png")
      $0.image("b/x.jpg")
    }
  }

  @Test("Equal names in two folders are two files")
  func twoFolders() {
    let harness = Harness()
    harness.folder("a/")
    harness.folder("b/")
    harness.image("a/x.png")
    harness.image("b/x.png")
    #expect(harness.run(words("fit a/x.png b/x.png --pt 18")) == .success)
    #expect(harness.run(words("fit a/x.png b/x.png --pt 18 -o out/")) == .cannotCreate)
    harness.folder("out/")
    #expect(harness.run(words("fit a/x.png b/x.png --pt 18 -o out/")) == .usage)
  }

  @Test("An output that is an input: the same path, a link, another input")
  func overInput() {
    refused(
      "fit a.png --pt 18 -o a.png",
      "'a.png' would be written to 'a.png', which is the input 'a.png'; an input is never overwritten"
    ) {
      $0.image("a.png")
    }
    refused(
      "fit a.png --pt 18 -o link.png",
      "'a.png' would be written to 'link.png', which is the input 'a.png'; an input is never overwritten"
    ) {
      $0.link("link.png", to: $0.image("a.png"))
    }
    refused(
      "fit a.png a@3x.png --pt 18 --scale 3",
      "'a.png' would be written to 'a@3x.png', which is the input 'a@3x.png'; an input is never overwritten"
    ) {
      $0.image("a.png")
      $0.image("a@3x.png")
    }
    refused(
      "fit a.png b.png --px 9",
      "'a.png' would be written to 'a-9x9.png', which is the input 'b.png'; an input is never overwritten"
    ) {
      $0.image("a.png")
      $0.link("a-9x9.png", to: $0.image("b.png"))
    }
  }

  @Test("A broken input's file is not overwritten either")
  func brokenInput() {
    refused(
      "fit a.png bad.png --pt 18 -o .",
      "'a.png' would be written to './a@3x.png', which is the input 'bad.png'; an input is never overwritten"
    ) {
      $0.image("a.png")
      $0.link("./a@3x.png", to: $0.image("bad.png", .init(error: EngineError(.damaged, "x"))))
    }
  }

  @Test("An earlier output may be overwritten")
  func earlierOutput() {
    let harness = Harness()
    harness.image("a.png")
    harness.add("a@3x.png", .regular)
    #expect(harness.run(words("fit a.png --pt 18")) == .success)
  }

  @Test("Undecodable names that look alike are two files")
  func undecodable() {
    let harness = Harness()
    for byte in [0xFE, 0xFF] as [UInt8] {
      harness.image(RawPath(bytes: [byte] + Array(".png".utf8)))
    }
    let inputs = harness.engine.sources.keys.compactMap {
      if case .file(let path) = $0 { path } else { nil }
    }
    #expect(inputs.count == 2)
    #expect(harness.run(["fit"] + inputs + ["--pt", "18"]) == .success)
  }
}
