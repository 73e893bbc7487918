/// The vertical axis where rows are summed as they come: nothing of it is kept
/// but what the open output rows need, so that memory does not grow with the
/// source's height.
///
/// Rows come in pairs; pair `p` is rows `origin + 2p` and `origin + 2p + 1`.
struct RollingAxis {
  /// An output row that has begun.
  private struct Open {
    var taps: Taps
    var rounding: WeightRounding
    var firstPair: Int
    var lastPair: Int
  }

  private let geometry: AxisGeometry
  private let filter: Filter
  /// Weights are scaled by 2^`scale`.
  let scale: Int
  /// The output rows from `done` on that were looked at, in order.
  private var open: [Open] = []
  /// The row after those, which begins with a later pair: looking at a row costs
  /// as much as all its taps.
  private var waiting: Open?
  /// Output rows that were taken.
  private var done = 0

  /// - Parameter mostOpen: output rows that can be open at one time.
  init(_ geometry: AxisGeometry, filter: Filter, mostOpen: Int) {
    self.geometry = geometry
    self.filter = filter
    // At the picture's edge, where taps are dropped, a weight is at most about
    // 2.2 times 1 / ratio; it must stay under 2^15.
    var scale = 24
    while scale > 8, Double(1 << scale) * 2.2 > 32_766 * geometry.ratio { scale -= 1 }
    self.scale = scale
    open.reserveCapacity(mostOpen + 1)
  }

  private func opened(_ output: Int) -> Open {
    let taps = Taps(
      centre: geometry.start + (Double(output) + 0.5) * geometry.ratio, ratio: geometry.ratio,
      source: geometry.source, filter: filter)
    return Open(
      taps: taps, rounding: WeightRounding(scale: scale),
      firstPair: (taps.first - geometry.origin) / 2, lastPair: (taps.last - geometry.origin) / 2)
  }

  /// The output row after the open ones.
  private mutating func takeWaiting() -> Open {
    let next = waiting ?? opened(done + open.count)
    waiting = nil
    return next
  }

  /// The row pair after which output row `done` is complete.
  mutating func lastPairOfNext() -> Int {
    if open.isEmpty { open.append(takeWaiting()) }
    return open[0].lastPair
  }

  /// Calls `body` for each output row that pair `pair` belongs to, with its two
  /// weights. Pairs must come in order, each once.
  mutating func add(pair: Int, _ body: (_ output: Int, _ weights: (Int16, Int16)) -> Void) {
    while done + open.count < geometry.count {
      let next = takeWaiting()
      if next.firstPair > pair {
        waiting = next
        break
      }
      open.append(next)
    }
    let row = geometry.origin + 2 * pair
    for index in open.indices
    where open[index].firstPair <= pair && pair <= open[index].lastPair {
      body(done + index, (weight(index, row), weight(index, row + 1)))
    }
  }

  private mutating func weight(_ index: Int, _ row: Int) -> Int16 {
    let taps = open[index].taps
    guard row >= taps.first, row <= taps.last else { return 0 }
    return open[index].rounding.whole(taps[row])
  }

  /// Takes output row `done`.
  mutating func takeNext() {
    if !open.isEmpty { open.removeFirst() }
    done += 1
  }
}
