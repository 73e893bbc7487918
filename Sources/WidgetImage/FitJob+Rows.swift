import WidgetCodecs
import WidgetCore
import WidgetResample

/// The middle of a job: rows in, resampled rows out.
struct RowPump: ~Copyable {
  private let feed: RowFeed
  private let plan: JobPlan
  private let ledger: MemoryLedger
  private let kernels: KernelTable

  /// Opens the source and allocates what its rows need.
  ///
  /// - Throws: `EngineError`.
  init(
    _ plan: JobPlan, input: CodecInput, ledger: MemoryLedger, kernels: KernelTable
  ) throws(EngineError) {
    feed = try RowFeed(plan, input: input, ledger: ledger)
    self.plan = plan
    self.ledger = ledger
    self.kernels = kernels
  }

  /// Decodes and resamples everything, on one thread or two as planned; what
  /// comes out, and what is thrown, is the same.
  ///
  /// - Parameters:
  ///   - progress: is told the share of source rows that are read, on the
  ///     caller's thread.
  ///   - emit: receives each resampled row with its number, top to bottom in
  ///     stored orientation; there too.
  /// - Returns: what the reader noticed.
  /// - Throws: the reader's error, or `emit`'s; of both, the one that one thread
  ///   would have met first.
  consuming func run(
    progress: (Double) -> Void,
    emit: (UnsafeRawBufferPointer, Int) throws(EngineError) -> Void
  ) throws(EngineError) -> [ImageNote] {
    if plan.transport.threads > 1 {
      try unsafe runOverlapped(progress: progress, emit: emit)
    } else {
      try unsafe runInTurn(progress: progress, emit: emit)
    }
    return feed.notes
  }

  private func runInTurn(
    progress: (Double) -> Void,
    emit: (UnsafeRawBufferPointer, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    var stage = try ResampleStage(plan, ledger: ledger, kernels: kernels)
    while true {
      let count = try feed.fill(0)
      if count == 0 { break }
      try unsafe stage.take(
        feed.rows(of: 0, count: count), count, progress: progress, emit: emit)
    }
    try stage.finish()
  }

  /// A thread decodes, this one resamples and emits.
  private func runOverlapped(
    progress: (Double) -> Void,
    emit: (UnsafeRawBufferPointer, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    let stack = try MemoryReservation(
      RowTransport.stackBytes, for: "the decoder's thread", on: ledger)
    let queue = BatchQueue(slots: plan.transport.slots)
    let worker: WorkerThread
    do throws(EngineError) {
      worker = try WorkerThread(stackBytes: stack.bytes) { [feed] in Self.decode(feed, to: queue) }
    } catch {
      // A system that is short of threads needs not fail the job.
      return try unsafe runInTurn(progress: progress, emit: emit)
    }
    do throws(EngineError) {
      // The tables of the resampler are made while the first rows are decoded.
      var stage = try ResampleStage(plan, ledger: ledger, kernels: kernels)
      while let batch = try queue.next() {
        try unsafe stage.take(
          feed.rows(of: batch.slot, count: batch.count), batch.count, progress: progress,
          emit: emit)
        queue.release()
      }
      try stage.finish()
    } catch {
      // The thread ends within the slot that it is filling.
      queue.cancel()
      worker.join()
      throw error
    }
    worker.join()
  }

  /// All that the decoder's thread does.
  private static func decode(_ feed: RowFeed, to queue: BatchQueue) {
    do throws(EngineError) {
      while let slot = queue.freeSlot() {
        let count = try feed.fill(slot)
        if count == 0 { break }
        queue.publish(count: count)
      }
      queue.end()
    } catch {
      queue.end(error)
    }
  }
}

/// The half of the pump that resamples; it allocates nothing once it is made.
private struct ResampleStage: ~Copyable {
  private var resampler: StreamingResampler
  private let outputRow: RowBuffer<UInt8>
  private let batchRows: Int
  private let rowBytes: Int
  private let sourceRows: Int
  private let outputRows: Int
  /// Source rows that were taken, and rows that came out.
  private var taken = 0
  private var emitted = 0

  init(
    _ plan: JobPlan, ledger: MemoryLedger, kernels: KernelTable
  ) throws(EngineError) {
    let outputRow = try RowBuffer<UInt8>(
      count: plan.resize.outputLayout.bytesPerRow(width: plan.storedOutput.width),
      for: "a resampled row", on: ledger)
    let resampler = try StreamingResampler(plan: plan.resize, ledger: ledger, kernels: kernels)
    batchRows = plan.transport.batchRows
    rowBytes = plan.transport.rowBytes
    sourceRows = plan.decode.size.height
    outputRows = plan.storedOutput.height
    self.outputRow = outputRow
    self.resampler = resampler
  }

  /// Takes the next rows: whole batches, but for the end of the picture.
  mutating func take(
    _ rows: UnsafeRawBufferPointer, _ count: Int, progress: (Double) -> Void,
    emit: (UnsafeRawBufferPointer, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    let step = max(1, sourceRows / 64)
    var first = 0
    while first < count {
      let some = min(batchRows, count - first)
      unsafe resampler.push(
        rows: UnsafeRawBufferPointer(
          rebasing: rows[(first * rowBytes)..<((first + some) * rowBytes)]), count: some)
      while unsafe resampler.pop(into: UnsafeMutableRawBufferPointer(outputRow.samples)) {
        try unsafe emit(UnsafeRawBufferPointer(outputRow.samples), emitted)
        emitted += 1
      }
      first += some
      // Where these rows cross a step: as often whatever the size of a batch.
      if (taken + step - 1) / step < (taken + some + step - 1) / step {
        progress(Double(taken) / Double(sourceRows))
      }
      taken += some
    }
  }

  /// Checks that all came out.
  borrowing func finish() throws(EngineError) {
    guard emitted == outputRows else {
      throw EngineError(.internalFault, "\(emitted) of \(outputRows) rows came out")
    }
  }
}
