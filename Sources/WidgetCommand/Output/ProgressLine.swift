import WidgetCore

/// One line on the terminal that tells how far the work is, rewritten at most
/// ten times a second and gone before anything else is printed.
package final class ProgressLine {
  private let output: any TextOutput
  private let seconds: () -> Double
  private let columns: Int
  private let total: Int
  private var lastDrawn: Double?
  private var isShown = false

  private static let interval = 0.1
  private static let barColumns = 20

  package init(
    total: Int, columns: Int, output: any TextOutput, seconds: @escaping () -> Double
  ) {
    self.total = total
    self.columns = columns
    self.output = output
    self.seconds = seconds
  }

  /// Shows that work `index` (from 0), named `name`, is done by `fraction`.
  package func show(_ index: Int, _ name: String, fraction: Double) {
    show(index, name, done: Double(index) + min(1, max(0, fraction)))
  }

  /// Shows work `index`, named `name`, while `done` of all works are done, in
  /// whole ones and parts.
  package func show(_ index: Int, _ name: String, done: Double) {
    let now = seconds()
    if let lastDrawn, now - lastDrawn < Self.interval { return }
    lastDrawn = now
    let share = min(1, max(0, done / Double(max(1, total))))
    let filled = Int(share * Double(Self.barColumns))
    let bar =
      String(repeating: "#", count: filled)
      + String(repeating: "-", count: Self.barColumns - filled)
    let text = "[\(bar)] \(index + 1) of \(total) \(name.printable)"
    output.write("\r\(Self.cut(text, columns: columns - 1))\u{1B}[K")
    isShown = true
  }

  /// Takes the line away, if it is there.
  package func clear() {
    guard isShown else { return }
    output.write("\r\u{1B}[K")
    isShown = false
  }

  /// The longest start of `text` that takes at most `columns` columns; letters
  /// from Hangul on are taken for two wide.
  private static func cut(_ text: String, columns: Int) -> String {
    var taken = 0
    let kept = text.prefix {
      taken += ($0.unicodeScalars.first?.value ?? 0) >= 0x1100 ? 2 : 1
      return taken <= columns
    }
    return String(kept)
  }
}
