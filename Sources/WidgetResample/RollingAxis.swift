/// The vertical axis where rows are summed as they come: nothing of it is kept
/// but what the open output rows need, so that memory does not grow with the
/// source's height.
///
/// Rows are counted from the geometry's origin.
struct RollingAxis {
  /// An output row that has begun.
  private struct Open {
    var taps: Taps
    var rounding: WeightRounding
  }

  private let geometry: AxisGeometry
  /// Weights are scaled by 2^`scale`.
  let scale: Int
  /// A ring of `mostOpen` rows: output `i` is at `i` modulo its length.
  private var ring: [Open]
  /// The first output row that was not taken, and the first that was not looked at.
  private(set) var done = 0
  private(set) var opened = 0

  /// - Parameters:
  ///   - mostOpen: output rows that can be open at one time.
  ///   - count: output rows; 0 makes an axis that is never used.
  init(_ geometry: AxisGeometry, count: Int, mostOpen: Int) {
    self.geometry = geometry
    // Eight weights in turn add up to at most 65535. At the picture's edge,
    // where taps are dropped, a weight is at most 2.2 times 1 / ratio.
    var scale = 24
    while scale > 8, Double(1 << scale) * 2.2 > 8190 * geometry.ratio { scale -= 1 }
    self.scale = scale
    ring = []
    guard count > 0 else { return }
    let first = unsafe Open(taps: geometry.taps(of: 0), rounding: WeightRounding(scale: scale))
    ring = [Open](repeating: first, count: mostOpen)
    opened = 1
  }

  /// One past the last row of output `done`, which must not be the end.
  var endOfNext: Int { ring[done % ring.count].taps.last - geometry.origin + 1 }

  /// Opens every output row that begins before row `end`. At least one is open
  /// until all are taken.
  mutating func open(upTo end: Int) {
    while opened < geometry.count, opened - done < ring.count,
      ring[(opened - 1) % ring.count].taps.first - geometry.origin < end
    {
      openNext()
    }
  }

  private mutating func openNext() {
    ring[opened % ring.count] = unsafe Open(
      taps: geometry.taps(of: opened), rounding: WeightRounding(scale: scale))
    opened += 1
  }

  /// The weights of rows `first` on for an open output row. Rows must come in
  /// order, each once for every output.
  ///
  /// - Returns: false where all are 0.
  mutating func weights(
    of output: Int, from first: Int, into weights: UnsafeMutableBufferPointer<Int16>
  ) -> Bool {
    let slot = output % ring.count
    let (low, high) = (
      ring[slot].taps.first - geometry.origin, ring[slot].taps.last - geometry.origin
    )
    guard low < first + weights.count, high >= first else { return false }
    unsafe weights.update(repeating: 0)
    let (start, end) = (max(low, first), min(high + 1, first + weights.count))
    unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: weights.count) { exact in
      guard let list = exact.baseAddress else { return }
      unsafe ring[slot].taps.weights(
        from: start + geometry.origin, count: end - start, into: list)
      for row in start..<end {
        unsafe weights[row - first] = ring[slot].rounding.whole(list[row - start])
      }
    }
    return true
  }

  /// Takes output row `done`.
  mutating func takeNext() {
    done += 1
    if done == opened, opened < geometry.count { openNext() }
  }
}
