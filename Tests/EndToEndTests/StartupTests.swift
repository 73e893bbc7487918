import Testing
import WidgetCore
import WidgetTestSupport

/// What the process costs before it has done anything: the budget's baseline.
@Suite(
  "Memory of the process at rest", .needsTool,
  .enabled(if: !ProcessFile.read("/proc/self/smaps_rollup").isEmpty, "needs Linux's /proc"))
struct StartupTests {
  /// Measured while the tool hangs in the write of its version: all of its
  /// start lies behind it. (A child's ru_maxrss would begin at its parent's size.)
  @Test("--version stays under 12 MB resident and 4 MB anonymous; baseline holds")
  func version() throws {
    var process = BinaryUnderTest.process(["--version"])
    var resident: Int?
    var anonymous: Int?
    process.output = .heldPipe { child in
      resident = ProcessFile.kilobytes("VmHWM", of: child, in: "status")
      anonymous = ProcessFile.kilobytes("Anonymous", of: child, in: "smaps_rollup")
    }
    let outcome = try process.run()
    #expect(outcome.outputText == "0.1.0\n")
    #expect(try #require(resident) < 12_000_000)
    #expect(try #require(anonymous) < 4_000_000)
    if BinaryUnderTest.isStatic {
      #expect(try #require(anonymous) < MemoryBudget.baseline)
    }
  }
}
