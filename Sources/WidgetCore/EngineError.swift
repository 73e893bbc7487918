/// Why the engine could not do its work. One sentence, and a code to act on.
package struct EngineError: Error, Hashable, Sendable {
  package enum Code: String, Sendable, CaseIterable {
    /// Not a PNG, JPEG or WebP.
    case notAnImage = "not-an-image"
    /// An image of a kind that is not read here.
    case unsupported
    /// The input ends before its pixels do.
    case truncated
    /// The data breaks its format's rules.
    case damaged
    /// More memory would be needed than the budget allows.
    case overBudget = "over-budget"
    case noSuchInput = "no-such-input"
    case unreadableInput = "unreadable-input"
    /// Reading failed part-way.
    case readFailed = "read-failed"
    /// The output can't be created.
    case cannotCreate = "cannot-create"
    /// Writing failed part-way.
    case writeFailed = "write-failed"
    /// No quality reaches the wanted number of bytes.
    case maxBytesUnreachable = "max-bytes-unreachable"
    /// The request contradicts itself or the input.
    case badRequest = "bad-request"
    case interrupted
    /// A fault of ours.
    case internalFault = "internal-fault"
  }

  package var code: Code
  /// One sentence without a full stop; names no file (the caller knows it).
  package var message: String
  /// For `.overBudget`: bytes that all of the job would need, where known.
  package var neededBytes: Int?
  /// errno, where a system call failed.
  package var systemError: Int32?

  package init(
    _ code: Code, _ message: String, neededBytes: Int? = nil, systemError: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.neededBytes = neededBytes
    self.systemError = systemError
  }

  /// The refusal of a reservation of `bytes` on `ledger`.
  package static func overBudget(purpose: String, bytes: Int, ledger: MemoryLedger) -> EngineError {
    let total = saturatingSum(ledger.reserved, bytes)
    return overBudget("for \(purpose), ", total: total, ledger: ledger)
  }

  /// The refusal of what would bring `ledger` to `total` bytes, met where no
  /// plan says how many all of the job needs.
  package static func overBudget(
    _ purpose: String = "", total: Int, ledger: MemoryLedger
  ) -> EngineError {
    let baseline = MemoryBudget.baseline
    return EngineError(
      .overBudget,
      "\(purpose)\(saturatingSum(total, baseline)) bytes of memory or more are needed, and the "
        + "budget is \(saturatingSum(ledger.limit, baseline))",
      neededBytes: total)
  }
}
