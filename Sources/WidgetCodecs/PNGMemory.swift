package import WidgetCore

/// What the PNG reader reserves, by formula.
package enum PNGMemory {
  /// The parts for a PNG of this header, the input's own bytes not among them.
  ///
  /// - decoder: 88,000 bytes. The reader with its 32 KiB of input (33,400),
  ///   libpng's state, palette and 8 KiB block (10,600), inflate's state (7,200)
  ///   and window (32,800, or less where the stream asks for less).
  /// - rows: the row being decoded and the one above it, each as wide as the
  ///   expanded row, of a multiple of 8 pixels, and 80 bytes.
  /// - passes, Adam7 only: for each pass that has pixels but the last a decoder
  ///   of 72,000 (its input is 16 KiB) and its two rows, and one row of a pass,
  ///   all as wide as the picture's.
  /// - rows ahead, Adam7 on two threads: 128 KiB of rows, 2 to 64 of them.
  package static func parts(for header: ImageHeader, threads: Int = 1) -> [MemoryPlan.Part] {
    let pixel = header.layout.bytesPerPixel
    let padded = saturatingProduct(roundedUp(header.size.width, to: 8), pixel)
    let rows = saturatingProduct(2, saturatingSum(padded, 80))
    var parts = [MemoryPlan.Part("PNG decoder", 88_000), MemoryPlan.Part("PNG rows", rows)]
    if header.coding == .pngAdam7 {
      let others = passes(of: header.size) - 1
      parts.append(
        MemoryPlan.Part(
          "interlaced passes",
          saturatingSum(
            saturatingProduct(others, saturatingSum(72_000, rows)),
            saturatingProduct(header.size.width, pixel), 16)))
      if threads > 1 {
        let row = saturatingProduct(header.size.width, pixel)
        let ahead = max(2, min(64, 128 * 1024 / max(1, row)))
        parts.append(
          MemoryPlan.Part("rows ahead", saturatingSum(saturatingProduct(ahead, row), 16)))
        parts.append(ReaderThreads.part)
      }
    }
    return parts
  }

  /// The passes of Adam7 that have pixels in a picture of this size.
  package static func passes(of size: PixelSize) -> Int {
    // Where each pass begins; the first has pixels always.
    let starts = [(0, 0), (4, 0), (0, 4), (2, 0), (0, 2), (1, 0), (0, 1)]
    return starts.count { size.width > $0.0 && size.height > $0.1 }
  }
}

/// `value` rounded up to a multiple of `unit`; saturates.
func roundedUp(_ value: Int, to unit: Int) -> Int {
  let sum = saturatingSum(value, unit - 1)
  return sum == .max ? .max : sum / unit * unit
}
