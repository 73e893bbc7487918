import CTestWebP
import Testing
import WidgetCodecs
import WidgetCore

/// Reads a WebP to its end, and compares.
enum WebPReading {
  struct Result {
    var pixels: [UInt8] = []
    var header: ImageHeader
    var notes: [ImageNote]
    var ledgerPeak: Int
    var planned: Int
  }

  static func read(
    _ bytes: [UInt8], limit: Int = .max, options: CodecReader.Options = .init()
  ) throws(EngineError) -> Result {
    let source = MemoryLedger()
    let input = try CodecInput(bytes: bytes, on: source)
    return try read(input, limit: limit, options: options)
  }

  static func read(
    _ input: CodecInput, limit: Int = .max, options: CodecReader.Options = .init()
  ) throws(EngineError) -> Result {
    let header = try ImageHeader.read(from: input)
    let ledger = MemoryLedger(limit: limit)
    var reader = try CodecReader(webp: input, header: header, on: ledger, options: options)
    let stride = reader.layout.bytesPerRow(width: reader.size.width)
    var pixels = [UInt8](repeating: 0xEE, count: stride * reader.size.height)
    for row in 0..<reader.size.height {
      var failure: EngineError?
      pixels.withUnsafeMutableBytes { all in
        let part = UnsafeMutableRawBufferPointer(rebasing: all[row * stride..<(row + 1) * stride])
        do throws(EngineError) { try reader.readRow(into: part) } catch { failure = error }
      }
      if let failure { throw failure }
    }
    try reader.finish()
    let parts = WebPMemory.parts(for: header, limit: ledger.limit).parts
    return Result(
      pixels: pixels, header: header, notes: reader.notes, ledgerPeak: ledger.peak,
      planned: parts.reduce(0) { $0 + $1.bytes })
  }

  /// libwebp's own pixels, nil when it refuses the file.
  static func reference(_ bytes: [UInt8], alpha: Bool) -> [UInt8]? {
    var width: Int32 = 0
    var height: Int32 = 0
    guard let pixels = wt_webp_decode(bytes, bytes.count, alpha, &width, &height) else {
      return nil
    }
    defer { wt_free(pixels) }
    let count = Int(width) * Int(height) * (alpha ? 4 : 3)
    return [UInt8](UnsafeBufferPointer(start: pixels, count: count))
  }
}

@Suite("WebPs of the corpus", .enabled(if: !Corpus.entries.isEmpty, Corpus.missing))
struct WebPReaderCorpusTests {
  /// Whole pictures behind a RIFF size or a flag that lies.
  private let tolerated: Set = [
    "webp/gen/anim-flag-without-anmf-but-vp8.webp", "webp/gen/riff-size-ffffffff.webp",
    "webp/gen/riff-size-zero.webp",
  ]

  @Test func rowsAreThoseOfLibwebp() throws {
    var wrong: [String] = []
    var same = 0
    for entry in Corpus.entries where entry.path.hasPrefix("webp/") {
      if entry.verdict.contains("not-run") { continue }
      let bytes = Corpus.bytes(entry.folder)
      do throws(EngineError) {
        let result = try WebPReading.read(bytes)
        if result.ledgerPeak > result.planned
          || Double(result.planned) > Double(result.ledgerPeak) * 1.25 + 131_072
        {
          wrong.append("\(entry.path): \(result.planned) planned, \(result.ledgerPeak) reserved")
        }
        if result.header.coding == .webpAnimated { continue }
        guard let expected = WebPReading.reference(bytes, alpha: result.header.layout.hasAlpha)
        else {
          if tolerated.contains(entry.path) { continue }
          wrong.append("\(entry.path): read, but refused by libwebp, \(result.notes.map(\.code))")
          continue
        }
        if expected != result.pixels {
          wrong.append("\(entry.path): other pixels")
        } else {
          same += 1
        }
      } catch {
        if entry.isSound, !entry.path.contains("no-riff") {
          wrong.append("\(entry.path): \(error.code) \(error.message)")
        }
      }
    }
    print("same pixels as libwebp:", same)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }
}
