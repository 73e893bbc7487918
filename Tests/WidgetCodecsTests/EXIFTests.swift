import Testing
import WidgetCodecs
import WidgetCore

@Suite("EXIF")
struct EXIFTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var exif: [UInt8]
    var expected: Orientation
    var testDescription: String { name }

    init(_ name: String, _ exif: [UInt8], _ expected: Orientation = .up) {
      self.name = name
      self.exif = exif
      self.expected = expected
    }
  }

  static let cases: [Case] =
    Orientation.allCases.flatMap {
      [
        Case("little \($0)", Head.orientation($0.rawValue), $0),
        Case("big \($0)", Head.orientation($0.rawValue, isBig: true), $0),
      ]
    } + [
      Case("with its mark", Head.exifMark + Head.orientation(6), .right),
      Case("as LONG", Head.exif([(0x0112, 4, 1, 8)]), .left),
      Case("0 is none", Head.orientation(0)), Case("9 is none", Head.orientation(9)),
      Case("two of them are none", Head.exif([(0x0112, 3, 2, 6)])),
      Case("as text is none", Head.exif([(0x0112, 2, 1, 6)])),
      Case(
        "the first valid one",
        Head.exif([(0x0112, 3, 1, 0), (0x0112, 3, 1, 3), (0x0112, 3, 1, 6)]),
        .down),
      Case(
        "after other tags", Head.exif([(0x010F, 2, 90, 5000), (0x0112, 3, 1, 5)]), .leftMirrored),
      Case("not the thumbnail's", Head.exif([(0x010F, 2, 4, 0)], then: [(0x0112, 3, 1, 6)])),
      Case("cut", Array(Head.orientation(6).prefix(15))), Case("empty", []),
      Case("no byte order", [0x20, 0x20, 0x2A, 0] + Head.orientation(6).dropFirst(4)),
      Case("offset out of range", [0x49, 0x49, 0x2A, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]),
      Case("offset into its head", [0x49, 0x49, 0x2A, 0, 2, 0, 0, 0, 0, 0, 0, 0]),
      Case("65,535 entries stated", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0xFF, 0xFF] + [0, 0, 0]),
    ]

  @Test("in JPEG", arguments: cases)
  func jpeg(_ sample: Case) throws {
    let mark = sample.exif.starts(with: Head.exifMark) ? [] : Head.exifMark
    let header = try Head.read(
      Head.jpeg(Head.segment(0xE1, mark + sample.exif), Head.frame(), Head.scan()))
    #expect(header.orientation == sample.expected)
    #expect(header.size == PixelSize(width: 40, height: 30))
  }

  @Test("in PNG, before and after the pixels", arguments: cases)
  func png(_ sample: Case) throws {
    let chunk = Head.chunk("eXIf", sample.exif)
    #expect(try Head.read(Head.png(before: chunk)).orientation == sample.expected)
    #expect(try Head.read(Head.png(after: chunk)).orientation == sample.expected)
  }

  @Test("in WebP, after the pixels", arguments: cases)
  func webp(_ sample: Case) throws {
    let picture = RIFF.chunks(try WebPFixture("lossy", 20, 10).encode())
    let file = RIFF.file([RIFF.canvas(20, 10, flags: 8)] + picture + [("EXIF", sample.exif)])
    #expect(try Head.read(file).orientation == sample.expected)
  }

  @Test("Colour space and interoperability come from their directories")
  func colorSpace() throws {
    for isBig in [false, true] {
      // Directories one after the other: each has one entry, 18 bytes.
      let r03 = isBig ? 0x5230_3300 : 0x0033_3052
      var exif = Head.exif([(0x8769, 4, 1, 26)], isBig: isBig)
      exif += Head.exif([(0xA001, 3, 1, 65535), (0xA005, 4, 1, 56)], isBig: isBig).dropFirst(8)
      exif += Head.exif([(1, 2, 4, r03)], isBig: isBig).dropFirst(8)
      let file = Head.jpeg(Head.segment(0xE1, Head.exifMark + exif), Head.frame(), Head.scan())
      #expect(
        try Head.read(file).colorTags == [.exifColorSpace(65535), .exifInteroperability("R03")])
    }
  }

  @Test("The first EXIF segment with a valid orientation wins in JPEG")
  func severalSegments() throws {
    let file = Head.jpeg(
      Head.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8)),
      Head.segment(0xE1, Head.exifMark + Head.orientation(0)),
      Head.segment(0xE1, Head.exifMark + Head.orientation(8)),
      Head.segment(0xE1, Head.exifMark + Head.orientation(3)), Head.frame(), Head.scan())
    #expect(try Head.read(file).orientation == .left)
  }
}
