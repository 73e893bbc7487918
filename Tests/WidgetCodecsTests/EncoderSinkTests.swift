import Testing
import WidgetCodecs
import WidgetCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite("Encoder output")
struct EncoderSinkTests {
  @Test("a descriptor, memory and the counter agree")
  func agree() async throws {
    let picture = TestPicture(150, 120, hasAlpha: true, .noise)
    let ledger = MemoryLedger()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    // The pipe holds 64 KB; the file has more, so a thread must drain it.
    let reader = ends[0]
    let drained = Task.detached {
      var all: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while true {
        let got = read(reader, &chunk, chunk.count)
        if got <= 0 { return all }
        all += chunk[..<got]
      }
    }
    let memory = try ByteSink.memory(on: ledger)
    let counter = try ByteSink.counting(on: ledger)
    let descriptor = try ByteSink.descriptor(ends[1], on: ledger)
    for sink in [memory, counter, descriptor] {
      _ = try encode(picture, to: sink) { sink, ledger throws(EngineError) in
        try RowEncoder(
          png: PNGOptions(), size: picture.size, hasAlpha: true, to: sink, on: ledger)
      }
    }
    close(ends[1])
    #expect(memory.bytes.count > 65_536)
    #expect(memory.byteCount == memory.bytes.count)
    #expect(counter.byteCount == memory.byteCount)
    #expect(descriptor.byteCount == memory.byteCount)
    #expect(descriptor.sha256 == memory.sha256)
    var hash = SHA256()
    hash.update(memory.bytes)
    #expect(memory.sha256 == hash.finalizeHexadecimal())
    let bytes = memory.bytes
    #expect(await drained.value == bytes)
  }

  @Test("a full device fails with ENOSPC, names it, and stays failed")
  func full() throws {
    let device = open("/dev/full", O_WRONLY)
    guard device >= 0 else {
      print("skipped: there is no /dev/full here")
      return
    }
    defer { close(device) }
    let ledger = MemoryLedger()
    let picture = TestPicture(200, 200, hasAlpha: false, .noise)
    for isPNG in [true, false] {
      let sink = try ByteSink.descriptor(device, on: ledger)
      do {
        _ = try encode(picture, on: ledger, to: sink) { sink, ledger throws(EngineError) in
          if isPNG {
            return try RowEncoder(
              png: PNGOptions(), size: picture.size, hasAlpha: false, to: sink, on: ledger)
          }
          return try RowEncoder(
            jpeg: JPEGOptions(quality: 100), size: picture.size, to: sink, on: ledger)
        }
        Issue.record("written")
      } catch {
        #expect(error.code == .writeFailed)
        #expect(error.systemError == ENOSPC)
      }
      #expect(throws: EngineError.self) { try sink.flush() }
    }
    #expect(ledger.reserved == 0)
  }

  @Test("held bytes count against the ledger, and are refused over its limit")
  func held() throws {
    let picture = TestPicture(200, 200, hasAlpha: false, .noise)
    let ledger = MemoryLedger(limit: 60_000)
    do {
      let sink = try ByteSink.memory(on: ledger)
      _ = try encode(picture, to: sink) { sink, _ throws(EngineError) in
        try RowEncoder(
          png: PNGOptions(), size: picture.size, hasAlpha: false, to: sink, on: MemoryLedger())
      }
      Issue.record("120 KB of noise held in 60 KB")
    } catch {
      #expect(error.code == .overBudget)
    }
    #expect(ledger.reserved == 0)
  }
}

@Suite("Best quality under a number of bytes")
struct QualitySearchTests {
  @Test("finds the largest that fits", arguments: 1...100)
  func exact(wanted: Int) throws {
    var tries = 0
    let search = try QualitySearch.best(maxBytes: wanted * 10 + 5, upTo: 85) {
      (quality) throws(EngineError) in
      tries += 1
      return quality * 10
    }
    #expect(search.quality == min(wanted, 85))
    #expect(search.bytes == min(wanted, 85) * 10)
    #expect(tries <= 8)
  }

  @Test("tells the smallest size where none fits", arguments: [1, 2, 85, 100])
  func none(quality: Int) throws {
    let search = try QualitySearch.best(maxBytes: 9, upTo: quality) {
      (quality) throws(EngineError) in quality * 10
    }
    #expect(search.quality == nil)
    #expect(search.smallest == 10)
  }

  @Test("sizes that don't grow everywhere: the answer is one that fits")
  func bumpy() throws {
    for bump in 1...100 {
      let size = { (quality: Int) in quality * 10 + (quality % 7 == bump % 7 ? 400 : 0) }
      let search = try QualitySearch.best(maxBytes: 500, upTo: 100) {
        (quality) throws(EngineError) in size(quality)
      }
      if let quality = search.quality {
        #expect(size(quality) <= 500)
        #expect(search.bytes == size(quality))
      } else {
        #expect(search.smallest > 500)
      }
    }
  }

  @Test("a real JPEG")
  func jpeg() throws {
    let picture = TestPicture(120, 120, hasAlpha: false, .noise)
    let size = { (quality: Int) throws(EngineError) -> Int in
      try encode(picture) { sink, ledger throws(EngineError) in
        try RowEncoder(
          jpeg: JPEGOptions(quality: quality), size: picture.size, to: sink, on: ledger)
      }.count
    }
    let search = try QualitySearch.best(maxBytes: 6000, upTo: 85, encode: size)
    let quality = try #require(search.quality)
    #expect(try size(quality) <= 6000)
    #expect(try size(quality + 1) > 6000)
  }
}
