package import WidgetCore

/// One reduction or enlargement, planned: its geometry and its working set.
///
/// Making a plan computes no table and allocates nothing, so a header that
/// claims an absurd size costs nothing.
package struct ResizePlan: Sendable {
  package let sourceSize: PixelSize
  /// The layout of the rows that come.
  package let layout: PixelLayout
  package let outputSize: PixelSize
  package let filter: Filter
  let horizontal: AxisGeometry
  let vertical: AxisGeometry

  /// - Parameters:
  ///   - x, y, width, height: the part of the source that is kept, in pixels,
  ///     fractional, inside the source.
  ///   - outputSize: sides of at least 1.
  package init(
    sourceSize: PixelSize, layout: PixelLayout,
    sourceRect: (x: Double, y: Double, width: Double, height: Double), outputSize: PixelSize,
    filter: Filter
  ) {
    precondition(outputSize.width > 0 && outputSize.height > 0, "an output side of 0")
    precondition(sourceSize.width > 0 && sourceSize.height > 0, "a source side of 0")
    self.sourceSize = sourceSize
    self.layout = layout
    self.outputSize = outputSize
    self.filter = filter
    horizontal = AxisGeometry(
      source: sourceSize.width, start: sourceRect.x, length: sourceRect.width,
      count: outputSize.width, filter: filter, group: 2)
    vertical = AxisGeometry(
      source: sourceSize.height, start: sourceRect.y, length: sourceRect.height,
      count: outputSize.height, filter: filter, group: KernelTable.rows)
  }

  /// The layout of the rows that come out, 8 bits a sample: grey stays grey,
  /// grey with alpha becomes RGBA.
  package var outputLayout: PixelLayout {
    switch layout.channels {
    case .grey: PixelLayout(.grey)
    case .rgb: PixelLayout(.rgb)
    case .greyAlpha, .rgba: PixelLayout(.rgba)
    }
  }

  /// Source rows of one push; the last push of a picture may have fewer. Fewer
  /// for very wide pictures, where as many rows would weigh too much; then the
  /// kernels' other rows are idle.
  package var batchRows: Int {
    let bytes = layout.bytesPerRow(width: sourceSize.width)
    var rows = KernelTable.rows
    while rows > 2, saturatingProduct(bytes, rows) > 2_000_000 { rows /= 2 }
    return rows
  }

  /// Channels that the kernels work on: 1, 3 or 4.
  var channels: Int {
    switch layout.channels {
    case .grey: 1
    case .rgb: 3
    case .greyAlpha, .rgba: 4
    }
  }

  /// Whether horizontal sums are kept for parts of rows: reducing by much, an
  /// output's taps are many, and their weights need 64-bit sums.
  var sumsColumns: Bool { horizontal.ratio > 32 }

  /// Whether rows are summed as they come instead of being kept: reducing by
  /// much would keep many rows, and their number grows with the source.
  var sumsRows: Bool { vertical.ratio > 8 }
}

/// Where one axis reads.
struct AxisGeometry: Sendable {
  let source: Int
  let start: Double
  let length: Double
  let count: Int
  /// Source samples an output sample.
  let ratio: Double
  /// The plan's filter; the box, which changes nothing, on an axis that keeps
  /// its size: there mitchell would blur.
  let filter: Filter
  /// First sample that a tap may touch, rounded down to whole groups.
  let origin: Int
  /// Samples from `origin` on that taps may touch.
  let used: Int

  init(source: Int, start: Double, length: Double, count: Int, filter: Filter, group: Int) {
    self.source = source
    self.start = start
    self.length = length
    self.count = count
    ratio = length / Double(count)
    let filter = ratio == 1 && start == start.rounded() ? .box : filter
    self.filter = filter
    let reach = filter.support * max(1, ratio) + 1
    let low = max(0, start + 0.5 * ratio - reach)
    let high = min(Double(source), start + length - 0.5 * ratio + reach)
    origin = min(Int(low), source - 1) / group * group
    used = min(source, max(Int(high.rounded(.up)), origin + 1)) - origin
  }
}

