/// A block of samples on a ledger: a row, a ring of rows, a held picture.
///
/// Its size never changes. It is cleared when made, aligned to 64 bytes, and
/// freed, with its reservation, when the value ends.
@safe
package struct RowBuffer<Sample: BitwiseCopyable>: ~Copyable {
  private let storage: UnsafeMutableRawBufferPointer
  private let reservation: MemoryReservation
  package let count: Int

  /// Reserves and clears `count` samples.
  ///
  /// - Throws: `EngineError` with code `.overBudget`.
  package init(count: Int, for purpose: String, on ledger: MemoryLedger) throws(EngineError) {
    precondition(count >= 0, "a buffer of less than nothing")
    let bytes = Self.reservedBytes(count: count)
    reservation = try MemoryReservation(bytes, for: purpose, on: ledger)
    unsafe storage = .allocate(byteCount: bytes, alignment: 64)
    unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe storage.bindMemory(to: Sample.self)
    self.count = count
  }

  deinit {
    unsafe storage.deallocate()
  }

  /// What a buffer of `count` samples reserves: its bytes, and 64 for the
  /// alignment. Saturates. Plans use this same function.
  package static func reservedBytes(count: Int) -> Int {
    saturatingSum(saturatingProduct(count, MemoryLayout<Sample>.stride), 64)
  }

  /// The samples; valid while the buffer lives.
  package var samples: UnsafeMutableBufferPointer<Sample> {
    @unsafe get {
      unsafe UnsafeMutableBufferPointer(start: base, count: count)
    }
  }

  /// The address of the first sample; valid while the buffer lives.
  package var base: UnsafeMutablePointer<Sample> {
    @unsafe get {
      // The storage is never empty, so a base address is always there.
      guard let base = unsafe storage.baseAddress else { preconditionFailure("no storage") }
      return unsafe base.assumingMemoryBound(to: Sample.self)
    }
  }
}
