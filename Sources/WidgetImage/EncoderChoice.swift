package import WidgetCodecs
package import WidgetCore

/// How the output is encoded.
package enum EncoderChoice: Hashable, Sendable {
  case png(allowsPalette: Bool)
  case jpeg(JPEGOptions)
  case webp(WebPOptions)

  /// - Throws: `EngineError` with code `.badRequest`.
  package init(
    header: ImageHeader, format: OutputFormat, size: PixelSize, options: FitOptions
  ) throws(EngineError) {
    guard (1...100).contains(options.quality) else {
      throw EngineError(.badRequest, "a quality of \(options.quality) is outside 1 to 100")
    }
    if let maxBytes = options.maxBytes, maxBytes < 1 {
      throw EngineError(.badRequest, "no image has \(maxBytes) bytes")
    }
    let longest = max(size.width, size.height)
    switch format {
    case .png:
      self = .png(allowsPalette: options.allowsPalette)
    case .jpeg:
      try Self.require(longest, within: JPEGOptions.largestSide, "JPEG")
      // Tables made for the picture keep every coefficient: worth it where
      // that is little.
      let isSmall = saturatingProduct(size.width, size.height) <= Self.pixelsToOptimize
      self = .jpeg(JPEGOptions(quality: options.quality, optimize: isSmall))
    case .webp:
      try Self.require(longest, within: WebPOptions.largestSide, "WebP")
      self = .webp(
        WebPOptions(lossless: header.coding == .webpLossless, quality: options.quality))
    }
  }

  private static func require(
    _ side: Int, within largest: Int, _ name: String
  ) throws(EngineError) {
    guard side > largest else { return }
    throw EngineError(.badRequest, "a \(name) side is at most \(largest) px, not \(side)")
  }

  /// JPEGs up to this size get Huffman tables of their own: 3 to 6 MB.
  static let pixelsToOptimize = 1_000_000

  /// PNGs up to this size are tried in every filter style.
  static let pixelsToTry = 100_000

  /// The quality that is used, nil for lossless output.
  package var quality: Int? {
    switch self {
    case .png: nil
    case .jpeg(let options): options.quality
    case .webp(let options): options.lossless ? nil : options.quality
    }
  }

  /// The same encoder at another quality.
  package func at(quality: Int) -> EncoderChoice {
    switch self {
    case .png: return self
    case .jpeg(var options):
      options.quality = quality
      return .jpeg(options)
    case .webp(var options):
      options.quality = quality
      return .webp(options)
    }
  }

  /// The same encoder with less memory, nil where there is none.
  package func slimmer(size: PixelSize, hasAlpha: Bool) -> EncoderChoice? {
    switch self {
    case .png: return nil
    case .jpeg(var options):
      guard options.optimize else { return nil }
      options.optimize = false
      return .jpeg(options)
    case .webp(var options):
      // Only lossless pictures and alpha need less at a lower effort.
      guard options.lossless || hasAlpha, options.method > 0 else { return nil }
      options.method -= 1
      return .webp(options)
    }
  }

  /// What the encoder reserves, at the quality that needs most.
  package func parts(size: PixelSize, hasAlpha: Bool) -> [MemoryPlan.Part] {
    switch self {
    case .png(let allowsPalette):
      let truecolour = EncoderMemory.png(size: size, hasAlpha: hasAlpha)
      guard allowsPalette else { return truecolour }
      // One or the other runs; the indexed one also keeps a row of indices.
      let indexed =
        EncoderMemory.indexedPNG(size: size) + [
          MemoryPlan.Part("palette row", RowBuffer<UInt8>.reservedBytes(count: size.width))
        ]
      return [truecolour, indexed].max { $0.bytes < $1.bytes } ?? truecolour
    case .jpeg(let options): return EncoderMemory.jpeg(size: size, options: options)
    case .webp(let options):
      return EncoderMemory.webp(size: size, hasAlpha: hasAlpha, options: options)
    }
  }
}

extension [MemoryPlan.Part] {
  /// Bytes of all parts; saturates.
  fileprivate var bytes: Int { reduce(0) { saturatingSum($0, $1.bytes) } }
}
