internal import CWidgetCodecs
package import WidgetCore

/// How a PNG is compressed. Every style holds the same pixels.
package struct PNGOptions: Hashable, Sendable {
  /// How rows are filtered before compression.
  package enum Style: Sendable, CaseIterable {
    /// The filter with the least sum of differences, row by row.
    case adaptive
    /// No filter: up to a quarter smaller for flat artwork.
    case plain
    /// As adaptive, with zlib tuned for small differences.
    case adaptiveFiltered
    /// None, sub and up only.
    case simple
    /// Paeth in every row.
    case paeth

    fileprivate var code: wi_png_style {
      switch self {
      case .adaptive: .WI_PNG_ADAPTIVE
      case .plain: .WI_PNG_PLAIN
      case .adaptiveFiltered: .WI_PNG_ADAPTIVE_FILTERED
      case .simple: .WI_PNG_SIMPLE
      case .paeth: .WI_PNG_PAETH
      }
    }
  }

  package var style: Style
  /// zlib's, 1 to 9.
  package var level: Int

  package init(style: Style = .adaptive, level: Int = 9) {
    self.style = style
    self.level = level
  }
}

extension RowEncoder {
  /// An 8-bit truecolour PNG, not interlaced, with an sRGB chunk and no other
  /// metadata. Rows are RGB, RGBA with `hasAlpha`.
  ///
  /// - Throws: `.badRequest` for a size that PNG can't hold, `.overBudget`,
  ///   `.writeFailed`.
  package init(
    png options: PNGOptions, size: PixelSize, hasAlpha: Bool, to sink: ByteSink,
    on ledger: MemoryLedger
  ) throws(EngineError) {
    let (width, height) = try size.encodable()
    let level = UInt32(clamping: options.level)
    try unsafe self.init(to: sink, on: ledger) { sink, memory, failure in
      unsafe wi_png_writer_open(
        width, height, hasAlpha ? 4 : 3, level, options.style.code, sink, memory, failure)
    }
  }

  /// An indexed PNG. Rows are one index a byte, each below the palette's count.
  ///
  /// - Throws: as `init(png:size:hasAlpha:to:on:)`.
  package init(
    indexed palette: Palette, level: Int = 9, size: PixelSize, to sink: ByteSink,
    on ledger: MemoryLedger
  ) throws(EngineError) {
    let (width, height) = try size.encodable()
    let level = UInt32(clamping: level)
    let entries = palette.entries
    try unsafe self.init(to: sink, on: ledger) { sink, memory, failure in
      unsafe entries.withUnsafeBufferPointer { entries in
        guard let base = entries.baseAddress else { return nil }
        return unsafe wi_png_indexed_writer_open(
          width, height, UInt32(palette.bitDepth), base, UInt32(palette.count), level, sink,
          memory, failure)
      }
    }
  }
}

extension PNGOptions {
  /// The style that makes the smallest file of held pixels: tries each, which
  /// takes five times the time of one; the first wins among equals.
  ///
  /// `pixels` is packed RGB, RGBA with `hasAlpha`.
  package static func smallest(
    of pixels: UnsafeRawBufferPointer, size: PixelSize, hasAlpha: Bool, level: Int = 9,
    on ledger: MemoryLedger
  ) throws(EngineError) -> (options: PNGOptions, bytes: Int) {
    var best: (options: PNGOptions, bytes: Int)?
    for style in Style.allCases {
      let options = PNGOptions(style: style, level: level)
      let sink = try ByteSink.counting(on: ledger)
      var encoder = try RowEncoder(
        png: options, size: size, hasAlpha: hasAlpha, to: sink, on: ledger)
      try unsafe encoder.write(rowsOf: pixels, size: size)
      try encoder.finish()
      if best.map({ sink.byteCount < $0.bytes }) ?? true { best = (options, sink.byteCount) }
    }
    guard let best else { throw EngineError(.internalFault, "no PNG style was tried") }
    return best
  }
}

extension RowEncoder {
  /// Writes all rows of packed pixels, `size.height` of equal length.
  ///
  /// - Throws: as `write(row:)`.
  package mutating func write(
    rowsOf pixels: UnsafeRawBufferPointer, size: PixelSize
  ) throws(EngineError) {
    guard size.height > 0 else { return }
    let stride = pixels.count / size.height
    for row in 0..<size.height {
      let start = row * stride
      try unsafe write(row: UnsafeRawBufferPointer(rebasing: pixels[start..<start + stride]))
    }
  }
}
