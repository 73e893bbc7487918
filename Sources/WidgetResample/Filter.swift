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

  /// The kernel at distance `x`. Not normalised.
  ///
  /// Lanczos: sinc(x) sinc(x / lobes). Cubics: Mitchell and Netravali,
  /// "Reconstruction Filters in Computer Graphics", 1988. The box is half
  /// open, so that a sample on the edge counts once.
  package func weight(_ x: Double) -> Double {
    switch self {
    case .lanczos3: lanczos(x, lobes: 3)
    case .lanczos2: lanczos(x, lobes: 2)
    case .catmullRom: cubic(x.magnitude, b: 0, c: 0.5)
    case .mitchell: cubic(x.magnitude, b: 1.0 / 3, c: 1.0 / 3)
    case .triangle: max(0, 1 - x.magnitude)
    case .box: x >= -0.5 && x < 0.5 ? 1 : 0
    }
  }

  private func lanczos(_ x: Double, lobes: Double) -> Double {
    let distance = x.magnitude
    if distance >= lobes { return 0 }
    if distance < 1e-9 { return 1 }
    let angle = Double.pi * distance
    return lobes * sine(angle) * sine(angle / lobes) / (angle * angle)
  }

  private func cubic(_ x: Double, b: Double, c: Double) -> Double {
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
