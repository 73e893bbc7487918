import Testing
import WidgetCore
import WidgetTestSupport

/// The kernel as judge: who takes more than the budget does not survive.
@Suite(
  "The ceiling holds where the kernel enforces it", .needsTool,
  .enabled(if: Jail.unavailable == nil, "\(Jail.unavailable ?? "")"))
struct MemoryCeilingTests {
  static let budgets = [15_000_000, 24_000_000, 30_000_000]

  @Test("everything that is read row by row, 12 MP", arguments: budgets)
  func streamed(budget: Int) throws {
    for source in MemorySource.everyStreamed(MemorySource.large) {
      try survive(budget, source.rawPath(), "\(source)", ["--px", "1000"])
    }
  }

  @Test("the sample images", arguments: budgets)
  func samples(budget: Int) throws {
    for name in ["photo.jpg", "logo.png", "logo-palette.png", "portrait.jpg", "deep.png"] {
      try survive(budget, sample(name), name, ["--px", "600"])
    }
    try survive(
      budget, sample("photo.jpg"), "photo", ["--max-decoded", "2MB", "--px", "4000"])
    try survive(
      budget, sample("photo.jpg"), "photo as WebP", ["--px", "500"], output: "out.webp")
  }

  @Test(
    "what holds the picture, where it fits",
    arguments: MemorySource.everyHeld(MemorySource.medium))
  func held(_ source: MemorySource) throws {
    try survive(30_000_000, source.rawPath(), "\(source)", ["--px", "700"])
  }

  private func survive(
    _ budget: Int, _ input: RawPath, _ name: String, _ options: [RawPath],
    output: RawPath = "out.png", location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryFolder()
    let binary = try #require(BinaryUnderTest.path)
    let command: [RawPath] = [
      binary, "fit", input, "-o", folder(output), "--budget", RawPath(String(budget)),
    ]
    let outcome = try Jail.run(budget, command + options)
    #expect(
      outcome.status == 0 && !outcome.wasKilled, "\(name) in \(budget): \(outcome.text)",
      sourceLocation: location)
    #expect(outcome.dirtyBytes <= budget, sourceLocation: location)
  }
}

@Suite("What does not fit is refused before it starts", .needsTool)
struct MemoryRefusalTests {
  @Test("a 12 MP progressive JPEG: 69 and the bytes; with these bytes 0, with one less 69")
  func progressive() throws {
    let input = try MemorySource.progressive(MemorySource.large).rawPath()
    let folder = try TemporaryFolder()
    func fit(_ budget: [RawPath]) throws -> Subprocess.Outcome {
      try BinaryUnderTest.run(["fit", input, "--px", "300", "-o", folder("out.jpg")] + budget)
    }
    let refused = try fit(["--budget", "3100000"])
    #expect(refused.status == 69)
    #expect(folder.names() == [])
    // ... it would need 41234567 bytes of memory, ...
    let words = refused.errorText.split(separator: " ").map(String.init)
    let at = try #require(words.firstIndex(of: "need"), "\(refused.errorText)")
    let needed = try #require(Int(words[at + 1]), "\(refused.errorText)")
    #expect(needed > 3_100_000)
    #expect(refused.errorText.contains(" for 10 scans, "))

    #expect(try fit(["--budget", RawPath(String(needed - 1))]).status == 69)
    let taken = try fit(["--budget", RawPath(String(needed))])
    #expect(taken.status == 0, "\(taken.errorText)")
    #expect(folder.names() == ["out.jpg"])
  }
}
