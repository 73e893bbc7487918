/// At most 256 colours, for an indexed PNG.
package struct Palette: Hashable, Sendable {
  /// RGBA, four bytes a colour: those that are not opaque first, so that tRNS
  /// is short, and the most frequent first among each.
  package let entries: [UInt8]

  /// Colours, 1 to 256.
  package var count: Int { entries.count / 4 }

  /// Bits an index takes: 1, 2, 4 or 8.
  package var bitDepth: Int {
    switch count {
    case ...2: 1
    case ...4: 2
    case ...16: 4
    default: 8
    }
  }

  package var hasAlpha: Bool {
    stride(from: 3, to: entries.count, by: 4).contains { entries[$0] != 255 }
  }

  fileprivate init(entries: [UInt8]) {
    self.entries = entries
  }
}

/// Collects the colours of a held picture and turns rows into indices. Loses
/// nothing: a picture of more than 256 colours has no palette.
///
/// Takes some 6 KB. Fully transparent pixels count as one colour, transparent
/// black, whatever lies under them.
package struct PaletteBuilder {
  private static let slots = 1024

  /// Open addressing, a colour in each slot that `used` marks.
  private var colors = [UInt32](repeating: 0, count: slots)
  /// 0 for a free slot, else how often the colour came, saturating.
  private var uses = [UInt32](repeating: 0, count: slots)
  /// Index of each slot's colour, once `palette` is made.
  private var indices: [UInt8] = []
  /// Colours that were met; 257 means too many.
  package private(set) var count = 0

  package init() {}

  /// Takes a row, or more, of packed RGBA.
  ///
  /// - Returns: False as soon as there are more than 256 colours; no palette
  ///   can be made then.
  package mutating func add(_ pixels: UnsafeRawBufferPointer) -> Bool {
    guard count <= 256 else { return false }
    for pixel in 0..<pixels.count / 4 {
      let color = unsafe Self.color(pixels, pixel)
      let slot = slot(of: color)
      if uses[slot] == 0 {
        count += 1
        if count > 256 { return false }
        colors[slot] = color
      }
      if uses[slot] < .max { uses[slot] += 1 }
    }
    return true
  }

  /// The palette of all that was added; nil without pixels or with too many
  /// colours. Call it before `map`.
  package mutating func palette() -> Palette? {
    guard (1...256).contains(count) else { return nil }
    let order = (0..<Self.slots).filter { uses[$0] > 0 }.sorted { before($0, $1) }
    indices = [UInt8](repeating: 0, count: Self.slots)
    var entries: [UInt8] = []
    for (index, slot) in order.enumerated() {
      indices[slot] = UInt8(index)
      for shift in [0, 8, 16, 24] as [UInt32] {
        entries.append(UInt8(truncatingIfNeeded: colors[slot] >> shift))
      }
    }
    return Palette(entries: entries)
  }

  /// Writes one index a pixel of `pixels`, packed RGBA, into `row`. Every
  /// colour must have been added, and `palette` called.
  package func map(_ pixels: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) {
    precondition(!indices.isEmpty, "mapped before the palette was made")
    precondition(row.count >= pixels.count / 4, "a row too short for its indices")
    for pixel in 0..<pixels.count / 4 {
      unsafe row[pixel] = indices[slot(of: Self.color(pixels, pixel))]
    }
  }

  /// Little-endian RGBA: alpha in the high byte.
  private static func color(_ pixels: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
    let word = unsafe pixels.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
    let color = UInt32(littleEndian: word)
    return color >> 24 == 0 ? 0 : color
  }

  /// The slot that holds `color`, or the free one where it belongs. The table
  /// is at most a quarter full, so there always is one.
  private func slot(of color: UInt32) -> Int {
    var slot = Int((color &* 0x9e37_79b1) >> 22)
    while uses[slot] != 0 && colors[slot] != color {
      slot = (slot + 1) % Self.slots
    }
    return slot
  }

  /// The same for the same pixels, whatever the order they came in.
  private func before(_ left: Int, _ right: Int) -> Bool {
    let (leftOpaque, rightOpaque) = (colors[left] >> 24 == 255, colors[right] >> 24 == 255)
    if leftOpaque != rightOpaque { return rightOpaque }
    if uses[left] != uses[right] { return uses[left] > uses[right] }
    return colors[left] < colors[right]
  }
}
