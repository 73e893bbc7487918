import WidgetCodecs
import WidgetCore

/// The decoding half of a job: fills slots with the rows of a source, and with
/// what stands for rows that a cut source lacks.
///
/// `@unchecked Sendable`: `fill` is called by one thread, the one that decodes,
/// and `cut` and `notes` are read when that has ended. Others only read slots,
/// and `BatchQueue` tells who may touch which.
final class RowFeed: @unchecked Sendable {
  private var reader: CodecReader
  private let slots: RowBuffer<UInt8>
  /// The last whole row, kept where a cut source may be filled up.
  private let lastRow: RowBuffer<UInt8>
  private let transport: RowTransport
  private let height: Int
  private var nextRow = 0
  private var isCut = false
  /// Why the row after those of the last slot did not come.
  private var failure: EngineError?

  /// Opens the source and allocates everything that its rows need.
  ///
  /// - Throws: `EngineError`.
  init(_ plan: JobPlan, input: CodecInput, ledger: MemoryLedger) throws(EngineError) {
    let fillsUp = plan.options.tolerance == .allowTruncated
    let reader = try CodecReader(
      input, header: plan.header, on: ledger,
      options: CodecReader.Options(
        allowTruncated: fillsUp, shrink: plan.decode.shrink, threads: plan.decode.threads))
    guard reader.size == plan.decode.size, reader.layout == plan.header.layout else {
      throw EngineError(
        .damaged,
        "its headers contradict each other: \(plan.decode.size) and \(reader.size)")
    }
    let transport = plan.transport
    let slots = try RowBuffer<UInt8>(count: transport.ringBytes, for: "source rows", on: ledger)
    let lastRow = try RowBuffer<UInt8>(
      count: fillsUp ? transport.rowBytes : 0, for: "the last good row", on: ledger)
    height = reader.size.height
    self.reader = reader
    self.slots = slots
    self.lastRow = lastRow
    self.transport = transport
  }

  /// What the reader noticed.
  var notes: [ImageNote] {
    isCut
      ? reader.notes.filter { $0 != .filledTruncation } + [.filledTruncation] : reader.notes
  }

  /// The first `count` rows of a slot; valid while the feed lives.
  func rows(of slot: Int, count: Int) -> UnsafeRawBufferPointer {
    let start = slot * transport.slotRows * transport.rowBytes
    return unsafe UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(slots.samples)[
        start..<(start + count * transport.rowBytes)])
  }

  /// Fills a slot with the next rows.
  ///
  /// An error in the middle of a slot is thrown by the next call, so that whole
  /// batches before it count whatever the size of a slot.
  ///
  /// - Returns: The number of rows: all of the slot's, or fewer at the end of the
  ///   source; 0 when there are no more and what follows the rows is sound.
  /// - Throws: the reader's error.
  func fill(_ slot: Int) throws(EngineError) -> Int {
    if let failure { throw failure }
    let count = min(transport.slotRows, height - nextRow)
    guard count > 0 else {
      if !isCut { try reader.finish() }
      return 0
    }
    for index in 0..<count {
      do throws(EngineError) {
        try unsafe readOrFill(row(slot, index), before: index > 0 ? row(slot, index - 1) : nil)
      } catch {
        let whole = index / transport.batchRows * transport.batchRows
        guard whole > 0 else { throw error }
        failure = error
        return whole
      }
      nextRow += 1
    }
    if lastRow.count > 0, !isCut {
      unsafe UnsafeMutableRawBufferPointer(lastRow.samples).copyMemory(
        from: UnsafeRawBufferPointer(row(slot, count - 1)))
    }
    return count
  }

  private func row(_ slot: Int, _ index: Int) -> UnsafeMutableRawBufferPointer {
    let start = (slot * transport.slotRows + index) * transport.rowBytes
    return unsafe UnsafeMutableRawBufferPointer(
      rebasing: UnsafeMutableRawBufferPointer(slots.samples)[start..<(start + transport.rowBytes)])
  }

  /// Reads the next row, or fills it up where the source is cut and the caller
  /// allowed that. `before` is the row above it in the same slot; where there is
  /// none, `lastRow` has it.
  private func readOrFill(
    _ row: UnsafeMutableRawBufferPointer, before: UnsafeMutableRawBufferPointer?
  ) throws(EngineError) {
    if !isCut {
      do throws(EngineError) {
        return try unsafe reader.readRow(into: row)
      } catch {
        guard lastRow.count > 0, error.code == .truncated, nextRow > 0 else { throw error }
        isCut = true
        if let before = unsafe before {
          unsafe UnsafeMutableRawBufferPointer(lastRow.samples).copyMemory(
            from: UnsafeRawBufferPointer(before))
        }
      }
    }
    if reader.layout.hasAlpha {
      unsafe row.initializeMemory(as: UInt8.self, repeating: 0)
    } else {
      unsafe row.copyMemory(from: UnsafeRawBufferPointer(lastRow.samples))
    }
  }
}
