public import WidgetCore

/// What one `fit` makes of one image.
///
/// The defaults are those of the command line. At least one of `box` and
/// `maxDecodedBytes` must be set.
public struct FitOptions: Hashable, Sendable {
  /// The box in pixels that the upright picture is fitted to.
  public var box: PixelSize?
  /// Cap on width x height x 4: the largest size inside the box that keeps it.
  public var maxDecodedBytes: Int?
  /// How the picture fills the box.
  public var mode: FitMode = .contain
  /// What `cover` keeps.
  public var gravity: Gravity = .center
  /// Whether a small source may be enlarged.
  public var allowsUpscaling = false
  /// The resampling kernel.
  public var filter: ResampleFilter = .lanczos3
  /// Allows the codec's own shrink-on-load: quicker, averages encoded values.
  public var allowsShrinkOnLoad = false
  /// Format of the output; nil chooses PNG where the source has alpha or was PNG, else JPEG.
  public var format: OutputFormat?
  /// 1 to 100, for lossy output.
  public var quality = 85
  /// The best quality under this many bytes, or `WidgetImageError.Code.maxBytesUnreachable`.
  public var maxBytes: Int?
  /// What lies under alpha where the format has none; without it that is an error.
  public var background: RGBColor?
  /// How much damage of the source is taken.
  public var tolerance: DamageTolerance = .standard
  /// Allows indexed PNG where that loses nothing (at most 256 colours).
  public var allowsPalette = false
  /// 1 for the caller's thread alone. With 2 or more, decoding gets one of its own where that
  /// pays and fits the budget, and shares its work with another where the coding has several
  /// scans or passes. The output is the same.
  public var threads = 2
  /// The ceiling for the process's dirty memory.
  public var budget: MemoryBudget = .widget

  /// Options with every default.
  public init() {}
}

/// How a picture fills its box.
public enum FitMode: String, Hashable, Sendable, CaseIterable {
  /// Keeps all of the picture; one side may be shorter than the box.
  case contain
  /// Fills the box and crops what stands over.
  case cover
  /// Fills the box and distorts.
  case stretch
}

/// The part of the upright picture that `FitMode.cover` keeps.
public enum Gravity: String, Hashable, Sendable, CaseIterable {
  /// The middle.
  case center
  /// The middle of the top edge.
  case top
  /// The middle of the bottom edge.
  case bottom
  /// The middle of the left edge.
  case left
  /// The middle of the right edge.
  case right
  /// The top left corner.
  case topLeft = "top-left"
  /// The top right corner.
  case topRight = "top-right"
  /// The bottom left corner.
  case bottomLeft = "bottom-left"
  /// The bottom right corner.
  case bottomRight = "bottom-right"
}

/// A resampling kernel, stretched by the reduction factor.
public enum ResampleFilter: String, Hashable, Sendable, CaseIterable {
  /// Windowed sinc, three lobes: sharpest, the default.
  case lanczos3
  /// Windowed sinc, two lobes.
  case lanczos2
  /// Cubic with B = 0, C = 1/2.
  case catmullRom = "catmull-rom"
  /// Cubic with B = C = 1/3.
  case mitchell
  /// Linear interpolation.
  case triangle
  /// The plain average of the covered pixels.
  case box
}

/// A format that is written.
public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  /// 8-bit truecolour, not interlaced.
  case png
  /// Baseline.
  case jpeg
  /// Lossless where the source was lossless WebP, else lossy.
  case webp

  /// `png`, `jpg` or `webp`.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// An opaque sRGB colour.
public struct RGBColor: Hashable, Sendable {
  /// 0 to 255.
  public var red: UInt8
  /// 0 to 255.
  public var green: UInt8
  /// 0 to 255.
  public var blue: UInt8

  /// A colour of three sRGB values.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// How much damage of a source is taken.
public enum DamageTolerance: String, Hashable, Sendable, CaseIterable {
  /// Refuses what decoders only warn of.
  case strict
  /// Takes what decoders warn of, with a note; refuses a source whose pixels are cut.
  case standard
  /// Takes what is there of a cut source if at least one row is.
  case allowTruncated
}
