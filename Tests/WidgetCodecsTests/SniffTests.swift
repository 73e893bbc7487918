import Testing
import WidgetCodecs
import WidgetCore

@Suite("What is not an image is named")
struct SniffTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var code: EngineError.Code
    var says: String
    var testDescription: String { says }

    init(_ bytes: [UInt8], _ says: String, _ code: EngineError.Code = .notAnImage) {
      self.bytes = bytes
      self.code = code
      self.says = says
    }

    init(text: String, _ says: String) {
      self.init(Array(text.utf8), says)
    }
  }

  static func fileType(_ brands: String...) -> [UInt8] {
    let body = "ftyp" + brands[0] + "\0\0\0\0" + brands.dropFirst().joined()
    return Head.big(body.utf8.count + 4, 4) + Array(body.utf8) + [0, 0, 0, 8, 0x6D, 0x64]
  }

  @Test(arguments: [
    Case([], "empty"),
    Case([0x89, 0x50, 0x4E], "inside the signature of a PNG", .truncated),
    Case([0xFF], "inside the signature of a JPEG", .truncated),
    Case(text: "RIFF\u{8}\0\0\0WAVEfmt ", "RIFF file"),
    Case([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A, 0], "text mode", .damaged),
    Case(fileType("heic", "mif1", "heic"), "HEIC"), Case(fileType("mif1", "heic"), "HEIC"),
    Case(fileType("avif", "mif1"), "AVIF"), Case(fileType("mif1", "miaf"), "HEIF"),
    Case(fileType("isom", "mp42"), "MP4"),
    Case(text: "GIF89a\u{1}\0\u{1}\0", "GIF"), Case(text: "II*\0\u{8}\0\0\0", "TIFF"),
    Case(text: "MM\0*\0\0\0\u{8}", "TIFF"), Case(text: "8BPS\0\u{1}", "Photoshop"),
    Case(text: "%PDF-1.7", "PDF"), Case([0xFF, 0x0A, 0, 0], "JPEG XL"),
    Case([0, 0, 0, 12] + Array("JXL \r\n\u{7}\n".utf8), "JPEG XL"),
    Case([0, 0, 0, 12] + Array("jP  \r\n".utf8), "JPEG 2000"),
    Case([0, 0, 1, 0, 1, 0, 16, 16], "ICO"),
    Case([0x42, 0x4D, 70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0], "BMP"),
    Case([0x50, 0x4B, 3, 4, 20, 0], "ZIP"), Case([0x1F, 0x8B, 8, 0], "gzip"),
    Case(text: "P6 20 20 255\n", "Netpbm"),
    Case(text: "version https://git-lfs.github.com/spec/v1\noid sha256:0", "Git LFS pointer"),
    Case(text: "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\">", "SVG"),
    Case(text: "\u{FEFF}  <SVG width='1'>", "SVG"),
    Case(text: "<?xml version=\"1.0\"?><a/>", "XML"),
    Case(text: "<!DOCTYPE html><title>404</title>", "HTML"),
    Case(text: "{\"error\": 404}", "JSON"),
    Case(text: "iVBORw0KGgoAAAANSU", "base64 text of a PNG"),
    Case(text: "data:image/png;base64,iVBO", "data URI"), Case(text: "hello there\n", "text file"),
    Case([UInt8](repeating: 0, count: 4000), "zero bytes"),
    Case([0xDE, 0xAD, 0xBE, 0xEF], "not a PNG, JPEG or WebP"),
  ])
  func named(_ sample: Case) throws {
    let failure = try #require(Head.failure(sample.bytes))
    #expect(failure.code == sample.code)
    #expect(failure.message.contains(sample.says))
  }
}
