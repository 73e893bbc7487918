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
  /// - whole image, Adam7 only: width x height x bytes a pixel.
  package static func parts(for header: ImageHeader) -> [MemoryPlan.Part] {
    let pixel = header.layout.bytesPerPixel
    let padded = saturatingProduct(roundedUp(header.size.width, to: 8), pixel)
    var parts = [
      MemoryPlan.Part("PNG decoder", 88_000),
      MemoryPlan.Part("PNG rows", saturatingProduct(2, saturatingSum(padded, 80))),
    ]
    if header.coding == .pngAdam7 {
      let bytes = saturatingProduct(header.size.width, header.size.height, pixel)
      parts.append(MemoryPlan.Part("whole interlaced image", saturatingSum(bytes, 16)))
    }
    return parts
  }
}

/// `value` rounded up to a multiple of `unit`; saturates.
func roundedUp(_ value: Int, to unit: Int) -> Int {
  let sum = saturatingSum(value, unit - 1)
  return sum == .max ? .max : sum / unit * unit
}
