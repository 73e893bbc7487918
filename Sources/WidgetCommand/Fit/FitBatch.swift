import WidgetCore
import WidgetImage

/// What a job came to.
struct FitOutcome: Sendable {
  var result: Result<FitResult, WidgetImageError>
  var seconds: Double
}

/// Several jobs side by side under one ceiling.
///
/// One thread keeps the order: it opens and plans the next job, waits until what
/// that needs is free, and starts it on a thread of its own. No later job passes
/// one that waits, so none waits for longer than those before it take.
final class FitBatch {
  /// What an opened file holds while it waits for room: its state, its header.
  private static let openBytes = 64 << 10

  private let engine: any FitEngine
  private let reportsProgress: Bool
  private let board = FitBoard()
  private let account: MemoryLedger
  private var admission: Admission
  /// By the jobs' numbers.
  private var threads: [Int: RunningFit] = [:]
  private var outcomes: [Int: FitOutcome] = [:]

  /// - Parameters:
  ///   - places: jobs at one time, at most.
  ///   - reportsProgress: whether jobs that go on shall wake `wait`.
  init(
    engine: any FitEngine, budget: MemoryBudget, places: Int, reportsProgress: Bool
  ) {
    self.engine = engine
    self.reportsProgress = reportsProgress
    account = MemoryLedger(limit: budget.ledgerLimit)
    admission = Admission(limit: budget.ledgerLimit - Self.openBytes, places: places)
  }

  /// A job that runs, with what it was admitted for.
  private final class RunningFit {
    let thread: WorkerThread
    let bytes: Int

    init(_ thread: consuming WorkerThread, bytes: Int) {
      self.thread = thread
      self.bytes = bytes
    }
  }

  /// Jobs that run now.
  var running: Int { admission.running }

  /// Takes the outcome of job `index`, if it has ended.
  func takeOutcome(_ index: Int) -> FitOutcome? { outcomes.removeValue(forKey: index) }

  /// The shares that running jobs have done, 1 for those whose outcome waits.
  var shares: Double { board.shares + Double(outcomes.count) }

  /// Starts job `index`, or does it here and now where it must be alone.
  ///
  /// - Parameter waiting: called whenever something has changed meanwhile.
  func start(_ index: Int, _ job: FitJob, waiting: () -> Void) {
    // Standard input and output are for one job at a time, and what is held of a
    // pipe is not known before.
    let isAlone = job.source == .standardInput || job.isStreamed
    wait(until: { isAlone ? $0.running == 0 : $0.running < $0.places }, waiting)
    let began = ProcessFacts.seconds()
    let prepared: any PlannedFit
    do throws(WidgetImageError) {
      prepared = try engine.prepare(job.source, to: job.destination, options: job.options)
    } catch {
      outcomes[index] = FitOutcome(
        result: .failure(error), seconds: ProcessFacts.seconds() - began)
      return
    }
    let bytes = prepared.bytesOnThread
    if isAlone || bytes > admission.limit {
      wait(until: { $0.running == 0 }, waiting)
      outcomes[index] = Self.run(prepared, beside: nil) { [board] in
        board.progress(index, $0)
        waiting()
      }
      board.forget(index)
      return
    }
    wait(until: { $0.hasRoom(for: bytes) }, waiting)
    launch(index, prepared, bytes, waiting)
  }

  /// Waits until no job runs.
  func drain(waiting: () -> Void) {
    wait(until: { $0.running == 0 }, waiting)
  }

  private func launch(
    _ index: Int, _ prepared: any PlannedFit, _ bytes: Int, _ waiting: () -> Void
  ) {
    do throws(EngineError) {
      let thread = try WorkerThread(stackBytes: PreparedFit.stackBytes) {
        [board, account, reportsProgress] in
        let outcome = Self.run(prepared, beside: account) {
          if reportsProgress { board.progress(index, $0) }
        }
        board.end(index, outcome)
      }
      admission.enter(bytes)
      threads[index] = RunningFit(thread, bytes: bytes)
    } catch {
      // A system that is short of threads needs not fail the job.
      wait(until: { $0.running == 0 }, waiting)
      outcomes[index] = Self.run(prepared, beside: nil) { _ in }
    }
  }

  private static func run(
    _ job: any PlannedFit, beside account: MemoryLedger?, progress: (Double) -> Void
  ) -> FitOutcome {
    let began = ProcessFacts.seconds()
    let result: Result<FitResult, WidgetImageError>
    do throws(WidgetImageError) {
      result = .success(try job.run(beside: account, progress: progress))
    } catch {
      result = .failure(error)
    }
    return FitOutcome(result: result, seconds: ProcessFacts.seconds() - began)
  }

  private func wait(until isReady: (Admission) -> Bool, _ waiting: () -> Void) {
    collect(board.takeEnded())
    while !isReady(admission) {
      collect(board.waitForNews())
      waiting()
    }
  }

  private func collect(_ ended: [Int: FitOutcome]) {
    for (index, outcome) in ended {
      // The value's end waits for the thread's: its memory is given back then.
      if let fit = threads.removeValue(forKey: index) { admission.leave(fit.bytes) }
      outcomes[index] = outcome
    }
  }
}

/// Where the threads of jobs write what became of them.
///
/// `@unchecked Sendable`: all mutable state is touched under `monitor` only.
private final class FitBoard: @unchecked Sendable {
  private let monitor = Monitor()
  private var ended: [Int: FitOutcome] = [:]
  private var fractions: [Int: Double] = [:]
  private var hasNews = false

  func progress(_ index: Int, _ fraction: Double) {
    monitor.withLock {
      fractions[index] = fraction
      hasNews = true
      monitor.wake()
    }
  }

  func forget(_ index: Int) {
    monitor.withLock { fractions[index] = nil }
  }

  func end(_ index: Int, _ outcome: FitOutcome) {
    monitor.withLock {
      fractions[index] = nil
      ended[index] = outcome
      hasNews = true
      monitor.wake()
    }
  }

  /// Waits for a job that ends or goes on.
  ///
  /// - Returns: those that ended and were not taken before.
  func waitForNews() -> [Int: FitOutcome] {
    monitor.withLock {
      while !hasNews { monitor.wait() }
      return take()
    }
  }

  func takeEnded() -> [Int: FitOutcome] {
    monitor.withLock { take() }
  }

  var shares: Double { monitor.withLock { fractions.values.reduce(0, +) } }

  private func take() -> [Int: FitOutcome] {
    hasNews = false
    defer { ended.removeAll() }
    return ended
  }
}
