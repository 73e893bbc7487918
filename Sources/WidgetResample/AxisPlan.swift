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
    /// 64 bits for every group.
    case wide
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
    let stretch = max(1, ratio)
    var taps = TapList()
    // The widest scale that every output allows; weights are rounded after.
    var widest = 30
    for index in 0..<count {
      taps.fill(
        centre: start + (Double(index) + 0.5) * ratio, stretch: stretch, source: source,
        filter: filter)
      widest = min(
        widest, taps.widestScale(unit: unit, alignment: alignment, sums: sums))
    }
    scale = widest
    if case .carried(let groups) = sums { carry = groups }
    first.reserveCapacity(count)
    groups.reserveCapacity(count)
    offset.reserveCapacity(count)
    weights.reserveCapacity(
      count * Self.mostTaps(ratio: ratio, filter: filter, unit: unit, alignment: alignment))
    for index in 0..<count {
      taps.fill(
        centre: start + (Double(index) + 0.5) * ratio, stretch: stretch, source: source,
        filter: filter)
      append(taps, alignment: alignment, origin: origin)
    }
  }

  private mutating func append(_ taps: TapList, alignment: Int, origin: Int) {
    let begin = taps.first / alignment * alignment
    let lead = taps.first - begin
    let count = (lead + taps.weights.count + unit - 1) / unit
    first.append(UInt32(begin - origin))
    groups.append(UInt32(count))
    offset.append(UInt32(weights.count))
    for _ in 0..<lead { weights.append(0) }
    var error = 0.0
    let one = Double(1 << scale)
    for weight in taps.weights {
      let exact = weight * one + error
      let whole = exact.rounded()
      error = exact - whole
      weights.append(Int16(whole))
    }
    for _ in 0..<(count * unit - lead - taps.weights.count) { weights.append(0) }
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

/// The exact weights of one output sample.
private struct TapList {
  var first = 0
  var weights: [Double] = []

  mutating func fill(centre: Double, stretch: Double, source: Int, filter: Filter) {
    weights.removeAll(keepingCapacity: true)
    let support = filter.support * stretch
    let low = max(0, Int((centre - support - 0.5).rounded(.down)))
    let high = min(source - 1, Int((centre + support - 0.5).rounded(.up)))
    first = low
    var sum = 0.0
    if low <= high {
      for sample in low...high {
        let weight = filter.weight((Double(sample) + 0.5 - centre) / stretch)
        if weights.isEmpty, weight == 0 {
          first = sample + 1
          continue
        }
        weights.append(weight)
        sum += weight
      }
    }
    while weights.last == 0 { weights.removeLast() }
    guard !weights.isEmpty, sum.magnitude > 1e-9 else {
      // Never an empty list: the nearest sample stands in.
      first = min(max(0, Int(centre.rounded(.down))), source - 1)
      weights = [1]
      return
    }
    for index in weights.indices { weights[index] /= sum }
  }

  /// The largest scale at which no weight passes 16 bits and no sum of 15-bit
  /// samples passes 32, one unit a tap left for rounding.
  func widestScale(unit: Int, alignment: Int, sums: AxisPlan.Sums) -> Int {
    let block: Int
    switch sums {
    case .narrow: block = .max
    case .carried(let groups): block = groups * unit
    case .wide: block = unit
    }
    var largest = 0.0
    var heaviest = 0.0
    var running = 0.0
    let lead = first % alignment
    for (index, weight) in weights.enumerated() {
      largest = max(largest, weight.magnitude)
      if block != .max, (index + lead) % block == 0 { running = 0 }
      running += weight.magnitude
      heaviest = max(heaviest, running)
    }
    let tapsInBlock = Double(min(block, weights.count))
    var scale = 24
    while scale > 0 {
      let one = Double(1 << scale)
      if largest * one + 1 <= 32767, heaviest * one + tapsInBlock <= 65535 { break }
      scale -= 1
    }
    return scale
  }
}

/// The sine of `angle`, 0 to 10, by its series after folding into the first
/// quarter turn. Made of exactly rounded operations only, so that weights are
/// the same on every machine, which a system's `sin` need not be.
func sine(_ angle: Double) -> Double {
  let halfTurns = (angle / .pi).rounded(.toNearestOrEven)
  let rest = angle - halfTurns * .pi
  let square = rest * rest
  var term = rest
  var sum = rest
  for k in stride(from: 2.0, through: 22, by: 2) {
    term *= -square / (k * (k + 1))
    sum += term
  }
  return Int(halfTurns) % 2 == 0 ? sum : -sum
}
