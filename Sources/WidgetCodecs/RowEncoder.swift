internal import CWidgetCodecs
package import WidgetCore

/// An image being written row by row to a sink.
///
/// Make one with `init(png:...)`, `init(indexed:...)` or `init(jpeg:...)`, give
/// every row top to bottom, then call `finish`. After a failure every later
/// call throws the same error, and what the sink holds is a cut file. A value
/// that ends without `finish` writes nothing more.
@safe
package struct RowEncoder: ~Copyable {
  private let writer: OpaquePointer
  private let sink: ByteSink
  private let ledger: MemoryLedger

  init(
    to sink: ByteSink, on ledger: MemoryLedger,
    open: (
      UnsafePointer<wi_sink>, UnsafePointer<wi_memory>, UnsafeMutablePointer<wi_failure>
    ) -> OpaquePointer?
  ) throws(EngineError) {
    var sinkHooks = unsafe sink.hooks
    var memoryHooks = unsafe ledger.hooks
    var failure = wi_failure()
    guard let writer = unsafe open(&sinkHooks, &memoryHooks, &failure) else {
      throw EngineError(encoding: failure, to: sink, on: ledger)
    }
    unsafe self.writer = writer
    self.sink = sink
    self.ledger = ledger
  }

  deinit {
    unsafe wi_writer_close(writer)
  }

  /// Writes the next row: packed RGB, RGBA where the image has alpha, or one
  /// palette index a byte, as the initializer says.
  ///
  /// - Throws: `.writeFailed`, `.overBudget`; `.internalFault` for a row too
  ///   many or of another length.
  package mutating func write(row: UnsafeRawBufferPointer) throws(EngineError) {
    guard let base = row.baseAddress else {
      throw EngineError(.internalFault, "a row without bytes")
    }
    let status = unsafe wi_writer_row(
      writer, base.assumingMemoryBound(to: UInt8.self), row.count)
    if status != .WI_OK { throw failure }
  }

  /// Ends the file and flushes the sink.
  ///
  /// - Throws: as `write`; `.internalFault` when rows are missing.
  package mutating func finish() throws(EngineError) {
    if unsafe wi_writer_finish(writer) != .WI_OK { throw failure }
    try sink.flush()
  }

  private var failure: EngineError {
    EngineError(encoding: unsafe wi_writer_failure(writer).pointee, to: sink, on: ledger)
  }
}

extension EngineError {
  /// What a failure of an encoder means: the sink knows why it refused bytes,
  /// and a size that a format can't hold is the request's fault.
  init(encoding failure: wi_failure, to sink: ByteSink, on ledger: MemoryLedger) {
    if failure.status == .WI_WRITE_FAILED, let reason = sink.failure {
      self = reason
      return
    }
    self.init(failure, on: ledger)
    if code == .unsupported { code = .badRequest }
  }
}

extension PixelSize {
  /// Both sides as C takes them; nil where one is not in 1...`UInt32.max`.
  var unsigned: (width: UInt32, height: UInt32)? {
    guard let width = UInt32(exactly: width), let height = UInt32(exactly: height),
      width > 0, height > 0
    else { return nil }
    return (width, height)
  }

  /// As `unsigned`.
  ///
  /// - Throws: `.badRequest`.
  func encodable() throws(EngineError) -> (width: UInt32, height: UInt32) {
    guard let sides = unsigned else {
      throw EngineError(.badRequest, "an image of \(self) pixels can't be written")
    }
    return sides
  }
}
