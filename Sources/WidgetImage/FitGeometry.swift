package import WidgetCore

/// A rectangle with fractional edges in pixel coordinates: pixel `i` covers
/// `i` to `i + 1`.
package struct PixelRect: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// All of a picture.
  package init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }

  package var tuple: (x: Double, y: Double, width: Double, height: Double) {
    (x, y, width, height)
  }

  /// The same part of the picture after it was shrunk by `factor`.
  package func scaled(by factor: Double) -> PixelRect {
    PixelRect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
  }
}

/// Which part of the upright picture becomes which size.
///
/// Sizes are exact integer arithmetic: a side is
/// `max(1, round_half_up(side x factor))`, never 0.
package struct FitGeometry: Hashable, Sendable {
  /// The upright size that is written.
  package var outputSize: PixelSize
  /// The part of the upright source that is kept.
  package var sourceRect: PixelRect
  /// Whether the source is too small for the box and was not enlarged.
  package var isUndersized: Bool

  /// The longest side of a box, in pixels: more is a mistake, and up to here
  /// every product below fits an `Int`.
  package static let longestBoxSide = 1_000_000

  /// - Parameters:
  ///   - source: the upright size, sides 1 to 2^31.
  /// - Throws: `EngineError` with code `.badRequest`.
  package init(source: PixelSize, options: FitOptions) throws(EngineError) {
    try Self.validate(options)
    switch options.mode {
    case .contain:
      let factor = Self.containFactor(source, options)
      outputSize = Self.capped(factor.applied(to: source), shape: source, options)
      sourceRect = PixelRect(source)
      isUndersized = factor.wouldEnlarge
    case .cover:
      let box = options.box ?? source
      let factor = Self.coverFactor(source, box, options)
      outputSize = Self.capped(factor.applied(to: box), shape: box, options)
      sourceRect = Self.coverRect(source, outputSize, options.gravity)
      isUndersized = factor.wouldEnlarge
    case .stretch:
      let box = options.box ?? source
      let kept =
        options.allowsUpscaling
        ? box
        : PixelSize(
          width: min(box.width, source.width), height: min(box.height, source.height))
      outputSize = Self.capped(kept, shape: kept, options)
      sourceRect = PixelRect(source)
      isUndersized = kept != box
    }
  }

  private static func validate(_ options: FitOptions) throws(EngineError) {
    guard options.box != nil || options.maxDecodedBytes != nil else {
      throw EngineError(.badRequest, "neither a box nor a cap on decoded bytes is given")
    }
    if let box = options.box {
      for side in [box.width, box.height] where !(1...longestBoxSide).contains(side) {
        throw EngineError(
          .badRequest, "a box side of \(side) px is outside 1 to \(longestBoxSide)")
      }
    }
    if let cap = options.maxDecodedBytes, cap < 4 {
      throw EngineError(.badRequest, "not even one pixel fits \(cap) decoded bytes")
    }
  }
}

// MARK: Factors

extension FitGeometry {
  /// `numerator / denominator`, and whether a larger factor was held at 1.
  private struct Factor {
    var numerator = 1
    var denominator = 1
    var wouldEnlarge = false

    func applied(to size: PixelSize) -> PixelSize {
      PixelSize(
        width: roundedSide(size.width, numerator, denominator),
        height: roundedSide(size.height, numerator, denominator))
    }
  }

  /// `max(1, round_half_up(side x numerator / denominator))`.
  private static func roundedSide(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
    max(1, (2 * side * numerator + denominator) / (2 * denominator))
  }

  private static func containFactor(_ source: PixelSize, _ options: FitOptions) -> Factor {
    guard let box = options.box else { return Factor() }
    // The lesser of box.width / source.width and box.height / source.height.
    let byWidth = box.width * source.height <= box.height * source.width
    let factor =
      byWidth
      ? Factor(numerator: box.width, denominator: source.width)
      : Factor(numerator: box.height, denominator: source.height)
    if factor.numerator > factor.denominator, !options.allowsUpscaling {
      return Factor(wouldEnlarge: true)
    }
    return factor
  }

  /// The largest box of the wanted shape that the source covers.
  private static func coverFactor(
    _ source: PixelSize, _ box: PixelSize, _ options: FitOptions
  ) -> Factor {
    if options.allowsUpscaling || (box.width <= source.width && box.height <= source.height) {
      return Factor()
    }
    // The lesser of source.width / box.width and source.height / box.height.
    let byWidth = source.width * box.height <= source.height * box.width
    return byWidth
      ? Factor(numerator: source.width, denominator: box.width, wouldEnlarge: true)
      : Factor(numerator: source.height, denominator: box.height, wouldEnlarge: true)
  }

  /// The largest size of that shape whose decoded bytes keep the cap.
  private static func capped(
    _ size: PixelSize, shape: PixelSize, _ options: FitOptions
  ) -> PixelSize {
    guard let cap = options.maxDecodedBytes else { return size }
    func fits(_ size: PixelSize) -> Bool {
      saturatingProduct(size.width, size.height, 4) <= cap
    }
    if fits(size) { return size }
    let wide = shape.width >= shape.height
    let long = wide ? shape.width : shape.height
    let short = wide ? shape.height : shape.width
    func sized(_ side: Int) -> PixelSize {
      let other = roundedSide(short, side, long)
      return wide
        ? PixelSize(width: side, height: other) : PixelSize(width: other, height: side)
    }
    // Sizes grow with the long side, so the largest that fits is found by
    // bisection; a long side of 1 is one pixel and always fits.
    var fitting = 1
    var tooLarge = wide ? size.width : size.height
    while tooLarge - fitting > 1 {
      let middle = fitting + (tooLarge - fitting) / 2
      if fits(sized(middle)) { fitting = middle } else { tooLarge = middle }
    }
    return sized(fitting)
  }
}

// MARK: Crops

extension FitGeometry {
  private static func coverRect(
    _ source: PixelSize, _ output: PixelSize, _ gravity: Gravity
  ) -> PixelRect {
    let width = Double(source.width)
    let height = Double(source.height)
    let scale = max(Double(output.width) / width, Double(output.height) / height)
    let cropWidth = min(width, Double(output.width) / scale)
    let cropHeight = min(height, Double(output.height) / scale)
    return PixelRect(
      x: (width - cropWidth) * gravity.horizontal, y: (height - cropHeight) * gravity.vertical,
      width: cropWidth, height: cropHeight)
  }
}

extension Gravity {
  /// Share of what is cropped that goes at the left: 0, 1/2 or 1.
  fileprivate var horizontal: Double {
    switch self {
    case .left, .topLeft, .bottomLeft: 0
    case .center, .top, .bottom: 0.5
    case .right, .topRight, .bottomRight: 1
    }
  }

  /// Share of what is cropped that goes at the top.
  fileprivate var vertical: Double {
    switch self {
    case .top, .topLeft, .topRight: 0
    case .center, .left, .right: 0.5
    case .bottom, .bottomLeft, .bottomRight: 1
    }
  }
}
