import Testing
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

@Suite("Damaged PNG") struct PNGDamageTests {
  @Test("cut at every length: a failure until the last pixel is there, a note after it")
  func everyLength() {
    for interlaced in [false, true] {
      var fixture = PNGFixture(.rgb, width: 5, height: 4)
      fixture.interlaced = interlaced
      let bytes = fixture.bytes
      // Behind the last pixel: Adler-32, the IDAT's checksum, IEND.
      let lastPixel = bytes.count - 4 - 4 - 12
      for length in 0..<bytes.count {
        let decoded = Decoded(.png, .bytes(Array(bytes[0..<length])))
        #expect(decoded.left == 0)
        if length < lastPixel {
          #expect(decoded.error?.code == .truncated, "\(length) of \(bytes.count)")
        } else {
          #expect(decoded.error == nil, "\(length) of \(bytes.count)")
          #expect(decoded.notes == ["trailer-missing"])
          #expect(decoded.rows == fixture.rows)
        }
      }
    }
  }

  @Test("a cut PNG gives every whole row when that is allowed", arguments: [false, true])
  func allowTruncated(interlaced: Bool) {
    var fixture = PNGFixture(.rgb, width: 40, height: 30)
    fixture.interlaced = interlaced
    let bytes = fixture.bytes
    let options = CodecReader.Options(allowTruncated: true)
    let cut = Decoded(.png, .bytes(Array(bytes[0..<bytes.count / 2])), options: options)
    #expect(cut.error == nil)
    #expect(cut.notes == ["truncated-filled"])
    #expect(cut.rows.count == fixture.rows.count)
    if interlaced {
      // What the early passes gave is right, the rest is 0.
      let wrong = zip(cut.rows, fixture.rows).filter { $0 != $1 && $0 != 0 }.count
      #expect(wrong == 0)
      #expect(cut.rows.contains { $0 != 0 })
    } else {
      // Stored blocks: half of the bytes is half of the rows, but for headers.
      #expect(Array(cut.rows[0..<13 * 120]) == Array(fixture.rows[0..<13 * 120]))
      #expect(cut.rows[16 * 120..<30 * 120].allSatisfy { $0 == 0 })
    }
    let headerOnly = Decoded(.png, .bytes(Array(bytes[0..<45])), options: options)
    #expect(headerOnly.error?.code == .truncated)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: EngineError.Code?
    var notes: [String] = []
    var bytes: [UInt8]
  }

