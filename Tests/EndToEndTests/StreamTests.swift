import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

private let dot = png(200, 200, .rgb) { x, y in [UInt8(x), UInt8(y), 128] }

@Suite("Standard streams", .needsTool)
struct StreamTests {
  @Test("A pipe in, an image out, the result line on standard error", arguments: [false, true])
  func pipe(isFile: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.png", dot)
    var process = BinaryUnderTest.process(["fit", "-", "--px", "20"])
    process.input = isFile ? .file(path) : .bytes(dot)
    let outcome = try process.run()
    #expect(outcome.status == 0)
    #expect(DecodedPNG(outcome.output)?.size == PixelSize(width: 20, height: 20))
    #expect(outcome.errorText.hasPrefix("- 200x200 -> - 20x20 px, "))
    process.arguments += ["--json"]
    let withJSON = try process.run()
    #expect(withJSON.output == outcome.output)
    #expect(try JSONReader.read(withJSON.errors)["input"]?["path"] == "-")
    process.arguments = ["fit", "-", "--px", "20", "-o", folder("out.png")]
    #expect(try process.run().output.starts(with: Array("- 200x200 -> ".utf8)))
    #expect(folder.read("out.png") == outcome.output)
  }

  @Test("The pipe's picture is the file's")
  func pipeAndFile() throws {
    var process = BinaryUnderTest.process(["fit", "-", "--px", "300", "--format", "png"])
    process.input = .bytes(ProcessFile.read(sample("photo.jpg")))
    let piped = try process.run()
    #expect(piped.status == 0, "\(piped.errorText)")
    let direct = try BinaryUnderTest.run(
      ["fit", sample("photo.jpg"), "--px", "300", "--format", "png", "-o", "-"])
    #expect(direct.output == piped.output)
  }

  @Test("An empty pipe and a reader that went away")
  func ends() throws {
    var process = BinaryUnderTest.process(["fit", "-", "--px", "20"])
    process.input = .bytes([])
    #expect(try process.run().status == 65)
    process.input = .bytes(dot)
    process.output = .closedPipe
    #expect(try process.run().status == 74)
    var help = BinaryUnderTest.process(["fit", "--help"])
    help.output = .closedPipe
    let outcome = try help.run()
    #expect(outcome.status == 74)
    #expect(outcome.errors.isEmpty)
  }

  @Test(
    "A full standard output is told",
    .enabled(if: !ProcessFile.isMissing("/dev/full"), "no /dev/full"))
  func full() throws {
    var process = BinaryUnderTest.process(["--version"])
    process.output = .file("/dev/full")
    let outcome = try process.run()
    #expect(outcome.status == 74)
    #expect(outcome.errorText == "Error: standard output: No space left on device\n")
  }

  @Test("A progress line on a terminal, gone before the result; none elsewhere")
  func progress() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.png", dot)
    try folder.write("b.png", dot)
    var process = BinaryUnderTest.process(["fit", "a.png", "b.png", "--pt", "2"], in: folder.path)
    process.environment["TERM"] = "xterm"
    process.errors = .terminal
    let shown = try process.run()
    #expect(shown.errorText.hasPrefix("\r[--------------------] 1 of 2 a.png\u{1B}[K"))
    #expect(shown.errorText.hasSuffix("\r\u{1B}[K"))
    #expect(shown.outputText.split(separator: "\n").count == 2)
    for (option, term) in [
      ("--quiet", "xterm"), ("--json", "xterm"), ("--no-progress", "xterm"), ("--strict", "dumb"),
    ] {
      process.arguments = ["fit", "a.png", "b.png", "--pt", "2", RawPath(option)]
      process.environment["TERM"] = term
      #expect(try process.run().errors.isEmpty, "\(option)")
    }
  }

  @Test("--json: one object a result and nothing else on standard output")
  func json() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.png", dot)
    try folder.write("cut.png", Array(dot.prefix(dot.count / 2)))
    let outcome = try tool("fit a.png cut.png gone.png --pt 2 --scales 1,2 --json", in: folder)
    #expect(outcome.status == 1)
    let values = try outcome.outputText.split(separator: "\n").map {
      try JSONReader.read(String($0))
    }
    #expect(values.count == 6)
    #expect(values.compactMap { $0["output"]?["path"]?.stringValue } == ["a@1x.png", "a@2x.png"])
    #expect(values.compactMap { $0["error"]?["exit"]?.intValue } == [65, 65, 66, 66])
    #expect(values.compactMap { $0["error"]?["code"]?.stringValue }[0] == "truncated")
    #expect(folder.names() == ["a.png", "a@1x.png", "a@2x.png", "cut.png"])
  }

  @Test("Ctrl-C ends the work with 130 and leaves nothing behind")
  func interrupt() throws {
    let folder = try TemporaryFolder()
    try folder.link("photo.jpg", symbolicTo: sample("photo.jpg"))
    var process = BinaryUnderTest.process(
      ["fit", "photo.jpg", "--px", "2000", "--format", "png", "-o", "-"], in: folder.path)
    process.output = .heldPipe { child in
      _ = try Subprocess("kill", ["-INT", RawPath("\(child)")]).run()
    }
    let outcome = try process.run()
    #expect(outcome.status == 130 || outcome.signal == 2)
    #expect(folder.names() == ["photo.jpg"])
  }
}
