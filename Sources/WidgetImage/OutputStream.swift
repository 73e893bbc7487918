import WidgetCodecs
import WidgetCore

/// What was written.
struct EncodedOutput {
  var bytes: Int
  var sha256: String
  /// False when the file was there already with these bytes.
  var changed: Bool
  /// For `ImageDestination.memory`.
  var data: [UInt8]?
}

/// A destination that is being written. What was written before `commit` is
/// undone when the value ends without it, where the destination allows.
struct OutputStream: ~Copyable {
  let sink: ByteSink
  private var file: AtomicFile?
  private let isMemory: Bool

  /// - Throws: `.cannotCreate`, `.writeFailed`, `.overBudget`.
  init(_ destination: ImageDestination, on ledger: MemoryLedger) throws(EngineError) {
    switch destination {
    case .file(let path):
      let file = try AtomicFile(path: path)
      sink = try .descriptor(file.descriptor, on: ledger)
      self.file = consume file
      isMemory = false
    case .standardOutput:
      sink = try .descriptor(1, on: ledger)
      file = nil
      isMemory = false
    case .memory:
      sink = try .memory(on: ledger)
      file = nil
      isMemory = true
    }
  }

  /// Puts the bytes in place.
  ///
  /// - Throws: `.writeFailed`; the destination is as before then.
  consuming func commit() throws(EngineError) -> EncodedOutput {
    try sink.flush()
    let changed = try file?.commit() ?? true
    return EncodedOutput(
      bytes: sink.byteCount, sha256: sink.sha256, changed: changed,
      data: isMemory ? sink.bytes : nil)
  }
}
