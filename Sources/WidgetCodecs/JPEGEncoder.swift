internal import CWidgetCodecs
package import WidgetCore

/// How a JPEG is compressed.
package struct JPEGOptions: Hashable, Sendable {
  package enum Chroma: Sendable {
    /// 4:2:0 below quality 90, 4:4:4 from there on.
    case automatic
    /// 4:2:0
    case half
    /// 4:4:4
    case full
  }

  /// 1 to 100.
  package var quality: Int
  package var chroma: Chroma
  /// Huffman tables made for the picture: 5 to 10 % smaller, at the cost of
  /// holding all coefficients (`EncoderMemory.jpeg`).
  package var optimize: Bool

  package init(quality: Int = 85, chroma: Chroma = .automatic, optimize: Bool = false) {
    self.quality = quality
    self.chroma = chroma
    self.optimize = optimize
  }

  package var hasFullChroma: Bool {
    switch chroma {
    case .automatic: quality >= 90
    case .half: false
    case .full: true
    }
  }

  /// Pixels that a JPEG holds a side.
  package static let largestSide = 65_500
}

extension RowEncoder {
  /// A baseline JPEG, JFIF marker only. Rows are RGB.
  ///
  /// - Throws: `.badRequest` for a side over 65,500 pixels or a quality not in
  ///   1...100, `.overBudget`, `.writeFailed`.
  package init(
    jpeg options: JPEGOptions, size: PixelSize, to sink: ByteSink, on ledger: MemoryLedger
  ) throws(EngineError) {
    let (width, height) = try size.encodable()
    guard (1...100).contains(options.quality) else {
      throw EngineError(.badRequest, "a quality is 1 to 100, not \(options.quality)")
    }
    var settings = wi_jpeg_options(
      quality: UInt32(options.quality), full_chroma: options.hasFullChroma,
      optimize: options.optimize)
    try unsafe self.init(to: sink, on: ledger) { sink, memory, failure in
      unsafe wi_jpeg_writer_open(width, height, &settings, sink, memory, failure)
    }
  }
}
