/// The order in which the slots of a ring are filled by one thread and emptied
/// by another. It holds no rows, only who may touch which slot.
///
/// One thread fills: `freeSlot`, `publish`, again and again, then `end`. The
/// other empties: `next`, `release`, until `next` gives nil or throws; or it
/// calls `cancel`. Both sleep while they have nothing to do. Who sleeps is woken
/// when all slots but one are ready, not for each: a wake-up costs as much as
/// decoding a row. Nothing is allocated after the queue is made.
///
/// `@unchecked Sendable`: all mutable state is touched under `monitor` only.
package final class BatchQueue: @unchecked Sendable {
  /// A slot that was filled.
  package struct Batch: Hashable, Sendable {
    /// 0 up to the number of slots.
    package var slot: Int
    /// As it was published.
    package var count: Int
  }

  private let monitor = Monitor()
  /// The counts of the slots that are filled.
  private var counts: [Int]
  /// Slots that must be ready before a side that found none is woken.
  private let enough: Int
  private var isWaiting = false
  /// Batches that were published, and those that were released.
  private var published = 0
  private var released = 0
  private var hasEnded = false
  private var error: EngineError?
  private var isCancelled = false

  /// - Parameter slots: at least 1; with 1 the threads take turns.
  package init(slots: Int) {
    precondition(slots > 0, "a queue without slots")
    counts = Array(repeating: 0, count: slots)
    enough = max(1, slots - 1)
  }

  // MARK: The thread that fills

  /// Waits for a slot that may be filled.
  ///
  /// - Returns: nil once the other side has cancelled.
  package func freeSlot() -> Int? {
    monitor.withLock {
      if filled == counts.count {
        while counts.count - filled < enough, !isCancelled { wait() }
      }
      return isCancelled ? nil : published % counts.count
    }
  }

  /// Hands over the slot that `freeSlot` gave.
  package func publish(count: Int) {
    wakeIf {
      counts[published % counts.count] = count
      published += 1
      return filled >= enough
    }
  }

  /// Nothing follows. With `error`, that is why: it is thrown to the other side
  /// once that has taken everything before it.
  package func end(_ error: EngineError? = nil) {
    wakeIf {
      hasEnded = true
      self.error = error
      return true
    }
  }

  // MARK: The thread that empties

  /// Waits for the next batch, in the order in which they were published.
  ///
  /// - Returns: nil at the end.
  /// - Throws: what `end` was given.
  package func next() throws(EngineError) -> Batch? {
    let outcome: Result<Batch?, EngineError> = monitor.withLock {
      if filled == 0 {
        while filled < enough, !hasEnded { wait() }
      }
      if filled > 0 {
        let slot = released % counts.count
        return .success(Batch(slot: slot, count: counts[slot]))
      }
      if let error { return .failure(error) }
      return .success(nil)
    }
    return try outcome.get()
  }

  /// Gives back the slot of the batch that `next` gave.
  package func release() {
    wakeIf {
      released += 1
      return counts.count - filled >= enough
    }
  }

  /// No more is wanted: `freeSlot` gives nil from now on.
  package func cancel() {
    wakeIf {
      isCancelled = true
      return true
    }
  }

  // MARK: Sleeping

  private var filled: Int { published - released }

  /// Under the lock.
  private func wait() {
    isWaiting = true
    monitor.wait()
  }

  /// Runs `change` under the lock, and wakes the other side if it says so and
  /// that sleeps. Only one side can: the ring is not empty and full at once. It
  /// is woken without the lock, which it takes first of all.
  private func wakeIf(_ change: () -> Bool) {
    let wakes = monitor.withLock {
      let wakes = change() && isWaiting
      if wakes { isWaiting = false }
      return wakes
    }
    if wakes { monitor.wake() }
  }
}
