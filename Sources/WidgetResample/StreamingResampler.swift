import CWidgetKernels
package import WidgetCore
import WidgetColor

/// Resamples a picture row by row in linear light, alpha premultiplied.
///
/// Push every source row from the top; after each, pop until nothing comes.
/// All memory is reserved and allocated when it is made.
@safe
package struct StreamingResampler: ~Copyable {
  package let plan: ResizePlan
  private let kernels: wk_kernels
  private let tables: MemoryReservation
  private let horizontal: AxisPlan
  /// Weights of the kept row pairs; a table of nothing where rows are summed.
  private let vertical: AxisPlan
  private var rolling: RollingAxis
  /// `batch` linear rows of the columns that are used.
  private let linear: RowBuffer<Int16>
  /// Horizontally resampled row pairs: a ring of them, or one batch.
  private let pairs: RowBuffer<Int16>
  private let finished: RowBuffer<Int16>
  private let encode: RowBuffer<UInt8>
  /// Sums of the output rows that are open, where rows are summed as they come.
  /// Empty otherwise.
  private let sums: RowBuffer<Int64>

  /// Source row that comes next.
  private var nextSource = 0
  /// Rows of the batch that are filled.
  private var filled = 0
  /// Row pairs that are done, from the vertical origin.
  private var pairsDone = 0
  /// Output row that comes next.
  private var nextOutput = 0

  /// - Throws: `EngineError` with code `.overBudget`.
  package init(
    plan: ResizePlan, ledger: MemoryLedger, kernels table: KernelTable
  ) throws(EngineError) {
    // All that can fail comes first: a noncopyable value can't be taken apart
    // half made.
    let parts = plan.parts
    let tables = try MemoryReservation(
      parts[0].bytes + parts[1].bytes, for: "filter weights", on: ledger)
    let linear = try RowBuffer<Int16>(
      count: plan.batch * plan.linearSamples, for: "linear rows", on: ledger)
    let pairs = try RowBuffer<Int16>(
      count: 2 * plan.resampledSamples * (plan.accumulates ? plan.batch / 2 : plan.ringPairs),
      for: "resampled rows", on: ledger)
    let finished = try RowBuffer<Int16>(
      count: plan.resampledSamples, for: "a finished row", on: ledger)
    let encode = try RowBuffer<UInt8>(
      count: KernelTable.encodeEntries, for: "the sRGB table", on: ledger)
    let sums = try RowBuffer<Int64>(
      count: plan.accumulates ? plan.openRows * plan.resampledSamples : 0, for: "open rows",
      on: ledger)

    for index in 0..<KernelTable.encodeEntries {
      unsafe encode.base[index] = TransferCurve.sRGBCode(Double(index) / 16_384)
    }
    let x = plan.horizontal
    horizontal = AxisPlan(
      source: x.source, start: x.start, length: x.length, count: x.count, filter: x.filter,
      unit: plan.unit, alignment: plan.lanes == 1 ? 1 : 2, origin: x.origin,
      sums: x.ratio > 32 ? .carried(groups: 32 / plan.unit) : .narrow)
    let y = plan.vertical
    vertical = AxisPlan(
      source: y.source, start: y.start, length: y.length,
      count: plan.accumulates ? 0 : y.count, filter: y.filter, unit: 2, alignment: 2,
      origin: y.origin, sums: .narrow)
    rolling = RollingAxis(y, filter: y.filter, mostOpen: plan.openRows)
    self.plan = plan
    kernels = table.kernels
    self.tables = tables
    self.linear = linear
    self.pairs = pairs
    self.finished = finished
    self.encode = encode
    self.sums = sums
  }

  /// Takes the next source row, top to bottom.
  ///
  /// - Precondition: `row` has the plan's layout and width; no output row waits.
  package mutating func push(row: UnsafeRawBufferPointer) {
    precondition(
      row.count == plan.layout.bytesPerRow(width: plan.sourceSize.width), "a row of another length")
    precondition(nextSource < plan.sourceSize.height, "more rows than the source has")
    let y = nextSource
    nextSource += 1
    let used = plan.vertical
    guard y >= used.origin, y < used.origin + used.used else { return }
    unsafe linearise(row, into: linear.base + filled * plan.linearSamples)
    filled += 1
    if filled == plan.batch || y == used.origin + used.used - 1 { reduceBatch() }
  }

  /// Writes the next output row, if it is ready: `outputLayout`, straight
  /// alpha, colour 0 where alpha is 0.
  ///
  /// - Returns: false when more source rows are needed first, or none is left.
  package mutating func pop(into row: UnsafeMutableRawBufferPointer) -> Bool {
    guard nextOutput < plan.outputSize.height else { return false }
    let end =
      plan.accumulates ? rolling.lastPairOfNext() + 1 : (vertical.end(of: nextOutput) + 1) / 2
    let isLast = nextSource >= plan.vertical.origin + plan.vertical.used
    guard pairsDone >= end || (isLast && filled == 0) else { return false }
    precondition(
      row.count == plan.outputLayout.bytesPerRow(width: plan.outputSize.width),
      "a row of another length")
    if plan.accumulates { settle() } else { gather() }
    unsafe finish(into: row)
    nextOutput += 1
    return true
  }
}

// MARK: The passes

