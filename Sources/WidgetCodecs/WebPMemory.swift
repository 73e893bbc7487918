internal import CWidgetCodecs
package import WidgetCore

/// What the WebP reader reserves, part by part, before it decodes.
///
/// The reader is told these very numbers, so its ledger and the plan agree by
/// construction. libwebp's own allocations can't be hooked: they are a formula
/// over what the header walk found, taken from libwebp 1.2.4 and held against
/// measurement (`docs/memory.md`).
package enum WebPMemory {
  /// The parts, and the bytes of decoded rows among them. `limit` is what the
  /// whole job may use: a picture whose rows may come in bursts takes up to half
  /// of it for its window.
  package static func parts(
    for header: ImageHeader, limit: Int
  ) -> (parts: [MemoryPlan.Part], windowBytes: Int) {
    guard case .webp(let detail) = header.detail else { return ([], 0) }
    let sizes = Sizes(header, detail, limit: limit)
    return (
      [
        .init("WebP reader", readerBytes),
        .init("WebP rows", sizes.window),
        .init("WebP rows that come early", sizes.spill),
        .init("compressed WebP", sizes.input),
        .init("libwebp", sizes.library),
      ].filter { $0.bytes > 0 }, sizes.window
    )
  }

  /// The description that `wi_webp_open` wants.
  ///
  /// - Throws: `.internalFault` for a header of another format.
  static func frame(for header: ImageHeader, limit: Int) throws(EngineError) -> wi_webp_frame {
    guard case .webp(let detail) = header.detail else {
      throw EngineError(.internalFault, "a WebP reader was asked to read another format")
    }
    let sizes = Sizes(header, detail, limit: limit)
    var frame = wi_webp_frame()
    frame.image_offset = detail.imageOffset
    frame.alpha_offset = detail.alphaOffset
    frame.image_bytes = UInt32(clamping: detail.imageBytes)
    frame.alpha_bytes = UInt32(clamping: detail.alphaBytes)
    frame.head_bytes = UInt32(clamping: detail.headBytes)
    frame.lossless = detail.lossless != nil
    frame.keeps_all = detail.partitions > 1
    frame.has_alpha = header.layout.hasAlpha
    frame.width = UInt32(clamping: detail.frameSize.width)
    frame.height = UInt32(clamping: detail.frameSize.height)
    frame.x = UInt32(clamping: detail.frameX)
    frame.y = UInt32(clamping: detail.frameY)
    frame.canvas_width = UInt32(clamping: header.size.width)
    frame.canvas_height = UInt32(clamping: header.size.height)
    frame.end_offset = detail.endOffset
    frame.window_bytes = sizes.window
    frame.spill_bytes = sizes.spill
    frame.input_bytes = sizes.input
    frame.library_bytes = sizes.library
    return frame
  }

  /// The reader's own struct, with room.
  private static let readerBytes = 4096

  /// Pages are at most so large, on any machine that this runs on.
  private static let page = 16384

  private static func rounded(_ bytes: Int) -> Int {
    saturatingProduct((saturatingSum(bytes, page - 1)) / page, page)
  }

  private struct Sizes {
    var window = 0
    var spill = 0
    var input = 0
    var library = 0

    init(_ header: ImageHeader, _ detail: ImageHeader.WebPDetail, limit: Int) {
      let stride = header.layout.bytesPerRow(width: detail.frameSize.width)
      let total = saturatingProduct(stride, detail.frameSize.height)
      library = detail.lossless.map { lossless($0, detail.frameSize) } ?? lossy(detail)
      window = Self.window(total, stride, detail, library: library, limit: limit)
      // Few enough pieces to map: the kernel allows some 65,000.
      spill = window >= total ? 0 : max(65536, rounded(total / 2048))
      input = Self.input(detail)
    }

    /// 2 MB or 96 rows, a row of blocks being 16; all of a frame that is not
    /// larger. Where so few bytes stand for so many rows that they come in
    /// bursts, more if there is room: each burst over the window costs a decode
    /// from the start. A lossless step begins up to eight rows back, so it has to
    /// yield many.
    private static func window(
      _ total: Int, _ stride: Int, _ detail: ImageHeader.WebPDetail, library: Int, limit: Int
    ) -> Int {
      let usual = rounded(max(2_000_000, stride * 96) + page)
      if total <= usual { return rounded(total) }
      let inQuarter = saturatingProduct(detail.imageBytes - detail.headBytes, usual / 4) / total
      if inQuarter >= 16 {
        return detail.lossless == nil ? usual : max(usual, rounded(total / 6))
      }
      let room = max(0, limit - saturatingSum(library, 4_000_000))
      let wide = max(usual, min(limit / 2, room, 16_000_000) / page * page)
      return total <= wide ? rounded(total) : wide
    }

    /// What must stay of the compressed bytes, and what is read at once.
    private static func input(_ detail: ImageHeader.WebPDetail) -> Int {
      let blocks = 32 * 1024 + 2 * page
      let alpha = detail.alphaBytes
      let image: Int
      if detail.partitions > 1 {
        image = detail.imageBytes
      } else if detail.lossless != nil {
        // Up to the first 16 rows nothing is given back, then nine rows are
        // kept; a pixel takes at most 7.5 bytes.
        let head = max(detail.headBytes, detail.imageBytes / 8)
        let rows = saturatingProduct(detail.frameSize.width, 8, 17)
        image = min(
          detail.imageBytes, saturatingSum(head / 4 * 5, detail.imageBytes / 16, rows, blocks))
      } else {
        image = min(detail.imageBytes, saturatingSum(detail.headBytes, 4096 + 64, blocks))
      }
      return saturatingSum(alpha, image, 64)
    }
  }

  // MARK: libwebp's own

  /// Structs, and what malloc adds to each block.
  private static let fixed = 8192

  /// VP8: its work is as wide as the picture. A macroblock column takes 4 bytes
  /// of modes, 32 of samples above, 2 + 4 of filter state, 800 of coefficients
  /// and 48 a row of the cache (luma and chroma); the upsampler keeps a row of
  /// luma and two halves of chroma.
  private static func lossy(_ detail: ImageHeader.WebPDetail) -> Int {
    let columns = (detail.frameSize.width + 15) / 16
    let cache = 48 * (16 + detail.filterRows)
    let work = columns * (4 + 32 + 2 + 4 + 800 + cache) + 832
    let upsampler = detail.frameSize.width * 2 + 2
    return saturatingSum(fixed, work, upsampler, alpha(detail))
  }

  /// Alpha: a plane of the picture's size, as much again that libwebp 1.2
  /// allocates and never touches, and the decoder of a compressed plane.
  private static func alpha(_ detail: ImageHeader.WebPDetail) -> Int {
    if detail.alphaBytes == 0 { return 0 }
    let plane = detail.frameSize.area ?? .max
    let decoder = detail.alphaLossless.map { lossless($0, detail.frameSize, isAlpha: true) } ?? 0
    return saturatingSum(plane, plane, decoder)
  }

  /// VP8L: all pixels as 32-bit numbers with 17 rows beside them, or one byte a
  /// pixel for an indexed alpha plane; sub-images; for each prefix code group
  /// its tables at their largest and 568 bytes; the colour cache twice.
  private static func lossless(
    _ shape: ImageHeader.LosslessShape, _ size: PixelSize, isAlpha: Bool = false
  ) -> Int {
    let pixels = saturatingProduct(shape.packedWidth, size.height)
    let picture =
      isAlpha && shape.isIndexed
      ? pixels : saturatingProduct(4, saturatingSum(pixels, saturatingProduct(17, size.width)))
    let cache = shape.cacheBits > 0 ? 1 << shape.cacheBits : 0
    // 4 bytes an entry: 2,300 for the fixed alphabets, the rest for green.
    let green = [654, 656, 658, 662, 670, 686, 718, 782, 912, 1168, 1680, 2704]
    let alphabets = 4 * (2300 + green[min(shape.cacheBits, green.count - 1)])
    let groups = saturatingProduct(shape.groups, alphabets + 568)
    let mapping = shape.groups < shape.groupNumbers ? 4 * shape.groupNumbers : 0
    let tables = saturatingSum(saturatingProduct(4, shape.subImagePixels), groups, mapping)
    return saturatingSum(fixed, picture, tables, 8 * cache + 16384)
  }
}
