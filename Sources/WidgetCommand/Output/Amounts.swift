import WidgetCore

/// Amounts as people read them: decimal units, one digit after the point.
package enum Amounts {
  /// `512 B`, `11.7 KB`, `2.0 MB`.
  package static func bytes(_ count: Int) -> String {
    if count < 1000 { return "\(count) B" }
    // 999,950 and more would show as 1000.0 KB.
    if count < 999_950 { return "\(tenths(count, of: 1000)) KB" }
    if count < 999_950_000 { return "\(tenths(count, of: 1_000_000)) MB" }
    return "\(tenths(count, of: 1_000_000_000)) GB"
  }

  /// `9.8`: in megabytes, without the unit.
  package static func megabytes(_ count: Int) -> String { tenths(count, of: 1_000_000) }

  /// `16,257,024`.
  package static func grouped(_ count: Int) -> String {
    var text = ""
    for (index, digit) in String(count).reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// `count / unit`, rounded half up to a tenth.
  private static func tenths(_ count: Int, of unit: Int) -> String {
    let tenth = unit / 10
    let rounded = saturatingSum(count, tenth / 2) / tenth
    return "\(rounded / 10).\(rounded % 10)"
  }

  /// `18`, `18.33`: pixels in points, to a hundredth.
  package static func points(_ pixels: Int, scale: Int) -> String {
    let hundredths = saturatingSum(saturatingProduct(pixels, 200), scale) / (2 * scale)
    let fraction = hundredths % 100
    if fraction == 0 { return "\(hundredths / 100)" }
    if fraction % 10 == 0 { return "\(hundredths / 100).\(fraction / 10)" }
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
