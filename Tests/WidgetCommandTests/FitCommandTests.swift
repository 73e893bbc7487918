import Testing
import WidgetCommand
import WidgetCore
import WidgetImage
import WidgetJSON

@Suite("What fit prints and returns")
struct FitCommandTests {
  @Test("The result line of the contract")
  func line() {
    let harness = Harness()
    harness.image("logo.png")
    #expect(harness.run(words("fit logo.png --pt 18")) == .success)
    #expect(
      harness.output.text
        == "logo.png 1024x1024 -> logo@3x.png 54x54 px (18 pt @3x), 3.1 KB, 11.7 KB decoded, "
        + "peak 9.8 of 30.0 MB\n")
    #expect(harness.error.text.isEmpty)
    #expect(
      harness.engine.fits == [
        .init(
          input: .file("logo.png"), destination: .file("logo@3x.png"),
          options: {
            var options = FitOptions()
            options.box = .init(width: 54, height: 54)
            return options
          }())
      ])
  }

  @Test(
    "The line's parts",
    arguments: [
      ("--px 50", "wide.png 300x200 -> wide-50x33.png 50x33 px, 3.1 KB, "),
      ("--px 50 --scale 2", "wide.png 300x200 -> wide@2x.png 50x33 px (25x16.5 pt @2x), "),
      ("--max-decoded 2MB", "wide.png 300x200 -> wide-300x200.png 300x200 px, "),
      ("--pt 18 -o out.webp", "wide.png 300x200 -> out.webp 54x36 px (18x12 pt @3x), "),
      (
        "--pt 18 --budget watch --scale 1",
        "wide.png 300x200 -> wide@1x.png 18x12 px (18x12 pt @1x), 3.1 KB, 864 B decoded, peak 9.8 of 15.0 MB"
      ),
    ])
  func parts(options: String, start: String) {
    let harness = Harness()
    harness.image("wide.png", .init(size: .init(width: 300, height: 200)))
    harness.run(words("fit wide.png " + options))
    #expect(harness.output.text.hasPrefix(start), "\(harness.output.text)")
  }

  @Test("The line shows the source as it is seen, JSON as it is stored")
  func upright() throws {
    let harness = Harness()
    harness.image("p.jpg", .init(size: .init(width: 300, height: 200), orientation: 6))
    harness.run(words("fit p.jpg --px 50"))
    #expect(harness.output.text.hasPrefix("p.jpg 200x300 -> p-33x50.png 33x50 px"))
    harness.output.text = ""
    harness.run(words("fit p.jpg --px 50 --json"))
    let value = try JSONReader.read(harness.output.text)
    #expect(value["input"]?["width"] == 300)
    #expect(value["output"]?["width"] == 33)
  }

  @Test("The JSON object of the contract, byte by byte")
  func json() {
    let harness = Harness()
    harness.image("logo.png", .init(notes: [Note(code: "undersized", message: "it is \"small\"")]))
    harness.engine.onFit = { harness.time += 0.25 }
    #expect(harness.run(words("fit logo.png --pt 18x9 --scale 2 --json")) == .success)
    #expect(
      harness.output.text
        == #"{"input":{"path":"logo.png","format":"png","coding":"non-interlaced","width":1024,"#
        + #""height":1024,"bytes":123456,"orientation":1,"colorSpace":"untagged","hasAlpha":true,"#
        + #""bitDepth":8,"frames":1},"output":{"path":"logo@2x.png","reference":null,"#
        + #""format":"png","width":18,"height":18,"scale":2,"pointWidth":9,"pointHeight":9,"#
        + #""bytes":3124,"decodedBytes":1296,"sha256":""# + String(repeating: "ab", count: 32)
        + #"","changed":true},"memory":{"budget":30000000,"baseline":3000000,"planned":7000000,"#
        + #""ledgerPeak":6800000,"residentPeak":12345678},"strategy":"PNG, row by row","#
        + #""kernels":"scalar","notes":["undersized: it is \"small\""],"seconds":0.25}"# + "\n")
    #expect(harness.error.text.isEmpty)
  }

  @Test("A failure as JSON, and as text on standard error")
  func failureJSON() {
    let harness = Harness()
    harness.image("a \"b\".png", .init(error: EngineError(.truncated, "the file ends in row 3")))
    #expect(harness.run("fit", "a \"b\".png", "--pt", "18", "--json") == .data)
    #expect(
      harness.output.text
        == #"{"input":{"path":"a \"b\".png"},"error":{"code":"truncated","#
        + #""message":"the file ends in row 3","exit":65}}"# + "\n")
    #expect(harness.error.text == "Error: a \"b\".png: the file ends in row 3\n")
  }

  static let statuses: [(EngineError.Code, ExitCode)] = [
    (.notAnImage, .data), (.unsupported, .data), (.truncated, .data), (.damaged, .data),
    (.overBudget, .overBudget), (.noSuchInput, .noInput), (.unreadableInput, .noInput),
    (.readFailed, .inputOutput), (.cannotCreate, .cannotCreate), (.writeFailed, .inputOutput),
    (.maxBytesUnreachable, .failure), (.badRequest, .usage), (.interrupted, .interrupted),
    (.internalFault, .internalFault),
  ]

  @Test("Every code of the engine has its status", arguments: statuses)
  func status(code: EngineError.Code, status: ExitCode) {
    let harness = Harness()
    harness.image("a.png")
    harness.engine.fitError = EngineError(code, "it went wrong")
    #expect(harness.run(words("fit a.png --pt 18")) == status)
    // Where the output is to blame, it is named.
    let isOutput = code == .cannotCreate || code == .writeFailed
    #expect(
      harness.error.text == "Error: a.png: it went wrong\(isOutput ? ": 'a@3x.png'" : "")\n")
    #expect(harness.output.text.isEmpty)
  }

  @Test("The table of statuses leaves no code out")
  func allStatuses() {
    #expect(Set(Self.statuses.map(\.0)) == Set(EngineError.Code.allCases))
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 73, 74, 130])
  }

  @Test("One input failing does not stop the others; the status tells")
  func several() {
    let harness = Harness()
    harness.image("bad.png", .init(error: EngineError(.damaged, "a row is broken")))
    harness.image("good.png")
    #expect(harness.run(words("fit bad.png good.png --pt 18")) == .data)
    #expect(harness.engine.fits.map(\.input) == [.file("good.png")])
    #expect(harness.output.text.hasPrefix("good.png 1024x1024 -> "))
    #expect(harness.error.text == "Error: bad.png: a row is broken\n")
    #expect(harness.run(words("fit bad.png gone.png --pt 18")) == .failure)
    #expect(harness.run(words("fit gone.png good.png --pt 18")) == .noInput)
  }

  @Test("An input that fails at each scale is told of once")
  func scalesFail() {
    let harness = Harness()
    harness.image("bad.png", .init(error: EngineError(.damaged, "a row is broken")))
    #expect(harness.run(words("fit bad.png --pt 18 --scales 1,2,3")) == .data)
    #expect(harness.error.text == "Error: bad.png: a row is broken\n")
  }

  @Test("Interrupted: nothing more is begun")
  func interrupted() {
    let harness = Harness()
    harness.processors = 1
    harness.image("a.png")
    harness.image("b.png")
    harness.engine.fitError = EngineError(.interrupted, "interrupted")
    #expect(harness.run(words("fit a.png b.png --pt 18")) == .interrupted)
    #expect(harness.engine.fits.count == 1)
  }

  @Test("Standard input goes to standard output, the result line to standard error")
  func streams() {
    let harness = Harness()
    harness.engine.sources[.standardInput] = .init()
    #expect(harness.run(words("fit - --pt 18")) == .success)
    #expect(harness.engine.fits.map(\.destination) == [.standardOutput])
    // Read once: a plan for a name would use the pipe up.
    #expect(harness.engine.plans == [.standardInput])
    #expect(harness.output.text.isEmpty)
    #expect(harness.error.text.hasPrefix("- 1024x1024 -> - 54x54 px (18 pt @3x), "))
    harness.error.text = ""
    #expect(harness.run(words("fit - --pt 18 --json")) == .success)
    #expect(harness.output.text.isEmpty)
    #expect(harness.error.text.hasPrefix(#"{"input":{"path":"-","#))
    #expect(harness.run(words("fit - --px 18 -o a.png")) == .success)
    #expect(harness.engine.fits.last?.destination == .file("a.png"))
    harness.engine.sources[.standardInput] = nil
    harness.error.text = ""
    #expect(harness.run(words("fit - --pt 18")) == .noInput)
    #expect(harness.error.text == "Error: standard input: there is no such file\n")
  }

  @Test("A pipe by its path is not opened for a name")
  func namedPipe() {
    let harness = Harness()
    harness.image("/dev/fd/63")
    harness.add("/dev/fd/63", .other)
    #expect(harness.run(words("fit /dev/fd/63 --pt 18")) == .usage)
    #expect(harness.error.text.contains("'/dev/fd/63' is a pipe or a device."))
    #expect(harness.engine.plans.isEmpty)
    #expect(harness.run(words("fit /dev/fd/63 --pt 18 -o x.png")) == .success)
    #expect(harness.engine.plans.count == 1)
  }

  @Test("A file whose name has a known format and scale is not planned for it")
  func noNeedlessPlan() {
    let harness = Harness()
    harness.image("a.jpg")
    harness.run(words("fit a.jpg --pt 18 --format png"))
    #expect(harness.engine.plans.count == 1)
  }

  @Test("Notes, quiet, verbose")
  func notes() {
    let note = Note(code: "undersized", message: "the source is smaller than the box")
    let harness = Harness()
    harness.image("a.png", .init(notes: [note]))
    harness.run(words("fit a.png --pt 18 --scales 1,2"))
    #expect(harness.error.text == "note: a.png: the source is smaller than the box\n")
    harness.error.text = ""
    harness.output.text = ""
    harness.run(words("fit a.png --pt 18 --quiet"))
    #expect(harness.error.text.isEmpty && harness.output.text.isEmpty)
    harness.run(words("fit a.png --pt 18 --verbose"))
    #expect(
      harness.error.text == """
        note: a.png: the source is smaller than the box
          strategy: PNG, row by row
          kernels: scalar
          read      row                       6,000,000 bytes
          encode    held picture              7,000,000 bytes
          baseline  the process at rest       3,000,000 bytes
          planned   peak, baseline included  10,000,000 bytes

        """)
  }

  @Test("A dry run plans and writes nothing")
  func dryRun() throws {
    let harness = Harness()
    harness.image("logo.png")
    #expect(harness.run(words("fit logo.png --pt 18 --dry-run")) == .success)
    #expect(
      harness.output.text
        == "logo.png 1024x1024: would write logo@3x.png 54x54 px (18 pt @3x), 11.7 KB decoded, "
        + "planned peak 10.0 of 30.0 MB\n")
    harness.output.text = ""
    harness.run(words("fit logo.png --pt 18 --dry-run --json"))
    let value = try JSONReader.read(harness.output.text)
    #expect(value["output"]?["bytes"] == .null)
    #expect(value["output"]?["sha256"] == .null)
    #expect(value["memory"]?["ledgerPeak"] == .null)
    #expect(value["memory"]?["planned"] == 7_000_000)
    #expect(harness.engine.fits.isEmpty)
  }

  @Test("A folder that is not there: 73, before any work")
  func noFolder() {
    let harness = Harness()
    harness.image("a.png")
    #expect(harness.run(words("fit a.png --pt 18 -o out/")) == .cannotCreate)
    #expect(harness.error.text == "Error: out/: there is no such folder\n")
    #expect(harness.engine.plans.isEmpty)
  }

  @Test("A reader that went away: 74 without a word, and no further work")
  func brokenPipe() {
    let harness = Harness()
    harness.processors = 1
    harness.image("a.png")
    harness.image("b.png")
    harness.output.writesLeft = 0
    #expect(harness.run(words("fit a.png b.png --pt 18")) == .inputOutput)
    #expect(harness.engine.fits.count == 1)
    #expect(harness.error.text.isEmpty)
  }

  @Test("Any other failure of standard output is told")
  func fullOutput() {
    let harness = Harness()
    harness.output.failure = OutputFailure(isBrokenPipe: false, message: "No space left on device")
    #expect(harness.run("--version") == .inputOutput)
    #expect(harness.error.text == "Error: standard output: No space left on device\n")
  }
}

