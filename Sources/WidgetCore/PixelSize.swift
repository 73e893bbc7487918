/// A size in whole pixels, or in cells of any grid.
public struct PixelSize: Hashable, Sendable {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size of `width` by `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The same size lying on its side.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// `width * height`, or nil where that does not fit an `Int`.
  package var area: Int? {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : area
  }
}

extension PixelSize: CustomStringConvertible {
  /// `54x36`.
  public var description: String { "\(width)x\(height)" }
}

/// Products and sums of numbers that come from a file: they saturate at
/// `Int.max`, which no budget holds, instead of trapping.
package func saturatingProduct(_ factors: Int...) -> Int {
  var product = 1
  for factor in factors {
    let (next, overflow) = product.multipliedReportingOverflow(by: factor)
    if overflow { return factors.contains(0) ? 0 : .max }
    product = next
  }
  return product
}

/// As `saturatingProduct`, for sums of numbers that are not negative.
package func saturatingSum(_ terms: Int...) -> Int {
  var sum = 0
  for term in terms {
    let (next, overflow) = sum.addingReportingOverflow(term)
    if overflow { return .max }
    sum = next
  }
  return sum
}
