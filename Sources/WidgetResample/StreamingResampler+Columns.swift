import CWidgetKernels
import WidgetCore

// The first pass: a batch of source rows to linear light and along the rows,
// block by block, so that a block is still in the nearest cache when it is read.
extension StreamingResampler {
  /// Where the row pairs of the next batch go. Where a batch has fewer rows
  /// than the kernels take, the idle ones go behind them and are overwritten by
  /// the next batch.
  func targets() -> wk_pairs {
    let samples = 2 * plan.resampledSamples
    let room = plan.roomPairs
    func pair(_ index: Int) -> UnsafeMutablePointer<Int16> {
      unsafe pairs.base + (pairsDone + index) % room * samples
    }
    return unsafe wk_pairs(
      pair: (pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7)),
      plane: plan.plane)
  }

  /// Reduces one batch.
  func reduceColumns(_ rows: wk_rows, _ to: wk_pairs) {
    unsafe horizontal.withKernelAxis { axis in
      if plan.sumsColumns {
        unsafe sumColumns(rows, axis, to)
      } else {
        unsafe slideColumns(rows, axis, to)
      }
    }
  }

  /// Every output's taps stand in the block at one time; what the next outputs
  /// need is moved to its front.
  private func slideColumns(_ rows: wk_rows, _ axis: wk_axis, _ to: wk_pairs) {
    var axis = unsafe axis
    var to = to
    let columnSamples = plan.channels * KernelTable.rows
    let used = plan.horizontal.used
    let capacity = plan.blockColumns
    let count = plan.outputSize.width
    // Columns from the origin: the first in the block, and one past the last.
    var (base, filled) = (0, 0)
    var next = 0
    while next < count {
      let needed = max(0, Int(horizontal.first[next]) * 2 - plan.keptColumns)
      if needed > base {
        if needed < filled {
          unsafe block.base.update(
            from: block.base + (needed - base) * columnSamples,
            count: (filled - needed) * columnSamples)
        } else {
          filled = needed
        }
        base = needed
      }
      // Whole vectors of columns, but for the end.
      let end = base + capacity >= used ? used : filled + (base + capacity - filled) / 16 * 16
      unsafe linearise(
        rows, from: filled, to: end, into: block.base + (filled - base) * columnSamples)
      filled = end
      var last = next
      while last < count, filled == used || horizontal.endPair(of: last) * 2 <= filled { last += 1 }
      switch plan.channels {
      case 1:
        unsafe kernels.horizontal1(
          block.base, UInt32(base / 2), &axis, UInt32(next), UInt32(last), &to)
      case 3:
        unsafe kernels.horizontal3(
          block.base, UInt32(base / 2), &axis, UInt32(next), UInt32(last), &to)
      default:
        unsafe kernels.horizontal4(
          block.base, UInt32(base / 2), &axis, UInt32(next), UInt32(last), &to)
      }
      next = last
    }
  }

  /// Each block adds to the sums of the outputs that it belongs to.
  private func sumColumns(_ rows: wk_rows, _ axis: wk_axis, _ to: wk_pairs) {
    var to = to
    let pairSamples = 2 * plan.channels * KernelTable.rows
    let lanes = plan.channels * KernelTable.rows
    let open = ResizePlan.openOutputs(plan.horizontal.filter)
    let used = plan.horizontal.used
    let count = plan.outputSize.width
    var (start, next) = (0, 0)
    while start < used {
      let end = min(used, start + plan.blockColumns)
      unsafe linearise(rows, from: start, to: end, into: block.base)
      // Pairs of columns from the origin on.
      let (low, high) = (start / 2, (end + 1) / 2)
      var output = next
      while output < count, Int(horizontal.first[output]) < high {
        let first = max(low, Int(horizontal.first[output]))
        let last = min(high, horizontal.endPair(of: output))
        let sums = unsafe columnSums.base + output % open * lanes
        if first < last {
          let skipped = 2 * (first - Int(horizontal.first[output]))
          let samples = unsafe block.base + (first - low) * pairSamples
          let weights = unsafe axis.weights + Int(horizontal.offset[output]) + skipped
          let pairs = UInt32(last - first)
          switch plan.channels {
          case 1: unsafe kernels.gather1(samples, weights, pairs, sums)
          case 3: unsafe kernels.gather3(samples, weights, pairs, sums)
          default: unsafe kernels.gather4(samples, weights, pairs, sums)
          }
        }
        if horizontal.endPair(of: output) <= high || end == used {
          unsafe wk_settle_columns(
            sums, UInt32(plan.channels), axis.scale, UInt32(output), &to)
          next = output + 1
        }
        output += 1
      }
      start = end
    }
  }

  /// Columns `first` to `end`, from the origin on, to linear light.
  private func linearise(
    _ rows: wk_rows, from first: Int, to end: Int, into target: UnsafeMutablePointer<Int16>
  ) {
    guard first < end else { return }
    var rows = unsafe rows
    unsafe rows.base += (plan.horizontal.origin + first) * plan.layout.bytesPerPixel
    let width = UInt32(end - first)
    switch (plan.layout.depth, plan.layout.channels) {
    case (.sixteen, let channels):
      unsafe wk_linear_16(rows, target, width, UInt32(channels.rawValue))
    case (.eight, .grey): unsafe kernels.linear_grey8(rows, target, width)
    case (.eight, .greyAlpha): unsafe wk_linear_grey_alpha8(rows, target, width)
    case (.eight, .rgb): unsafe kernels.linear_rgb8(rows, target, width)
    case (.eight, .rgba): unsafe kernels.linear_rgba8(rows, target, width)
    }
  }
}

extension AxisPlan {
  /// Lends the tables to a kernel.
  fileprivate func withKernelAxis(_ body: (wk_axis) -> Void) {
    unsafe first.withUnsafeBufferPointer { first in
      unsafe pairs.withUnsafeBufferPointer { pairs in
        unsafe offset.withUnsafeBufferPointer { offset in
          unsafe weights.withUnsafeBufferPointer { weights in
            guard let first = first.baseAddress, let pairs = pairs.baseAddress,
              let offset = offset.baseAddress, let weights = weights.baseAddress
            else { return }
            unsafe body(
              wk_axis(
                first: first, pairs: pairs, offset: offset, weights: weights,
                scale: UInt32(scale)))
          }
        }
      }
    }
  }
}
