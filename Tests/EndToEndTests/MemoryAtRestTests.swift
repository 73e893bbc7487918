import Testing
import WidgetCore
import WidgetTestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Dirty memory that the kernel counts, against what is planned.
@Suite(
  "Dirty memory is at most the baseline and the plan", .needsTool,
  .enabled(if: !ProcessFile.read("/proc/self/smaps_rollup").isEmpty, "needs Linux's /proc"),
  .enabled(if: BinaryUnderTest.isStatic, "the baseline is the static build's"))
struct MemoryAtRestTests {
  /// Starts the tool on a pipe that nobody writes to, and prints its status.
  static let script = """
    mkfifo "$2/pipe"
    exec 3<>"$2/pipe"
    "$1" fit - --px 9 -o "$2/out.png" <"$2/pipe" 3>&- &
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      sleep 0.1
      grep -q '^Name:.*widgetimg' /proc/$!/status && grep -q '^State:.S' /proc/$!/status && break
    done
    sleep 0.1
    cat /proc/$!/status
    kill $!
    """

  @Test("waiting for standard input, the process has less than the baseline")
  func waiting() throws {
    let folder = try TemporaryFolder()
    let binary = try #require(BinaryUnderTest.path)
    let outcome = try Subprocess("sh", ["-c", RawPath(Self.script), "sh", binary, folder.path])
      .run()
    let anonymous = try #require(
      outcome.outputText.split(separator: "\n").first { $0.hasPrefix("RssAnon:") },
      "\(outcome.errorText)")
    let kilobytes = try #require(
      anonymous.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
    #expect(kilobytes > 0)
    #expect(kilobytes * 1024 < MemoryBudget.baseline)
  }

  @Test(
    "at its peak, over everything that weighs",
    arguments: MemorySource.everyStreamed(MemorySource.large)
      + MemorySource.everyHeld(MemorySource.medium))
  func peak(_ source: MemorySource) throws {
    let folder = try TemporaryFolder()
    let binary = try #require(BinaryUnderTest.path)
    let options: [RawPath] = ["--budget", "400MB", "--px", "900", try source.rawPath()]
    for output in ["out.jpg", "out.png", "out.webp"] as [RawPath] {
      let command: [RawPath] =
        [binary, "fit", "--json", "-o", folder(output), "--background", "#000"] + options
      let told = try #require(
        ToldMemory(Subprocess(binary, Array(command.dropFirst())).run().output))
      // No bound that is felt: the jail only watches.
      let outcome = try Jail.run(4_000_000_000, command)
      #expect(outcome.status == 0)
      #expect(
        outcome.dirtyBytes <= MemoryBudget.baseline + told.planned,
        "\(source) to \(output): \(outcome.dirtyBytes) dirty, \(told.planned) planned")
      if getenv("WIDGETIMG_FIGURES") != nil {
        print("figure: \(source) to \(output): dirty \(outcome.dirtyBytes) planned \(told.planned)")
      }
    }
  }
}
