import WidgetCore

/// Numbers as they are typed, without a detour through binary fractions.
package struct ExactDecimal: Hashable, Sendable {
  /// The value is `digits / divisor`.
  package var digits: Int
  /// A power of ten, at most 1,000,000.
  package var divisor: Int

  /// Reads `18`, `36.67`: digits, and at most six more after a point. Nil for
  /// anything else and for what does not fit an `Int`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : ""
    guard !parts[0].isEmpty, parts.count == 1 || !fraction.isEmpty, fraction.utf8.count <= 6,
      (String(parts[0]) + String(fraction)).utf8.allSatisfy({
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }),
      let digits = Int(String(parts[0]) + String(fraction))
    else { return nil }
    self.digits = digits
    divisor = (0..<fraction.utf8.count).reduce(1) { power, _ in power * 10 }
  }

  /// `round_half_up(value x factor)`, saturating.
  package func rounded(times factor: Int) -> Int {
    let doubled = saturatingProduct(digits, factor, 2)
    return saturatingSum(doubled, divisor) / (2 * divisor)
  }

  /// `value x factor` without its fraction; nil where that does not fit.
  package func floored(times factor: Int) -> Int? {
    let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product / divisor
  }
}

/// Sizes in bytes as they are typed.
package enum ByteSize {
  package static let reason = "a size is a number of bytes from 1 on, such as 500000, 30MB or 30MiB"

  private static let units: [(suffix: String, bytes: Int)] = [
    ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30),
    ("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("b", 1), ("", 1),
  ]

  /// Reads `500000`, `1.5MB`, `30MiB`, in either case; nil for anything else,
  /// for less than one byte and for what does not fit an `Int`.
  package static func parse(_ text: String) -> Int? {
    let lowered = text.lowercased()
    guard let unit = units.first(where: { lowered.hasSuffix($0.suffix) }) else { return nil }
    let number = lowered.dropLast(unit.suffix.count)
    // Half a byte is a slip.
    if unit.bytes == 1, number.contains(".") { return nil }
    guard let value = ExactDecimal(number), let bytes = value.floored(times: unit.bytes) else {
      return nil
    }
    return bytes > 0 ? bytes : nil
  }
}
