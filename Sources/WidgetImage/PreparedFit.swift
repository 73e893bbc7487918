package import WidgetCore

/// A fit that is opened and planned, and not begun: who runs several side by
/// side asks what it takes, then runs it on any thread.
///
/// `@unchecked Sendable`: whoever prepares it hands it to one thread, which runs
/// it once; nobody touches `job` besides.
package final class PreparedFit: @unchecked Sendable {
  /// What a thread for one job takes beside the job's plan: its stack, of which
  /// the encoders use under 64 KiB, and what the job allocates outside its ledger.
  /// One job's share of that is in the baseline; a second job's is not.
  package static let threadBytes = stackBytes + 256 << 10
  package static let stackBytes = 256 << 10

  /// Given up when it was run, with all of its memory.
  private var job: FitJob?
  private let destination: ImageDestination
  /// Bytes that the job reserves at most, the baseline not included.
  package let plannedBytes: Int

  init(_ job: FitJob, to destination: ImageDestination) {
    self.job = job
    self.destination = destination
    plannedBytes = job.plan.memory.peak
  }

  /// Bytes that it takes beside others, on a thread of its own; saturates.
  package var bytesOnThread: Int { saturatingSum(plannedBytes, Self.threadBytes) }

  /// Does it. All of its memory is given back when this returns.
  ///
  /// - Parameters:
  ///   - account: of the jobs that run side by side; nil where it runs alone.
  ///     `bytesOnThread` must be free there.
  ///   - progress: as `ImageFitter.fit`'s; called on this thread.
  /// - Throws: `WidgetImageError`; `.internalFault` when it was run before.
  package func run(
    beside account: MemoryLedger? = nil, progress: (_ fraction: Double) -> Void
  ) throws(WidgetImageError) -> FitResult {
    guard let job else {
      throw WidgetImageError(EngineError(.internalFault, "a job can't be run twice"))
    }
    self.job = nil
    do throws(EngineError) {
      guard let account else {
        return FitResult(job, try job.run(to: destination, progress: progress))
      }
      let thread = try MemoryReservation(Self.threadBytes, for: "the job's thread", on: account)
      defer { _ = thread.bytes }
      guard job.ledger.share(account) else {
        throw .overBudget(purpose: "the job", bytes: plannedBytes, ledger: account)
      }
      return FitResult(job, try job.run(to: destination, progress: progress))
    } catch {
      throw WidgetImageError(error)
    }
  }
}
