import Testing
import WidgetCore
import WidgetImage
import WidgetTestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One fit on one thread and on two.
private struct Twice {
  var one: Result<FitResult, WidgetImageError>
  var two: Result<FitResult, WidgetImageError>

  init(_ input: ImageInput, _ options: FitOptions) {
    func fit(_ threads: Int) -> Result<FitResult, WidgetImageError> {
      var options = options
      options.threads = threads
      do throws(WidgetImageError) {
        return .success(
          try ImageFitter(processors: 2).fit(input, to: .memory, options: options))
      } catch {
        return .failure(error)
      }
    }
    one = fit(1)
    two = fit(2)
  }

  /// Whether both gave the same image, the same notes, or the same error.
  func expectSame(_ name: String, location: SourceLocation = #_sourceLocation) {
    switch (one, two) {
    case (.success(let one), .success(let two)):
      #expect(one.data == two.data, "\(name)", sourceLocation: location)
      #expect(one.notes == two.notes, "\(name)", sourceLocation: location)
      #expect(
        one.plan.threads == 1 && two.plan.threads > 1, "\(name)", sourceLocation: location)
    case (.failure(let one), .failure(let two)):
      #expect(one == two, "\(name)", sourceLocation: location)
    default:
      Issue.record("\(name): \(one) but \(two)", sourceLocation: location)
    }
  }
}

private func options(_ side: Int, _ change: (inout FitOptions) -> Void = { _ in }) -> FitOptions {
  var options = FitOptions()
  options.box = PixelSize(width: side, height: side)
  options.background = RGBColor(red: 1, green: 2, blue: 3)
  options.budget = MemoryBudget(bytes: 400_000_000)
  change(&options)
  return options
}

@Suite("Two threads give the same as one")
struct OverlapTests {
  /// Of every layout more bytes than a second thread needs to pay.
  private static let size = PixelSize(width: 640, height: 450)

  @Test("every coding", arguments: MemorySource.everyCoding(size))
  func codings(_ source: MemorySource) throws {
    Twice(.file(try source.path()), options(200)).expectSame("\(source)")
  }

  @Test("every orientation, held and row by row", arguments: 1...8)
  func orientations(_ orientation: Int) throws {
    let sources: [MemorySource] = [
      .png(.rgba, 8, Self.size, orientation: orientation),
      .photo(Self.size, orientation: orientation),
      .lossyWebP(Self.size, orientation: orientation),
    ]
    for source in sources {
      for format in OutputFormat.allCases {
        Twice(.file(try source.path()), options(150) { $0.format = format })
          .expectSame("\(source) to \(format)")
      }
    }
  }

  @Test("crops, filters, enlarging, shrink-on-load", arguments: FitMode.allCases)
  func geometry(_ mode: FitMode) throws {
    let sources: [MemorySource] = [.photo(Self.size), .png(.grey, 16, Self.size)]
    for source in sources {
      for gravity in [Gravity.center, .top, .bottomRight] {
        let fit = options(300) {
          $0.mode = mode
          $0.gravity = gravity
          $0.box = PixelSize(width: 300, height: 90)
        }
        Twice(.file(try source.path()), fit).expectSame("\(source) \(mode) \(gravity)")
      }
      for filter in ResampleFilter.allCases {
        let fit = options(700) {
          $0.filter = filter
          $0.mode = mode
          $0.allowsUpscaling = true
          $0.format = .jpeg
        }
        Twice(.file(try source.path()), fit).expectSame("\(source) \(mode) \(filter)")
      }
    }
    let large = MemorySource.photo(MemorySource.medium)
    Twice(.file(try large.path()), options(300) { $0.allowsShrinkOnLoad = true })
      .expectSame("\(large) \(mode) fast")
  }

  /// Cut at many places: in the header, in the first rows, at the end.
  private static let shares = [0, 1, 30, 500, 900, 999]

  @Test("cut sources: the same rows are filled up, or the same words refuse them")
  func cut() throws {
    let sources: [MemorySource] = [
      .photo(Self.size), .progressive(Self.size), .png(.rgb, 8, Self.size),
      .png(.rgba, 8, Self.size), .png(.rgba, 16, Self.size, interlaced: true),
      .lossyWebP(Self.size), .losslessWebP(Self.size),
    ]
    for source in sources {
      let bytes = try wholeFile(source.path())
      for share in Self.shares {
        let cut = ImageInput.bytes(Array(bytes.prefix(bytes.count * share / 1000)))
        for tolerance in [DamageTolerance.standard, .allowTruncated] {
          Twice(cut, options(120) { $0.tolerance = tolerance })
            .expectSame("\(source) cut at \(share), \(tolerance)")
        }
      }
    }
  }

