internal import CWidgetCodecs
package import WidgetCore

/// What each encoder reserves, for plans: an upper bound that is at most a
/// quarter and 64 KB above the ledger's peak. The sink is not in it.
package enum EncoderMemory {
  private static let kilobyte = 1024

  /// PNG: zlib's state of 140 KB (hash table and pending output of 64 each, and
  /// the rest) with 4 bytes for each byte of its window (the window twice, and
  /// links of 2 bytes); an IDAT buffer of 16 KB, libpng's own structures, some
  /// room for other zlibs; and 4 rows: raw, previous, and two filtered ones to
  /// choose between.
  package static func png(size: PixelSize, hasAlpha: Bool) -> [MemoryPlan.Part] {
    let row = saturatingProduct(size.width, hasAlpha ? 4 : 3)
    return pngParts(row: row, height: size.height, rows: 4)
  }

  /// Indexed PNG: as `png`; the rows hold a byte a pixel until they are packed,
  /// and no other ones are needed, since nothing is filtered.
  package static func indexedPNG(size: PixelSize) -> [MemoryPlan.Part] {
    pngParts(row: size.width, height: size.height, rows: 1)
  }

  private static func pngParts(row: Int, height: Int, rows: Int) -> [MemoryPlan.Part] {
    let window = pngWindow(bytes: saturatingProduct(saturatingSum(row, 1), height))
    return [
      MemoryPlan.Part("PNG encoder: zlib", 140 * kilobyte + 4 * window),
      MemoryPlan.Part("PNG encoder: chunk buffer, structures", (16 + 12) * kilobyte),
      MemoryPlan.Part("PNG encoder: rows", saturatingProduct(saturatingSum(row, 64), rows)),
    ]
  }

  /// libpng takes the smallest window that holds a small image, of up to 16 KB.
  private static func pngWindow(bytes: Int) -> Int {
    var window = 32 * kilobyte
    guard bytes <= 16 * kilobyte else { return window }
    while window > 512 && bytes + 262 <= window / 2 {
      window /= 2
    }
    return window
  }

  /// JPEG: libjpeg's state and tables with a buffer of 16 KB for output; three
  /// component rows at full width for each row of a sample group (2 at 4:2:0),
  /// one row of blocks (24 bytes a pixel of width, both ways); and, when the
  /// tables are optimized, every coefficient in 2 bytes.
  package static func jpeg(size: PixelSize, options: JPEGOptions) -> [MemoryPlan.Part] {
    let unit = options.hasFullChroma ? 8 : 16
    let width = roundedUp(size.width, unit)
    let height = roundedUp(size.height, unit)
    let rows = options.hasFullChroma ? 3 + 24 : 6 + 24
    var parts = [
      MemoryPlan.Part("JPEG encoder: state and tables", 60 * kilobyte),
      MemoryPlan.Part(
        "JPEG encoder: rows", saturatingSum(saturatingProduct(width, rows), 12 * kilobyte)),
    ]
    if options.optimize {
      // 3 or 1.5 samples a pixel in 2 bytes; block rows have some overhead.
      let samples = saturatingProduct(width, height, options.hasFullChroma ? 6 : 3)
      parts.append(
        MemoryPlan.Part(
          "JPEG encoder: coefficients",
          saturatingSum(samples, saturatingProduct(height, 4), 8 * kilobyte)))
    }
    return parts
  }

  /// WebP: libwebp's memory by the measured formula of `wi_webp_encoder_bytes`.
  /// The held picture is not in it.
  package static func webp(
    size: PixelSize, hasAlpha: Bool, options: WebPOptions
  ) -> [MemoryPlan.Part] {
    let bytes = webpBytes(size: size, hasAlpha: hasAlpha, options: options)
    return [MemoryPlan.Part("WebP encoder: libwebp", bytes)]
  }

  /// The one part of `webp`; saturates for a size that WebP can't hold.
  package static func webpBytes(size: PixelSize, hasAlpha: Bool, options: WebPOptions) -> Int {
    guard let (width, height) = size.unsigned else { return .max }
    var settings = options.settings
    let bytes = unsafe wi_webp_encoder_bytes(width, height, hasAlpha ? 4 : 3, &settings)
    return Int(clamping: bytes)
  }

  private static func roundedUp(_ length: Int, _ unit: Int) -> Int {
    let sum = saturatingSum(length, unit - 1)
    return sum == .max ? .max : sum / unit * unit
  }
}
