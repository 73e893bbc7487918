/// The exact weights of one output sample, computed when asked for: a list of
/// them would grow with the source.
struct Taps {
  private let centre: Double
  private let stretch: Double
  private let filter: Filter
  private let factor: Double
  /// The first and the last source sample that counts.
  let first: Int
  let last: Int

  /// - Parameters:
  ///   - centre: of the output sample, where sample `j` covers `j` to `j + 1`.
  ///   - ratio: source samples an output sample; the kernel is stretched by it
  ///     where it is more than 1.
  ///   - source: samples there are; taps outside are dropped.
  init(centre: Double, ratio: Double, source: Int, filter: Filter) {
    self.centre = centre
    self.filter = filter
    stretch = max(1, ratio)
    let support = filter.support * stretch
    var low = max(0, Int((centre - support - 0.5).rounded(.down)))
    var high = min(source - 1, Int((centre + support - 0.5).rounded(.up)))
    var sum = 0.0
    func weight(_ sample: Int) -> Double {
      filter.weight((Double(sample) + 0.5 - centre) / max(1, ratio))
    }
    while low <= high, weight(low) == 0 { low += 1 }
    while high > low, weight(high) == 0 { high -= 1 }
    if low <= high {
      for sample in low...high { sum += weight(sample) }
    }
    if low > high || sum.magnitude < 1e-9 {
      // Never an empty list: the nearest sample stands in.
      first = min(max(0, Int(centre.rounded(.down))), source - 1)
      last = first
      factor = 0
    } else {
      first = low
      last = high
      factor = 1 / sum
    }
  }

  var count: Int { last - first + 1 }

  /// The weight of `sample`, `first` to `last`; all of them make 1.
  subscript(_ sample: Int) -> Double {
    factor == 0 ? 1 : filter.weight((Double(sample) + 0.5 - centre) / stretch) * factor
  }

  /// The largest scale at which no weight passes 16 bits and, within `block`
  /// taps, no sum of 15-bit samples passes 32, one unit a tap left for rounding.
  func widestScale(block: Int, alignment: Int) -> Int {
    var largest = 0.0
    var heaviest = 0.0
    var running = 0.0
    var inBlock = first % alignment
    for sample in first...last {
      let weight = self[sample].magnitude
      if inBlock == block { (running, inBlock) = (0, 0) }
      inBlock += 1
      running += weight
      largest = max(largest, weight)
      heaviest = max(heaviest, running)
    }
    let taps = Double(min(block, count))
    var scale = 24
    while scale > 0 {
      let one = Double(1 << scale)
      if largest * one + 1 <= 32767, heaviest * one + taps <= 65535 { break }
      scale -= 1
    }
    return scale
  }
}

/// Rounds the weights of one output, first to last, so that they add up to
/// exactly 2^scale: what one is rounded by is carried to the next.
struct WeightRounding {
  private let one: Double
  private var error = 0.0

  init(scale: Int) {
    one = Double(1 << scale)
  }

  mutating func whole(_ weight: Double) -> Int16 {
    let exact = weight * one + error
    let whole = exact.rounded()
    error = exact - whole
    return Int16(clamping: Int(whole))
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