// MARK: Memory

extension ResizePlan {
  /// Samples from one plane of a resampled row to the next: kernels write three
  /// outputs too far, and read sixteen at a time.
  var plane: Int {
    let width = outputSize.width
    return width > .max - 18 ? width : (width + 18) / 16 * 16
  }

  /// Samples of a resampled row.
  var resampledSamples: Int { saturatingProduct(plane, channels) }

  /// Columns that are in linear light at one time: what stays in the nearest
  /// cache, and on top of that all that one output touches, where sums are not
  /// kept for parts of it.
  var blockColumns: Int {
    let cached = 1024 / channels / 16 * 16
    let whole = saturatingSum(horizontal.used, 15) / 16 * 16
    if sumsColumns { return min(whole, cached) }
    let taps = AxisPlan.mostTaps(ratio: horizontal.ratio, filter: horizontal.filter)
    return min(whole, cached + (taps + keptColumns + 15) / 16 * 16)
  }

  /// Columns in front of an output's first tap that a later one may need:
  /// where enlarging, taps that are exactly 0 are dropped from some.
  var keptColumns: Int { horizontal.ratio > 1 ? 0 : 8 }

  /// Row pairs that are kept when rows are not summed as they come.
  var ringPairs: Int {
    AxisPlan.mostTaps(ratio: vertical.ratio, filter: vertical.filter) / 2 + KernelTable.rows / 2
  }

  /// Row pairs that there is room for.
  var roomPairs: Int { sumsRows ? KernelTable.rows / 2 : ringPairs }

  /// Outputs that can be open at one time where sums are kept: those that one
  /// sample belongs to, those that begin within a batch or a block, one that
  /// was looked at.
  static func openOutputs(_ filter: Filter) -> Int { Int((2 * filter.support).rounded(.up)) + 5 }

  /// Every buffer of the resampler, by the formulas that it allocates with.
  package var parts: [MemoryPlan.Part] {
    unsafe [
      MemoryPlan.Part(
        "horizontal weights",
        AxisPlan.mostBytes(
          ratio: horizontal.ratio, count: outputSize.width, filter: horizontal.filter)),
      MemoryPlan.Part(
        "vertical weights",
        AxisPlan.mostBytes(
          ratio: vertical.ratio, count: sumsRows ? 0 : outputSize.height,
          filter: vertical.filter)),
      MemoryPlan.Part(
        "linear block", RowBuffer<Int16>.reservedBytes(count: blockSamples)),
      MemoryPlan.Part(
        "column sums", RowBuffer<Int64>.reservedBytes(count: columnSums)),
      MemoryPlan.Part(
        "resampled rows",
        RowBuffer<Int16>.reservedBytes(
          count: saturatingProduct(2, resampledSamples, roomPairs))),
      MemoryPlan.Part(
        "row list", RowBuffer<UnsafePointer<Int16>>.reservedBytes(count: 2 * roomPairs)),
      MemoryPlan.Part("row sums", RowBuffer<Int64>.reservedBytes(count: rowSums)),
      MemoryPlan.Part("finished row", RowBuffer<Int16>.reservedBytes(count: resampledSamples)),
      MemoryPlan.Part(
        "sRGB table", RowBuffer<UInt8>.reservedBytes(count: KernelTable.encodeEntries)),
    ]
  }

  var blockSamples: Int {
    saturatingProduct(blockColumns + KernelTable.blockSlack, channels, KernelTable.rows)
  }

  var columnSums: Int {
    sumsColumns ? Self.openOutputs(horizontal.filter) * channels * KernelTable.rows : 0
  }

  var rowSums: Int {
    sumsRows ? saturatingProduct(Self.openOutputs(vertical.filter), resampledSamples) : 0
  }
}