@Suite("The progress line")
struct ProgressLineTests {
  @Test("Shown on a terminal, and gone before each result")
  func terminal() {
    let harness = Harness()
    harness.processors = 1
    harness.isTerminal = true
    harness.variables["TERM"] = "xterm"
    harness.image("a.png")
    harness.image("b.png")
    harness.engine.onFit = { harness.time += 0.2 }
    harness.run(words("fit a.png b.png --pt 18"))
    func frame(_ filled: Int, _ text: String) -> String {
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
      return "\r[\(bar)] \(text)\u{1B}[K"
    }
    let clear = "\r\u{1B}[K"
    #expect(
      harness.error.text
        == frame(0, "1 of 2 a.png") + frame(10, "1 of 2 a.png") + clear
        + frame(20, "2 of 2 b.png") + clear)
  }

  @Test(
    "None elsewhere",
    arguments: [
      ("", "xterm", false), ("", "dumb", true), ("", nil, true), ("--quiet", "xterm", true),
      ("--json", "xterm", true), ("--no-progress", "xterm", true),
    ] as [(String, String?, Bool)])
  func none(option: String, term: String?, isTerminal: Bool) {
    let harness = Harness()
    harness.isTerminal = isTerminal
    harness.variables["TERM"] = term
    harness.image("a.png")
    harness.run(words("fit a.png --pt 18 " + option))
    #expect(harness.error.text.isEmpty)
  }

  @Test("At most ten times a second, and never wider than the terminal")
  func rate() {
    let buffer = TextBuffer()
    var time = 0.0
    let line = ProgressLine(total: 1, columns: 40, output: buffer, seconds: { time })
    for step in 0..<1000 {
      time = Double(step) / 1000
      line.show(0, "Фото\u{1B}[2J 漢字漢字漢字漢字.png", fraction: time)
    }
    let frames = buffer.text.split(separator: "\r")
    #expect((9...11).contains(frames.count))
    for frame in frames {
      #expect(frame.hasSuffix("\u{1B}[K"))
      #expect(frame.filter { $0 == "\u{1B}" }.count == 1)
      let columns = frame.dropLast(3).unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 2 : 1) }
      #expect(columns <= 39)
    }
  }
}

