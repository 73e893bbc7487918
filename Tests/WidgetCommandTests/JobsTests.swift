import Testing
import WidgetCommand
import WidgetCore
import WidgetImage

@Suite("Several inputs side by side")
struct JobsTests {
  private static let names: [RawPath] = ["a.png", "b.png", "c.png", "d.png", "e.png"]

  private func harness(processors: Int = 4) -> Harness {
    let harness = Harness()
    harness.processors = processors
    for name in Self.names { harness.image(name) }
    return harness
  }

  private func inputs(_ text: String) -> [RawPath] { words("fit \(text) --px 9x9") }

  private func names(of lines: String) -> [String] {
    lines.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test("the same text as one after the other, whoever ends first")
  func order() {
    let expected = harness()
    expected.run(inputs("a.png b.png c.png d.png e.png --jobs 1"))
    let harness = harness()
    harness.engine.stage.hold(.file("a.png"), until: [.file("b.png"), .file("c.png")])
    harness.engine.stage.hold(.file("b.png"), until: [.file("c.png")])
    harness.engine.stage.meet([.file("a.png"), .file("b.png"), .file("c.png")])
    #expect(harness.run(inputs("a.png b.png c.png d.png e.png --jobs 3")) == .success)
    #expect(harness.output.text == expected.output.text)
    #expect(names(of: harness.output.text) == Self.names.map(\.description))
    #expect(
      harness.engine.stage.order.prefix(3) == [.file("c.png"), .file("b.png"), .file("a.png")])
    #expect(harness.engine.stage.seen.mostRunning == 3)
  }

  @Test("failures stand between results, in their place; the status is theirs")
  func failures() {
    func make() -> Harness {
      let harness = harness()
      harness.image("b.png", .init(error: EngineError(.damaged, "broken")))
      harness.image("d.png", .init(error: EngineError(.truncated, "cut")))
      return harness
    }
    for options in ["", "--json", "--scale 3"] {
      let expected = make()
      let status = expected.run(inputs("a.png b.png c.png d.png e.png --jobs 1 \(options)"))
      #expect(status == .data)
      let harness = make()
      #expect(harness.run(inputs("a.png b.png c.png d.png e.png \(options)")) == .data)
      #expect(harness.error.text == expected.error.text)
      let lines = harness.output.text.split(separator: "\n").count
      #expect(lines == expected.output.text.split(separator: "\n").count)
      if options != "--json" { #expect(harness.output.text == expected.output.text) }
    }
  }

  @Test("differing failures are status 1")
  func differing() {
    let harness = harness()
    harness.image("b.png", .init(error: EngineError(.damaged, "broken")))
    harness.image("d.png", .init(error: EngineError(.noSuchInput, "none")))
    #expect(harness.run(inputs("a.png b.png c.png d.png")) == .failure)
  }

  @Test("what runs never passes the budget; a big job is not passed by small ones")
  func ceiling() {
    let harness = harness()
    let limit = 27_000_000 - (64 << 10)
    harness.engine.bytes = [
      .file("a.png"): 10_000_000, .file("b.png"): 10_000_000, .file("c.png"): limit,
      .file("d.png"): 1000, .file("e.png"): 1000,
    ]
    harness.engine.stage.meet([.file("a.png"), .file("b.png")])
    #expect(harness.run(inputs("a.png b.png c.png d.png e.png --jobs 8")) == .success)
    let seen = harness.engine.stage.seen
    #expect(seen.mostBytes == limit)
    #expect(seen.mostRunning == 2)
    #expect(seen.started[2] == .file("c.png"))
    #expect(harness.engine.stage.order[2] == .file("c.png"))
    #expect(seen.alone == [])
  }

  @Test("what does not fit beside a thread runs alone, without one")
  func alone() {
    let harness = harness()
    harness.engine.bytes = [.file("b.png"): 27_000_000]
    #expect(harness.run(inputs("a.png b.png c.png")) == .success)
    #expect(harness.engine.stage.seen.alone == [.file("b.png")])
    #expect(harness.engine.stage.order[1] == .file("b.png"))
    #expect(names(of: harness.output.text) == ["a.png", "b.png", "c.png"])
  }

  @Test(
    "places and threads for each picture",
    arguments: [
      // results, --jobs, processors: side by side, threads
      (1, nil, 1, 1, 1), (1, nil, 2, 1, 2), (1, nil, 8, 1, 2), (1, 1, 8, 1, 1),
      (1, 2, 1, 1, 1), (2, nil, 2, 2, 1), (2, nil, 4, 2, 2), (8, nil, 4, 4, 1),
      (8, 8, 2, 8, 1), (8, 1, 8, 1, 1), (2, 3, 8, 2, 1), (8, 2, 8, 2, 1), (0, nil, 2, 1, 2),
    ] as [(Int, Int?, Int, Int, Int)])
  func shares(_ count: Int, _ jobs: Int?, _ processors: Int, _ places: Int, _ threads: Int) {
    let sharing = FitRequest.sharing(
      of: count, jobs: jobs ?? processors, processors: processors)
    #expect(sharing.places == places)
    #expect(sharing.threads == threads)
  }

  @Test("the engine is told the threads")
  func threads() {
    for (text, threads) in [("a.png", 2), ("a.png --jobs 1", 1), ("a.png b.png c.png", 1)] {
      let harness = harness(processors: 2)
      harness.run(inputs(text))
      #expect(harness.engine.fits.allSatisfy { $0.options.threads == threads }, "\(text)")
      #expect(!harness.engine.fits.isEmpty)
    }
  }

  @Test("what is no number of jobs is refused", arguments: ["0", "+2", "129", "two", "1.5"])
  func refused(_ value: String) {
    let harness = harness()
    #expect(harness.run(["fit", "a.png", "--px", "9", "--jobs", RawPath(value)]) == .usage)
    #expect(harness.error.text.contains("a whole number from 1 to 128"))
    #expect(harness.engine.fits.isEmpty)
  }

  @Test("nothing is begun when nobody reads the results any more")
  func closed() {
    let harness = harness()
    harness.output.writesLeft = 0
    // The third begins in the first's place, when that is known to have ended.
    harness.engine.stage.meet([.file("a.png"), .file("b.png")])
    harness.engine.stage.hold(.file("b.png"), until: [.file("c.png")])
    #expect(harness.run(inputs("a.png b.png c.png d.png e.png --jobs 2")) == .inputOutput)
    #expect(harness.engine.fits.count == 3)
    #expect(harness.output.text == "")
  }

  @Test("the bar counts what is done in all, and is gone at the end")
  func progress() {
    let harness = harness()
    harness.isTerminal = true
    harness.variables["TERM"] = "xterm"
    harness.run(inputs("a.png b.png --jobs 2"))
    #expect(harness.error.text.contains("of 2"))
    #expect(harness.error.text.hasSuffix("\r\u{1B}[K"))
  }

  @Test("an image on standard output stands alone between the lines")
  func streamed() {
    let harness = harness()
    harness.engine.sources[.standardInput] = .init()
    #expect(harness.run(inputs("a.png - b.png --jobs 3")) == .success)
    #expect(harness.engine.stage.seen.alone == [.standardInput])
    #expect(harness.engine.stage.order == [.file("a.png"), .standardInput, .file("b.png")])
  }
}
