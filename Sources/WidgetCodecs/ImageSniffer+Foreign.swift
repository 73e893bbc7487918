/// Names for what is not read here: a message that says "a HEIC image" saves
/// its reader a look at the bytes.
extension ImageSniffer {
  /// What the bytes are, as a sentence, or nil.
  static func foreign(_ head: [UInt8]) -> String? {
    if let brand = fileTypeBrand(head) { return brand }
    for (offset, magic, name) in magics
    where head.dropFirst(offset).starts(with: magic) {
      return name
    }
    if tag(head, 0, "RIFF") {
      return head.count < 12 ? "a RIFF file that is cut" : "a RIFF file, but not a WebP"
    }
    return text(head)
  }

  private static let convert = "; convert it to PNG or JPEG first"

  private static let magics: [(Int, [UInt8], String)] = [
    (0, Array("GIF8".utf8), "a GIF image" + convert),
    (0, [0x49, 0x49, 0x2A, 0x00], "a TIFF or raw camera image" + convert),
    (0, [0x4D, 0x4D, 0x00, 0x2A], "a TIFF or raw camera image" + convert),
    (0, [0x49, 0x49, 0x2B, 0x00], "a BigTIFF image" + convert),
    (0, [0x4D, 0x4D, 0x00, 0x2B], "a BigTIFF image" + convert),
    (0, [0x00, 0x00, 0x01, 0x00], "an ICO icon" + convert),
    (0, [0x00, 0x00, 0x02, 0x00], "a CUR cursor" + convert),
    (0, Array("icns".utf8), "an Apple icon file (ICNS)" + convert),
    (0, Array("8BPS".utf8), "a Photoshop document" + convert),
    (0, Array("%PDF".utf8), "a PDF document; render it to PNG first"),
    (0, Array("%!PS".utf8), "a PostScript file; render it to PNG first"),
    (0, [0xFF, 0x0A], "a JPEG XL image" + convert),
    (4, Array("JXL ".utf8), "a JPEG XL image" + convert),
    (4, Array("jP  ".utf8), "a JPEG 2000 image" + convert),
    (0, [0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 image" + convert),
    (0, Array("qoif".utf8), "a QOI image" + convert),
    (0, Array("DDS ".utf8), "a DDS texture" + convert),
    (0, [0xAB, 0x4B, 0x54, 0x58], "a KTX texture" + convert),
    (0, [0x76, 0x2F, 0x31, 0x01], "an OpenEXR image" + convert),
    (0, Array("#?RADIANCE".utf8), "a Radiance HDR image" + convert),
    (0, Array("farbfeld".utf8), "a farbfeld image" + convert),
    (0, [0x42, 0x50, 0x47, 0xFB], "a BPG image" + convert),
    (0, [0x8A, 0x4D, 0x4E, 0x47], "an MNG animation" + convert),
    (0, [0x8B, 0x4A, 0x4E, 0x47], "a JNG image" + convert),
    (0, [0x50, 0x4B, 0x03, 0x04], "a ZIP archive (or a document kept in one)"),
    (0, [0x1F, 0x8B], "gzip-compressed data; unpack it first"),
    (0, Array("bplist00".utf8), "a property list"),
    (0, Array("version https://git-lfs".utf8), "a Git LFS pointer, not the image itself"),
    (0, Array("iVBORw0KGgo".utf8), "the base64 text of a PNG; decode it first"),
    (0, Array("/9j/".utf8), "the base64 text of a JPEG; decode it first"),
    (0, Array("UklGR".utf8), "the base64 text of a WebP; decode it first"),
    (0, Array("data:image/".utf8), "a data URI; decode it first"),
    (0, [0x1A, 0x45, 0xDF, 0xA3], "a Matroska or WebM video"),
    (0, [0x7F, 0x45, 0x4C, 0x46], "a program"),
  ]

  /// ISO base media files: the brand tells pictures from films.
  private static func fileTypeBrand(_ head: [UInt8]) -> String? {
    guard tag(head, 4, "ftyp"), head.count >= 12 else { return nil }
    // The major brand, then those it is compatible with.
    let size = min(head.count, max(16, head[0..<4].reduce(0) { $0 << 8 | Int($1) }))
    var brands = [String(decoding: head[8..<12], as: UTF8.self)]
    for start in stride(from: 16, to: size - 3, by: 4) {
      brands.append(String(decoding: head[start..<start + 4], as: UTF8.self))
    }
    for brand in brands {
      switch brand {
      case "avif", "avis": return "an AVIF image; convert it to JPEG or PNG first"
      case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs":
        return "a HEIC image; convert it to JPEG or PNG first"
      case "crx ": return "a Canon raw image; convert it to JPEG or PNG first"
      default: continue
      }
    }
    if brands.contains("mif1") || brands.contains("msf1") {
      return "a HEIF image; convert it to JPEG or PNG first"
    }
    return "a film or sound file (MP4, QuickTime)"
  }

  private static func text(_ head: [UInt8]) -> String? {
    if head.allSatisfy({ $0 == 0 }) { return "nothing but zero bytes" }
    if head.starts(with: [0x42, 0x4D]), head.count >= 14, head[6..<10].allSatisfy({ $0 == 0 }) {
      return "a BMP image" + convert
    }
    if head.count > 2, head[0] == 0x50, (0x31...0x37).contains(head[1]),
      [0x20, 0x0A, 0x0D, 0x09].contains(head[2])
    {
      return "a Netpbm image" + convert
    }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      return "a text file in UTF-16"
    }
    var body = head[...]
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { body = body.dropFirst(3) }
    guard body.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else {
      return nil
    }
    let text = String(decoding: body, as: UTF8.self)
    // The last character may be cut in two.
    if text.dropLast().contains("\u{FFFD}") { return nil }
    let lower = text.lowercased()
    let start = lower.drop { $0.isWhitespace }
    if start.hasPrefix("<") {
      if lower.contains("<svg") { return "an SVG drawing; render it to PNG first" }
      if lower.contains("<html") || start.hasPrefix("<!doctype html") {
        return "an HTML page, perhaps an error page saved in place of the image"
      }
      return "an XML file"
    }
    return start.hasPrefix("{") || start.hasPrefix("[") ? "a JSON or text file" : "a text file"
  }
}
