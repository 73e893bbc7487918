import Testing
import WidgetTestSupport

/// The probe against a program whose allocations are known.
@Suite("The malloc probe counts what a program takes")
struct MemoryProbeTests {
  static let program = """
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
      char *volatile a = calloc(1000, 1000);
      a = realloc(a, 3000000);
      void *volatile b = aligned_alloc(64, 640000);
      memset(b, 1, 640000);
      char *m = mmap(0, 8192000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      munmap(m, 4096000);
      munmap(m + 4096000, 4096000);
      free(a);
      free(b);
      for (int i = 0; i < 100; i++) free((void *volatile){malloc(100)});
      if (argc > 1) _exit(3);
      return 4;
    }
    """

  @Test(
    "peak, count and mappings, whichever way the process ends",
    .enabled(if: MallocProbe.unavailable == nil, "\(MallocProbe.unavailable ?? "")"),
    arguments: [([], Int32(4)), (["leave"], Int32(3))])
  func figures(arguments: [String], status: Int32) throws {
    let folder = try ChildProcess.run("mktemp", ["-d"]).outputText.split(separator: "\n")[0]
    defer { _ = try? ChildProcess.run("rm", ["-r", String(folder)]) }
    let compiled = try #require(
      MallocProbe.compile(
        ["-O1", "-x", "c", "-o", "\(folder)/known", "-"], input: Array(Self.program.utf8)))
    try #require(compiled.status == 0, "\(compiled.errorText)")

    let reading = try MallocProbe.run("\(folder)/known", arguments)
    #expect(reading.child.status == status)
    // The C library rounds a block up by less than a page here.
    #expect((3_640_000..<3_660_000).contains(reading.peakBytes))
    #expect((3_000_000..<3_010_000).contains(reading.largestBytes))
    #expect((103..<113).contains(reading.count))
    #expect(reading.liveBytes < 10_000)
    #expect(reading.mappedPeakBytes == 8_192_000)
    #expect((3_640_000 + 8_192_000..<3_660_000 + 8_192_000).contains(reading.totalPeakBytes))
  }
}
