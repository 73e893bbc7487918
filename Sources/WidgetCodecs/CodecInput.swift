internal import CWidgetCodecs
package import WidgetCore

/// Where compressed bytes come from: a file, memory, or a pipe read once.
///
/// Several readers may share one input; they keep it alive. A regular file is
/// read with `pread` at any offset. Of anything else up to `holdLimit` bytes
/// are held in memory when it is opened: if it ends within them it behaves like
/// a file, if not, what follows them can be read forward once.
///
/// Not for use from two threads at once, unless it is seekable.
@safe
package final class CodecInput {
  /// Bytes held of a pipe, at most.
  package static let holdLimit = 4 << 20

  /// One file, by whatever name.
  package struct Identity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
  }

  let handle: OpaquePointer
  private let ledger: MemoryLedger

  private init(
    on ledger: MemoryLedger,
    open: (UnsafePointer<wi_memory>, UnsafeMutablePointer<wi_failure>) -> OpaquePointer?
  ) throws(EngineError) {
    var hooks = unsafe ledger.hooks
    var failure = wi_failure()
    guard let handle = unsafe open(&hooks, &failure) else {
      throw EngineError(failure, on: ledger, opening: true)
    }
    unsafe self.handle = handle
    self.ledger = ledger
  }

  /// Opens the file at `path`.
  ///
  /// - Throws: `.noSuchInput`, `.unreadableInput` (a directory too), or
  ///   `.overBudget` when what must be held of a pipe does not fit.
  package convenience init(path: RawPath, on ledger: MemoryLedger) throws(EngineError) {
    if path.containsNUL {
      throw EngineError(.noSuchInput, "a path can't contain a NUL byte")
    }
    try unsafe self.init(on: ledger) { hooks, failure in
      unsafe path.withCString { unsafe wi_input_open_path($0, hooks, Self.holdLimit, failure) }
    }
  }

  /// Reads from an open descriptor, a regular file from its current position
  /// on. The descriptor stays the caller's, to be closed after this object.
  ///
  /// - Throws: as `init(path:on:)`.
  package convenience init(descriptor: Int32, on ledger: MemoryLedger) throws(EngineError) {
    try unsafe self.init(on: ledger) { hooks, failure in
      unsafe wi_input_open_descriptor(descriptor, hooks, Self.holdLimit, failure)
    }
  }

  /// An input over a copy of `bytes`, which is reserved on the ledger.
  ///
  /// - Throws: `.overBudget`.
  package convenience init(bytes: [UInt8], on ledger: MemoryLedger) throws(EngineError) {
    try unsafe self.init(on: ledger) { hooks, failure in
      unsafe bytes.withUnsafeBufferPointer {
        unsafe wi_input_open_bytes($0.baseAddress, $0.count, hooks, failure)
      }
    }
  }

  deinit {
    unsafe wi_input_close(handle)
  }

  /// Bytes in the input, nil for a pipe that goes on past what is held.
  package var length: Int? {
    let length = unsafe wi_input_length(handle)
    return length < 0 ? nil : Int(length)
  }

  /// Whether any offset can be read at any time.
  package var isSeekable: Bool { unsafe wi_input_is_seekable(handle) }

  /// Bytes from offset 0 on that can be read at any time.
  package var rereadableLength: Int { Int(unsafe wi_input_rereadable_length(handle)) }

  /// Total of bytes that were read, by this object and by readers over it.
  package var bytesRead: Int { Int(clamping: unsafe wi_input_bytes_read(handle)) }

  /// What tells one file by several names; nil for bytes in memory.
  package var identity: Identity? {
    var identity = Identity(device: 0, inode: 0)
    let known = unsafe wi_input_identity(handle, &identity.device, &identity.inode)
    return known ? identity : nil
  }

  /// Holds all of a pipe in memory, so that it can be read at several places at
  /// once; a seekable input stays as it is. `why` says of what needs that:
  /// "the JPEG has several scans".
  ///
  /// - Throws: `.overBudget` with the advice to give a file; `.readFailed`.
  func holdAll(_ why: String) throws(EngineError) {
    var failure = wi_failure()
    if unsafe wi_input_hold_all(handle, &failure) == .WI_OK { return }
    let error = EngineError(failure, on: ledger)
    guard error.code == .overBudget else { throw error }
    throw EngineError(
      .overBudget,
      "\(why), which are read side by side; of a pipe all bytes are held for that, and these are "
        + "more than the budget allows; give a file", neededBytes: error.neededBytes)
  }

  /// Fills `buffer` from `offset` on, as far as the input goes.
  ///
  /// - Returns: The number of bytes read; less than `buffer.count` only at the
  ///   end of the input, 0 past it.
  /// - Throws: `.readFailed`; `.internalFault` when a pipe would have to be read
  ///   backward.
  package func read(
    at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(EngineError) -> Int {
    guard let base = buffer.baseAddress, buffer.count > 0 else { return 0 }
    var failure = wi_failure()
    var got = 0
    let status = unsafe wi_input_read(
      handle, offset, base.assumingMemoryBound(to: UInt8.self), buffer.count, &got, &failure)
    if status != .WI_OK { throw EngineError(failure, on: ledger) }
    return got
  }
}