  static let cases: [Case] = {
    let fixture = PNGFixture(.rgb)
    func edited(_ edit: (inout [PNGFixture.Chunk]) -> Void) -> [UInt8] {
      var chunks = fixture.chunks
      edit(&chunks)
      return PNGFixture.file(chunks)
    }
    var short = fixture
    short.missingRows = 3
    var badPalette = PNGFixture(.palette, depth: 8)
    badPalette.palette = Array(badPalette.palette[0..<30])
    var earlyKey = PNGFixture(.palette, depth: 4)
    earlyKey.before = [.init("tRNS", [1, 2, 3], hasBadCRC: true)]
    var longKey = PNGFixture(.grey, depth: 2)
    longKey.transparency = [0xFF, 0xFC]
    return [
      Case(
        testDescription: "bytes after the end", notes: ["trailing-bytes"],
        bytes: fixture.bytes + [0]),
      Case(
        testDescription: "bad checksum of IHDR", code: .damaged,
        bytes: edited { $0[0].hasBadCRC = true }),
      Case(
        testDescription: "bad checksum of IDAT", code: .damaged,
        bytes: edited { $0[1].hasBadCRC = true }),
      Case(
        testDescription: "bad Adler-32", code: .damaged,
        bytes: edited { $0[1].data[$0[1].data.count - 1] ^= 1 }),
      Case(
        testDescription: "no IDAT", code: .damaged, bytes: edited { $0.remove(at: 1) }),
      Case(
        testDescription: "stream ends early", code: .truncated, bytes: short.bytes),
      Case(
        testDescription: "not deflate", code: .damaged,
        bytes: edited { $0[1].data = [UInt8](repeating: 0x55, count: 50) }),
      Case(
        testDescription: "width 0", code: .damaged,
        bytes: edited { $0[0].data.replaceSubrange(0..<4, with: [0, 0, 0, 0]) }),
      Case(
        testDescription: "colour type 5", code: .damaged, bytes: edited { $0[0].data[9] = 5 }),
      Case(
        testDescription: "palette missing", code: .damaged, bytes: edited { $0[0].data[9] = 3 }),
      Case(
        testDescription: "unknown critical chunk", code: .unsupported,
        bytes: edited { $0.insert(.init("NEWs", [1]), at: 1) }),
      Case(
        testDescription: "Apple's crushed PNG", code: .unsupported,
        bytes: edited { $0.insert(.init("CgBI", [0x50, 0, 0x20, 2]), at: 0) }),
      Case(testDescription: "index past the palette", bytes: badPalette.bytes),
      Case(
        testDescription: "bad checksum of tRNS", notes: ["damaged-data"], bytes: earlyKey.bytes),
      Case(testDescription: "tRNS with spare bits set", bytes: longKey.bytes),
      Case(
        testDescription: "text after the image with a bad checksum",
        bytes: edited { $0.insert(.init("tEXt", [1, 2], hasBadCRC: true), at: 2) }),
      Case(
        testDescription: "a chunk of 4 GB", code: .damaged,
        bytes: Array(fixture.bytes[0..<33]) + [0xFF, 0xFF, 0xFF, 0xFF, 0x74, 0x45, 0x58, 0x74]),
      Case(testDescription: "nothing", code: .truncated, bytes: []),
      Case(testDescription: "text", code: .damaged, bytes: Array("hello, this is no PNG".utf8)),
    ]
  }()

  @Test("damage is named, or noted where pixels are whole", arguments: cases)
  func damage(_ test: Case) {
    let decoded = Decoded(.png, .bytes(test.bytes))
    #expect(decoded.error?.code == test.code)
    if test.code == nil { #expect(decoded.notes == test.notes) }
    #expect(decoded.left == 0)
  }

  @Test("CgBI is called by its name")
  func crushed() throws {
    let test = try #require(Self.cases.first { $0.testDescription.contains("crushed") })
    #expect(Decoded(.png, .bytes(test.bytes)).error?.message.contains("CgBI") == true)
  }

  @Test("a failure stays: every later row gives the same one")
  func sticky() throws {
    var fixture = PNGFixture(.rgb)
    fixture.missingRows = 5
    let ledger = MemoryLedger()
    let input = try CodecInput(bytes: fixture.bytes, on: ledger)
    var reader = try CodecReader(png: input, on: ledger)
    var row = [UInt8](repeating: 0, count: 19 * 3)
    var errors: [EngineError] = []
    for _ in 0..<fixture.height {
      do throws(EngineError) {
        var failure: EngineError?
        row.withUnsafeMutableBytes { buffer in
          do throws(EngineError) { try reader.readRow(into: buffer) } catch { failure = error }
        }
        if let failure { throw failure }
      } catch {
        errors.append(error)
      }
    }
    #expect(errors.count == 5)
    #expect(Set(errors).count == 1)
    #expect(throws: EngineError.self) { try reader.finish() }
  }

  @Test("one byte turned, anywhere: no crash, and all memory comes back")
  func mutations() {
    var fixture = PNGFixture(.palette, depth: 4, width: 9, height: 6)
    fixture.transparency = [0, 50]
    fixture.before = [.init("gAMA", [0, 0, 0xB1, 0x8F])]
    for interlaced in [false, true] {
      fixture.interlaced = interlaced
      let bytes = fixture.bytes
      for index in bytes.indices {
        for mask in [0x01, 0x20, 0x80, 0xFF] as [UInt8] {
          var turned = bytes
          turned[index] ^= mask
          let decoded = Decoded(.png, .bytes(turned), limit: 4_000_000, keepsRows: false)
          #expect(decoded.left == 0)
        }
      }
    }
  }
}
