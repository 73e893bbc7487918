import CWidgetKernels
import WidgetCore

// The second pass: down the columns, over row pairs that are kept or summed.
extension StreamingResampler {
  /// The next output row from the kept pairs.
  func weighRows() {
    let first = Int(vertical.first[nextOutput]) % plan.roomPairs
    unsafe vertical.weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      unsafe kernels.vertical(
        list.base + first, weights + Int(vertical.offset[nextOutput]), vertical.pairs[nextOutput],
        UInt32(vertical.scale), finished.base, UInt32(plan.resampledSamples))
    }
  }

  /// Adds the batch that was reduced to every output row that it belongs to.
  mutating func addRows() {
    let samples = plan.resampledSamples
    let open = ResizePlan.openOutputs(plan.vertical.filter)
    let first = 2 * pairsDone
    // Pairs behind a short batch are idle: they get no weight.
    let rows = plan.batchRows
    rolling.open(upTo: first + rows)
    let start = unsafe list.base + pairsDone % plan.roomPairs
    unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: KernelTable.rows) { weights in
      unsafe weights.initialize(repeating: 0)
      let wanted = unsafe UnsafeMutableBufferPointer(rebasing: weights[..<rows])
      guard let list = unsafe UnsafePointer(weights.baseAddress) else { return }
      for output in rolling.done..<rolling.opened
      where unsafe rolling.weights(of: output, from: first, into: wanted) {
        unsafe kernels.accumulate(
          start, list, rowSums.base + output % open * samples, UInt32(samples))
      }
    }
  }

  /// The next output row from its sums.
  mutating func settleRow() {
    let samples = plan.resampledSamples
    let open = ResizePlan.openOutputs(plan.vertical.filter)
    unsafe wk_settle_rows(
      rowSums.base + nextOutput % open * samples, UInt32(rolling.scale), finished.base,
      UInt32(samples))
    rolling.takeNext()
  }
}
