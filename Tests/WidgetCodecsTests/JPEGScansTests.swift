import CTestCodecs
import Testing
import WidgetCodecs
import WidgetCore

@Suite("JPEG of several scans") struct JPEGScansTests {
  static let samplings: [[(Int, Int)]] = [
    [(1, 1), (1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1), (2, 1)],
    [(2, 2), (1, 1), (1, 1), (2, 2)], [(1, 2), (1, 1), (1, 1), (1, 1)],
    [(4, 1), (1, 1), (1, 1), (1, 1)], [(2, 2), (1, 2), (2, 1), (1, 1)],
    [(1, 4), (1, 2), (1, 1), (1, 1)],
  ]

  /// Random scripts over all samplings, sizes, component counts, restarts and
  /// both entropy coders.
  static let progressive: [JPEGFixture] = (0..<160).map { seed in
    var numbers = SeededNumbers(seed + 1000)
    var fixture = JPEGFixture()
    fixture.width = Int.random(in: 1...90, using: &numbers)
    fixture.height = Int.random(in: 1...90, using: &numbers)
    fixture.components = [1, 3, 3, 4][seed % 4]
    fixture.sampling = samplings[seed % samplings.count]
    fixture.arithmetic = seed % 5 == 0
    fixture.restartInterval = seed % 3 == 0 ? Int.random(in: 1...9, using: &numbers) : 0
    fixture.restartRows = seed % 7 == 0 ? Int.random(in: 1...3, using: &numbers) : 0
    fixture.isFlat = seed % 13 == 0
    fixture.script = ScanScript.progressive(components: fixture.components, seed: seed)
    return fixture
  }

  /// Every way to part the components into scans.
  static let sequential: [JPEGFixture] = {
    let groups: [[[Int]]] = [
      [[0], [1], [2]], [[0, 1], [2]], [[0], [1, 2]], [[2], [0], [1]], [[0, 2], [1]],
      [[0], [1], [2], [3]], [[0, 3], [1, 2]], [[3], [0, 1, 2]],
    ]
    return groups.flatMap { groups in
      samplings.flatMap { sampling in
        [false, true].flatMap { arithmetic in
          [0, 5].map { interval in
            var fixture = JPEGFixture(width: 53, height: 71)
            fixture.components = groups.joined().count
            fixture.sampling = sampling
            fixture.arithmetic = arithmetic
            fixture.restartInterval = interval
            fixture.restartRows = interval == 0 ? 1 : 0
            fixture.script = ScanScript.sequential(groups)
            return fixture
          }
        }
      }
    }
  }()

  @Test(
    "every script gives stock libjpeg's pixels, on one thread and on two",
    arguments: progressive + sequential)
  func everyScript(_ fixture: JPEGFixture) throws {
    let bytes = fixture.bytes
    #expect(!bytes.isEmpty)
    let stock = StockJPEG(bytes)
    #expect(stock.info.warnings == 0 && stock.rows != nil)
    for threads in [1, 2] {
      let decoded = Decoded(.jpeg, .bytes(bytes), options: .init(threads: threads))
      #expect(decoded.error == nil)
      #expect(decoded.notes == [])
      #expect(decoded.rows == stock.rows)
      #expect(decoded.left == 0)
      let parts = JPEGMemory.parts(for: try header(of: bytes), threads: threads)
      #expect(isFair(planned: parts, peak: decoded.peak), "\(parts), peak \(decoded.peak)")
    }
  }

  @Test("scans are skipped where DCT scaling leaves one sample of a block", arguments: progressive)
  func skipped(_ fixture: JPEGFixture) throws {
    let bytes = fixture.bytes
    let stock = StockJPEG(bytes, shrink: 8)
    let decoded = Decoded(.jpeg, .bytes(bytes), options: .init(shrink: 8))
    #expect(decoded.rows == stock.rows)
    let parts = JPEGMemory.parts(for: try header(of: bytes), shrink: 8)
    #expect(isFair(planned: parts, peak: decoded.peak), "\(parts), peak \(decoded.peak)")
  }

  @Test("at 1/8 the scans of AC are not even read")
  func unread() throws {
    var fixture = JPEGFixture(width: 800, height: 600)
    fixture.progressive = true
    let bytes = fixture.bytes
    func bytesRead(shrink: Int) throws -> Int {
      let ledger = MemoryLedger()
      let input = try CodecInput(bytes: bytes, on: ledger)
      let header = try ImageHeader.read(from: input)
      let before = input.bytesRead
      var reader = try CodecReader(
        input, header: header, on: ledger, options: .init(shrink: shrink, threads: 1))
      var row = [UInt8](repeating: 0, count: reader.size.width * 3)
      for _ in 0..<reader.size.height {
        try row.withUnsafeMutableBytes { try reader.readRow(into: $0) }
      }
      try reader.finish()
      return input.bytesRead - before
    }
    #expect(try bytesRead(shrink: 1) >= bytes.count)
    #expect(try bytesRead(shrink: 8) < bytes.count / 2)
  }

