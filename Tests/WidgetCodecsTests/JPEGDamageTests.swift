import Testing
import WidgetCodecs
import WidgetCore

@Suite("Damaged JPEG") struct JPEGDamageTests {
  static let codings: [JPEGFixture] = {
    var small = JPEGFixture(width: 33, height: 25)
    small.sampling[0] = (2, 2)
    var variants = [small, small, small, small]
    variants[1].progressive = true
    variants[2].separateScans = true
    variants[3].restartInterval = 2
    return variants
  }()

  /// The first offset such that a file cut there lacks nothing but its EOI.
  @Test(
    "cut at every length: a failure while pixels lack, a note when only the end does",
    arguments: codings)
  func everyLength(_ fixture: JPEGFixture) {
    let bytes = fixture.bytes
    let whole = StockJPEG(bytes).rows
    for length in 0..<bytes.count {
      let decoded = Decoded(.jpeg, .bytes(Array(bytes[0..<length])))
      #expect(decoded.left == 0)
      if length >= bytes.count - 2 {
        #expect(decoded.error == nil, "\(length) of \(bytes.count)")
        #expect(decoded.notes == ["trailer-missing"])
        #expect(decoded.rows == whole)
      } else if decoded.error == nil {
        // The last bytes of a scan may hold padding alone: then, and only then,
        // pixels are whole without them.
        #expect(length >= bytes.count - 3, "\(length) of \(bytes.count)")
        #expect(decoded.rows == whole)
      } else {
        #expect(decoded.error?.code == .truncated, "\(length) of \(bytes.count)")
      }
    }
  }