  @Test("damaged sources: the same bytes and notes, or the same error")
  func damaged() throws {
    let sources: [MemorySource] = [
      .photo(Self.size), .png(.rgb, 8, Self.size), .lossyWebP(Self.size),
      .losslessWebP(Self.size),
    ]
    var failures = 0
    for source in sources {
      let bytes = try wholeFile(source.path())
      for share in Self.shares where share > 0 {
        var damaged = bytes
        let place = bytes.count * share / 1000
        for index in place..<min(place + 9, damaged.count) { damaged[index] ^= 0xa5 }
        for tolerance in DamageTolerance.allCases {
          let twice = Twice(.bytes(damaged), options(120) { $0.tolerance = tolerance })
          twice.expectSame("\(source) damaged at \(share), \(tolerance)")
          if case .failure = twice.one { failures += 1 }
        }
      }
    }
    #expect(failures > 10)
  }

  @Test(
    "an output that fails early is what is told, before damage that comes late",
    .enabled(if: access("/dev/full", W_OK) == 0, "needs /dev/full"))
  func bothFail() throws {
    var bytes = try wholeFile(MemorySource.png(.rgb, 8, MemorySource.large).path())
    let place = bytes.count - 2000
    for index in place..<(place + 9) { bytes[index] ^= 0xa5 }
    func code(_ threads: Int, _ side: Int, to path: RawPath) -> WidgetImageError.Code? {
      do throws(WidgetImageError) {
        _ = try ImageFitter(processors: 2).fit(
          .bytes(bytes), to: .file(path), options: options(side) { $0.threads = threads })
        return nil
      } catch {
        return error.code
      }
    }
    for threads in [1, 2] {
      // 900 px fill the output's buffer long before the damage, 5 px never do.
      #expect(code(threads, 900, to: "/dev/full") == .writeFailed)
      #expect(code(threads, 5, to: "/dev/full") == .damaged)
    }
  }

  @Test("progress goes up, on the caller's thread")
  func progress() throws {
    let caller = pthread_self()
    var seen = [Double]()
    _ = try ImageFitter(processors: 2).fit(
      .file(MemorySource.photo(PixelSize(width: 400, height: 1800)).path()), to: .memory,
      options: options(100)
    ) {
      seen.append($0)
      #expect(pthread_equal(pthread_self(), caller) != 0)
    }
    #expect(seen.count > 60 && seen.count < 80)
    #expect(seen == seen.sorted())
    #expect(seen.first == 0)
  }
}

@Suite("When decoding gets a thread")
struct OverlapChoiceTests {
  private func plan(
    _ source: MemorySource, processors: Int = 2, threads: Int = 2,
    budget: MemoryBudget = .widget
  ) throws -> FitPlan {
    try ImageFitter(processors: processors).plan(
      .file(source.path()),
      options: options(100) {
        $0.threads = threads
        $0.budget = budget
        // Its encoder does not adapt to the budget.
        $0.format = .png
      })
  }

  @Test("with two processors, two threads allowed, and a picture that is worth it")
  func worth() throws {
    let large = MemorySource.photo(MemorySource.medium)
    #expect(try plan(large).threads == 2)
    #expect(try plan(large, processors: 8, threads: 8).threads == 2)
    #expect(try plan(large, processors: 1).threads == 1)
    #expect(try plan(large, threads: 1).threads == 1)
    #expect(try plan(large, threads: 0).threads == 1)
    #expect(try plan(.photo(MemorySource.small)).threads == 1)
  }

  @Test("its stack and its rows are in the plan")
  func parts() throws {
    let large = MemorySource.photo(MemorySource.medium)
    let one = try plan(large, threads: 1)
    let two = try plan(large)
    #expect(!one.parts.contains { $0.name == "decoder thread" })
    let stack = try #require(two.parts.first { $0.name == "decoder thread" }).bytes
    let rows = [one, two].map { $0.parts.first { $0.name == "source rows" }?.bytes ?? 0 }
    #expect(stack >= 64 << 10 && rows[0] > 0 && rows[1] > rows[0])
    #expect(two.plannedBytes == one.plannedBytes + stack + rows[1] - rows[0])
  }

  @Test("not where the plan would pass the budget with it alone; the bytes are the same")
  func noRoom() throws {
    let large = MemorySource.photo(MemorySource.medium)
    let least = try plan(large, threads: 1).plannedBytes + MemoryBudget.baseline
    let most = try plan(large).plannedBytes + MemoryBudget.baseline
    #expect(try plan(large, budget: MemoryBudget(bytes: least)).threads == 1)
    #expect(try plan(large, budget: MemoryBudget(bytes: most - 1)).threads == 1)
    #expect(try plan(large, budget: MemoryBudget(bytes: most)).threads == 2)
    #expect(throws: WidgetImageError.self) {
      try plan(large, budget: MemoryBudget(bytes: least - 1))
    }
  }
}

private func wholeFile(_ path: String) throws -> [UInt8] {
  let file = open(path, O_RDONLY)
  try #require(file >= 0)
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
  try #require(pread(file, &bytes, bytes.count, 0) == bytes.count)
  return bytes
}
