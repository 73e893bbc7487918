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
      count: outputSize.width, filter: filter)
    vertical = AxisGeometry(
      source: sourceSize.height, start: sourceRect.y, length: sourceRect.height,
      count: outputSize.height, filter: filter)
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

  /// Channels that the kernels work on: 1 or 4.
  var lanes: Int { layout.channels == .grey ? 1 : 4 }

  /// Pixels to a group of horizontal weights.
  var unit: Int { lanes == 1 ? 16 : 4 }

  /// Source rows that are reduced horizontally at once. Very wide pictures
  /// take two, since four of their rows would weigh too much.
  var batch: Int { horizontal.used <= 65_536 ? 4 : 2 }

  /// Whether rows are summed as they come instead of being kept: reducing by
  /// much would keep many rows, and their number grows with the source.
  var accumulates: Bool { vertical.ratio > 8 }
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
  /// First sample that a tap may touch, even.
  let origin: Int
  /// Samples from `origin` on that taps may touch.
  let used: Int

  init(source: Int, start: Double, length: Double, count: Int, filter: Filter) {
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
    origin = min(Int(low), source - 1) & ~1
    used = min(source, max(Int(high.rounded(.up)), origin + 1)) - origin
  }
}

// MARK: Memory

extension ResizePlan {
  /// Samples of a row between the passes; the vertical kernels take sixteen
  /// at a time.
  var resampledSamples: Int {
    let samples = saturatingProduct(outputSize.width, lanes)
    return samples > .max - 16 ? samples : (samples + 15) / 16 * 16
  }

  /// Samples of one linear row with the zeros behind it.
  var linearSamples: Int {
    saturatingProduct(horizontal.used / unit + 3, unit, lanes)
  }

  /// Row pairs that are kept when rows are not summed as they come.
  var ringPairs: Int {
    AxisPlan.mostTaps(ratio: vertical.ratio, filter: vertical.filter, unit: 2, alignment: 2) / 2
      + batch / 2
  }

  /// Output rows that one source row can belong to when rows are summed.
  var openRows: Int { Int((2 * vertical.filter.support).rounded(.up)) + 2 }

  /// Every buffer of the resampler, by the formulas that it allocates with.
  package var parts: [MemoryPlan.Part] {
    [
      MemoryPlan.Part(
        "horizontal weights",
        AxisPlan.mostBytes(
          ratio: horizontal.ratio, count: outputSize.width, filter: horizontal.filter, unit: unit,
          alignment: lanes == 1 ? 1 : 2)),
      MemoryPlan.Part(
        "vertical weights",
        AxisPlan.mostBytes(
          ratio: vertical.ratio, count: accumulates ? 0 : outputSize.height,
          filter: vertical.filter,
          unit: 2, alignment: 2)),
      MemoryPlan.Part(
        "linear rows",
        RowBuffer<Int16>.reservedBytes(count: saturatingProduct(batch, linearSamples))),
      MemoryPlan.Part(
        "resampled rows",
        RowBuffer<Int16>.reservedBytes(
          count: saturatingProduct(
            2, resampledSamples, accumulates ? batch / 2 : ringPairs))),
      MemoryPlan.Part("finished row", RowBuffer<Int16>.reservedBytes(count: resampledSamples)),
      MemoryPlan.Part(
        "sRGB table", RowBuffer<UInt8>.reservedBytes(count: KernelTable.encodeEntries)),
      MemoryPlan.Part(
        "open rows",
        RowBuffer<Int64>.reservedBytes(
          count: accumulates ? saturatingProduct(openRows, resampledSamples) : 0)),
    ]
  }
}
