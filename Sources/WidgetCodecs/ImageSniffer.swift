internal import WidgetCore

/// Tells the format by content, never by name, and names what is not read here.
enum ImageSniffer {
  /// The format of the input.
  ///
  /// - Throws: `.notAnImage` with a message that names what it is where that
  ///   can be told; `.truncated` when the signature itself is cut.
  static func format(_ reader: inout ByteReader) throws(EngineError) -> ImageFormat {
    let head = try reader.bytes(at: 0, 1024)
    if head.starts(with: pngSignature) { return .png }
    if head.starts(with: [0xFF, 0xD8]) { return .jpeg }
    if tag(head, 0, "RIFF"), tag(head, 8, "WEBP") { return .webp }
    if head.isEmpty { throw EngineError(.notAnImage, "the file is empty") }
    for (name, signature) in signatures where signature.starts(with: head) {
      throw EngineError(.truncated, "the file ends inside the signature of a \(name)")
    }
    if tag(head, 1, "PNG"), head.first == 0x89 {
      throw EngineError(
        .damaged, "the PNG signature was changed, most often by a transfer in text mode")
    }
    throw EngineError(.notAnImage, foreign(head) ?? "the content is not a PNG, JPEG or WebP")
  }

  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static let signatures: [(String, [UInt8])] = [
    ("PNG", pngSignature), ("JPEG", [0xFF, 0xD8]), ("WebP", Array("RIFF".utf8)),
  ]

  /// Whether `text` stands at `offset` of `bytes`.
  static func tag(_ bytes: [UInt8], _ offset: Int, _ text: String) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }
}