@Suite("What inspect prints")
struct InspectCommandTests {
  @Test("Text, several files, what does not fit, what fails")
  func text() {
    let harness = Harness()
    harness.image("a.png")
    harness.image(
      "b.jpg",
      .init(
        size: .init(width: 300, height: 200), format: "jpeg", hasAlpha: false, orientation: 6,
        notes: [Note(code: "x", message: "something to know")]))
    #expect(harness.run(words("inspect a.png gone.png b.jpg --budget 8MB")) == .noInput)
    #expect(
      harness.output.text == """
        a.png
          format        PNG, non-interlaced
          size          1024x1024 px
          depth         8 bits a sample
          colour        untagged
          alpha         yes
          orientation   1 (upright)
          frames        1
          bytes         123,456
          strategy      PNG, row by row
          planned peak  9.0 of 8.0 MB: does not fit

        b.jpg
          format        JPEG, non-interlaced
          size          300x200 px
          depth         8 bits a sample
          colour        untagged
          alpha         no
          orientation   6 (to be turned right, shown as 200x300)
          frames        1
          bytes         123,456
          strategy      PNG, row by row
          planned peak  9.0 of 8.0 MB: does not fit
          note          something to know

        """)
    #expect(harness.error.text == "Error: gone.png: there is no such file\n")
  }

  @Test("JSON, one object a line, parts when asked for")
  func json() throws {
    let harness = Harness()
    harness.image("a.png")
    #expect(harness.run(words("inspect a.png gone.png --json --verbose")) == .noInput)
    let lines = harness.output.text.split(separator: "\n")
    try #require(lines.count == 2)
    let value = try JSONReader.read(String(lines[0]))
    #expect(value["input"]?["path"] == "a.png")
    #expect(value["memory"]?["fits"] == true)
    #expect(value["memory"]?["planned"] == 6_000_000)
    #expect(value["memory"]?["parts"] == [["phase": "read", "name": "row", "bytes": 6_000_000]])
    #expect(try JSONReader.read(String(lines[1]))["error"]?["exit"] == 66)
  }
}
