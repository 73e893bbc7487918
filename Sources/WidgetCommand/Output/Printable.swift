import WidgetCore

extension String {
  /// The text for a terminal or a log line: control characters, which could
  /// break the line or steer the terminal, come as `\u{1b}`.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension RawPath {
  /// The path to show on a line of text.
  package var printable: String { description.printable }
}

extension Unicode.Scalar {
  /// C0 and C1 controls, DEL, line and paragraph separators, and the marks that
  /// turn the direction of text.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
