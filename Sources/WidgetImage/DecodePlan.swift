package import WidgetCodecs
package import WidgetCore

/// How a source is read: the strategy, its memory, the size of its rows.
package struct DecodePlan: Hashable, Sendable {
  /// A few words for people.
  package let strategy: String
  /// What the reader reserves, by name.
  package let parts: [MemoryPlan.Part]
  /// 1, or by how much the codec itself shrinks on load.
  package let shrink: Int
  /// Size of the rows that come.
  package let size: PixelSize
  /// 1, or 2 where the reader shares its own work with a thread.
  package let threads: Int
  /// Bytes of decoded rows that a WebP reader may hold.
  package let windowBytes: Int

  /// - Parameters:
  ///   - limit: bytes that the ledger allows in all.
  ///   - threads: for the reader, at most.
  package init(header: ImageHeader, shrink: Int, limit: Int, threads: Int = 1) {
    self.shrink = shrink
    self.threads = threads > 1 && ReaderThreads.pay(for: header) ? 2 : 1
    size = PixelSize(
      width: (header.size.width + shrink - 1) / shrink,
      height: (header.size.height + shrink - 1) / shrink)
    switch header.format {
    case .png:
      parts = PNGMemory.parts(for: header, threads: self.threads)
      windowBytes = 0
    case .jpeg:
      parts = JPEGMemory.parts(for: header, shrink: shrink, threads: self.threads)
      windowBytes = 0
    case .webp:
      (parts, windowBytes) = WebPMemory.parts(for: header, limit: limit)
    }
    let words = Self.strategy(header.coding)
    strategy = shrink == 1 ? words : "\(words), decoded at 1/\(shrink)"
  }

  private static func strategy(_ coding: ImageCoding) -> String {
    switch coding {
    case .pngSequential: "PNG row by row"
    case .pngAdam7: "interlaced PNG, passes side by side"
    case .jpegBaseline, .jpegExtended: "JPEG row by row"
    case .jpegArithmetic: "arithmetic JPEG row by row"
    case .jpegProgressive, .jpegArithmeticProgressive: "progressive JPEG, scans side by side"
    case .jpegMultiScan: "JPEG of several scans, side by side"
    case .webpLossy: "lossy WebP, rows as they are decoded"
    case .webpLossyAlpha: "lossy WebP, alpha plane in memory"
    case .webpLossless: "lossless WebP, whole picture in memory"
    case .webpAnimated: "first frame of an animated WebP"
    }
  }

  /// The codec's own shrink: only where it was allowed, and so that the filter
  /// still reduces by two at least.
  package static func shrink(
    for header: ImageHeader, rect: PixelRect, output: PixelSize, allowed: Bool
  ) -> Int {
    guard allowed, header.format == .jpeg else { return 1 }
    for shrink in [8, 4, 2]
    where rect.width >= Double(2 * shrink * output.width)
      && rect.height >= Double(2 * shrink * output.height)
    {
      return shrink
    }
    return 1
  }
}
