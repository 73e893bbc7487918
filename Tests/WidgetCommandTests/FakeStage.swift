import WidgetCommand
import WidgetCore
import WidgetImage

/// What fits did that ran side by side.
///
/// `@unchecked Sendable`: all mutable state is touched under `monitor` only.
final class FakeStage: @unchecked Sendable {
  private let monitor = Monitor()
  private var running: [ImageInput: Int] = [:]
  private var mostRunning = 0
  private var mostBytes = 0
  private var started: [ImageInput] = []
  private var ended: [ImageInput] = []
  private var alone: [ImageInput] = []
  private var expected: [ImageInput: Set<ImageInput>] = [:]
  private var groups: [Set<ImageInput>] = []

  /// Lets the fit of `input` end only after those of `others` have ended.
  func hold(_ input: ImageInput, until others: Set<ImageInput>) {
    monitor.withLock { expected[input] = others }
  }

  /// Lets none of these end before all have started.
  func meet(_ inputs: Set<ImageInput>) {
    monitor.withLock { groups.append(inputs) }
  }

  func play(_ fit: FakeFit, beside account: MemoryLedger?) {
    monitor.withLock {
      running[fit.input] = fit.bytesOnThread
      started.append(fit.input)
      if account == nil { alone.append(fit.input) }
      mostRunning = max(mostRunning, running.count)
      mostBytes = max(mostBytes, running.values.reduce(0, +))
      monitor.wake()
      while !mayEnd(fit.input) { monitor.wait() }
      running[fit.input] = nil
      ended.append(fit.input)
      monitor.wake()
    }
  }

  private func mayEnd(_ input: ImageInput) -> Bool {
    (expected[input] ?? []).isSubset(of: ended)
      && groups.allSatisfy { !$0.contains(input) || $0.isSubset(of: started) }
  }

  /// The figures, when all have ended.
  var seen: (mostRunning: Int, mostBytes: Int, started: [ImageInput], alone: [ImageInput]) {
    monitor.withLock { (mostRunning, mostBytes, started, alone) }
  }

  var order: [ImageInput] { monitor.withLock { ended } }
}

/// A fit that waits on its stage, then gives what was laid down.
struct FakeFit: PlannedFit {
  var input: ImageInput
  var bytesOnThread: Int
  var result: Result<FitResult, WidgetImageError>
  var stage: FakeStage

  func run(
    beside account: MemoryLedger?, progress: (_ fraction: Double) -> Void
  ) throws(WidgetImageError) -> FitResult {
    progress(0.5)
    stage.play(self, beside: account)
    return try result.get()
  }
}
