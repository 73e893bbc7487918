import Testing
import WidgetCodecs
import WidgetCore

@Suite("JPEG headers")
struct HeaderJPEGTests {
  private func detail(_ header: ImageHeader) throws -> ImageHeader.JPEGDetail {
    guard case .jpeg(let detail) = header.detail else {
      throw EngineError(.internalFault, "not a JPEG's detail")
    }
    return detail
  }

  @Test("Processes", arguments: 0..<16)
  func processes(process: Int) throws {
    if [4, 8, 12].contains(process) { return }  // DHT, JPG and DAC
    let file = Head.jpeg(Head.frame(UInt8(process)), Head.scan())
    let codings: [Int: ImageCoding] = [
      0: .jpegBaseline, 1: .jpegExtended, 2: .jpegProgressive, 9: .jpegArithmetic,
      10: .jpegArithmeticProgressive,
    ]
    if let coding = codings[process] {
      #expect(try Head.read(file).coding == coding)
    } else {
      let failure = try #require(Head.failure(file))
      #expect(failure.code == .unsupported)
      #expect(failure.message.contains("SOF\(process)"))
    }
  }

  @Test("Scans are counted, stuffed zeros and restarts in them are not")
  func scans() throws {
    let tables = Head.segment(0xC4, [0xFF, 0xDA, 0xFF, 0xD9])
    let progressive = Head.jpeg(
      Head.frame(2), Head.scan(), Head.scan([1]), tables, Head.scan([2]), Head.scan([3]))
    #expect(try detail(Head.read(progressive)).scans == 4)
    let several = Head.jpeg(Head.frame(), Head.scan([1]), tables, Head.scan([2, 3]))
    #expect(try Head.read(several).coding == .jpegMultiScan)
    #expect(try detail(Head.read(several)).scans == 2)
    // One scan of all components: what follows it is not looked at.
    let single = Head.jpeg(Head.frame(), Head.scan(), Head.scan())
    #expect(try detail(Head.read(single)).scans == 1)
    #expect(try Head.read(Array(progressive.dropLast(30))).coding == .jpegProgressive)
  }

  @Test func whatTheSegmentsTell() throws {
    let file = Head.jpeg(
      [0xFF, 0xFF, 0xFF], Head.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]),
      [0x00, 0x17], Head.segment(0xE2, Array("MPF\0".utf8) + [1]),
      Head.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2]),
      Head.segment(0xDD, [0, 9]), Head.segment(0xFE, [0xFF, 0xC0, 0xFF, 0xD8]),
      Head.frame(sampling: [0x41, 0x11, 0x11, 0x41]), Head.scan([1, 2, 3, 4]))
    let header = try Head.read(file)
    let found = try detail(header)
    #expect(found.adobeTransform == 2)
    #expect(found.restartInterval == 9)
    #expect(found.components.map(\.horizontalSampling) == [4, 1, 1, 4])
    #expect(header.colorTags == [.adobe(transform: 2)])
    #expect(header.notes.map(\.code) == ["multi-picture"])
    #expect(header.layout == PixelLayout(.rgb))
    let grey = Head.jpeg(Head.frame(sampling: [0x22]), Head.scan([1]))
    #expect(try Head.read(grey).layout == PixelLayout(.grey))
    #expect(try Head.read(grey).coding == .jpegBaseline)
  }

  @Test("The profile's name, from chunks in any order")
  func profile() throws {
    // A profile of one tag: header, count, then `desc` at 144.
    func profile(_ text: [UInt8]) -> [UInt8] {
      [UInt8](repeating: 0, count: 128) + Head.big(1, 4) + Array("desc".utf8) + Head.big(144, 4)
        + Head.big(text.count, 4) + text
    }
    let ascii =
      Array("desc".utf8) + Head.big(0, 4) + Head.big(11, 4) + Array("Display P3\0".utf8)
    let unicode =
      Array("mluc".utf8) + Head.big(0, 4) + Head.big(1, 4) + Head.big(12, 4) + Array("enUS".utf8)
      + Head.big(14, 4) + Head.big(28, 4) + "Größe\u{7}X".utf16.flatMap { Head.big(Int($0), 2) }
    for (text, name) in [(ascii, "Display P3"), (unicode, "Größe?X")] {
      let whole = profile(text)
      let pieces = [Array(whole[..<100]), Array(whole[100..<150]), Array(whole[150...])]
      let segments = [2, 0, 1].flatMap { index in
        Head.segment(
          0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), 3] + pieces[index])
      }
      let header = try Head.read(Head.jpeg(segments, Head.frame(), Head.scan()))
      #expect(header.colorTags == [.icc(description: name, bytes: whole.count)])
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var says: String
    var bytes: [UInt8]
    var code: EngineError.Code
    var testDescription: String { says }
  }

  @Test(arguments: [
    Case(says: "12-bit", bytes: Head.jpeg(Head.frame(1, precision: 12)), code: .unsupported),
    Case(says: "DNL", bytes: Head.jpeg(Head.frame(height: 0)), code: .unsupported),
    Case(says: "frame header", bytes: Head.jpeg(Head.frame(width: 0)), code: .damaged),
    Case(says: "65500", bytes: Head.jpeg(Head.frame(width: 65501)), code: .unsupported),
    Case(
      says: "2 components", bytes: Head.jpeg(Head.frame(sampling: [0x11, 0x11])),
      code: .unsupported),
    Case(
      says: "sampling of 5x1", bytes: Head.jpeg(Head.frame(sampling: [0x51])), code: .damaged),
    Case(
      says: "two frame headers", bytes: Head.jpeg(Head.frame(), Head.frame()), code: .damaged),
    Case(says: "before its frame", bytes: Head.jpeg(Head.scan()), code: .damaged),
    Case(says: "no picture", bytes: Head.jpeg(), code: .damaged),
    Case(says: "begins twice", bytes: Head.jpeg([0xFF, 0xD8]), code: .damaged),
    Case(says: "ends inside", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0x40, 0x00, 1], code: .truncated),
    Case(says: "ends inside", bytes: [0xFF, 0xD8] + Head.frame(), code: .truncated),
  ])
  func refused(_ sample: Case) throws {
    let failure = try #require(Head.failure(sample.bytes))
    #expect(failure.code == sample.code)
    #expect(failure.message.contains(sample.says))
  }
}
