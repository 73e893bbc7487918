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
package func saturatingProduct(_ a: Int, _ b: Int, _ c: Int = 1, _ d: Int = 1) -> Int {
  // A list of factors would be an array, allocated at each call: rows call this.
  if a == 0 || b == 0 || c == 0 || d == 0 { return 0 }
  let (ab, first) = a.multipliedReportingOverflow(by: b)
  let (abc, second) = ab.multipliedReportingOverflow(by: c)
  let (abcd, third) = abc.multipliedReportingOverflow(by: d)
  return first || second || third ? .max : abcd
}

/// As `saturatingProduct`, for sums of numbers that are not negative.
package func saturatingSum(_ a: Int, _ b: Int, _ c: Int = 0, _ d: Int = 0) -> Int {
  let (ab, first) = a.addingReportingOverflow(b)
  let (abc, second) = ab.addingReportingOverflow(c)
  let (abcd, third) = abc.addingReportingOverflow(d)
  return first || second || third ? .max : abcd
}
