import Testing
import WidgetCore
import WidgetTestSupport

private let dot = png(8, 8, .rgb) { x, y in [UInt8(x * 30), UInt8(y * 30), 128] }

@Suite("Names and places of files", .needsTool)
struct PathTests {
  @Test(
    "Any name works under LANG=C",
    arguments: [
      ("two words.png", "two words@3x.png"), ("a[1].png", "a[1]@3x.png"),
      ("снимок.png", "снимок@3x.png"), ("🎈 party.png", "🎈 party@3x.png"),
      ("-dash.png", "-dash@3x.png"), ("--pt", "--pt@3x.png"),
      ("a'b\"c$d`e.png", "a'b\"c$d`e@3x.png"),
      ("new\nline.png", "new\nline@3x.png"), (".hidden.png", ".hidden@3x.png"),
      ("100%.png", "100%@3x.png"),
    ] as [(RawPath, RawPath)])
  func name(input: RawPath, output: RawPath) throws {
    let folder = try TemporaryFolder()
    try folder.write(input, dot)
    var process = BinaryUnderTest.process(["fit", "--pt", "2", "--", input], in: folder.path)
    process.environment["LANG"] = "C"
    process.environment["LC_ALL"] = "C"
    let outcome = try process.run()
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(Set(folder.names()) == [input, output])
    #expect(outcome.outputText.split(separator: "\n").count == 1)
  }

  @Test("Bytes that are no UTF-8", .enabled(if: isLinux, "other file systems take UTF-8 only"))
  func bytes() throws {
    let folder = try TemporaryFolder()
    let input = RawPath(bytes: [0xFF, 0x80] + Array(".png".utf8))
    try folder.write(input, dot)
    let outcome = try BinaryUnderTest.run(["fit", input, "--pt", "2"], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let output = RawPath(bytes: [0xFF, 0x80] + Array("@3x.png".utf8))
    #expect(Set(folder.names()) == [input, output])
    let given = RawPath(bytes: Array("out-".utf8) + [0xC3, 0x28] + Array(".png".utf8))
    #expect(
      try BinaryUnderTest.run(["fit", input, "--pt", "2", "-o", given], in: folder.path).status == 0
    )
    #expect(DecodedPNG(folder.read(given)) != nil)
  }

  @Test(
    "An output that is an input is refused before any work",
    arguments: ["a.png", "./a.png", "sub/../a.png", "symbolic.png", "hard.png"])
  func overInput(output: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.png", dot)
    try folder.makeFolder("sub")
    try folder.link("symbolic.png", symbolicTo: "a.png")
    try folder.link("hard.png", hardTo: "a.png")
    let before = folder.names()
    let outcome = try tool("fit a.png --pt 2 -o \(output)", in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.errorText.contains("an input is never overwritten"))
    #expect(outcome.errorText.contains("'a.png'") && outcome.errorText.contains("'\(output)'"))
    #expect(outcome.output.isEmpty)
    #expect(folder.read("a.png") == dot)
    #expect(folder.names() == before)
  }

  @Test("Another input's file under the default name is refused too")
  func overOtherInput() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.png", dot)
    try folder.write("b.png", dot)
    try folder.link("a@3x.png", hardTo: "b.png")
    let outcome = try tool("fit a.png b.png --pt 2", in: folder)
    #expect(outcome.status == 64)
    #expect(
      outcome.errorText
        == "Error: 'a.png' would be written to 'a@3x.png', which is the input 'b.png'; "
        + "an input is never overwritten\n")
    #expect(folder.read("b.png") == dot)
    #expect(folder.names() == ["a.png", "a@3x.png", "b.png"])
  }

  @Test("flag.png and flag.jpg to one name are refused before any work")
  func oneName() throws {
    let folder = try TemporaryFolder()
    try folder.write("flag.png", dot)
    try folder.write("flag.jpg", dot)
    let outcome = try tool("fit flag.png flag.jpg --pt 2", in: folder)
    #expect(outcome.status == 64)
    #expect(
      outcome.errorText
        == "Error: 'flag.png' and 'flag.jpg' would both be written to 'flag@3x.png'\n")
    #expect(folder.names() == ["flag.jpg", "flag.png"])
  }

  @Test("-o: a folder, one with a slash, a file, one that is missing")
  func outputs() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.png", dot)
    try folder.makeFolder("out")
    #expect(try tool("fit a.png --pt 2 -o out", in: folder).status == 0)
    #expect(try tool("fit a.png --pt 2 --scale 1 -o out/", in: folder).status == 0)
    #expect(folder.names(in: "out") == ["a@1x.png", "a@3x.png"])
    #expect(try tool("fit a.png --pt 2 -o out/b.webp", in: folder).status == 0)
    #expect(folder.read("out/b.webp").starts(with: Array("RIFF".utf8)))
    let missing = try tool("fit a.png --pt 2 -o none/", in: folder)
    #expect(missing.status == 73)
    #expect(missing.errorText == "Error: none/: there is no such folder\n")
    #expect(try tool("fit a.png --pt 2 -o none/a.png", in: folder).status == 73)
    #expect(try tool("fit a.png --pt 2 -o a.png/b.png", in: folder).status == 73)
    #expect(try tool("fit out --pt 2 --format png", in: folder).status == 66)
    #expect(folder.names() == ["a.png", "out"])
  }
}

private let isLinux: Bool = {
  #if os(Linux)
    true
  #else
    false
  #endif
}()
