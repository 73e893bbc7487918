internal import CWidgetCodecs
package import WidgetCore

/// How a WebP is compressed.
package struct WebPOptions: Hashable, Sendable {
  package var lossless: Bool
  /// 1 to 100, lossy only.
  package var quality: Int
  /// 0 to 4, libwebp's effort. Lossless pictures and alpha need less memory
  /// below 4, so a method is chosen that fits (`fitting`).
  package var method: Int

  package init(lossless: Bool, quality: Int = 85, method: Int = 4) {
    self.lossless = lossless
    self.quality = quality
    self.method = method
  }

  /// Pixels that a WebP holds a side.
  package static let largestSide = 16_383

  /// These options with the highest method, 4 at most, whose
  /// `EncoderMemory.webp` is at most `limit` bytes; method 0 where none is.
  package func fitting(_ limit: Int, size: PixelSize, hasAlpha: Bool) -> WebPOptions {
    var options = self
    // Without alpha a lossy picture needs the same at every method.
    if !lossless && !hasAlpha { return options }
    while options.method > 0,
      EncoderMemory.webpBytes(size: size, hasAlpha: hasAlpha, options: options) > limit
    {
      options.method -= 1
    }
    return options
  }

  var settings: wi_webp_options {
    wi_webp_options(
      lossless: lossless, quality: UInt32(clamping: quality), method: UInt32(clamping: method))
  }
}

/// The WebP encoder: takes the whole picture, since libwebp does.
package enum WebPEncoder {
  /// Encodes packed pixels, RGB or RGBA with `hasAlpha`, and flushes the sink.
  /// Colour under fully transparent pixels is not kept.
  ///
  /// - Throws: `.badRequest` for a side over 16,383 pixels or a quality not in
  ///   1...100, `.overBudget` before libwebp starts, `.writeFailed`.
  package static func encode(
    _ pixels: UnsafeRawBufferPointer, size: PixelSize, hasAlpha: Bool, options: WebPOptions,
    to sink: ByteSink, on ledger: MemoryLedger
  ) throws(EngineError) {
    let (width, height) = try size.encodable()
    guard (1...100).contains(options.quality) else {
      throw EngineError(.badRequest, "a quality is 1 to 100, not \(options.quality)")
    }
    let channels = hasAlpha ? 4 : 3
    let expected = saturatingProduct(size.width, size.height, channels)
    guard let base = pixels.baseAddress, pixels.count == expected else {
      throw EngineError(.internalFault, "\(pixels.count) bytes of pixels, not \(expected)")
    }
    var failure = wi_failure()
    var settings = options.settings
    var sinkHooks = unsafe sink.hooks
    var memoryHooks = unsafe ledger.hooks
    let status = unsafe wi_webp_encode(
      base.assumingMemoryBound(to: UInt8.self), width, height, size.width * channels,
      UInt32(channels), &settings, &sinkHooks, &memoryHooks, &failure)
    if status != .WI_OK { throw EngineError(encoding: failure, to: sink, on: ledger) }
    try sink.flush()
  }
}
