import Testing
import WidgetCore
import WidgetImage
import WidgetTestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The rule of `docs/memory.md`: ledger peak <= planned <= 1.25 x ledger peak + 256 KB.
struct MemoryRule {
  var planned: Int
  var ledgerPeak: Int

  var holds: Bool { ledgerPeak <= planned && planned <= ledgerPeak * 5 / 4 + 256 * 1024 }

  /// Fits `source` to a file that is thrown away, and holds the rule against it.
  ///
  /// The budget is the widget's, or what the plan asks for where that is more.
  @discardableResult
  static func check(
    _ path: String, _ name: String, _ options: FitOptions,
    location: SourceLocation = #_sourceLocation
  ) throws -> FitResult {
    var options = options
    let fitter = ImageFitter()
    let input = ImageInput.file(path)
    do throws(WidgetImageError) {
      _ = try fitter.plan(input, options: options)
    } catch {
      guard error.code == .overBudget, let needed = error.neededBytes else { throw error }
      options.budget = MemoryBudget(bytes: needed)
    }
    let folder = TemporaryFolder()
    let result = try fitter.fit(input, to: .file(folder.file("out")), options: options)
    let rule = MemoryRule(planned: result.plan.plannedBytes, ledgerPeak: result.ledgerPeakBytes)
    #expect(
      rule.holds,
      """
      \(name): planned \(rule.planned), ledger peak \(rule.ledgerPeak): \
      \(result.plan.parts.map { "\($0.phase) \($0.name) \($0.bytes)" })
      """, sourceLocation: location)
    if getenv("WIDGETIMG_FIGURES") != nil {
      print("figure: \(name): planned \(rule.planned) ledger \(rule.ledgerPeak)")
    }
    return result
  }
}

@Suite("A plan is at least the ledger's peak and little more")
struct MemoryPlanTests {
  private static func box(_ side: Int) -> FitOptions {
    var options = FitOptions()
    options.box = PixelSize(width: side, height: side)
    options.background = RGBColor(red: 9, green: 9, blue: 9)
    return options
  }

  @Test("every coding, small", arguments: MemorySource.everyCoding(MemorySource.small))
  func small(_ source: MemorySource) throws {
    let result = try MemoryRule.check(source.path(), "\(source) to 54", Self.box(54))
    #expect(result.plan.source.coding == source.coding)
    try MemoryRule.check(source.path(), "\(source) kept", Self.box(150))
  }

  @Test("every coding, 1.5 MP", arguments: MemorySource.everyCoding(MemorySource.medium))
  func medium(_ source: MemorySource) throws {
    try MemoryRule.check(source.path(), "\(source) to 54", Self.box(54))
    var options = Self.box(700)
    options.format = .jpeg
    try MemoryRule.check(source.path(), "\(source) to 700", options)
  }

  @Test(
    "row by row, 12 MP, inside the budget",
    arguments: MemorySource.everyStreamed(MemorySource.large))
  func large(_ source: MemorySource) throws {
    var options = Self.box(1000)
    options.budget = .watch
    options.format = .jpeg
    let result = try MemoryRule.check(source.path(), "\(source) to 1000", options)
    #expect(result.plan.plannedBytes <= MemoryBudget.watch.ledgerLimit)
  }

  /// Sources of every layout and order for everything that follows decoding.
  static let sources: [MemorySource] = {
    let size = MemorySource.medium
    return [1, 6].flatMap { orientation in
      [
        .png(.grey, 8, size, orientation: orientation),
        .png(.rgb, 16, size, orientation: orientation),
        .png(.rgba, 8, size, orientation: orientation),
        .photo(size, orientation: orientation),
        .lossyWebP(size, orientation: orientation),
        .losslessWebP(size, orientation: orientation),
      ] as [MemorySource]
    }
  }()

  /// Outputs on both sides of every border: tried in all styles, optimised,
  /// held for opaqueness.
  static let sides = [1, 54, 320, 700, 1100]

