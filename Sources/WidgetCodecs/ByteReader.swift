internal import WidgetCore

/// Small reads at any offset of an input, for the walks over headers.
///
/// Holds one window of 8 KiB. Never asks for what a pipe could not give twice.
struct ByteReader {
  private let input: CodecInput
  private var window: [UInt8]
  private var start: UInt64 = 0
  private var count = 0

  /// Where the bytes end that can be read at any time.
  private(set) var end: UInt64
  /// Whether that is the end of the input too.
  private(set) var isWhole: Bool
  /// Length of the input, nil for a pipe that goes on past what is held.
  private(set) var length: Int?

  private static let capacity = 8192
  /// What a jump reads: most chunks are stepped over after a few bytes.
  private static let jump = 1024

  init(_ input: CodecInput) {
    self.input = input
    length = input.length
    isWhole = input.length != nil
    end = UInt64(max(0, input.rereadableLength))
    window = [UInt8](repeating: 0, count: Self.capacity)
  }

  /// Holds all of a pipe; see `CodecInput.holdAll`.
  mutating func holdAll(_ why: String) throws(EngineError) {
    if isWhole { return }
    try input.holdAll(why)
    length = input.length
    isWhole = input.length != nil
    end = UInt64(max(0, input.rereadableLength))
  }

  private mutating func fill(at offset: UInt64) throws(EngineError) {
    let follows = offset == start &+ UInt64(count)
    let wanted = min(UInt64(follows ? Self.capacity : Self.jump), end - offset)
    var got = 0
    var failure: EngineError?
    unsafe window.withUnsafeMutableBytes { bytes in
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[0..<Int(wanted)])
      do throws(EngineError) {
        got = try unsafe input.read(at: offset, into: part)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    start = offset
    count = got
  }

  /// The byte at `offset`, nil past the end.
  mutating func byte(at offset: UInt64) throws(EngineError) -> UInt8? {
    if offset >= end { return nil }
    if offset < start || offset - start >= UInt64(count) {
      try fill(at: offset)
      // A file that was cut while it is read.
      if count == 0 { return nil }
    }
    return window[Int(offset - start)]
  }

  /// `count` bytes, at most eight, as one number; nil when they aren't all there.
  mutating func big(at offset: UInt64, _ count: Int) throws(EngineError) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<UInt64(count) {
      guard let byte = try byte(at: offset &+ index) else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value
  }

  mutating func little(at offset: UInt64, _ count: Int) throws(EngineError) -> UInt64? {
    try big(at: offset, count).map { $0.byteSwapped >> UInt64(64 - 8 * count) }
  }

  /// Whether `text` stands at `offset`.
  mutating func matches(_ text: StaticString, at offset: UInt64) throws(EngineError) -> Bool {
    for index in 0..<text.utf8CodeUnitCount {
      let expected = unsafe text.utf8Start[index]
      if try byte(at: offset &+ UInt64(index)) != expected { return false }
    }
    return true
  }

  /// Up to `count` bytes from `offset` on; fewer at the end.
  mutating func bytes(at offset: UInt64, _ count: Int) throws(EngineError) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<UInt64(max(0, count)) {
      guard let byte = try byte(at: offset &+ index) else { break }
      bytes.append(byte)
    }
    return bytes
  }

  /// The offset of the next 0xFF at or after `offset`, nil when there is none.
  mutating func next0xFF(from offset: UInt64) throws(EngineError) -> UInt64? {
    var offset = offset
    while try byte(at: offset) != nil {
      let first = Int(offset - start)
      let found = unsafe window.withUnsafeBufferPointer { bytes in
        unsafe bytes[first..<count].firstIndex(of: 0xFF)
      }
      if let found { return start + UInt64(found) }
      offset = start + UInt64(count)
    }
    return nil
  }

  /// The error for a header that the readable bytes end in.
  func cut(_ what: String) -> EngineError {
    isWhole
      ? EngineError(.truncated, "the file ends inside \(what)")
      : EngineError(.unsupported, "\(what) lies beyond what is held of a pipe; give a file")
  }
}

/// CRC-32 as PNG uses it, a bit at a time: only small chunks are checked.
struct CRC32 {
  private var state: UInt32 = .max

  mutating func update(_ byte: UInt8) {
    state ^= UInt32(byte)
    for _ in 0..<8 {
      state = state & 1 == 1 ? 0xEDB8_8320 ^ (state >> 1) : state >> 1
    }
  }

  var value: UInt32 { ~state }
}
