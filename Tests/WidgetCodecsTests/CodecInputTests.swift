import Testing
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Inputs") struct CodecInputTests {
  private static func take(
    _ input: CodecInput, at offset: UInt64, _ count: Int
  ) throws(EngineError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: EngineError?
    let got = bytes.withUnsafeMutableBytes { buffer in
      do throws(EngineError) {
        return try input.read(at: offset, into: buffer)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return Array(bytes[0..<got])
  }

  private static func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  /// Calls `body` with the reading end of a pipe that `bytes` go through.
  private static func withPipe(
    _ bytes: [UInt8], _ body: (Int32) throws -> Void
  ) throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    try withThread {
      bytes.withUnsafeBytes { buffer in
        var start = 0
        while start < buffer.count, let base = buffer.baseAddress {
          // Odd pieces: a reader must put short reads together.
          let count = write(writing, base + start, min(7_001, buffer.count - start))
          if count <= 0 { break }
          start += count
        }
      }
      close(writing)
    } _: {
      try body(reading)
    }
  }

  private static func withThread(
    _ work: @escaping @Sendable () -> Void, _ body: () throws -> Void
  ) throws {
    final class Work: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let context = Unmanaged.passRetained(Work(work)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(
        &thread, nil,
        {
          Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run()
          return nil
        }, context)
      defer { if let thread { pthread_join(thread, nil) } }
    #else
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        {
          if let context = $0 { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context)
      defer { pthread_join(thread, nil) }
    #endif
    try body()
  }

  @Test("bytes can be read anywhere, and are on the ledger")
  func bytes() throws {
    let ledger = MemoryLedger()
    let data = Self.pattern(10_000)
    do {
      let input = try CodecInput(bytes: data, on: ledger)
      #expect(input.length == 10_000)
      #expect(input.isSeekable)
      #expect(input.rereadableLength == 10_000)
      #expect(input.identity == nil)
      #expect(ledger.reserved >= 10_000 && ledger.reserved < 11_000)
      #expect(try Self.take(input, at: 9_990, 100) == Array(data[9_990...]))
      #expect(try Self.take(input, at: 0, 10) == Array(data[0..<10]))
      #expect(try Self.take(input, at: 10_000, 10) == [])
      #expect(try Self.take(input, at: .max, 10) == [])
      #expect(input.bytesRead == 20)
    }
    #expect(ledger.reserved == 0)
    #expect(throws: EngineError.self) {
      try CodecInput(bytes: data, on: MemoryLedger(limit: 9_999))
    }
  }

  @Test("a file can be read anywhere and holds nothing")
  func file() throws {
    let ledger = MemoryLedger()
    let path = PackageFolder.path + "/Package.swift"
    let input = try CodecInput(path: RawPath(path), on: ledger)
    let length = try #require(input.length)
    #expect(input.isSeekable && input.rereadableLength == length)
    let head = try Self.take(input, at: 0, 24)
    #expect(String(decoding: head, as: UTF8.self) == "// swift-tools-version: ")
    #expect(try Self.take(input, at: UInt64(length) - 3, 100).count == 3)
    #expect(try Self.take(input, at: UInt64(length), 1) == [])
    #expect(ledger.peak < 1_000)
    // One file by two names.
    let other = try CodecInput(
      path: RawPath(PackageFolder.path + "/Sources/../Package.swift"), on: ledger)
    #expect(input.identity != nil && input.identity == other.identity)
  }

  @Test("a descriptor is read from where it stands, and stays open")
  func descriptor() throws {
    let descriptor = open(PackageFolder.path + "/Package.swift", O_RDONLY)
    defer { close(descriptor) }
    lseek(descriptor, 3, SEEK_SET)
    do {
      let input = try CodecInput(descriptor: descriptor, on: MemoryLedger())
      let head = try Self.take(input, at: 0, 5)
      #expect(String(decoding: head, as: UTF8.self) == "swift")
    }
    #expect(fcntl(descriptor, F_GETFD) >= 0)
  }

  @Test("a short pipe behaves like a file", arguments: [0, 1, 70_000, 1_000_000])
  func shortPipe(count: Int) throws {
    let data = Self.pattern(count)
    let ledger = MemoryLedger()
    try Self.withPipe(data) { descriptor in
      let input = try CodecInput(descriptor: descriptor, on: ledger)
      #expect(input.length == count)
      #expect(input.isSeekable)
      #expect(try Self.take(input, at: UInt64(count / 2), count) == Array(data[(count / 2)...]))
      #expect(try Self.take(input, at: 0, count) == data)
    }
    #expect(ledger.reserved == 0)
  }

  @Test("a long pipe is held to its limit, then goes forward only")
  func longPipe() throws {
    let limit = CodecInput.holdLimit
    let data = Self.pattern(limit + 100_000)
    try Self.withPipe(data) { descriptor in
      let input = try CodecInput(descriptor: descriptor, on: MemoryLedger())
      #expect(input.length == nil)
      #expect(!input.isSeekable)
      #expect(input.rereadableLength == limit)
      let end = UInt64(limit)
      // What is held can be read again, up to its end and no further at once.
      #expect(try Self.take(input, at: end - 10, 50) == Array(data[limit - 10..<limit]))
      #expect(try Self.take(input, at: end, 60_000) == Array(data[limit..<limit + 60_000]))
      #expect(try Self.take(input, at: 5, 5) == Array(data[5..<10]))
      #expect(try Self.take(input, at: end + 60_000, 60_000) == Array(data[(limit + 60_000)...]))
      do {
        _ = try Self.take(input, at: end, 10)
        Issue.record("a pipe was read backward")
      } catch {
        #expect((error as? EngineError)?.code == .internalFault)
      }
    }
  }

  @Test("what cannot be held is refused")
  func pipeOverBudget() throws {
    try Self.withPipe(Self.pattern(300_000)) { descriptor in
      let ledger = MemoryLedger(limit: 200_000)
      do {
        _ = try CodecInput(descriptor: descriptor, on: ledger)
        Issue.record("held more than the ledger allows")
      } catch {
        #expect((error as? EngineError)?.code == .overBudget)
      }
      #expect(ledger.reserved == 0)
      // The writer must come to its end.
      var sink = [UInt8](repeating: 0, count: 65_536)
      while read(descriptor, &sink, sink.count) > 0 {}
    }
  }

  @Test(
    "what can't be opened is told apart",
    arguments: [
      ("/nowhere/at/all", EngineError.Code.noSuchInput, ENOENT),
      (PackageFolder.path + "/Package.swift/x", .noSuchInput, ENOTDIR),
      (PackageFolder.path, .unreadableInput, EISDIR),
    ])
  func unopenable(path: String, code: EngineError.Code, number: Int32) {
    do {
      _ = try CodecInput(path: RawPath(path), on: MemoryLedger())
      Issue.record("\(path) opened")
    } catch {
      #expect(error.code == code)
      #expect(error.systemError == number)
    }
  }

  @Test("a NUL in a path does not open what stands before it")
  func nul() {
    let path = RawPath(PackageFolder.path + "/Package.swift\0.png")
    #expect(throws: EngineError.self) { try CodecInput(path: path, on: MemoryLedger()) }
  }

  @Test("PNG and JPEG come through a pipe longer than what is held")
  func imagesThroughPipes() throws {
    var png = PNGFixture(.rgb, width: 1200, height: 1400)
    png.idatBytes = 100_000
    let jpeg = [0xFF, 0xD8] + Self.comments(80) + JPEGFixture().bytes.dropFirst(2)
    for (format, bytes, rows) in [
      (ImageFormat.png, png.bytes, png.rows), (.jpeg, jpeg, StockJPEG(jpeg).rows ?? []),
    ] {
      #expect(bytes.count > CodecInput.holdLimit)
      try Self.withPipe(bytes) { descriptor in
        let decoded = Decoded(format, .descriptor(descriptor))
        #expect(decoded.error == nil)
        #expect(decoded.notes == [])
        #expect(decoded.rows == rows)
      }
    }
  }

  @Test("what is read at several places is held whole, or refused with advice")
  func severalPlacesThroughPipes() throws {
    var png = PNGFixture(.rgb, width: 1300, height: 1400)
    png.interlaced = true
    var jpeg = JPEGFixture(width: 200, height: 100)
    jpeg.progressive = true
    // What stands between the scans counts as well.
    var scans = jpeg.bytes
    scans.insert(contentsOf: Self.comments(80), at: scans.count - 2)
    for (bytes, rows) in [(png.bytes, png.rows), (scans, StockJPEG(scans).rows ?? [])] {
      #expect(bytes.count > CodecInput.holdLimit && !rows.isEmpty)
      for threads in [1, 2] {
        let ledger = MemoryLedger()
        try Self.withPipe(bytes) { descriptor in
          let input = try CodecInput(descriptor: descriptor, on: ledger)
          #expect(!input.isSeekable)
          let header = try ImageHeader.read(from: input)
          #expect(input.isSeekable && header.fileBytes == bytes.count)
          // Nothing is copied while it grows.
          #expect(ledger.peak < bytes.count + 100_000)
          var reader = try CodecReader(
            input, header: header, on: ledger, options: .init(threads: threads))
          var got: [UInt8] = []
          var row = [UInt8](repeating: 0, count: header.size.width * 3)
          for _ in 0..<header.size.height {
            try row.withUnsafeMutableBytes { try reader.readRow(into: $0) }
            got += row
          }
          #expect(got == rows)
        }
        #expect(ledger.reserved == 0)
      }
      try Self.withPipe(bytes) { descriptor in
        let ledger = MemoryLedger(limit: 4_500_000)
        let input = try CodecInput(descriptor: descriptor, on: ledger)
        do {
          _ = try ImageHeader.read(from: input)
          Issue.record("held more than the ledger allows")
        } catch {
          let error = try #require(error as? EngineError)
          #expect(error.code == .overBudget && error.message.contains("give a file"))
        }
        var sink = [UInt8](repeating: 0, count: 65_536)
        while read(descriptor, &sink, sink.count) > 0 {}
      }
    }
  }

  /// `count` comment segments of 64 KB each.
  private static func comments(_ count: Int) -> [UInt8] {
    let segment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 65_533)
    return Array([[UInt8]](repeating: segment, count: count).joined())
  }
}
