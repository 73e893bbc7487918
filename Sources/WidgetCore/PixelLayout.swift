/// How the samples of a row lie in memory.
///
/// Rows are packed: `width * channels * bitsPerSample / 8` bytes, no padding.
/// Alpha is straight (not premultiplied) and stands last.
package struct PixelLayout: Hashable, Sendable {
  package enum Channels: Int, Sendable, CaseIterable {
    case grey = 1
    case greyAlpha = 2
    case rgb = 3
    case rgba = 4
  }

  package enum Depth: Int, Sendable, CaseIterable {
    case eight = 8
    /// In the machine's byte order.
    case sixteen = 16
  }

  package var channels: Channels
  package var depth: Depth

  package init(_ channels: Channels, _ depth: Depth = .eight) {
    self.channels = channels
    self.depth = depth
  }

  package var hasAlpha: Bool { channels == .greyAlpha || channels == .rgba }

  package var bytesPerPixel: Int { channels.rawValue * depth.rawValue / 8 }

  /// Bytes in a row; saturates.
  package func bytesPerRow(width: Int) -> Int { saturatingProduct(width, bytesPerPixel) }
}
