import CTestCodecs
import Testing
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

/// Adam7 read pass beside pass, against stock libpng's own deinterlacing.
@Suite("PNG passes") struct PNGPassesTests {
  /// Nil where stock libpng fails.
  static func stock(_ bytes: [UInt8]) -> [UInt8]? {
    var info = ct_png_info()
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { [UInt8](ct_png_decode($0, buffer.count, 1 << 24, &info)) }
    }
  }

  struct Kind: CustomTestStringConvertible, Sendable {
    var type: PNGFixture.ColorType
    var depth: Int
    var testDescription: String { "\(type) \(depth)" }
  }

  static let kinds: [Kind] = PNGFixture.ColorType.allCases.flatMap { type in
    type.depths.map { Kind(type: type, depth: $0) }
  }

  @Test("every size up to 9x9, where passes are empty: one thread or two", arguments: kinds)
  func tiny(_ kind: Kind) {
    for width in 1...9 {
      for height in 1...9 {
        var fixture = PNGFixture(kind.type, depth: kind.depth, width: width, height: height)
        fixture.interlaced = true
        let bytes = fixture.bytes
        let stock = Self.stock(bytes)
        #expect(stock == fixture.rows)
        for threads in [1, 2] {
          let decoded = Decoded(.png, .bytes(bytes), options: .init(threads: threads))
          #expect(decoded.error == nil && decoded.notes == [])
          #expect(decoded.rows == stock, "\(width)x\(height) on \(threads)")
          #expect(decoded.left == 0)
        }
      }
    }
  }

  @Test("filtered and compressed, larger than what is read ahead", arguments: kinds)
  func compressed(_ kind: Kind) throws {
    for (width, height) in [(1200, 301), (33, 700), (5003, 40)] {
      var options = ct_png_options()
      options.width = UInt32(width)
      options.height = UInt32(height)
      // The writer has colour types of 8 and 16 bits.
      guard kind.type != .palette, kind.depth >= 8 else { return }
      options.color_type = UInt32(kind.type.rawValue)
      options.depth = UInt32(kind.depth)
      options.interlaced = true
      let bytes = try #require([UInt8](ct_png_write(&options)))
      let stock = try #require(Self.stock(bytes))
      for threads in [1, 2] {
        let decoded = Decoded(.png, .bytes(bytes), options: .init(threads: threads))
        #expect(decoded.error == nil)
        #expect(decoded.rows == stock, "\(width)x\(height) on \(threads)")
        let parts = PNGMemory.parts(for: try header(of: bytes), threads: threads)
        #expect(isFair(planned: parts, peak: decoded.peak), "\(parts), peak \(decoded.peak)")
      }
    }
  }

  private static let compressedFile: [UInt8] = {
    var options = ct_png_options()
    options.width = 23
    options.height = 19
    options.color_type = 2
    options.depth = 8
    options.interlaced = true
    return [UInt8](ct_png_write(&options)) ?? []
  }()

  @Test("one byte turned, anywhere: stock's pixels, or an error where stock has one")
  func mutations() {
    let bytes = Self.compressedFile
    var read = 0
    // What stands before the pixels we step over, and libpng may mind; of a chunk
    // too long for the file it reads blocks that are not there.
    let first = bytes.indices.first { bytes[$0...].starts(with: Array("IDAT".utf8)) } ?? 0
    for index in first..<bytes.count {
      for mask in [0x01, 0x10, 0xFF] as [UInt8] {
        var turned = bytes
        turned[index] ^= mask
        let stock = Self.stock(turned)
        for threads in [1, 2] {
          let decoded = Decoded(.png, .bytes(turned), options: .init(threads: threads))
          #expect(decoded.left == 0)
          if let stock, decoded.error == nil {
            #expect(decoded.rows == stock, "byte \(index) by \(mask), \(threads)")
            read += 1
          } else if stock == nil {
            #expect(decoded.error != nil, "byte \(index) by \(mask), \(threads)")
          } else {
            // Stock's loop leaves what follows the last pixel unread.
            #expect(index > bytes.count - 30, "byte \(index) by \(mask), \(threads)")
          }
        }
      }
    }
    #expect(read > 0)
  }

  @Test("cut anywhere: refused, or taken with what is there, on one thread as on two")
  func cut() {
    let bytes = Self.compressedFile
    for length in stride(from: 60, to: bytes.count - 24, by: 3) {
      let piece = Array(bytes[0..<length])
      let results = [1, 2].map { threads in
        let refused = Decoded(.png, .bytes(piece), options: .init(threads: threads))
        #expect(refused.error?.code == .truncated, "\(length) of \(bytes.count)")
        return Decoded(
          .png, .bytes(piece), options: .init(allowTruncated: true, threads: threads))
      }
      #expect(results[0].rows == results[1].rows, "\(length)")
      #expect(results[0].notes == results[1].notes && results[0].left + results[1].left == 0)
    }
  }

  @Test("a reader that is closed in the middle ends its thread", arguments: [0, 1, 30])
  func closedEarly(rows: Int) throws {
    var options = ct_png_options()
    options.width = 1200
    options.height = 400
    options.color_type = 6
    options.depth = 16
    options.interlaced = true
    let bytes = try #require([UInt8](ct_png_write(&options)))
    let ledger = MemoryLedger()
    do {
      let input = try CodecInput(bytes: bytes, on: ledger)
      var reader = try CodecReader(png: input, on: ledger, options: .init(threads: 2))
      var row = [UInt8](repeating: 0, count: 1200 * 8)
      for _ in 0..<rows { try row.withUnsafeMutableBytes { try reader.readRow(into: $0) } }
    }
    #expect(ledger.reserved == 0)
  }
}
