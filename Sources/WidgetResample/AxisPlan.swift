import WidgetCore

/// The weights of one axis: which source samples make each output sample.
///
/// Output sample `i` is centred on `start + (i + 0.5) * length / count` in
/// coordinates where source sample `j` covers `j` to `j + 1`. Reducing
/// stretches the kernel by the reduction factor; enlarging uses it as it is.
/// Taps outside the source are dropped and the rest renormalised.
///
/// Source samples go in pairs, counted from the geometry's origin. Weights are
/// whole numbers scaled by 2^`scale`, rounded so that the weights of each
/// output add up to exactly 2^`scale`.
struct AxisPlan: Sendable {
  /// For each output: the first pair.
  private(set) var first: [UInt32] = []
  /// For each output: how many pairs.
  private(set) var pairs: [UInt32] = []
  /// For each output: where its weights, two a pair, begin.
  private(set) var offset: [UInt32] = []
  private(set) var weights: [Int16] = []
  /// Weights are scaled by 2^`scale`.
  private(set) var scale: Int

  /// How sums are kept: what bounds the size of weights.
  enum Sums: Sendable {
    /// 32 bits for all of an output: the magnitudes of its weights add up to
    /// at most 65535. Precise enough up to a reduction of 32.
    case narrow
    /// 32 bits for 32 samples, then carried into 64: a weight is at most 2047.
    case carried
  }

  /// - Parameter count: outputs that are wanted; 0 makes an empty plan.
  init(_ geometry: AxisGeometry, count: Int, sums: Sums) {
    scale = 0
    guard count > 0 else { return }
    let most = Self.mostTaps(ratio: geometry.ratio, filter: geometry.filter)
    first = [UInt32](repeating: 0, count: count)
    pairs = first
    offset = first
    weights = [Int16](repeating: 0, count: count * most)
    // One output's weights before they are rounded.
    let exact = UnsafeMutablePointer<Double>.allocate(capacity: most)
    defer { unsafe exact.deallocate() }
    scale = unsafe geometry.likelyScale(sums, exact)
    var index = 0
    while index < count {
      let taps = unsafe geometry.taps(of: index, list: exact)
      if unsafe put(taps, exact, at: index, most: most, origin: geometry.origin, sums: sums) {
        index += 1
      } else {
        scale -= 1
        index = 0
      }
    }
  }

  /// Writes one output's row of the tables.
  ///
  /// - Returns: false where a weight or a sum of them is too large at this scale.
  private mutating func put(
    _ taps: Taps, _ exact: UnsafePointer<Double>, at index: Int, most: Int, origin: Int, sums: Sums
  ) -> Bool {
    let begin = taps.first & ~1
    let lead = taps.first - begin
    first[index] = UInt32((begin - origin) / 2)
    pairs[index] = UInt32((lead + taps.count + 1) / 2)
    offset[index] = UInt32(index * most)
    var rounding = WeightRounding(scale: scale)
    var (total, largest) = (0, 0)
    unsafe weights.withUnsafeMutableBufferPointer { weights in
      let row = unsafe UnsafeMutableBufferPointer(
        rebasing: weights[(index * most)..<((index + 1) * most)])
      unsafe row.update(repeating: 0)
      for tap in 0..<taps.count {
        let weight = unsafe rounding.whole(exact[tap])
        let magnitude = Int(weight.magnitude)
        total += magnitude
        largest = max(largest, magnitude)
        unsafe row[lead + tap] = weight
      }
    }
    switch sums {
    case .narrow: return total <= 65_535 && largest < 32_767
    case .carried: return largest <= 2047
    }
  }

  /// Output samples.
  var count: Int { first.count }

  /// One past the last pair that an output touches.
  func endPair(of output: Int) -> Int { Int(first[output]) + Int(pairs[output]) }

  /// The most weights that an output can have, whole pairs.
  static func mostTaps(ratio: Double, filter: Filter) -> Int {
    // At most this many samples lie within the support; one more on each side is
    // looked at, and one stands in front of them. Saturates long before an Int
    // overflows.
    let samples = min(2 * filter.support * max(1, ratio), 1e15).rounded(.up)
    return (Int(samples) + 5) / 2 * 2
  }

  /// Bytes that the tables take at most; what a plan counts for them.
  static func mostBytes(ratio: Double, count: Int, filter: Filter) -> Int {
    // Three tables of 4 bytes an output, weights of 2 bytes, one output's before
    // they are rounded, and what the arrays' heads and the allocator's rounding take.
    guard count > 0 else { return 256 }
    let taps = min(mostTaps(ratio: ratio, filter: filter), .max / 32)
    return saturatingSum(saturatingProduct(count, 12 + 2 * taps), 8 * taps + 256)
  }
}

extension AxisGeometry {
  /// The weights of output `index`.
  func taps(of index: Int, list: UnsafeMutablePointer<Double>? = nil) -> Taps {
    unsafe Taps(
      centre: start + (Double(index) + 0.5) * ratio, ratio: ratio, source: source, filter: filter,
      list: list)
  }

  /// The widest scale that the outputs at both ends and in the middle allow.
  /// Others hardly differ; where one does, the tables are made again.
  fileprivate func likelyScale(
    _ sums: AxisPlan.Sums, _ exact: UnsafeMutablePointer<Double>
  ) -> Int {
    var (largest, total) = (0.0, 0.0)
    for index in [0, min(1, count - 1), count / 2, count - 1] {
      let taps = unsafe taps(of: index, list: exact)
      var sum = 0.0
      for tap in 0..<taps.count {
        let weight = unsafe exact[tap].magnitude
        largest = max(largest, weight)
        sum += weight
      }
      total = max(total, sum)
    }
    var scale = 24
    while scale > 0 {
      let one = Double(1 << scale)
      switch sums {
      case .narrow: if largest * one < 32_766, total * one < 65_500 { return scale }
      case .carried: if largest * one < 2047 { return scale }
      }
      scale -= 1
    }
    return scale
  }
}
