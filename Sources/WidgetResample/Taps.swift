/// Which source samples make one output sample, and how much each counts.
///
/// The weights themselves are computed when asked for, a run at a time: a list
/// of all of them would grow with the source.
struct Taps {
  private let centre: Double
  private let stretch: Double
  private let filter: Filter
  /// 1 over the sum of all weights; 0 where the nearest sample stands in.
  private let factor: Double
  /// The first and the last source sample that counts.
  let first: Int
  let last: Int

  /// Samples whose weights are computed at a time.
  private static let run = 64

  /// - Parameters:
  ///   - centre: of the output sample, where sample `j` covers `j` to `j + 1`.
  ///   - ratio: source samples an output sample; the kernel is stretched by it
  ///     where it is more than 1.
  ///   - source: samples there are; taps outside are dropped.
  ///   - list: receives the weights of `first` to `last` where it is given.
  ///     There must be room for `AxisPlan.mostTaps` of them.
  init(
    centre: Double, ratio: Double, source: Int, filter: Filter,
    list: UnsafeMutablePointer<Double>? = nil
  ) {
    self.centre = centre
    self.filter = filter
    let stretch = max(1, ratio)
    self.stretch = stretch
    let support = filter.support * stretch
    let low = max(0, Int((centre - support - 0.5).rounded(.down)))
    let high = min(source - 1, Int((centre + support - 0.5).rounded(.up)))
    // The first and the last that are not 0, and the sum of all.
    var (start, end, sum) = (high + 1, low - 1, 0.0)
    func add(_ values: UnsafeMutablePointer<Double>, from: Int, count: Int) {
      unsafe filter.weights(
        from: from, count: count, centre: centre, stretch: stretch, into: values)
      for index in 0..<count where unsafe values[index] != 0 {
        unsafe sum += values[index]
        start = min(start, from + index)
        end = from + index
      }
    }
    if let list = unsafe list {
      unsafe add(list, from: low, count: high + 1 - low)
    } else {
      unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.run) { run in
        guard let run = run.baseAddress else { return }
        for from in stride(from: low, through: high, by: Self.run) {
          unsafe add(run, from: from, count: min(Self.run, high + 1 - from))
        }
      }
    }
    if start > end || sum.magnitude < 1e-9 {
      // Never an empty list: the nearest sample stands in.
      first = min(max(0, Int(centre.rounded(.down))), source - 1)
      last = first
      factor = 0
      unsafe list?.pointee = 1
    } else {
      first = start
      last = end
      factor = 1 / sum
      if let list = unsafe list {
        for index in start...end { unsafe list[index - start] = list[index - low] * factor }
      }
    }
  }

  var count: Int { last - first + 1 }

  /// The weights of `count` samples from `start` on, all within `first` and
  /// `last`; those of all make 1.
  func weights(from start: Int, count: Int, into list: UnsafeMutablePointer<Double>) {
    guard factor != 0 else {
      unsafe list[0] = 1
      return
    }
    unsafe filter.weights(from: start, count: count, centre: centre, stretch: stretch, into: list)
    for index in 0..<count { unsafe list[index] *= factor }
  }
}

/// Rounds the weights of one output, first to last, so that they add up to
/// exactly 2^scale: what one is rounded by is carried to the next.
///
/// In whole numbers of 2^-30: the chain from one weight to the next is short
/// then, and the sum stays exact over a thousand million of them.
struct WeightRounding {
  private let one: Double
  private var error = 0

  init(scale: Int) {
    one = Double(1 << scale) * Double(1 << 30)
  }

  @inline(__always)
  mutating func whole(_ weight: Double) -> Int16 {
    let exact = Int(weight * one) + error
    let whole = (exact + (1 << 29)) >> 30
    error = exact - (whole << 30)
    return Int16(clamping: whole)
  }
}
