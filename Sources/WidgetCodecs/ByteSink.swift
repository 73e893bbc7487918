internal import CWidgetCodecs
package import WidgetCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Where encoded bytes go: a descriptor, memory, or nowhere but a counter.
///
/// The first failure stays: every later write does nothing, and `flush` throws
/// it. Not for use from two threads at once.
@safe
package final class ByteSink {
  private enum Target {
    case descriptor(Int32)
    case memory
    case nowhere
  }

  /// Bytes gathered before a system call.
  private static let bufferBytes = 16 * 1024

  private let target: Target
  private let ledger: MemoryLedger
  private let buffer: RowBuffer<UInt8>
  private var buffered = 0
  private var held: [UInt8] = []
  /// What `held` reserves on the ledger.
  private var heldReservation = 0
  private var hash = SHA256()

  /// Bytes that were taken.
  package private(set) var byteCount = 0
  /// The first failure.
  package private(set) var failure: EngineError?

  private init(_ target: Target, on ledger: MemoryLedger) throws(EngineError) {
    self.target = target
    self.ledger = ledger
    let count = if case .descriptor = target { Self.bufferBytes } else { 0 }
    buffer = try RowBuffer(count: count, for: "the output buffer", on: ledger)
  }

  deinit {
    ledger.release(heldReservation)
  }

  /// Writes to `descriptor`, which stays the caller's to close. SIGPIPE is the
  /// program's affair; where it is ignored a closed pipe fails the write.
  package static func descriptor(
    _ descriptor: Int32, on ledger: MemoryLedger
  ) throws(EngineError) -> ByteSink {
    try ByteSink(.descriptor(descriptor), on: ledger)
  }

  /// Keeps the bytes, reserved on `ledger` as they come.
  package static func memory(on ledger: MemoryLedger) throws(EngineError) -> ByteSink {
    try ByteSink(.memory, on: ledger)
  }

  /// Counts bytes, keeps and hashes none.
  package static func counting(on ledger: MemoryLedger) throws(EngineError) -> ByteSink {
    try ByteSink(.nowhere, on: ledger)
  }

  /// Bytes that a sink to a descriptor reserves.
  package static var descriptorBytes: Int { RowBuffer<UInt8>.reservedBytes(count: bufferBytes) }

  /// SHA-256 of what was taken, in lower-case hexadecimal. Of a counting sink
  /// that of nothing.
  package var sha256: String { hash.finalizeHexadecimal() }

  /// What a memory sink holds.
  package var bytes: [UInt8] { held }

  /// Takes `bytes`; false when the sink has failed.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    byteCount = saturatingSum(byteCount, bytes.count)
    switch target {
    case .nowhere: return true
    case .memory:
      unsafe hash.update(bytes)
      guard makeRoom(for: bytes.count) else { return false }
      unsafe held.append(contentsOf: bytes)
      return true
    case .descriptor(let descriptor):
      unsafe hash.update(bytes)
      return unsafe gather(bytes, for: descriptor)
    }
  }

  /// Hands everything that is gathered to the descriptor.
  ///
  /// - Throws: `.writeFailed`, or what stopped an earlier write.
  package func flush() throws(EngineError) {
    if case .descriptor(let descriptor) = target, failure == nil {
      _ = emptyBuffer(into: descriptor)
    }
    if let failure { throw failure }
  }

  /// The sink as the C side sees it, which does not retain it: whoever hands it
  /// to C keeps the sink alive meanwhile.
  var hooks: wi_sink {
    unsafe wi_sink(
      context: Unmanaged.passUnretained(self).toOpaque(),
      write: { context, bytes, count in
        guard let context = unsafe context else { return false }
        return unsafe Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
          .write(UnsafeRawBufferPointer(start: bytes, count: count))
      })
  }

  private func gather(_ bytes: UnsafeRawBufferPointer, for descriptor: Int32) -> Bool {
    if bytes.count > Self.bufferBytes - buffered {
      guard emptyBuffer(into: descriptor) else { return false }
      if bytes.count >= Self.bufferBytes { return unsafe writeAll(bytes, to: descriptor) }
    }
    let room = unsafe UnsafeMutableRawBufferPointer(buffer.samples)
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[buffered...])
    unsafe free.copyMemory(from: bytes)
    buffered += bytes.count
    return true
  }

  private func emptyBuffer(into descriptor: Int32) -> Bool {
    let full = unsafe UnsafeRawBufferPointer(start: buffer.base, count: buffered)
    buffered = 0
    return unsafe writeAll(full, to: descriptor)
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = unsafe bytes
    while rest.count > 0 {
      let written = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
      if written > 0 {
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        continue
      }
      let error = errno
      switch error {
      case EINTR: continue
      case EAGAIN:
        // Somebody made standard output non-blocking: wait until it takes more.
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
      default:
        failure = .writeFailed(written == 0 ? ENOSPC : error)
        return false
      }
    }
    return true
  }

  private func makeRoom(for count: Int) -> Bool {
    let needed = saturatingSum(held.count, count)
    guard needed > heldReservation else { return true }
    // Growing copies, so both arrays exist for a moment.
    let capacity = max(needed, saturatingProduct(heldReservation, 2), 4096)
    guard ledger.reserve(capacity) else {
      failure = .overBudget(purpose: "the encoded image", bytes: capacity, ledger: ledger)
      return false
    }
    held.reserveCapacity(capacity)
    ledger.release(heldReservation)
    heldReservation = capacity
    return true
  }
}

private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  #if canImport(Darwin)
    return unsafe Darwin.write(descriptor, bytes, count)
  #elseif canImport(Glibc)
    return unsafe Glibc.write(descriptor, bytes, count)
  #else
    return unsafe Musl.write(descriptor, bytes, count)
  #endif
}

extension EngineError {
  /// Writing failed with `error`, an errno.
  package static func writeFailed(_ error: Int32) -> EngineError {
    EngineError(
      .writeFailed, unsafe "writing failed: \(String(cString: strerror(error)))",
      systemError: error)
  }
}
