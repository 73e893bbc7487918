package import WidgetCore

extension ImageHeader {
  /// Walks over the chunks, markers or scan headers of `input`. Decodes no
  /// pixel, and reads no profile or text past a few kilobytes. Of a pipe, what
  /// can be read twice is walked.
  ///
  /// - Throws: `.notAnImage`, naming what it is where that can be told;
  ///   `.truncated` when the input ends inside its header; `.damaged`,
  ///   `.unsupported`, `.readFailed`.
  package static func read(from input: CodecInput) throws(EngineError) -> ImageHeader {
    var reader = ByteReader(input)
    return switch try ImageSniffer.format(&reader) {
    case .png: try PNGHeader.read(&reader)
    case .jpeg: try JPEGHeader.read(&reader)
    case .webp: try WebPHeader.read(&reader)
    }
  }

  /// Chunks, segments or frames that a walk visits at most; what comes after
  /// them is taken as if it were not there.
  static let visitLimit = 100_000
}

extension ImageNote {
  static let orientationUnknown = ImageNote(
    "orientation-unknown",
    "a pipe was read before its end: an orientation that follows the pixels is not known")
  static let multiPicture = ImageNote(
    "multi-picture", "the file holds further pictures; the first is taken")
}
