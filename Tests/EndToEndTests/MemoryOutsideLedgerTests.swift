import Testing
import WidgetCore
import WidgetTestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the process takes beside the ledger, counted in the C allocator.
@Suite(
  "At most 1 MB is allocated outside the ledger", .needsTool,
  .enabled(if: MallocProbe.unavailable == nil, "\(MallocProbe.unavailable ?? "")"))
struct MemoryOutsideLedgerTests {
  /// The most that `--version` allocates.
  static let rest: Int? = {
    guard let binary = BinaryUnderTest.path else { return nil }
    return try? MallocProbe.run("\(binary)", ["--version"]).totalPeakBytes
  }()

  /// Pages that the WebP reader maps itself, all on the ledger. They are taken
  /// from it here, not counted: of the address ranges that hold rows only a
  /// window is ever backed by memory, and the probe sees whole ranges.
  static let mapped = ["WebP rows", "WebP rows that come early", "compressed WebP"]

  @Test("every coding", arguments: MemorySource.everyCoding(MemorySource.medium))
  func codings(_ source: MemorySource) throws {
    try check(source, ["--px", "300"], "out.png")
  }

  @Test("12 MP", arguments: MemorySource.everyStreamed(MemorySource.large))
  func large(_ source: MemorySource) throws {
    try check(source, ["--px", "1000"], "out.jpg")
  }

  @Test(
    "every output",
    arguments: [
      (["--px", "54"], "out.png"), (["--px", "54", "--palette"], "out.png"),
      (["--px", "900"], "out.png"), (["--px", "300"], "out.jpg"), (["--px", "1400"], "out.jpg"),
      (["--px", "300"], "out.webp"), (["--px", "800"], "out.webp"),
      (["--px", "300", "--max-bytes", "9000"], "out.jpg"),
      (["--px", "100", "--upscale", "--fast", "--allow-truncated"], "out.png"),
    ] as [([RawPath], RawPath)])
  func outputs(_ options: [RawPath], _ output: RawPath) throws {
    let size = MemorySource.medium
    let sources: [MemorySource] = [
      .png(.rgba, 8, size, orientation: 6), .photo(size), .losslessWebP(size),
    ]
    for source in sources {
      try check(source, options, output)
    }
  }

  private func check(
    _ source: MemorySource, _ options: [RawPath], _ output: RawPath,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryFolder()
    let binary = try #require(BinaryUnderTest.path)
    let input = try source.rawPath()
    let budget: [RawPath] = ["--json", "--budget", "400MB", input]
    let arguments =
      ["fit", "-o", folder(output), "--background", "#fff"] + budget + options
    let reading = try MallocProbe.run("\(binary)", arguments.map(\.description))
    let told = try #require(
      ToldMemory(reading.child.output), "\(source): \(reading.child.errorText)",
      sourceLocation: location)
    let inspected = try BinaryUnderTest.run(["inspect", "--verbose"] + budget)
    let parts = try #require(ToldMemory(inspected.output), sourceLocation: location).parts
    let mapped = Self.mapped.reduce(0) { $0 + (parts[$1] ?? 0) }

    let peak = mapped == 0 ? reading.totalPeakBytes : reading.peakBytes
    let ledgerPeak = try #require(told.ledgerPeak, sourceLocation: location)
    let rest = try #require(Self.rest, sourceLocation: location)
    let outside = peak + mapped - ledgerPeak - rest
    #expect(
      outside <= 1_000_000, "\(source) \(options): \(outside) bytes outside the ledger",
      sourceLocation: location)
    if getenv("WIDGETIMG_FIGURES") != nil {
      print("figure: \(source) \(options): outside \(outside), rest \(rest)")
    }
  }
}