  @Test("a cut JPEG gives what is there when that is allowed", arguments: codings)
  func allowTruncated(_ fixture: JPEGFixture) throws {
    let bytes = fixture.bytes
    let firstScan = try #require(
      bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    // Within scans and, where there are several, within the headers between.
    for length in stride(from: firstScan + 40, to: bytes.count - 3, by: 7) {
      let cut = Array(bytes[0..<length])
      let decoded = Decoded(.jpeg, .bytes(cut), options: .init(allowTruncated: true))
      #expect(decoded.error == nil)
      #expect(decoded.notes == ["truncated-filled"])
      #expect(decoded.rows.count == fixture.width * fixture.height * 3)
      if let stock = StockJPEG(cut).rows { #expect(decoded.rows == stock) }
      #expect(decoded.left == 0)
    }
  }

  @Test("a progressive file that ends between scans is cut, with its EOI it is not")
  func betweenScans() throws {
    var fixture = JPEGFixture()
    fixture.progressive = true
    let bytes = fixture.bytes
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    // A DHT stands before each scan: cut before the one of the fourth.
    let fourth = try #require(scans.dropFirst(3).first)
    let table = try #require(
      (0..<fourth).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC4 })
    let cut = Array(bytes[0..<table])
    #expect(Decoded(.jpeg, .bytes(cut)).error?.code == .truncated)
    let ended = Decoded(.jpeg, .bytes(cut + [0xFF, 0xD9]))
    #expect(ended.error == nil)
    #expect(ended.rows == StockJPEG(cut + [0xFF, 0xD9]).rows)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: EngineError.Code?
    var notes: [String] = []
    var message = ""
    var bytes: [UInt8]
  }

  static let cases: [Case] = {
    let bytes = JPEGFixture().bytes
    func offset(of marker: UInt8) -> Int {
      bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == marker } ?? 0
    }
    let frame = offset(of: 0xC0)
    func edited(_ edit: (inout [UInt8]) -> Void) -> [UInt8] {
      var copy = bytes
      edit(&copy)
      return copy
    }
    func process(_ marker: UInt8, _ message: String) -> Case {
      Case(
        testDescription: message, code: .unsupported, message: message,
        bytes: edited { $0[frame + 1] = marker })
    }
    return [
      process(0xC3, "lossless JPEG (SOF3)"), process(0xC5, "hierarchical JPEG (SOF5)"),
      process(0xC7, "SOF7"), process(0xCB, "SOF11"), process(0xCF, "SOF15"),
      Case(
        testDescription: "12 bits", code: .unsupported, message: "12 bits",
        bytes: edited { $0[frame + 4] = 12 }),
      Case(
        testDescription: "height 0", code: .unsupported, message: "DNL",
        bytes: edited { $0.replaceSubrange(frame + 5..<frame + 7, with: [0, 0]) }),
      Case(
        testDescription: "width 0", code: .damaged,
        bytes: edited { $0.replaceSubrange(frame + 7..<frame + 9, with: [0, 0]) }),
      Case(
        testDescription: "65,535 wide", code: .unsupported, message: "65500",
        bytes: edited { $0.replaceSubrange(frame + 7..<frame + 9, with: [0xFF, 0xFF]) }),
      Case(
        testDescription: "two components", code: .unsupported, message: "2 components",
        bytes: twoComponents()),
      Case(
        testDescription: "sampling factor 0", code: .damaged,
        bytes: edited { $0[frame + 11] = 0 }),
      Case(
        testDescription: "bytes after the end", notes: ["trailing-bytes"],
        bytes: bytes + [0, 1, 2]),
      Case(
        testDescription: "another image after the end", notes: ["trailing-bytes"],
        bytes: bytes + bytes),
      Case(
        testDescription: "bytes between segments", notes: ["damaged-data"],
        bytes: edited { $0.insert(contentsOf: [1, 2, 3], at: frame) }),
      Case(
        testDescription: "JFIF version 9", bytes: edited { $0[11] = 9 }),
      Case(
        testDescription: "a restart segment damaged", notes: ["damaged-data"],
        bytes: damagedSegment()),
      Case(testDescription: "nothing", code: .truncated, bytes: []),
      Case(testDescription: "text", code: .damaged, bytes: Array("this is no JPEG".utf8)),
      Case(testDescription: "no image", code: .damaged, bytes: [0xFF, 0xD8, 0xFF, 0xD9]),
    ]
  }()

  /// The data between two restart markers turned to ones.
  private static func damagedSegment() -> [UInt8] {
    var fixture = JPEGFixture()
    fixture.restartInterval = 4
    var bytes = fixture.bytes
    let restarts = bytes.indices.dropLast().filter {
      bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }
    for i in restarts[2] + 10..<restarts[3] { bytes[i] = 0x7F }
    return bytes
  }

  /// Grey, with a second component put in the frame and in the scan.
  private static func twoComponents() -> [UInt8] {
    var fixture = JPEGFixture()
    fixture.components = 1
    var bytes = fixture.bytes
    for (marker, count, entry) in [(0xC0, 9, [9, 0x11, 0] as [UInt8]), (0xDA, 4, [9, 0])] {
      guard
        let start = bytes.indices.dropLast().first(where: {
          bytes[$0] == 0xFF && bytes[$0 + 1] == UInt8(marker)
        })
      else { continue }
      bytes[start + 3] += UInt8(entry.count)
      bytes[start + count] = 2
      let list = start + count + 1 + (marker == 0xC0 ? 3 : 2)
      bytes.insert(contentsOf: entry, at: list)
    }
    return bytes
  }

  @Test("damage is named, or noted where decoding goes on", arguments: cases)
  func damage(_ test: Case) {
    let decoded = Decoded(.jpeg, .bytes(test.bytes))
    #expect(decoded.error?.code == test.code, "\(String(describing: decoded.error))")
    #expect(decoded.error?.message.contains(test.message) ?? true)
    if test.code == nil { #expect(decoded.notes == test.notes) }
    #expect(decoded.left == 0)
  }

  @Test("more scans than allowed are refused")
  func scanLimit() {
    var fixture = JPEGFixture()
    fixture.progressive = true
    let bytes = fixture.bytes
    #expect(Decoded(.jpeg, .bytes(bytes), options: .init(maxScans: 10)).error == nil)
    let refused = Decoded(.jpeg, .bytes(bytes), options: .init(maxScans: 9))
    #expect(refused.error?.code == .damaged)
    #expect(refused.error?.message.contains("9 scans") == true)
  }

  @Test("one byte turned, anywhere: no crash, and all memory comes back")
  func mutations() {
    for var fixture in Self.codings {
      fixture.width = 17
      fixture.height = 9
      let bytes = fixture.bytes
      for index in bytes.indices {
        for mask in [0x01, 0x80, 0xFF] as [UInt8] {
          var turned = bytes
          turned[index] ^= mask
          let decoded = Decoded(.jpeg, .bytes(turned), limit: 4_000_000, keepsRows: false)
          #expect(decoded.left == 0)
        }
      }
    }
  }
}
