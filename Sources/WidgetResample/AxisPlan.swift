import WidgetCore

/// The weights of one axis: which source samples make each output sample.
///
/// Output sample `i` is centred on `start + (i + 0.5) * length / count` in
/// coordinates where source sample `j` covers `j` to `j + 1`. Reducing
/// stretches the kernel by the reduction factor; enlarging uses it as it is.
/// Taps outside the source are dropped and the rest renormalised.
///
/// Weights are whole numbers scaled by 2^`scale`, rounded so that the weights of
/// each output add up to exactly 2^`scale`: the rounding error of one tap is
/// carried to the next.
package struct AxisPlan: Sendable {
  /// For each output: the first source sample, a multiple of `alignment`.
  package private(set) var first: [UInt32] = []
  /// For each output: groups of `unit` weights.
  package private(set) var groups: [UInt32] = []
  /// For each output: where its weights begin.
  package private(set) var offset: [UInt32] = []
  package private(set) var weights: [Int16] = []
  /// Weights are scaled by 2^`scale`.
  package private(set) var scale = 0
  /// Groups after which 32-bit sums are carried into 64 bits; 0 never.
  package private(set) var carry = 0
  /// Weights to a group.
  package let unit: Int

  /// How sums are kept: what bounds the size of weights.
  package enum Sums: Sendable {
    /// 32 bits for all of an output: precise enough up to a reduction of 32.
    case narrow
    /// 32 bits for this many groups, then carried into 64.
    case carried(groups: Int)
  }

  /// - Parameters:
  ///   - source: samples in the source, at least 1.
  ///   - start, length: the part that is kept, inside the source.
  ///   - count: output samples, at least 1.
  ///   - unit: weights to a group; the last group of an output may stand over
  ///     the source's end, with zero weights.
  ///   - alignment: 1 or 2: what `first` is a multiple of.
  ///   - origin: the source sample that counts as 0 in `first`, a multiple of
  ///     `alignment` and no later than any tap.
  package init(
    source: Int, start: Double, length: Double, count: Int, filter: Filter, unit: Int,
    alignment: Int, origin: Int, sums: Sums
  ) {
    self.unit = unit
    let ratio = length / Double(count)
    func taps(of index: Int) -> Taps {
      Taps(
        centre: start + (Double(index) + 0.5) * ratio, ratio: ratio, source: source,
        filter: filter)
    }
    // The widest scale that every output allows; weights are rounded after.
    var block = Int.max
    if case .carried(let groups) = sums {
      carry = groups
      block = groups * unit
    }
    var widest = 24
    for index in 0..<count {
      widest = min(
        widest, taps(of: index).widestScale(block: block, alignment: alignment))
    }
    scale = widest
    first.reserveCapacity(count)
    groups.reserveCapacity(count)
    offset.reserveCapacity(count)
    weights.reserveCapacity(
      count * Self.mostTaps(ratio: ratio, filter: filter, unit: unit, alignment: alignment))
    for index in 0..<count {
      append(taps(of: index), alignment: alignment, origin: origin)
    }
  }

  private mutating func append(_ taps: Taps, alignment: Int, origin: Int) {
    let begin = taps.first / alignment * alignment
    let lead = taps.first - begin
    let count = (lead + taps.count + unit - 1) / unit
    first.append(UInt32(begin - origin))
    groups.append(UInt32(count))
    offset.append(UInt32(weights.count))
    for _ in 0..<lead { weights.append(0) }
    var rounding = WeightRounding(scale: scale)
    for sample in taps.first...taps.last { weights.append(rounding.whole(taps[sample])) }
    for _ in 0..<(count * unit - lead - taps.count) { weights.append(0) }
  }

  /// Output samples.
  package var count: Int { first.count }

  /// One past the last source sample that an output touches, padding included.
  package func end(of output: Int) -> Int { Int(first[output]) + Int(groups[output]) * unit }

  /// The most weights that an output can have, whole groups.
  static func mostTaps(ratio: Double, filter: Filter, unit: Int, alignment: Int) -> Int {
    // At most this many samples lie within the support, and `alignment - 1`
    // more stand in front of them. Saturates long before an Int overflows.
    let samples = min(2 * filter.support * max(1, ratio), 1e15).rounded(.up)
    return (Int(samples) + 1 + alignment - 1 + unit - 1) / unit * unit
  }

  /// Bytes that the tables take at most; what a plan counts for them.
  static func mostBytes(
    ratio: Double, count: Int, filter: Filter, unit: Int, alignment: Int
  ) -> Int {
    let taps = mostTaps(ratio: ratio, filter: filter, unit: unit, alignment: alignment)
    // Three tables of 4 bytes an output, weights of 2 bytes, and what the
    // arrays' heads and the allocator's rounding take.
    return saturatingSum(saturatingProduct(count, 12 + 2 * min(taps, .max / 4)), 256)
  }
}
