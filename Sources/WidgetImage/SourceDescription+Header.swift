package import WidgetCodecs
import WidgetCore

extension SourceDescription {
  package init(_ header: ImageHeader) {
    self.init(
      format: header.format.rawValue, coding: header.coding.rawValue, size: header.size,
      bytes: header.fileBytes, orientation: header.orientation.rawValue,
      colorSpace: header.colorTags.summary, hasAlpha: header.hasAlpha,
      bitDepth: header.bitDepth, frames: header.frames)
  }
}

extension [ColorTag] {
  /// What the tags say, the one that decides alone: cICP, then a profile, then
  /// the sRGB chunk, gamma, and EXIF, as the PNG 3 specification orders them.
  package var summary: String {
    for tag in self {
      if case .cicp(let primaries, let transfer, _, _) = tag {
        return "cicp \(primaries)/\(transfer)"
      }
    }
    for tag in self {
      if case .icc(let description, _) = tag {
        return description.isEmpty ? "icc" : "icc \"\(description)\""
      }
    }
    if contains(.srgbChunk) { return "srgb" }
    for tag in self {
      if case .gamma(let value) = tag { return "gamma \(Self.decimal(value))" }
    }
    for tag in self {
      if case .exifInteroperability("R03") = tag { return "adobe-rgb" }
    }
    if contains(.exifColorSpace(1)) { return "srgb" }
    return "untagged"
  }

  /// What the picture would need to be shown right and is not done yet: colours
  /// are taken as sRGB.
  package var unappliedNote: ImageNoteText? {
    switch summary {
    case "untagged", "srgb", "gamma 0.45455": return nil
    case let text where text.lowercased().contains("srgb"): return nil
    case let text:
      return ImageNoteText(
        code: "color-not-converted",
        message: "the source says \(text); its colours were taken as sRGB")
    }
  }

  /// 45455 as `0.45455`, 100000 as `1.0`.
  private static func decimal(_ hundredThousandths: Int) -> String {
    let whole = hundredThousandths / 100_000
    var digits = String(hundredThousandths % 100_000 + 100_000).dropFirst()
    while digits.count > 1, digits.last == "0" { digits = digits.dropLast() }
    return "\(whole).\(digits)"
  }
}

/// A note's code and text.
package struct ImageNoteText: Hashable, Sendable {
  package var code: String
  package var message: String
}
