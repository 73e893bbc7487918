import CTestCodecs
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

/// What became of one file in one of the readers.
struct Decoded {
  var size: PixelSize?
  var layout: PixelLayout?
  var rows: [UInt8] = []
  var rowCount = 0
  var notes: [String] = []
  var error: EngineError?
  /// Most bytes that the reader had on the ledger, the held input not counted.
  var peak = 0
  /// Bytes on the ledger once all was closed.
  var left = 0

  enum Source {
    case bytes([UInt8])
    case path(String)
    case descriptor(Int32)
  }

  init(
    _ format: ImageFormat, _ source: Source, options: CodecReader.Options = .init(),
    at offset: UInt64 = 0, limit: Int = .max, keepsRows: Bool = true
  ) {
    let ledger = MemoryLedger(limit: limit)
    do throws(EngineError) {
      try run(format, source, options, offset, ledger, keepsRows)
    } catch {
      self.error = error
    }
    left = ledger.reserved
  }

  private mutating func run(
    _ format: ImageFormat, _ source: Source, _ options: CodecReader.Options, _ offset: UInt64,
    _ ledger: MemoryLedger, _ keepsRows: Bool
  ) throws(EngineError) {
    let input =
      switch source {
      case .bytes(let bytes): try CodecInput(bytes: bytes, on: ledger)
      case .path(let path): try CodecInput(path: RawPath(path), on: ledger)
      case .descriptor(let descriptor): try CodecInput(descriptor: descriptor, on: ledger)
      }
    var held = 0
    if case .bytes(let bytes) = source { held = bytes.count }
    defer { peak = ledger.peak - held }
    var reader =
      format == .png
      ? try CodecReader(png: input, at: offset, on: ledger, options: options)
      : try CodecReader(jpeg: input, at: offset, on: ledger, options: options)
    size = reader.size
    layout = reader.layout
    defer { notes = reader.notes.map(\.code) }
    var row = [UInt8](repeating: 0, count: reader.layout.bytesPerRow(width: reader.size.width))
    for _ in 0..<reader.size.height {
      try Self.read(&reader, &row)
      rowCount += 1
      if keepsRows { rows += row }
    }
    try reader.finish()
  }

  private static func read(_ reader: inout CodecReader, _ row: inout [UInt8]) throws(EngineError) {
    var failure: EngineError?
    row.withUnsafeMutableBytes { buffer in
      do throws(EngineError) {
        try reader.readRow(into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension [UInt8] {
  /// Takes over what the C helpers gave; nil for a failure.
  init?(_ taken: ct_bytes) {
    guard let base = taken.bytes else { return nil }
    self = Array(UnsafeBufferPointer(start: base, count: taken.count))
    ct_free(taken)
  }
}

/// What stock libjpeg makes of a file, four components already as RGB.
struct StockJPEG {
  var info = ct_jpeg_info()
  /// Nil when it fails, or when the picture is larger than `limit` samples.
  var rows: [UInt8]?

  init(_ bytes: [UInt8], shrink: Int = 1, limit: Int = 40_000_000) {
    let pixels = bytes.withUnsafeBufferPointer { buffer -> [UInt8]? in
      guard let base = buffer.baseAddress else { return nil }
      return [UInt8](
        ct_jpeg_decode(base, buffer.count, UInt32(shrink), UInt64(limit), &info))
    }
    guard let pixels else { return }
    rows = info.components == 4 ? Self.rgb(pixels, inverted: info.adobe) : pixels
  }

  private static func rgb(_ cmyk: [UInt8], inverted: Bool) -> [UInt8] {
    var rgb: [UInt8] = []
    rgb.reserveCapacity(cmyk.count / 4 * 3)
    for start in stride(from: 0, to: cmyk.count, by: 4) {
      let ink = (0..<4).map { inverted ? Int(cmyk[start + $0]) : 255 - Int(cmyk[start + $0]) }
      for i in 0..<3 { rgb.append(UInt8((ink[i] * ink[3] + 127) / 255)) }
    }
    return rgb
  }
}

/// The header that a walk over these bytes gives.
func header(of bytes: [UInt8]) throws -> ImageHeader {
  try ImageHeader.read(from: CodecInput(bytes: bytes, on: MemoryLedger()))
}

/// Planned bytes against those seen: the rule of docs/memory.md for a reader.
func isFair(planned: [MemoryPlan.Part], peak: Int) -> Bool {
  let sum = planned.reduce(0) { $0 + $1.bytes }
  return peak <= sum && sum <= peak + peak / 4 + 128 * 1024
}
