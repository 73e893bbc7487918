import CTestDecode
import Testing
import WidgetCodecs
import WidgetCore

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Encoder memory")
struct EncoderMemoryTests {
  static let sizes = [
    (1, 1), (1, 4000), (2, 3), (16, 16), (54, 54), (100, 3), (127, 129), (257, 40), (1000, 20),
    (1024, 768), (4000, 1), (4000, 17), (3999, 33),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  static func total(_ parts: [MemoryPlan.Part]) -> Int {
    MemoryPlan.Phase("encode", parts).bytes
  }

  static func check(_ ledger: MemoryLedger, _ parts: [MemoryPlan.Part], _ what: String) {
    let planned = total(parts)
    #expect(ledger.peak <= planned, "\(what): ledger \(ledger.peak), planned \(planned)")
    #expect(
      planned <= ledger.peak * 5 / 4 + 64 * 1024,
      "\(what): ledger \(ledger.peak), planned \(planned)")
    #expect(ledger.reserved == 0)
  }

  @Test("ledger peak <= planned <= 1.25 x ledger peak + 64 KB: PNG", arguments: sizes)
  func png(_ size: PixelSize) throws {
    for hasAlpha in [false, true] {
      for style in [PNGOptions.Style.adaptive, .adaptiveFiltered, .plain, .paeth] {
        let picture = TestPicture(size.width, size.height, hasAlpha: hasAlpha)
        let ledger = MemoryLedger()
        let sink = try ByteSink.counting(on: MemoryLedger())
        _ = try encode(picture, on: ledger, to: sink) { sink, ledger throws(EngineError) in
          try RowEncoder(
            png: PNGOptions(style: style), size: size, hasAlpha: hasAlpha, to: sink, on: ledger)
        }
        Self.check(
          ledger, EncoderMemory.png(size: size, hasAlpha: hasAlpha), "\(picture) \(style)")
      }
    }
  }

  @Test("the same: indexed PNG", arguments: sizes)
  func indexed(_ size: PixelSize) throws {
    var builder = PaletteBuilder()
    let colors = (0..<200).flatMap { (color: Int) -> [UInt8] in [UInt8(color), 0, 0, 77] }
    _ = colors.withUnsafeBytes { builder.add($0) }
    let made = builder.palette()
    let palette = try #require(made)
    let ledger = MemoryLedger()
    do {
      let sink = try ByteSink.counting(on: MemoryLedger())
      var encoder = try RowEncoder(indexed: palette, size: size, to: sink, on: ledger)
      let row = (0..<size.width).map { UInt8($0 % 200) }
      for _ in 0..<size.height {
        try row.withBytes { bytes throws(EngineError) in try encoder.write(row: bytes) }
      }
      try encoder.finish()
    }
    Self.check(ledger, EncoderMemory.indexedPNG(size: size), "\(size)")
  }

  @Test("the same: JPEG", arguments: sizes)
  func jpeg(_ size: PixelSize) throws {
    let picture = TestPicture(size.width, size.height, hasAlpha: false)
    for quality in [1, 85, 90, 100] {
      for optimize in [false, true] {
        let options = JPEGOptions(quality: quality, optimize: optimize)
        let ledger = MemoryLedger()
        let sink = try ByteSink.counting(on: MemoryLedger())
        _ = try encode(picture, on: ledger, to: sink) { sink, ledger throws(EngineError) in
          try RowEncoder(jpeg: options, size: size, to: sink, on: ledger)
        }
        Self.check(ledger, EncoderMemory.jpeg(size: size, options: options), "\(size) \(options)")
      }
    }
  }

  @Test("a refusal anywhere leaves nothing reserved", arguments: [0, 1, 2])
  func refusals(kind: Int) throws {
    let size = PixelSize(width: 300, height: 40)
    let picture = TestPicture(300, 40, hasAlpha: false)
    var refused = 0
    for limit in stride(from: 0, to: 420_000, by: 6000) {
      let ledger = MemoryLedger(limit: limit)
      let sink = try ByteSink.counting(on: MemoryLedger())
      do {
        _ = try encode(picture, on: ledger, to: sink) { sink, ledger throws(EngineError) in
          if kind == 0 {
            return try RowEncoder(
              png: PNGOptions(), size: size, hasAlpha: false, to: sink, on: ledger)
          }
          return try RowEncoder(
            jpeg: JPEGOptions(optimize: kind == 2), size: size, to: sink, on: ledger)
        }
      } catch {
        refused += 1
        #expect(error.code == .overBudget)
      }
      #expect(ledger.reserved == 0)
      #expect(ledger.peak <= limit)
    }
    #expect(refused > 5)
  }

  // Resident memory of a process that does nothing else, so it needs its own.
  #if os(Linux)
    @Test("libwebp stays within its formula")
    func webp() async {
      guard !test_has_address_sanitizer() else {
        print("skipped: AddressSanitizer changes what is resident")
        return
      }
      await #expect(processExitsWith: .success) {
        // Once before: program code becomes resident with its first use.
        for hasAlpha in [false, true] {
          for options in webpOptions {
            _ = try encodeWebP(TestPicture(100, 100, hasAlpha: hasAlpha, .noise), options)
          }
        }
        for (width, height) in [(54, 54), (400, 400), (640, 480)] {
          for content in TestPicture.Content.allCases {
            for hasAlpha in [false, true] {
              let picture = TestPicture(width, height, hasAlpha: hasAlpha, content)
              for options in webpOptions {
                try checkResident(picture, options)
              }
            }
          }
        }
      }
    }
  #endif
}

#if os(Linux)
  private let webpOptions = [
    WebPOptions(lossless: false, quality: 70), WebPOptions(lossless: false, quality: 100),
    WebPOptions(lossless: false, quality: 85, method: 0), WebPOptions(lossless: true),
    WebPOptions(lossless: true, method: 2), WebPOptions(lossless: true, method: 0),
  ]

  private struct TooMuch: Error, CustomStringConvertible {
    var description: String
  }

  /// Throws when the process grows by more than the formula and 512 KB, which
  /// allows for what malloc keeps.
  private func checkResident(_ picture: TestPicture, _ options: WebPOptions) throws {
    test_trim_heap()
    // 5 sets the peak back to what is resident now.
    let reset = open("/proc/self/clear_refs", O_WRONLY)
    guard reset >= 0, write(reset, "5", 1) == 1 else { return }
    close(reset)
    let before = residentPeak()
    _ = try encodeWebP(picture, options, to: ByteSink.counting(on: MemoryLedger()))
    let growth = residentPeak() - before
    let planned = EncoderMemory.webpBytes(
      size: picture.size, hasAlpha: picture.hasAlpha, options: options)
    if growth > planned + 512 * 1024 {
      let message = "\(picture) \(options): grew by \(growth), planned \(planned)"
      throw TooMuch(description: message)
    }
  }

  /// `VmHWM`, in bytes.
  private func residentPeak() -> Int {
    let file = open("/proc/self/status", O_RDONLY)
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = max(0, read(file, &buffer, buffer.count))
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1024
    }
    return 0
  }
#endif
