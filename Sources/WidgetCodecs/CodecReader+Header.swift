internal import CWidgetCodecs
package import WidgetCore

extension CodecReader {
  /// Opens the image that `header` was read from, whatever its format.
  ///
  /// - Throws: As `init(png:)`, `init(jpeg:)`.
  package init(
    _ input: CodecInput, header: ImageHeader, on ledger: MemoryLedger,
    options: Options = Options()
  ) throws(EngineError) {
    switch header.format {
    case .png: try self.init(png: input, at: header.offset, on: ledger, options: options)
    case .jpeg:
      var scans: JPEGScanTable?
      if case .jpeg(let detail) = header.detail { scans = detail.scanTable }
      try self.init(
        jpeg: input, at: header.offset, scans: scans, on: ledger, options: options)
    case .webp:
      var raw = options.forC
      raw.webp = try WebPMemory.frame(for: header, limit: ledger.limit)
      try unsafe self.init(input, header.offset, ledger, raw, wi_webp_open)
    }
  }
}
