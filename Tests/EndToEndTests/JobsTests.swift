import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

/// `--jobs` over real files.
@Suite("Several inputs side by side", .needsTool)
struct JobsTests {
  /// Every coding small, some larger ones, and two that fail.
  private static func inputs() throws -> [RawPath] {
    let some = MemorySource.everyCoding(MemorySource.small).enumerated()
      .filter { $0.offset % 5 == 0 }.map(\.element)
    let larger: [MemorySource] = [
      .photo(MemorySource.medium, orientation: 6), .png(.rgba, 8, MemorySource.medium),
      .lossyWebP(MemorySource.medium),
    ]
    var paths = try (some + larger).map { try $0.rawPath() }
    let bad = "\(PackageFolder.path)/Tests/Fixtures/bad"
    paths.insert(RawPath("\(bad)/half.jpg"), at: 3)
    paths.insert(RawPath("\(bad)/no-such.png"), at: 9)
    return paths
  }

  private func fit(
    _ inputs: [RawPath], _ folder: TemporaryFolder, _ options: String
  ) throws -> Subprocess.Outcome {
    let given = (options + " --px 90 --background #fff -o").split(separator: " ")
    return try BinaryUnderTest.run(
      ["fit"] + inputs + given.map { RawPath(String($0)) } + [folder.path])
  }

  @Test("the same files, lines and status for every number of jobs", arguments: [2, 3, 16])
  func same(jobs: Int) throws {
    let inputs = try Self.inputs()
    let one = try TemporaryFolder()
    let several = try TemporaryFolder()
    let expected = try fit(inputs, one, "--jobs 1")
    let outcome = try fit(inputs, several, "--jobs \(jobs)")
    #expect(outcome.status == 1)
    #expect(expected.status == 1)
    #expect(several.names() == one.names())
    #expect(one.names().count == inputs.count - 2)
    for name in one.names() {
      #expect(several.read(name) == one.read(name), "\(name)")
    }
    #expect(outcome.errorText == expected.errorText)
    #expect(lines(outcome, several) == lines(expected, one))
  }

  /// What was printed, without the folder's name and what threads take.
  private func lines(_ outcome: Subprocess.Outcome, _ folder: TemporaryFolder) -> [String] {
    outcome.outputText.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      let kept = words.prefix { $0 != "peak" }
      return kept.map { $0.hasPrefix("\(folder.path)") ? "" : $0 }.joined(separator: " ")
    }
  }

  @Test("JSON in the order of the inputs, failures among them")
  func json() throws {
    let inputs = try Self.inputs()
    let outcome = try fit(inputs, TemporaryFolder(), "--json --jobs 4")
    let values = try outcome.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONReader.read(Array($0))
    }
    let paths = values.map { value -> String? in
      guard case .object(let object) = value, case .object(let input)? = object["input"],
        case .string(let path)? = input["path"]
      else { return nil }
      return path
    }
    #expect(paths == inputs.map { $0.description })
  }

  @Test("ended from outside, several temporary files are removed")
  func interrupted() throws {
    // `$0` is the tool, `$1` the folder; standard output has its status.
    let script = """
      tool=$0 folder=$1; shift
      "$tool" fit "$@" --px 900 -o "$folder" --jobs 4 --quiet &
      for i in $(seq 200); do
        [ "$(ls -A "$folder" | wc -l)" -ge 2 ] && break
        sleep 0.01
      done
      kill -TERM $!
      wait $!
      echo $?
      """
    let sizes = (0..<6).map { PixelSize(width: 3000 + $0, height: 2400) }
    let inputs = try sizes.map { try MemorySource.png(.rgb, 8, $0).rawPath() }
    let folder = try TemporaryFolder()
    let binary = try #require(BinaryUnderTest.path)
    let outcome = try Subprocess(
      "sh", ["-c", RawPath(script), binary, folder.path] + inputs
    ).run()
    #expect(outcome.outputText == "143\n", "\(outcome.errorText)")
    #expect(
      folder.names().allSatisfy { $0.description.hasPrefix("png") }, "\(folder.names())")
    #expect(folder.names().count < inputs.count)
  }
}

@Suite(
  "Several inputs share one ceiling that the kernel enforces", .needsTool,
  .enabled(if: Jail.unavailable == nil, "\(Jail.unavailable ?? "")"))
struct JobsCeilingTests {
  private func survive(
    _ sources: [MemorySource], _ budget: Int, _ options: [RawPath],
    location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryFolder()
    let binary = try #require(BinaryUnderTest.path)
    let inputs = try sources.map { try $0.rawPath() }
    let command: [RawPath] =
      [binary, "fit"] + inputs + [
        "-o", folder.path, "--budget", RawPath(String(budget)), "--quiet",
      ]
    let outcome = try Jail.run(budget, command + options)
    #expect(
      outcome.status == 0 && !outcome.wasKilled, "\(options) in \(budget): \(outcome.text)",
      sourceLocation: location)
    #expect(outcome.dirtyBytes <= budget, sourceLocation: location)
    #expect(folder.names().count == sources.count, sourceLocation: location)
  }

  @Test("eight of 12 MP, read row by row", arguments: [15_000_000, 30_000_000])
  func streamed(budget: Int) throws {
    let sources = Array(MemorySource.everyStreamed(MemorySource.large).prefix(8))
    try survive(sources, budget, ["--px", "1000", "--background", "#fff", "--jobs", "8"])
  }

  @Test("eight that need more together than there is", arguments: [2, 8])
  func held(jobs: Int) throws {
    // Some 8 MB of coefficients each.
    let sources = (0..<8).map {
      MemorySource.progressive(PixelSize(width: 1900 + $0, height: 1400))
    }
    try survive(
      sources, 30_000_000, ["--px", "500", "--jobs", RawPath(String(jobs))])
  }

  @Test("one that needs nearly all, among small ones")
  func large() throws {
    var sources = (0..<6).map { MemorySource.photo(PixelSize(width: 1500 + $0, height: 1000)) }
    sources.insert(.progressive(PixelSize(width: 3300, height: 2400)), at: 2)
    try survive(sources, 30_000_000, ["--px", "300", "--jobs", "8"])
  }
}