  @Test("a quantisation table that changes between scans counts from where a component begins")
  func tables() throws {
    var fixture = JPEGFixture(width: 40, height: 40)
    fixture.untransformed = true
    fixture.script = ScanScript.sequential([[0], [1], [2]])
    var bytes = fixture.bytes
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    try #require(scans.count == 3)
    let before = StockJPEG(bytes).rows
    for (scan, step) in [(scans[2], 90), (scans[1], 40)] {
      let table: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: UInt8(step), count: 64)
      bytes.insert(contentsOf: table, at: scan)
    }
    let stock = StockJPEG(bytes).rows
    #expect(stock != before)
    #expect(Decoded(.jpeg, .bytes(bytes)).rows == stock)
  }

  @Test("thousands of scans end quickly: refused by number, or read where the memory is there")
  func manyScans() throws {
    var fixture = JPEGFixture(width: 8, height: 8)
    fixture.components = 1
    fixture.script = [ct_jpeg_scan([0], 0, 0, 0, 1), ct_jpeg_scan([0], 0, 0, 1, 0)]
    let bytes = fixture.bytes
    let last = try #require(
      bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    // The refinement of DC again and again: odd, and allowed.
    let again = Array(bytes[last..<bytes.count - 2])
    func file(_ count: Int) -> [UInt8] {
      bytes[0..<last] + [[UInt8]](repeating: again, count: count).joined() + [0xFF, 0xD9]
    }
    let most = JPEGScanTable.limit
    let ten = file(10_000)
    #expect(throws: EngineError.self) { try header(of: ten) }
    let refused = Decoded(.jpeg, .bytes(ten))
    #expect(refused.error?.code == .damaged)
    #expect(refused.peak < 300_000)
    let full = file(most - 1)
    #expect(Decoded(.jpeg, .bytes(full), limit: 12_000_000).error?.code == .overBudget)
    let decoded = Decoded(.jpeg, .bytes(full))
    #expect(decoded.error == nil)
    #expect(decoded.rows == StockJPEG(full).rows)
  }

  @Test("cut anywhere, taken with what is there: stock libjpeg's pixels", arguments: [1, 2])
  func cut(threads: Int) {
    for fixture in Self.progressive.prefix(24) where fixture.width * fixture.height < 3000 {
      let bytes = fixture.bytes
      for length in stride(from: bytes.count / 5, to: bytes.count, by: bytes.count / 37 + 1) {
        let piece = Array(bytes[0..<length])
        let stock = StockJPEG(piece)
        let decoded = Decoded(
          .jpeg, .bytes(piece), options: .init(allowTruncated: true, threads: threads))
        #expect(decoded.left == 0)
        // Stock fails on a cut header between scans, where the rest is taken.
        guard let rows = stock.rows, decoded.error == nil else { continue }
        #expect(decoded.rows == rows, "\(fixture), \(length) of \(bytes.count)")
      }
    }
  }

  @Test("one byte turned, anywhere: what stock reads is read, with the same pixels")
  func mutations() {
    var failed = 0, damaged = 0, whole = 0, unnoted = 0
    for var fixture in Self.progressive.prefix(12) {
      fixture.width = fixture.width % 24 + 8
      fixture.height = fixture.height % 24 + 8
      let bytes = fixture.bytes
      guard
        let scan = bytes.indices.dropLast().first(where: {
          bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC4 || bytes[$0 + 1] == 0xDA
        })
      else { continue }
      for index in stride(from: scan, to: bytes.count - 2, by: bytes.count / 150 + 1) {
        var turned = bytes
        turned[index] ^= [0x01, 0x10, 0x80, 0xFF][index % 4]
        let stock = StockJPEG(turned)
        let decoded = Decoded(.jpeg, .bytes(turned), options: .init(threads: index % 2 + 1))
        #expect(decoded.left == 0)
        guard let rows = stock.rows else {
          failed += 1
          continue
        }
        if let error = decoded.error {
          // Where stock makes up pixels.
          #expect(
            error.code == .truncated && stock.info.warnings > 0,
            "\(fixture), byte \(index) of \(bytes.count): \(error)")
          continue
        }
        damaged += stock.info.warnings > 0 ? 1 : 0
        whole += stock.info.warnings > 0 ? 0 : 1
        #expect(decoded.rows == rows, "\(fixture), byte \(index) of \(bytes.count)")
        if stock.info.warnings > 0, !decoded.notes.contains("damaged-data") { unnoted += 1 }
      }
    }
    #expect(failed > 10 && damaged > 10 && whole > 10)
    // What a restart leaves of the bits before it libjpeg tells one marker later,
    // where our scan has ended.
    #expect(unnoted * 50 <= damaged)
  }
}
