internal import CWidgetCodecs
internal import WidgetCore

extension MemoryLedger {
  /// This ledger as hooks for the C side.
  ///
  /// The hooks hold the ledger's address without retaining it: whoever hands
  /// them to C keeps the ledger alive until the C handle is closed.
  var hooks: wi_memory {
    unsafe wi_memory(
      context: Unmanaged.passUnretained(self).toOpaque(),
      reserve: { context, bytes in
        // A size past `Int.max` arrives here as a negative one.
        guard let context = unsafe context, bytes >= 0 else { return false }
        return unsafe Unmanaged<MemoryLedger>.fromOpaque(context).takeUnretainedValue()
          .reserve(bytes)
      },
      release: { context, bytes in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<MemoryLedger>.fromOpaque(context).takeUnretainedValue().release(bytes)
      })
  }
}

extension EngineError {
  /// What a C handle's failure means here. `ledger` is the one that the handle
  /// reserves on; `opening` is true while an input is opened for the first time.
  init(_ failure: wi_failure, on ledger: MemoryLedger, opening: Bool = false) {
    var failure = failure
    let message = unsafe String(cString: wi_failure_message(&failure))
    switch failure.status {
    case .WI_TRUNCATED: self.init(.truncated, message)
    case .WI_CORRUPT: self.init(.damaged, message)
    case .WI_UNSUPPORTED: self.init(.unsupported, message)
    case .WI_OVER_BUDGET:
      // Without a refusal the size was one that no address space holds.
      let total = ledger.refusedTotal ?? .max
      self = .overBudget(total: total, ledger: ledger)
    case .WI_READ_FAILED:
      let code: Code =
        if !opening {
          .readFailed
        } else if failure.system_error == systemNoEntry
          || failure.system_error == systemNotDirectory
        {
          .noSuchInput
        } else {
          .unreadableInput
        }
      self.init(code, message, systemError: failure.system_error)
    case .WI_WRITE_FAILED: self.init(.writeFailed, message)
    case .WI_OUT_OF_MEMORY, .WI_NEEDS_FILE: self.init(.overBudget, message)
    default: self.init(.internalFault, message)
    }
  }
}

// ENOENT and ENOTDIR have these values on Linux and on Apple's systems alike.
private let systemNoEntry: Int32 = 2
private let systemNotDirectory: Int32 = 20
