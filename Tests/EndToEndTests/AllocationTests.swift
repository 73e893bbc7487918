import Testing
import WidgetCore
import WidgetTestSupport

/// What is allocated for a picture, whatever its height.
@Suite(
  "Nothing is allocated for a row", .needsTool,
  .enabled(if: MallocProbe.unavailable == nil, "\(MallocProbe.unavailable ?? "")"))
struct AllocationTests {
  /// Of one width and two heights.
  private static let sizes = [
    PixelSize(width: 1200, height: 200), PixelSize(width: 1200, height: 800),
  ]

  private static func sources(_ size: PixelSize) -> [MemorySource] {
    [.png(.rgb, 8, size), .png(.rgba, 16, size), .photo(size), .lossyWebP(size)]
  }

  /// By little, by more than 8 (rows are summed as they come), by more than 32
  /// (so are columns).
  @Test(
    "four times the rows, no more allocations; on one thread and two",
    arguments: [1, 2], ["100x100", "10x10"])
  func rows(jobs: Int, box: RawPath) throws {
    let pairs = zip(Self.sources(Self.sizes[0]), Self.sources(Self.sizes[1]))
    for (low, high) in pairs {
      for output in ["out.png", "out.jpg"] as [RawPath] {
        let counts = try [low, high].map { source in
          let folder = try TemporaryFolder()
          let arguments: [RawPath] = [
            "fit", try source.rawPath(), "-o", folder(output), "--px", box, "--mode",
            "stretch", "--background", "#fff", "--jobs", RawPath(String(jobs)), "--no-progress",
          ]
          let reading = try MallocProbe.run(
            "\(try #require(BinaryUnderTest.path))", arguments.map(\.description))
          #expect(reading.child.status == 0, "\(reading.child.errorText)")
          return reading.count
        }
        // A few more for longer numbers and tables; 600 rows more, none for each.
        #expect(counts[1] - counts[0] < 20, "\(low) to \(output): \(counts)")
      }
    }
  }
}
