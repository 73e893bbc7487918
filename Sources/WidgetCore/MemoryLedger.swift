/// The account of every buffer that a job uses, held against a ceiling.
///
/// A buffer is reserved here before it exists; C libraries' allocations are
/// routed here by hooks. May be used from any thread.
///
/// `@unchecked Sendable`: all mutable state is touched under `lock` only.
package final class MemoryLedger: @unchecked Sendable {
  private let lock = Lock()
  private var current = 0
  private var highest = 0
  private var refused: Int?
  /// The account of several ledgers together; locked after this one, never
  /// before.
  private var common: MemoryLedger?

  /// Bytes that may be reserved at one time. Below 0 nothing may be.
  package let limit: Int

  package init(limit: Int = .max) {
    self.limit = limit
  }

  /// Reserves `bytes`; false, and nothing reserved, when that would pass the
  /// limit. `bytes` must not be negative.
  package func reserve(_ bytes: Int) -> Bool {
    precondition(bytes >= 0, "a reservation of less than nothing")
    return lock.withLock {
      let (sum, overflow) = current.addingReportingOverflow(bytes)
      if overflow || sum > limit {
        refused = overflow ? .max : sum
        return false
      }
      if let common, !common.reserve(bytes) {
        refused = common.refusedTotal
        return false
      }
      current = sum
      if sum > highest { highest = sum }
      return true
    }
  }

  /// Gives back what `reserve` granted.
  package func release(_ bytes: Int) {
    lock.withLock {
      current -= bytes
      precondition(current >= 0, "more memory released than was reserved")
      common?.release(bytes)
    }
  }

  /// From now on everything is reserved on `common` as well, beginning with
  /// what is reserved already. Once, and never in a circle.
  ///
  /// - Returns: false, and nothing changed, when `common` has no room for that.
  package func share(_ common: MemoryLedger) -> Bool {
    lock.withLock {
      precondition(self.common == nil && common !== self, "a ledger is shared once")
      guard common.reserve(current) else { return false }
      self.common = common
      return true
    }
  }

  /// Bytes reserved now.
  package var reserved: Int { lock.withLock { current } }

  /// The most that was reserved at one time.
  package var peak: Int { lock.withLock { highest } }

  /// What the sum would have been at the last refusal, or nil.
  package var refusedTotal: Int? { lock.withLock { refused } }
}

/// Bytes on a ledger, given back when this value ends.
package struct MemoryReservation: ~Copyable {
  private let ledger: MemoryLedger
  package let bytes: Int

  /// - Throws: `EngineError` with code `.overBudget`; nothing is reserved then.
  package init(_ bytes: Int, for purpose: String, on ledger: MemoryLedger) throws(EngineError) {
    guard ledger.reserve(bytes) else {
      throw .overBudget(purpose: purpose, bytes: bytes, ledger: ledger)
    }
    self.ledger = ledger
    self.bytes = bytes
  }

  deinit {
    ledger.release(bytes)
  }
}