  @Test("every output, of sources of every orientation", arguments: sources)
  func outputs(_ source: MemorySource) throws {
    for side in Self.sides {
      // WebP is encoded in one way at every size, and slowly.
      for format in OutputFormat.allCases where format != .webp || side <= 320 {
        var options = Self.box(side)
        options.format = format
        try MemoryRule.check(source.path(), "\(source) to \(side) \(format)", options)
      }
      var options = Self.box(side)
      options.format = .png
      options.allowsPalette = true
      try MemoryRule.check(source.path(), "\(source) to \(side) palette", options)
    }
  }

  @Test("every quality of WebP and JPEG", arguments: [1, 50, 70, 71, 89, 90, 95, 100])
  func qualities(_ quality: Int) throws {
    let sources: [MemorySource] = [
      .png(.rgb, 8, MemorySource.medium), .png(.rgba, 8, MemorySource.medium),
    ]
    for source in sources {
      for format in [OutputFormat.jpeg, .webp] {
        var options = Self.box(250)
        options.format = format
        options.quality = quality
        try MemoryRule.check(source.path(), "\(source) to \(format) \(quality)", options)
      }
    }
  }

  @Test("every filter, cropped, enlarged", arguments: ResampleFilter.allCases)
  func filters(_ filter: ResampleFilter) throws {
    let sources: [MemorySource] = [
      .png(.grey, 8, MemorySource.medium), .png(.rgba, 16, MemorySource.small),
      .photo(MemorySource.medium),
    ]
    for source in sources {
      for mode in FitMode.allCases {
        for side in [20, 187, 188, 900] {
          var options = Self.box(side)
          options.filter = filter
          options.format = .jpeg
          options.mode = mode
          options.allowsUpscaling = true
          try MemoryRule.check(
            source.path(), "\(source) \(filter) \(mode) to \(side)", options)
        }
      }
    }
  }

  @Test("shrink-on-load", arguments: MemorySource.everyJPEG(MemorySource.medium))
  func fast(_ source: MemorySource) throws {
    for side in [54, 170, 350] {
      var options = Self.box(side)
      options.allowsShrinkOnLoad = true
      try MemoryRule.check(source.path(), "\(source) fast to \(side)", options)
    }
  }

  @Test("cut sources that are taken, and their last good row")
  func truncated() throws {
    let sources: [MemorySource] = [
      .png(.rgba, 16, MemorySource.medium), .photo(MemorySource.medium),
      .lossyWebP(MemorySource.medium),
    ]
    for source in sources {
      let cut = try cutInHalf(source.path())
      defer { unlink(cut) }
      var options = Self.box(300)
      options.tolerance = .allowTruncated
      let result = try MemoryRule.check(cut, "\(source) cut", options)
      #expect(result.plan.parts.contains { $0.name == "last good row" && $0.bytes > 64 })
      #expect(result.notes.contains { $0.code == "truncated-filled" })
    }
  }

  @Test("a search for the best quality under a number of bytes")
  func maxBytes() throws {
    let source = MemorySource.png(.rgb, 8, MemorySource.medium)
    for format in [OutputFormat.jpeg, .webp] {
      for side in [100, 300] {
        var options = Self.box(side)
        options.format = format
        options.maxBytes = side * side / 8
        try MemoryRule.check(source.path(), "\(source) \(format) under \(side)", options)
      }
    }
  }

  @Test("bytes given in memory are in the plan")
  func bytesInMemory() throws {
    let source = MemorySource.photo(MemorySource.medium)
    let bytes = try wholeFile(source.path())
    let folder = TemporaryFolder()
    let result = try ImageFitter().fit(
      .bytes(bytes), to: .file(folder.file("out")), options: Self.box(300))
    #expect(result.plan.plannedBytes > bytes.count)
    #expect(
      MemoryRule(planned: result.plan.plannedBytes, ledgerPeak: result.ledgerPeakBytes).holds)
  }

  private func wholeFile(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    try #require(pread(file, &bytes, bytes.count, 0) == bytes.count)
    return bytes
  }

  private func cutInHalf(_ path: String) throws -> String {
    let bytes = try wholeFile(path)
    let cut = "\(path).\(getpid()).cut"
    let file = open(cut, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try #require(write(file, bytes, bytes.count / 2) == bytes.count / 2)
    return cut
  }
}
