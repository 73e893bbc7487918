import CTestCodecs
import Testing
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Every PNG and JPEG of the corpus against stock libpng and libjpeg.
@Suite(
  "PNG and JPEG corpus", .enabled(if: PackageFolder.corpus != nil, "no corpus beside the package"))
struct CodecInputCorpusTests {
  /// Files of more samples are only opened: they are bombs of some kind.
  static let limit = 40_000_000

  static let names: [String] = {
    guard let corpus = PackageFolder.corpus, let index = contents(corpus + "/INDEX.tsv") else {
      return []
    }
    return String(decoding: index, as: UTF8.self).split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: "\t", omittingEmptySubsequences: false).first.map(String.init)
    }
  }()

  private static func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
      bytes += block[0..<count]
    }
    return bytes
  }

  @Test("no file crashes a reader, sound ones give stock pixels inside the plan")
  func everyFile() throws {
    let corpus = try #require(PackageFolder.corpus)
    var compared = 0
    for name in Self.names {
      let path = corpus + "/" + name
      guard let bytes = Self.contents(path) else { continue }
      if bytes.starts(with: [0x89, 0x50]) {
        compared += png(name, path, bytes)
      } else if bytes.starts(with: [0xFF, 0xD8]) {
        compared += jpeg(name, path, bytes)
      }
    }
    // A corpus that shrinks, or is not looked at, should be noticed.
    #expect(compared > 600)
  }

  private func png(_ name: String, _ path: String, _ bytes: [UInt8]) -> Int {
    var info = ct_png_info()
    let stock = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap {
        [UInt8](ct_png_decode($0, buffer.count, UInt64(Self.limit), &info))
      }
    }
    let budget = 60_000_000
    if stock == nil, Int(info.width) * Int(info.height) > Self.limit { return 0 }
    let decoded = Decoded(.png, .path(path), limit: budget)
    #expect(decoded.left == 0, "\(name)")
    guard let stock else { return 0 }
    #expect(decoded.error == nil && decoded.rows == stock, "\(name)")
    guard let layout = decoded.layout, let size = decoded.size else { return 1 }
    let header = ImageHeader(
      coding: info.interlaced ? .pngAdam7 : .pngSequential, size: size, bitDepth: 8,
      layout: layout, hasAlpha: layout.hasAlpha, fileBytes: bytes.count,
      detail: .png(colorType: 0, paletteEntries: 0))
    let parts = PNGMemory.parts(for: header)
    #expect(isFair(planned: parts, peak: decoded.peak), "\(name): \(parts), \(decoded.peak)")
    if info.interlaced { onTwoThreads(.png, name, path, decoded, header) }
    return 1
  }

  private func jpeg(_ name: String, _ path: String, _ bytes: [UInt8]) -> Int {
    let stock = StockJPEG(bytes, limit: Self.limit)
    let tooLarge = Int(stock.info.width) * Int(stock.info.height) > Self.limit
    if stock.rows == nil, tooLarge { return 0 }
    let decoded = Decoded(.jpeg, .path(path), limit: 400_000_000)
    #expect(decoded.left == 0, "\(name)")
    guard let rows = stock.rows else { return 0 }
    // Where stock libjpeg makes up pixels we fail, and only there.
    if let error = decoded.error {
      #expect(error.code == .truncated && stock.info.warnings > 0, "\(name): \(error)")
      return 0
    }
    #expect(decoded.rows == rows, "\(name)")
    guard let header = try? header(of: bytes) else { return 1 }
    let parts = JPEGMemory.parts(for: header)
    #expect(isFair(planned: parts, peak: decoded.peak), "\(name): \(parts), \(decoded.peak)")
    if stock.info.several_scans { onTwoThreads(.jpeg, name, path, decoded, header) }
    return 1
  }

  /// The same rows and notes, and still inside the plan.
  private func onTwoThreads(
    _ format: ImageFormat, _ name: String, _ path: String, _ alone: Decoded, _ header: ImageHeader
  ) {
    let decoded = Decoded(
      format, .path(path), options: .init(threads: 2), limit: 400_000_000)
    #expect(decoded.error == nil && decoded.left == 0, "\(name)")
    #expect(decoded.rows == alone.rows && decoded.notes == alone.notes, "\(name)")
    let parts =
      format == .png
      ? PNGMemory.parts(for: header, threads: 2) : JPEGMemory.parts(for: header, threads: 2)
    // Small pictures may have no work for a second thread; no job plans one.
    let planned = parts.reduce(0) { $0 + $1.bytes }
    #expect(
      ReaderThreads.pay(for: header)
        ? isFair(planned: parts, peak: decoded.peak) : decoded.peak <= planned,
      "\(name): \(parts), \(decoded.peak)")
  }
}
