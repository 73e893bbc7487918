import CTestWebP
import Testing
import WidgetCodecs
import WidgetCore

/// What a read of a whole file took, measured in a process of its own.
private struct Taken {
  /// Most bytes that libwebp had from the C allocator.
  var allocated = 0
  /// Most bytes of private memory beside what was there before.
  var resident = 0
  var libwebpPlanned = 0
  var planned = 0

  /// Rows go to one buffer and are dropped.
  init(_ bytes: [UInt8], limit: Int = 27_000_000) throws {
    let input = try CodecInput(bytes: bytes, on: MemoryLedger())
    let header = try ImageHeader.read(from: input)
    let parts = WebPMemory.parts(for: header, limit: limit).parts
    planned = parts.reduce(0) { $0 + $1.bytes }
    libwebpPlanned = parts.filter { $0.name == "libwebp" }.reduce(0) { $0 + $1.bytes }
    let ledger = MemoryLedger(limit: max(limit, planned))
    let row = UnsafeMutableRawBufferPointer.allocate(
      byteCount: header.layout.bytesPerRow(width: header.size.width), alignment: 16)
    defer { row.deallocate() }
    row.initializeMemory(as: UInt8.self, repeating: 1)
    wt_malloc_trim()
    _ = wt_resident_bytes()
    let (before, residentBefore) = (wt_malloc_bytes(), wt_resident_bytes())
    var reader = try CodecReader(webp: input, header: header, on: ledger, limit: limit)
    for _ in 0..<header.size.height {
      try reader.readRow(into: row)
      allocated = max(allocated, Int(wt_malloc_bytes()) - Int(before))
      resident = max(resident, Int(wt_resident_bytes()) - Int(residentBefore))
    }
    try reader.finish()
  }

  /// Prints the figures and holds them against their bounds.
  func check(_ name: String, resident most: Int = .max) {
    let line =
      "\(name): libwebp \(allocated) of \(libwebpPlanned) planned, resident \(resident) of \(planned)"
    print(line)
    #expect(allocated <= libwebpPlanned + 256 * 1024, "\(line)")
    #expect(Double(libwebpPlanned) <= Double(allocated) * 1.25 + 256 * 1024, "\(line)")
    #expect(resident <= planned + 512 * 1024, "\(line)")
    #expect(resident <= most, "\(line)")
  }
}

/// Shows what a child printed: figures are worth reading when all is well too.
private func show(_ result: ExitTest.Result?) {
  guard let result else { return }
  print(String(decoding: result.standardOutputContent, as: UTF8.self), terminator: "")
}

#if os(Linux)
  @Suite("WebP memory", .enabled(if: wt_malloc_bytes() > 0, "needs glibc's mallinfo2"))
  struct WebPMemoryTests {
    @Test("12 MP lossy takes under 8 MB") func lossy() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let bytes = try WebPFixture("12 MP", 4032, 3024).encode()
        try Taken(bytes).check("lossy 12 MP", resident: 8_000_000)
      }
      show(result)
    }

    @Test("A flat picture of 30 MP takes no more") func flat() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let bytes = try WebPFixture("flat", 6000, 5000, .WT_FLAT).encode()
        try Taken(bytes, limit: 12_000_000).check("flat 30 MP", resident: 8_000_000)
      }
      show(result)
    }

    @Test("Several partitions hold the compressed bytes and no more") func partitions() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let fixture = WebPFixture("8 partitions", 3000, 2000) { $0.partitions = 3 }
        let bytes = try fixture.encode()
        try Taken(bytes).check("8 partitions", resident: bytes.count + 6_000_000)
      }
      show(result)
    }

    @Test("Alpha, compressed and not") func alpha() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        for fixture in [
          WebPFixture("indexed alpha", 1200, 1000, .WT_FLAT, alpha: true),
          .init("filtered alpha", 1200, 1000, alpha: true) { $0.alpha_filtering = 2 },
          .init("noisy alpha", 800, 700, .WT_NOISE, alpha: true),
          .init("plain alpha", 1200, 1000, alpha: true) { $0.plain_alpha = true },
        ] {
          try Taken(fixture.encode()).check(fixture.name)
        }
      }
      show(result)
    }

    @Test("Lossless: pixels and prefix code groups") func lossless() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        for fixture in [
          WebPFixture("photograph", 1500, 1200), .init("drawing", 1500, 1200, .WT_DRAWING),
          .init("half flat", 1500, 1200, .WT_HALF_FLAT), .init("flat", 1500, 1200, .WT_FLAT),
          .init("noise", 700, 600, .WT_NOISE, alpha: true),
        ] {
          for method in [Int32(0), 4] {
            var fixture = fixture
            fixture.options.lossless = true
            fixture.options.method = method
            try Taken(fixture.encode()).check("lossless \(fixture.name), method \(method)")
          }
        }
      }
      show(result)
    }
  }
#endif