extension StreamingResampler {
  private func linearise(_ row: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<Int16>) {
    let pixels = plan.horizontal.used
    guard
      let base = unsafe row.baseAddress.map({
        unsafe $0 + plan.horizontal.origin * plan.layout.bytesPerPixel
      })
    else { return }
    let width = UInt32(pixels)
    switch (plan.layout.depth, plan.layout.channels) {
    case (.sixteen, let channels):
      unsafe wk_linear_16(
        base.assumingMemoryBound(to: UInt16.self), target, width, UInt32(channels.rawValue))
    case (.eight, .grey):
      unsafe kernels.linear_grey8(base.assumingMemoryBound(to: UInt8.self), target, width)
    case (.eight, .greyAlpha):
      unsafe wk_linear_grey_alpha8(base.assumingMemoryBound(to: UInt8.self), target, width)
    case (.eight, .rgb):
      unsafe kernels.linear_rgb8(base.assumingMemoryBound(to: UInt8.self), target, width)
    case (.eight, .rgba):
      unsafe kernels.linear_rgba8(base.assumingMemoryBound(to: UInt8.self), target, width)
    }
  }

  /// Reduces the rows of the batch. Rows that were not filled hold old or zero
  /// samples, which only weights of zero touch.
  private mutating func reduceBatch() {
    let stride = plan.linearSamples
    let pairSamples = 2 * plan.resampledSamples
    let inBatch = plan.batch / 2
    unsafe horizontal.withKernelAxis { axis in
      var axis = unsafe axis
      let rows = unsafe linear.base
      let second = plan.batch == 4 ? 2 : 0
      let pointers = unsafe (
        UnsafePointer(rows), UnsafePointer(rows + stride), UnsafePointer(rows + second * stride),
        UnsafePointer(rows + (second + 1) * stride)
      )
      let upper = unsafe pairs.base + slot(pairsDone) * pairSamples
      // With a batch of two both halves are the same rows and the same target.
      let lower =
        unsafe plan.batch == 4 ? pairs.base + slot(pairsDone + 1) * pairSamples : upper
      unsafe withUnsafePointer(to: pointers) { tuple in
        unsafe tuple.withMemoryRebound(to: UnsafePointer<Int16>.self, capacity: 4) { list in
          if plan.lanes == 1 {
            unsafe kernels.horizontal1(list, &axis, upper, lower)
          } else {
            unsafe kernels.horizontal4(list, &axis, upper, lower)
          }
        }
      }
    }
    filled = 0
    if plan.accumulates {
      for pair in 0..<inBatch { accumulate(pair: pairsDone + pair, at: pair) }
    }
    pairsDone += inBatch
  }

  /// Where a row pair is kept.
  private func slot(_ pair: Int) -> Int {
    plan.accumulates ? pair % (plan.batch / 2) : pair % plan.ringPairs
  }

  /// Adds a row pair to every open output row that it belongs to.
  private mutating func accumulate(pair: Int, at slot: Int) {
    let samples = plan.resampledSamples
    let (sums, openRows, kernels) = unsafe (sums.base, plan.openRows, kernels)
    let row = unsafe pairs.base + slot * 2 * samples
    rolling.add(pair: pair) { output, weights in
      var weights = weights
      unsafe withUnsafeBytes(of: &weights) { bytes in
        guard let base = bytes.baseAddress else { return }
        unsafe kernels.accumulate(
          row, base.assumingMemoryBound(to: Int16.self),
          sums + (output % openRows) * samples, UInt32(samples))
      }
    }
  }

  /// Rounds the sums of the next output row, and clears them for another.
  private mutating func settle() {
    let samples = plan.resampledSamples
    unsafe wk_settle(
      sums.base + (nextOutput % plan.openRows) * samples, UInt32(rolling.scale), finished.base,
      UInt32(samples))
    rolling.takeNext()
  }

  /// Weighs the kept row pairs into the next output row.
  private func gather() {
    let samples = plan.resampledSamples
    let first = Int(vertical.first[nextOutput]) / 2
    let groups = Int(vertical.groups[nextOutput])
    unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>.self, capacity: groups) { list in
      for group in 0..<groups {
        unsafe list.initializeElement(
          at: group, to: UnsafePointer(pairs.base + slot(first + group) * 2 * samples))
      }
      unsafe vertical.weights.withUnsafeBufferPointer { weights in
        guard let base = weights.baseAddress, let pointers = list.baseAddress else {
          return
        }
        unsafe kernels.vertical(
          pointers, base + Int(vertical.offset[nextOutput]), UInt32(groups),
          UInt32(vertical.scale), finished.base, UInt32(samples))
      }
    }
  }

  private func finish(into row: UnsafeMutableRawBufferPointer) {
    guard let target = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let width = UInt32(plan.outputSize.width)
    switch plan.outputLayout.channels {
    case .grey: unsafe kernels.finish_grey(finished.base, target, width, encode.base)
    case .rgb: unsafe kernels.finish_rgb(finished.base, target, width, encode.base)
    default: unsafe kernels.finish_rgba(finished.base, target, width, encode.base)
    }
  }
}

extension AxisPlan {
  /// Lends the tables to a kernel.
  fileprivate func withKernelAxis(_ body: (wk_axis) -> Void) {
    unsafe first.withUnsafeBufferPointer { first in
      unsafe groups.withUnsafeBufferPointer { groups in
        unsafe offset.withUnsafeBufferPointer { offset in
          unsafe weights.withUnsafeBufferPointer { weights in
            guard let first = first.baseAddress, let groups = groups.baseAddress,
              let offset = offset.baseAddress, let weights = weights.baseAddress
            else { return }
            unsafe body(
              wk_axis(
                count: UInt32(count), first: first, groups: groups, offset: offset,
                weights: weights, scale: UInt32(scale), carry: UInt32(carry)))
          }
        }
      }
    }
  }
}
