import CWidgetKernels
package import WidgetCore
import WidgetColor

/// Resamples a picture in linear light, alpha premultiplied, a few rows at a time.
///
/// Push every source row from the top, `ResizePlan.batchRows` at once; after
/// each push, pop until nothing comes. All memory is reserved and allocated
/// when it is made.
@safe
package struct StreamingResampler: ~Copyable {
  package let plan: ResizePlan
  let kernels: wk_kernels
  private let tables: MemoryReservation
  let horizontal: AxisPlan
  /// Weights of the kept row pairs; a table of nothing where rows are summed.
  let vertical: AxisPlan
  var rolling: RollingAxis
  /// Columns of one batch in linear light.
  let block: RowBuffer<Int16>
  /// Sums of the outputs that are open, where they are kept for parts of rows.
  let columnSums: RowBuffer<Int64>
  /// Horizontally resampled row pairs: a ring of them, or one batch.
  let pairs: RowBuffer<Int16>
  /// Where each of them begins, twice over, so that a run that goes round the
  /// ring's end is one list.
  let list: RowBuffer<UnsafePointer<Int16>>
  /// Sums of the output rows that are open, where rows are summed as they come.
  let rowSums: RowBuffer<Int64>
  let finished: RowBuffer<Int16>
  let encode: RowBuffer<UInt8>

  /// Source row that comes next.
  private var nextSource = 0
  /// Row pairs that are done, from the vertical origin.
  var pairsDone = 0
  /// Output row that comes next.
  var nextOutput = 0

  /// - Throws: `EngineError` with code `.overBudget`.
  package init(
    plan: ResizePlan, ledger: MemoryLedger, kernels table: KernelTable
  ) throws(EngineError) {
    // All that can fail comes first: a noncopyable value can't be taken apart
    // half made.
    let parts = plan.parts
    let tables = try MemoryReservation(
      parts[0].bytes + parts[1].bytes, for: "filter weights", on: ledger)
    let block = try RowBuffer<Int16>(count: plan.blockSamples, for: "a linear block", on: ledger)
    let columnSums = try RowBuffer<Int64>(count: plan.columnSums, for: "column sums", on: ledger)
    let pairSamples = 2 * plan.resampledSamples
    let room = plan.roomPairs
    let pairs = try RowBuffer<Int16>(
      count: pairSamples * room, for: "resampled rows", on: ledger)
    let list = try unsafe RowBuffer<UnsafePointer<Int16>>(
      count: 2 * room, for: "row list", on: ledger)
    let rowSums = try RowBuffer<Int64>(count: plan.rowSums, for: "row sums", on: ledger)
    let finished = try RowBuffer<Int16>(
      count: plan.resampledSamples, for: "a finished row", on: ledger)
    let encode = try RowBuffer<UInt8>(
      count: KernelTable.encodeEntries, for: "the sRGB table", on: ledger)

    for index in 0..<(2 * room) {
      unsafe list.base[index] = UnsafePointer(pairs.base + index % room * pairSamples)
    }
    unsafe TransferCurve.fill(encode.samples)
    horizontal = AxisPlan(
      plan.horizontal, count: plan.outputSize.width, sums: plan.sumsColumns ? .carried : .narrow)
    vertical = AxisPlan(
      plan.vertical, count: plan.sumsRows ? 0 : plan.outputSize.height, sums: .narrow)
    rolling = RollingAxis(
      plan.vertical, count: plan.sumsRows ? plan.outputSize.height : 0,
      mostOpen: ResizePlan.openOutputs(plan.vertical.filter))
    self.plan = plan
    kernels = table.kernels
    self.tables = tables
    self.block = block
    self.columnSums = columnSums
    self.pairs = pairs
    unsafe self.list = list
    self.rowSums = rowSums
    self.finished = finished
    self.encode = encode
  }

  /// Takes the next source rows, top to bottom.
  ///
  /// - Parameters:
  ///   - rows: one after another, the plan's layout and width, no padding.
  ///   - count: `batchRows`, or what the source has left where that is less.
  /// - Precondition: no output row waits.
  package mutating func push(rows: UnsafeRawBufferPointer, count: Int) {
    let rowBytes = plan.layout.bytesPerRow(width: plan.sourceSize.width)
    precondition(rows.count == count * rowBytes, "rows of another length")
    precondition(
      count == min(plan.batchRows, plan.sourceSize.height - nextSource), "a batch of another size")
    let first = nextSource
    nextSource += count
    let used = plan.vertical
    // Batches begin at multiples of their size, and the origin is one.
    guard let base = rows.baseAddress, nextSource > used.origin,
      first < used.origin + used.used
    else { return }
    let to = targets()
    let source = unsafe wk_rows(
      base: base.assumingMemoryBound(to: UInt8.self), stride: rowBytes, count: UInt32(count))
    unsafe reduceColumns(source, to)
    if plan.sumsRows { addRows() }
    pairsDone += plan.batchRows / 2
  }

  /// Writes the next output row, if it is ready: `outputLayout`, straight
  /// alpha, colour 0 where alpha is 0.
  ///
  /// - Returns: false when more source rows are needed first, or none is left.
  package mutating func pop(into row: UnsafeMutableRawBufferPointer) -> Bool {
    guard nextOutput < plan.outputSize.height else { return false }
    let end = plan.sumsRows ? (rolling.endOfNext + 1) / 2 : vertical.endPair(of: nextOutput)
    let isLast = nextSource >= plan.vertical.origin + plan.vertical.used
    guard pairsDone >= end || isLast else { return false }
    precondition(
      row.count == plan.outputLayout.bytesPerRow(width: plan.outputSize.width),
      "a row of another length")
    if plan.sumsRows { settleRow() } else { weighRows() }
    unsafe finish(into: row)
    nextOutput += 1
    return true
  }

  private func finish(into row: UnsafeMutableRawBufferPointer) {
    guard let target = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let width = UInt32(plan.outputSize.width)
    if plan.channels == 4 {
      unsafe kernels.finish_rgba(finished.base, target, width, encode.base)
    } else {
      unsafe wk_finish_planes(
        finished.base, plan.plane, target, width, UInt32(plan.channels), encode.base)
    }
  }
}
