/// An open image that gives its rows top to bottom, each once.
///
/// A format comes in as one conforming type. Row sources do not resize,
/// orient or convert colour; they own everything that decoding needs, all of
/// it reserved on a ledger.
package protocol RowSource: ~Copyable {
  /// Size of the rows that come, in source orientation. Smaller than the
  /// header's by the shrink factor where the codec shrinks on load.
  var size: PixelSize { get }

  /// The layout of every row.
  var layout: PixelLayout { get }

  /// Writes the next row into `row`, `layout.bytesPerRow(width:)` bytes.
  ///
  /// - Throws: `EngineError`, most often `.truncated` or `.damaged`. Every
  ///   later call throws the same; the row's contents are unspecified then.
  mutating func readRow(into row: UnsafeMutableRawBufferPointer) throws(EngineError)

  /// Reads what follows the pixels. Call once, after the last row.
  ///
  /// - Throws: damage after the pixels. A missing end is a note, no error.
  mutating func finish() throws(EngineError)

  /// What was noticed so far, in a fixed order, each once.
  var notes: [ImageNote] { get }
}

/// Something a user should know although the job went well.
package struct ImageNote: Hashable, Sendable {
  /// Stable, for scripts: `undersized`, `trailer-missing`.
  package var code: String
  /// One sentence without a full stop.
  package var message: String

  package init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  package static let trailerMissing = ImageNote(
    "trailer-missing", "the file ends without its end mark; every pixel is there")
  package static let damagedData = ImageNote(
    "damaged-data", "the decoder met damaged data and stepped over it")
  package static let trailingBytes = ImageNote(
    "trailing-bytes", "bytes after the end of the image were ignored")
  package static let filledTruncation = ImageNote(
    "truncated-filled", "the source is cut; what is missing was filled up")
}
