package import WidgetCore

/// The best quality under a number of bytes.
package struct QualitySearch: Hashable, Sendable {
  /// The largest quality met whose file has at most `maxBytes`; nil for none.
  package var quality: Int?
  /// Bytes of the file at `quality`, 0 without one.
  package var bytes: Int
  /// The smallest file that any tried quality made.
  package var smallest: Int

  /// Tries `quality` first, then halves the range below it: at most 8 encodes.
  ///
  /// Sizes need not grow with quality everywhere: only a quality that was tried
  /// and fits is ever the answer, though a larger one may fit too where they
  /// don't.
  ///
  /// - Parameter encode: Encodes at a quality of 1...100; returns the bytes.
  /// - Throws: What `encode` throws.
  package static func best(
    maxBytes: Int, upTo quality: Int, encode: (Int) throws(EngineError) -> Int
  ) throws(EngineError) -> QualitySearch {
    var search = QualitySearch(quality: nil, bytes: 0, smallest: .max)
    // What fits is at `low` or above it, what does not is at `high`.
    var low = 0
    var high = max(1, min(quality, 100))
    var next = high
    while true {
      let bytes = try encode(next)
      search.smallest = min(search.smallest, bytes)
      if bytes <= maxBytes {
        search.quality = next
        search.bytes = bytes
        if next == high { return search }
        low = next
      } else {
        high = next
      }
      if high - low <= 1 { return search }
      next = low + (high - low) / 2
    }
  }
}
