import CTestWebP
import Testing

/// A WebP file that libwebp's encoder makes.
struct WebPFixture: Sendable, CustomTestStringConvertible {
  var name: String
  var width: Int
  var height: Int
  var scene: wt_scene = .WT_PHOTO
  var alpha = false
  var options = wt_webp_options()

  init(
    _ name: String, _ width: Int, _ height: Int, _ scene: wt_scene = .WT_PHOTO,
    alpha: Bool = false, _ change: (inout wt_webp_options) -> Void = { _ in }
  ) {
    self.name = name
    self.width = width
    self.height = height
    self.scene = scene
    self.alpha = alpha
    options.quality = 80
    options.method = 1
    change(&options)
  }

  var testDescription: String { "\(name) \(width)x\(height)" }

  var pixels: [UInt8] {
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    wt_fill(&pixels, Int32(width), Int32(height), scene, alpha)
    return pixels
  }

  func encode() throws -> [UInt8] {
    var options = options
    var out: UnsafeMutablePointer<UInt8>?
    let pixels = pixels
    let count = wt_webp_encode(pixels, Int32(width), Int32(height), &options, &out)
    let bytes = try #require(out, "libwebp encodes \(name)")
    defer { wt_free(bytes) }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// RIFF files put together by hand.
enum RIFF {
  typealias Chunk = (name: String, data: [UInt8])

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func bytes(_ chunk: Chunk) -> [UInt8] {
    let padding: [UInt8] = chunk.data.count % 2 == 1 ? [0] : []
    return Array(chunk.name.utf8) + little(chunk.data.count, 4) + chunk.data + padding
  }

  static func file(_ chunks: [Chunk], size: Int? = nil) -> [UInt8] {
    let body = Array("WEBP".utf8) + chunks.flatMap(bytes)
    return Array("RIFF".utf8) + little(size ?? body.count, 4) + body
  }

  /// The chunks of a whole file.
  static func chunks(_ file: [UInt8]) -> [Chunk] {
    var chunks: [Chunk] = []
    var offset = 12
    while offset + 8 <= file.count {
      let count = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
      let data = Array(file[offset + 8..<min(file.count, offset + 8 + count)])
      chunks.append((String(decoding: file[offset..<offset + 4], as: UTF8.self), data))
      offset += 8 + count + count % 2
    }
    return chunks
  }

  static func canvas(_ width: Int, _ height: Int, flags: Int = 0) -> Chunk {
    ("VP8X", little(flags, 4) + little(width - 1, 3) + little(height - 1, 3))
  }

  static func frame(_ file: [UInt8], x: Int, y: Int, width: Int, height: Int) -> Chunk {
    let picture = chunks(file).filter { ["ALPH", "VP8 ", "VP8L"].contains($0.name) }
    let head =
      little(x / 2, 3) + little(y / 2, 3) + little(width - 1, 3) + little(height - 1, 3)
      + little(100, 3) + [0]
    return ("ANMF", head + picture.flatMap(bytes))
  }
}
