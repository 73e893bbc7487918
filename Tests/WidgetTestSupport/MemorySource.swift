import CTestCodecs
import CTestWebP
package import WidgetCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file of one coding, to hold memory claims against. Made by stock libraries
/// on first use, and kept in a temporary folder while the process runs.
package struct MemorySource: Sendable, CustomStringConvertible {
  package var name: String
  /// What `inspect` calls it.
  package var coding: String
  package var size: PixelSize
  package var fileExtension: String
  let make: @Sendable () -> [UInt8]

  package var description: String { "\(name) \(size)" }

  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// The file.
  ///
  /// - Throws: ``Failure`` where it could not be made or stored.
  package func path() throws -> String { try MemorySourceCache.shared.path(of: self) }
}

/// Files by the description of their source.
private final class MemorySourceCache: Sendable {
  static let shared = MemorySourceCache()

  /// Empty where none could be made.
  let folder: String

  private init() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/widgetimg-memory.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      folder = ""
      return
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    atexit {
      let folder = MemorySourceCache.shared.folder
      if !folder.isEmpty { _ = try? ChildProcess.run("rm", ["-r", folder]) }
    }
  }

  func path(of source: MemorySource) throws -> String {
    guard !folder.isEmpty else {
      throw MemorySource.Failure(description: "no temporary folder could be made")
    }
    let name = source.description.map { $0 == " " || $0 == "/" ? "-" : $0 }
    let finished = "\(folder)/\(String(name)).\(source.fileExtension)"
    if access(finished, R_OK) == 0 { return finished }
    let bytes = source.make()
    guard !bytes.isEmpty else {
      throw MemorySource.Failure(description: "\(source) could not be made")
    }
    // Written aside and renamed: tests run side by side.
    var template = Array("\(folder)/unfinished.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw MemorySource.Failure(description: "\(source): no file") }
    let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    guard written == bytes.count, rename(template, finished) == 0 else {
      throw MemorySource.Failure(description: "\(source) could not be stored")
    }
    return finished
  }
}

// MARK: Making

extension MemorySource {
  package static func png(
    _ type: PNGFixture.ColorType, _ depth: Int, _ size: PixelSize, transparent: Bool = false,
    interlaced: Bool = false, orientation: Int = 0
  ) -> MemorySource {
    let words = [
      "png", "\(type)\(depth)", transparent ? "trns" : "", interlaced ? "adam7" : "",
      orientation > 0 ? "turned-\(orientation)" : "",
    ]
    return MemorySource(
      name: words.filter { !$0.isEmpty }.joined(separator: " "),
      coding: interlaced ? "adam7" : "non-interlaced", size: size, fileExtension: "png"
    ) {
      var options = ct_png_options()
      options.width = UInt32(size.width)
      options.height = UInt32(size.height)
      options.color_type = UInt32(type.rawValue)
      options.depth = UInt32(depth)
      options.transparent = transparent
      options.interlaced = interlaced
      options.orientation = UInt8(orientation)
      return taken(ct_png_write(&options))
    }
  }

  /// `sampling` as in `4:2:0` of JPEG: factors, horizontal then vertical.
  static func jpeg(
    _ name: String, _ coding: String, _ size: PixelSize, components: Int = 3,
    sampling: [UInt8] = [2, 2, 1, 1, 1, 1], orientation: Int = 0,
    change: @escaping @Sendable (inout ct_jpeg_options) -> Void = { _ in }
  ) -> MemorySource {
    MemorySource(
      name: "jpeg \(name)" + (orientation > 0 ? " turned-\(orientation)" : ""), coding: coding,
      size: size, fileExtension: "jpg"
    ) {
      var options = ct_jpeg_options()
      options.width = UInt32(size.width)
      options.height = UInt32(size.height)
      options.components = UInt32(components)
      options.quality = 85
      withUnsafeMutableBytes(of: &options.sampling) { factors in
        for (i, factor) in sampling.enumerated() { factors[i] = factor }
      }
      change(&options)
      let file = taken(ct_jpeg_write(&options))
      guard orientation > 0, file.count > 2 else { return file }
      let exif = Array("Exif\0\0".utf8) + tiff(orientation)
      return file[..<2] + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + file[2...]
    }
  }

  static func webp(
    _ name: String, _ coding: String, _ size: PixelSize, scene: wt_scene = .WT_PHOTO,
    alpha: Bool = false, animated: Bool = false, orientation: Int = 0,
    change: @escaping @Sendable (inout wt_webp_options) -> Void = { _ in }
  ) -> MemorySource {
    MemorySource(
      name: "webp \(name)" + (orientation > 0 ? " turned-\(orientation)" : ""), coding: coding,
      size: size, fileExtension: "webp"
    ) {
      var options = wt_webp_options()
      options.quality = 85
      options.method = 0
      change(&options)
      let width = Int32(size.width)
      let height = Int32(size.height)
      var pixels = [UInt8](repeating: 0, count: 4 * size.width * size.height)
      wt_fill(&pixels, width, height, scene, alpha)
      var out: UnsafeMutablePointer<UInt8>?
      let count = wt_webp_encode(pixels, width, height, &options, &out)
      defer { wt_free(out) }
      let still = Array(UnsafeBufferPointer(start: out, count: count))
      let file = animated ? animation(still, size) : still
      guard orientation > 0, file.count > 12 else { return file }
      let exif = riffChunk("EXIF", tiff(orientation))
      let flags: UInt8 = alpha ? 0x18 : 0x08
      let first = riffChunk(
        "VP8X",
        [flags, 0, 0, 0] + little24(size.width - 1)
          + little24(size.height - 1))
      return riff(first + file[12...] + exif)
    }
  }

  /// An animation whose first frame is all of `file`'s picture and second the
  /// same again.
  private static func animation(_ file: [UInt8], _ size: PixelSize) -> [UInt8] {
    guard file.count > 12 else { return [] }
    let frame = riffChunk(
      "ANMF",
      [0, 0, 0, 0, 0, 0] + little24(size.width - 1) + little24(size.height - 1) + [100, 0, 0, 0]
        + file[12...])
    return riff(
      riffChunk("VP8X", [2, 0, 0, 0] + little24(size.width - 1) + little24(size.height - 1))
        + riffChunk("ANIM", [0, 0, 0, 0, 0, 0]) + frame + frame)
  }

  private static func taken(_ bytes: ct_bytes) -> [UInt8] {
    defer { ct_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes.bytes, count: bytes.count))
  }

  /// A TIFF header with one entry, the orientation.
  private static func tiff(_ orientation: Int) -> [UInt8] {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
    return [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
  }

  private static func little24(_ value: Int) -> [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func riffChunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
    return Array(name.utf8) + size + data + (data.count % 2 == 1 ? [0] : [])
  }

  private static func riff(_ chunks: [UInt8]) -> [UInt8] {
    riffChunk("RIFF", Array("WEBP".utf8) + chunks)
  }
}
