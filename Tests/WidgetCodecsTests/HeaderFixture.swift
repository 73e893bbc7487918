import CTestWebP
import WidgetCodecs
import WidgetCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Heads of files put together by hand. Their pixels are not there.
enum Head {
  static func read(_ bytes: [UInt8]) throws(EngineError) -> ImageHeader {
    try ImageHeader.read(from: CodecInput(bytes: bytes, on: MemoryLedger()))
  }

  /// The error's code and message, nil when the head could be read.
  static func failure(_ bytes: [UInt8]) -> EngineError? {
    do throws(EngineError) {
      _ = try read(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Reads through a pipe whose writer gives `bytes`.
  static func readPiped(_ bytes: [UInt8]) throws -> (header: ImageHeader, isWhole: Bool) {
    let input = try piped(bytes)
    return (try ImageHeader.read(from: input.input), input.input.length != nil)
  }

  /// Keeps the descriptor open as long as the input.
  final class Pipe {
    let input: CodecInput
    private let descriptor: Int32
    init(_ input: CodecInput, _ descriptor: Int32) {
      self.input = input
      self.descriptor = descriptor
    }
    deinit { close(descriptor) }
  }

  static func piped(_ bytes: [UInt8]) throws -> Pipe {
    let reading = wt_pipe(bytes, bytes.count)
    guard reading >= 0 else { throw EngineError(.internalFault, "no pipe") }
    return Pipe(try CodecInput(descriptor: reading, on: MemoryLedger()), reading)
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    Array(RIFF.little(value, count).reversed())
  }

  // MARK: PNG

  static func chunk(_ name: String, _ data: [UInt8], crc: UInt32? = nil) -> [UInt8] {
    var state = UInt32.max
    for byte in Array(name.utf8) + data {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = state & 1 == 1 ? 0xEDB8_8320 ^ (state >> 1) : state >> 1 }
    }
    var chunk = big(data.count, 4)
    chunk += Array(name.utf8)
    chunk += data
    chunk += big(Int(crc ?? ~state), 4)
    return chunk
  }

  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func ihdr(
    _ width: Int = 40, _ height: Int = 30, depth: UInt8 = 8, type: UInt8 = 2, interlace: UInt8 = 0
  ) -> [UInt8] {
    let sides: [UInt8] = big(width, 4) + big(height, 4)
    return chunk("IHDR", sides + [depth, type, 0, 0, interlace])
  }

  /// Signature, header chunk, `before`, pixels that aren't any, `after`, end.
  static func png(
    _ ihdr: [UInt8] = ihdr(), before: [UInt8] = [], after: [UInt8] = []
  ) -> [UInt8] {
    pngSignature + ihdr + before + chunk("IDAT", [1, 2, 3]) + after + chunk("IEND", [])
  }

  // MARK: JPEG

  static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(data.count + 2, 2) + data
  }

  static func frame(
    _ process: UInt8 = 0, width: Int = 40, height: Int = 30, precision: UInt8 = 8,
    sampling: [UInt8] = [0x22, 0x11, 0x11]
  ) -> [UInt8] {
    var data: [UInt8] = [precision]
    data += big(height, 2)
    data += big(width, 2)
    data.append(UInt8(sampling.count))
    for (index, factors) in sampling.enumerated() { data += [UInt8(index + 1), factors, 0] }
    return segment(0xC0 + process, data)
  }

  static func scan(_ components: [UInt8] = [1, 2, 3]) -> [UInt8] {
    segment(0xDA, [UInt8(components.count)] + components.flatMap { [$0, 0] } + [0, 63, 0])
      + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
  }

  static func jpeg(_ parts: [UInt8]...) -> [UInt8] {
    [0xFF, 0xD8] + parts.flatMap { $0 } + [0xFF, 0xD9]
  }

  // MARK: EXIF

  /// One directory entry: tag, type, count, and the four bytes of its value.
  typealias Entry = (tag: Int, type: Int, count: Int, value: Int)

  static func exif(_ entries: [Entry], isBig: Bool = false, then next: [Entry] = []) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isBig ? big(value, count) : RIFF.little(value, count)
    }
    func directory(_ entries: [Entry], next: Int) -> [UInt8] {
      var bytes = number(entries.count, 2)
      for entry in entries {
        bytes += number(entry.tag, 2)
        bytes += number(entry.type, 2)
        bytes += number(entry.count, 4)
        // Short values stand at the front of the four bytes.
        let isShort = entry.type == 3 && entry.count == 1
        bytes += isShort ? number(entry.value, 2) + [0, 0] : number(entry.value, 4)
      }
      return bytes + number(next, 4)
    }
    let first = 8 + 2 + 12 * entries.count + 4
    var bytes: [UInt8] = isBig ? [0x4D, 0x4D, 0x00, 0x2A] : [0x49, 0x49, 0x2A, 0x00]
    bytes += number(8, 4)
    bytes += directory(entries, next: next.isEmpty ? 0 : first)
    if !next.isEmpty { bytes += directory(next, next: 0) }
    return bytes
  }

  static func orientation(_ value: Int, isBig: Bool = false) -> [UInt8] {
    exif([(0x0112, 3, 1, value)], isBig: isBig)
  }

  static let exifMark: [UInt8] = Array("Exif".utf8) + [0, 0]
}
