internal import WidgetCore

/// Reads a VP8L stream up to its first pixel, for what its decoder will have to
/// hold: the number of prefix code groups stands in no header, it is the
/// highest number in an image that is coded like any other.
///
/// Pixels are stepped over, not kept: copies repeat what came before, so the
/// highest number is among the literals.
struct VP8LTables {
  private var bits: LSBReader
  private var shape: ImageHeader.LosslessShape
  private var height: Int

  /// The tables of the stream in `offset..<end`. Damaged or cut ones give what
  /// was read until there, and `isComplete` false.
  static func read(
    _ reader: inout ByteReader, at offset: UInt64, end: UInt64, size: PixelSize
  ) throws(EngineError) -> ImageHeader.LosslessShape {
    var tables = VP8LTables(
      bits: LSBReader(offset: offset, end: end),
      shape: .init(packedWidth: size.width), height: size.height)
    tables.shape.isComplete = try tables.readAll(&reader)
    tables.shape.headBytes = Int(tables.bits.position - offset)
    return tables.shape
  }

  private mutating func readAll(_ reader: inout ByteReader) throws(EngineError) -> Bool {
    var seen: Set<Int> = []
    while try bits.take(1, &reader) == 1 {
      let kind = try bits.take(2, &reader)
      guard seen.insert(kind).inserted else { return false }
      switch kind {
      case 0, 1:  // predictor, cross-colour
        guard try readSubImage(&reader) != nil else { return false }
      case 3:
        let colors = try bits.take(8, &reader) + 1
        guard try readImage(&reader, pixels: colors) != nil else { return false }
        shape.subImagePixels += 256
        let shift = colors > 16 ? 0 : colors > 4 ? 1 : colors > 2 ? 2 : 3
        shape.packedWidth = (shape.packedWidth + (1 << shift) - 1) >> shift
      default: break  // subtract green
      }
    }
    guard let cacheBits = try readCacheBits(&reader) else { return false }
    shape.cacheBits = cacheBits
    var used: Set<Int> = [0]
    if try bits.take(1, &reader) == 1 {
      guard let numbers = try readSubImage(&reader) else { return false }
      used = numbers
    }
    shape.groupNumbers = (used.max() ?? 0) + 1
    // As libwebp does it: only past these are unused groups left out.
    let isSparse =
      shape.groupNumbers > 1000
      || shape.groupNumbers > saturatingProduct(shape.packedWidth, height)
    shape.groups = isSparse ? used.count : shape.groupNumbers
    var isGreenOnly = true
    for _ in 0..<shape.groupNumbers {
      guard let group = try readGroup(&reader, cacheBits: cacheBits) else { return false }
      if group[1...3].contains(where: { !$0.isTrivial }) { isGreenOnly = false }
      if bits.isPastEnd { return false }
    }
    shape.isIndexed = seen == [3] && cacheBits == 0 && isGreenOnly
    return !bits.isPastEnd
  }

  private mutating func readSubImage(_ reader: inout ByteReader) throws(EngineError) -> Set<Int>? {
    let shift = try bits.take(3, &reader) + 2
    let columns = (shape.packedWidth + (1 << shift) - 1) >> shift
    let rows = (height + (1 << shift) - 1) >> shift
    shape.subImagePixels += columns * rows
    return try readImage(&reader, pixels: columns * rows)
  }

  private mutating func readCacheBits(_ reader: inout ByteReader) throws(EngineError) -> Int? {
    guard try bits.take(1, &reader) == 1 else { return 0 }
    let count = try bits.take(4, &reader)
    return (1...11).contains(count) ? count : nil
  }

  /// Steps over an image without transforms. Gives the numbers that red and
  /// green of its literals make; nil for damage.
  private mutating func readImage(
    _ reader: inout ByteReader, pixels: Int
  ) throws(EngineError) -> Set<Int>? {
    guard let cacheBits = try readCacheBits(&reader),
      let group = try readGroup(&reader, cacheBits: cacheBits)
    else { return nil }
    var numbers: Set<Int> = []
    var last = -1
    var left = pixels
    while left > 0 {
      let green = try group[0].symbol(&bits, &reader)
      if green < 256 {
        let red = try group[1].symbol(&bits, &reader)
        _ = try group[2].symbol(&bits, &reader)
        _ = try group[3].symbol(&bits, &reader)
        let number = red << 8 | green
        if number != last { numbers.insert(number) }
        last = number
        left -= 1
        // Codes without bits: all pixels are this one.
        if group[0...3].allSatisfy(\.isTrivial) { break }
      } else if green < 280 {
        let length = try bits.takePrefixed(green - 256, &reader)
        _ = try bits.takePrefixed(try group[4].symbol(&bits, &reader), &reader)
        if length > left { return nil }
        left -= length
      } else {
        left -= 1
      }
      if bits.isPastEnd { return nil }
    }
    return numbers
  }

  private mutating func readGroup(
    _ reader: inout ByteReader, cacheBits: Int
  ) throws(EngineError) -> [PrefixCode]? {
    let cache = cacheBits > 0 ? 1 << cacheBits : 0
    var group: [PrefixCode] = []
    for count in [280 + cache, 256, 256, 256, 40] {
      guard let code = try PrefixCode(&bits, &reader, symbols: count) else { return nil }
      group.append(code)
    }
    return group
  }
}
