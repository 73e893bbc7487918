internal import WidgetCore

/// Bits from the lowest on, as VP8L reads them. Zeros past the end.
struct LSBReader {
  private var offset: UInt64
  private let end: UInt64
  private var held: UInt64 = 0
  private var count = 0
  /// Whether bits were asked for that aren't there.
  private(set) var isPastEnd = false

  init(offset: UInt64, end: UInt64) {
    self.offset = offset
    self.end = end
  }

  /// The offset after the last byte of which a bit was taken.
  var position: UInt64 { min(end, offset) - UInt64(count / 8) }

  /// At most 24 bits.
  mutating func take(_ wanted: Int, _ reader: inout ByteReader) throws(EngineError) -> Int {
    while count < wanted {
      if offset < end, let byte = try reader.byte(at: offset) {
        held |= UInt64(byte) << UInt64(count)
        offset += 1
      } else {
        isPastEnd = true
      }
      count += 8
    }
    let value = Int(held & ((1 << UInt64(wanted)) - 1))
    held >>= UInt64(wanted)
    count -= wanted
    return value
  }

  /// A length or distance: its prefix symbol, then extra bits.
  mutating func takePrefixed(
    _ symbol: Int, _ reader: inout ByteReader
  ) throws(EngineError) -> Int {
    if symbol < 4 { return symbol + 1 }
    let extra = (symbol - 2) >> 1
    return (2 + symbol & 1) << extra + (try take(extra, &reader)) + 1
  }
}

/// A canonical prefix code of VP8L, read symbol by symbol. Made for a few
/// thousand symbols, not for pictures.
struct PrefixCode {
  /// The number of codes of each length, and the symbols in code order.
  private var counts = [Int](repeating: 0, count: 16)
  private var symbols: [UInt16] = []
  /// A single symbol, that takes no bits.
  var isTrivial: Bool { symbols.count == 1 }

  /// Reads the code; nil when it is damaged.
  init?(
    _ bits: inout LSBReader, _ reader: inout ByteReader, symbols count: Int
  ) throws(EngineError) {
    var lengths = [UInt8](repeating: 0, count: count)
    if try bits.take(1, &reader) == 1 {
      let isPair = try bits.take(1, &reader) == 1
      let first = try bits.take(try bits.take(1, &reader) == 1 ? 8 : 1, &reader)
      let second = isPair ? try bits.take(8, &reader) : first
      guard first < count, second < count else { return nil }
      lengths[first] = 1
      lengths[second] = 1
    } else {
      guard try Self.readLengths(&lengths, &bits, &reader) else { return nil }
    }
    self.init(lengths: lengths)
  }

  private static func readLengths(
    _ lengths: inout [UInt8], _ bits: inout LSBReader, _ reader: inout ByteReader
  ) throws(EngineError) -> Bool {
    let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    var lengthLengths = [UInt8](repeating: 0, count: 19)
    let number = try bits.take(4, &reader) + 4
    guard number <= 19 else { return false }
    for index in 0..<number {
      lengthLengths[order[index]] = UInt8(try bits.take(3, &reader))
    }
    guard let code = PrefixCode(lengths: lengthLengths) else { return false }
    var left = lengths.count
    if try bits.take(1, &reader) == 1 {
      let width = 2 + 2 * (try bits.take(3, &reader))
      left = 2 + (try bits.take(width, &reader))
      guard left <= lengths.count else { return false }
    }
    var index = 0
    var previous: UInt8 = 8
    while index < lengths.count, left > 0, !bits.isPastEnd {
      left -= 1
      let symbol = try code.symbol(&bits, &reader)
      if symbol < 16 {
        lengths[index] = UInt8(symbol)
        index += 1
        if symbol != 0 { previous = UInt8(symbol) }
        continue
      }
      let repeats =
        switch symbol {
        case 16: 3 + (try bits.take(2, &reader))
        case 17: 3 + (try bits.take(3, &reader))
        default: 11 + (try bits.take(7, &reader))
        }
      guard index + repeats <= lengths.count else { return false }
      if symbol == 16 {
        for slot in index..<index + repeats { lengths[slot] = previous }
      }
      index += repeats
    }
    return true
  }

  /// nil unless the lengths make a complete code, or name one symbol alone.
  private init?(lengths: [UInt8]) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var starts = [Int](repeating: 0, count: 17)
    var open = 1
    var isComplete = true
    for length in 1...15 {
      starts[length + 1] = starts[length] + counts[length]
      open = open * 2 - counts[length]
      if open < 0 { isComplete = false }
      open = max(open, 0)
    }
    let total = starts[16]
    guard total == 1 || total > 1 && isComplete && open == 0 else { return nil }
    symbols = [UInt16](repeating: 0, count: total)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[starts[Int(length)]] = UInt16(symbol)
      starts[Int(length)] += 1
    }
  }

  func symbol(_ bits: inout LSBReader, _ reader: inout ByteReader) throws(EngineError) -> Int {
    if isTrivial { return Int(symbols[0]) }
    var code = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      code = code << 1 | (try bits.take(1, &reader))
      let here = counts[length]
      if code - first < here { return Int(symbols[index + code - first]) }
      index += here
      first = (first + here) << 1
    }
    return 0
  }
}
