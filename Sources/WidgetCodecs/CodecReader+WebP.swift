internal import CWidgetCodecs
package import WidgetCore

extension CodecReader {
  /// Opens the WebP that `header` was read from.
  ///
  /// Rows: RGB, or RGBA with straight alpha where the file has alpha. Of an
  /// animation the canvas, with the first frame at its place and the rest
  /// transparent. A pipe can be read too, unless rows come in such bursts that
  /// the stream must be decoded twice.
  ///
  /// `limit` must be the one that the plan was made with; `ledger.limit` if not
  /// given.
  ///
  /// - Throws: As `init(png:)`.
  package init(
    webp input: CodecInput, header: ImageHeader, on ledger: MemoryLedger,
    limit: Int? = nil, options: Options = Options()
  ) throws(EngineError) {
    var forC = options.forC
    forC.webp = try WebPMemory.frame(for: header, limit: limit ?? ledger.limit)
    try unsafe self.init(input, header.offset, ledger, forC, wi_webp_open)
  }
}
