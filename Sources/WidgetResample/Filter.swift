/// A resampling kernel, in units of the output sample when reducing and of the
/// source sample when enlarging.
package enum Filter: String, Hashable, Sendable, CaseIterable {
  case lanczos3
  case lanczos2
  case catmullRom = "catmull-rom"
  case mitchell
  case triangle
  case box

  /// The kernel is zero at this distance and beyond.
  package var support: Double {
    switch self {
    case .lanczos3: 3
    case .lanczos2, .catmullRom, .mitchell: 2
    case .triangle: 1
    case .box: 0.5
    }
  }

  /// The kernel at the distances of a run of source samples from `centre`, in
  /// units of `stretch` samples. Not normalised.
  ///
  /// Made of exactly rounded operations only, so that weights are the same on
  /// every machine, which a system's `sin` need not be.
  ///
  /// Lanczos: sinc(x) sinc(x / lobes). Cubics: Mitchell and Netravali,
  /// "Reconstruction Filters in Computer Graphics", 1988. The box is half
  /// open, so that a sample on the edge counts once.
  func weights(
    from first: Int, count: Int, centre: Double, stretch: Double,
    into list: UnsafeMutablePointer<Double>
  ) {
    let scale = 1 / stretch
    // One loop a filter, so that nothing is asked for each sample.
    func fill(_ weight: (Double) -> Double) {
      for index in 0..<count {
        unsafe list[index] = weight((Double(first + index) + 0.5 - centre) * scale)
      }
    }
    switch self {
    case .lanczos3: fill(Self.lanczos3)
    case .lanczos2: fill(Self.lanczos2)
    case .catmullRom: fill { Self.cubic($0.magnitude, b: 0, c: 0.5) }
    case .mitchell: fill { Self.cubic($0.magnitude, b: 1.0 / 3, c: 1.0 / 3) }
    case .triangle: fill { max(0, 1 - $0.magnitude) }
    case .box: fill { $0 >= -0.5 && $0 < 0.5 ? 1 : 0 }
    }
  }

  // With t = pi x / lobes, the product of sines is one of sin t alone:
  // sin 3t = 3 sin t - 4 sin^3 t, and sin 2t = 2 sin t cos t.

  @inline(__always)
  private static func lanczos3(_ x: Double) -> Double {
    let angle = clamped(x.magnitude * (.pi / 3))
    let sine = quarterSine(min(angle, .pi - angle))
    let square = sine * sine
    return square * (1 - 4.0 / 3 * square) / (angle * angle)
  }

  @inline(__always)
  private static func lanczos2(_ x: Double) -> Double {
    let angle = clamped(x.magnitude * (.pi / 2))
    let sine = quarterSine(min(angle, .pi - angle))
    return sine * sine * quarterSine(.pi / 2 - angle) / (angle * angle)
  }

  /// 0 to pi; a little more than 0, so that 0 / 0 never comes.
  @inline(__always)
  private static func clamped(_ angle: Double) -> Double { min(max(angle, 1e-9), .pi) }

  /// Taylor's series of the sine; what is left out is under 1e-11 within a
  /// quarter turn, a thousandth of the finest weight's step.
  @inline(__always)
  private static func quarterSine(_ angle: Double) -> Double {
    let x = angle * angle
    var sum = -1 / 1_307_674_368_000.0
    sum = sum * x + 1 / 6_227_020_800.0
    sum = sum * x - 1 / 39_916_800.0
    sum = sum * x + 1 / 362_880.0
    sum = sum * x - 1 / 5040.0
    sum = sum * x + 1 / 120.0
    sum = sum * x - 1 / 6.0
    return (sum * x + 1) * angle
  }

  @inline(__always)
  private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
    if x < 1 {
      return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6
    }
    if x < 2 {
      return
        ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x
        + (8 * b + 24 * c)) / 6
    }
    return 0
  }
}
