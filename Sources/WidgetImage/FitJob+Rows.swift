import WidgetCodecs
import WidgetCore
import WidgetResample

/// The middle of a job: rows in, resampled rows out.
struct RowPump: ~Copyable {
  private var reader: CodecReader
  private var resampler: StreamingResampler
  /// One batch of the resampler's.
  private let sourceRows: RowBuffer<UInt8>
  /// The last whole row, kept where a cut source may be filled up.
  private let lastRow: RowBuffer<UInt8>
  private let outputRow: RowBuffer<UInt8>
  private let plan: JobPlan

  /// Opens the source and allocates everything that the rows need.
  ///
  /// - Throws: `EngineError`.
  init(
    _ plan: JobPlan, input: CodecInput, ledger: MemoryLedger, kernels: KernelTable
  ) throws(EngineError) {
    let allowsTruncated = plan.options.tolerance == .allowTruncated
    let reader = try CodecReader(
      input, header: plan.header, on: ledger,
      options: CodecReader.Options(allowTruncated: allowsTruncated, shrink: plan.decode.shrink))
    guard reader.size == plan.decode.size, reader.layout == plan.header.layout else {
      throw EngineError(
        .damaged,
        "its headers contradict each other: \(plan.decode.size) and \(reader.size)")
    }
    let rowBytes = reader.layout.bytesPerRow(width: reader.size.width)
    let sourceRows = try RowBuffer<UInt8>(
      count: rowBytes * plan.resize.batchRows, for: "source rows", on: ledger)
    let lastRow = try RowBuffer<UInt8>(
      count: allowsTruncated ? rowBytes : 0, for: "the last good row", on: ledger)
    let outputRow = try RowBuffer<UInt8>(
      count: plan.resize.outputLayout.bytesPerRow(width: plan.storedOutput.width),
      for: "a resampled row", on: ledger)
    let resampler = try StreamingResampler(plan: plan.resize, ledger: ledger, kernels: kernels)
    self.plan = plan
    self.reader = reader
    self.sourceRows = sourceRows
    self.lastRow = lastRow
    self.outputRow = outputRow
    self.resampler = resampler
  }

  /// Decodes and resamples everything.
  ///
  /// - Parameters:
  ///   - emit: receives each resampled row with its number, top to bottom in
  ///     stored orientation.
  ///   - progress: is told the share of source rows that are read.
  /// - Returns: what the reader noticed.
  /// - Throws: the reader's error, or `emit`'s.
  consuming func run(
    progress: (Double) -> Void,
    emit: (UnsafeRawBufferPointer, Int) throws(EngineError) -> Void
  ) throws(EngineError) -> [ImageNote] {
    let height = reader.size.height
    let step = max(1, height / 64)
    var emitted = 0
    var cut = false
    for y in 0..<height {
      let slot = y % plan.resize.batchRows
      if cut { fill(slot) } else { cut = try !readOrFill(y, slot) }
      guard slot + 1 == plan.resize.batchRows || y + 1 == height else { continue }
      unsafe resampler.push(
        rows: UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(sourceRows.samples)[..<((slot + 1) * rowBytes)]),
        count: slot + 1)
      while unsafe resampler.pop(into: UnsafeMutableRawBufferPointer(outputRow.samples)) {
        try unsafe emit(UnsafeRawBufferPointer(outputRow.samples), emitted)
        emitted += 1
      }
      if y % step == 0 { progress(Double(y) / Double(height)) }
    }
    guard emitted == plan.storedOutput.height else {
      throw EngineError(.internalFault, "\(emitted) of \(plan.storedOutput.height) rows came out")
    }
    if cut { return reader.notes.filter { $0 != .filledTruncation } + [.filledTruncation] }
    try reader.finish()
    return reader.notes
  }

  private var rowBytes: Int { reader.layout.bytesPerRow(width: reader.size.width) }

  /// Row `slot` of the batch.
  private func row(_ slot: Int) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(
      rebasing: UnsafeMutableRawBufferPointer(sourceRows.samples)[
        (slot * rowBytes)..<((slot + 1) * rowBytes)])
  }

  /// What stands in for a row that the source lacks.
  private func fill(_ slot: Int) {
    let row = unsafe row(slot)
    if reader.layout.hasAlpha {
      unsafe row.initializeMemory(as: UInt8.self, repeating: 0)
    } else {
      unsafe row.copyMemory(from: UnsafeRawBufferPointer(lastRow.samples))
    }
  }

  /// Reads row `y` into `slot`; false when the source ends there and the caller
  /// allowed that: then it is filled.
  private mutating func readOrFill(_ y: Int, _ slot: Int) throws(EngineError) -> Bool {
    let row = unsafe row(slot)
    do throws(EngineError) {
      try unsafe reader.readRow(into: row)
      if lastRow.count > 0 {
        unsafe UnsafeMutableRawBufferPointer(lastRow.samples).copyMemory(
          from: UnsafeRawBufferPointer(row))
      }
      return true
    } catch {
      guard plan.options.tolerance == .allowTruncated, error.code == .truncated, y > 0 else {
        throw error
      }
      fill(slot)
      return false
    }
  }
}
