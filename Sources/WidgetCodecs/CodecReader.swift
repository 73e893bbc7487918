internal import CWidgetCodecs
package import WidgetCore

/// A decoder of the C side as a row source: one shape for all formats.
///
/// Keeps its input and its ledger alive. Everything that it allocates is on the
/// ledger and goes back when the value ends.
@safe
package struct CodecReader: ~Copyable, RowSource {
  /// What a caller may ask of a decoder.
  package struct Options: Hashable, Sendable {
    /// Take what is there of a cut source and fill up the rest.
    package var allowTruncated: Bool
    /// JPEG: decode at 1/shrink, 1, 2, 4 or 8. Other formats ignore it.
    package var shrink: Int
    /// JPEG: a file with more scans is refused as `.damaged`.
    package var maxScans: Int
    /// 2 for a second thread, which several scans and Adam7 have work for.
    package var threads: Int

    package init(
      allowTruncated: Bool = false, shrink: Int = 1, maxScans: Int = JPEGScanTable.limit,
      threads: Int = 1
    ) {
      self.allowTruncated = allowTruncated
      self.shrink = shrink
      self.maxScans = maxScans
      self.threads = threads
    }

    /// As the C side takes them; what is out of its range is refused there.
    var forC: wi_reader_options {
      var options = wi_reader_options()
      options.allow_truncated = allowTruncated
      // There 0 means 1; a caller's 0 is a mistake.
      options.shrink = shrink > 0 ? UInt32(clamping: shrink) : .max
      options.max_scans = UInt32(clamping: max(1, maxScans))
      options.threads = UInt32(clamping: threads)
      return options
    }
  }

  typealias Opener = (
    OpaquePointer, UInt64, UnsafePointer<wi_memory>, UnsafePointer<wi_reader_options>,
    UnsafeMutablePointer<wi_failure>
  ) -> OpaquePointer?

  package let size: PixelSize
  package let layout: PixelLayout
  private let handle: OpaquePointer
  // The C side holds the addresses of both without owning them.
  private let input: CodecInput
  private let ledger: MemoryLedger

  /// Opens the PNG that stands at `offset`.
  ///
  /// Rows: palettes as RGB, grey of 1, 2 and 4 bits as 8, any tRNS as alpha,
  /// 16 bits kept. Of Adam7 all passes are read side by side.
  ///
  /// - Throws: `.truncated`, `.damaged`, `.unsupported`, `.overBudget` or
  ///   `.readFailed`; `.overBudget` too for an Adam7 PNG that comes through a
  ///   pipe and is longer than what is held of one.
  package init(
    png input: CodecInput, at offset: UInt64 = 0, on ledger: MemoryLedger,
    options: Options = Options()
  ) throws(EngineError) {
    try unsafe self.init(input, offset, ledger, options.forC, wi_png_open)
  }

  /// Opens the JPEG that stands at `offset`.
  ///
  /// Rows: grey, or RGB for all else (CMYK and YCCK by multiplication). Several
  /// scans are read side by side; where they stand is found by a walk over the
  /// file first.
  ///
  /// - Throws: As `init(png:)`; `.overBudget` too for several scans through a
  ///   pipe that is longer than what is held of one.
  package init(
    jpeg input: CodecInput, at offset: UInt64 = 0, on ledger: MemoryLedger,
    options: Options = Options()
  ) throws(EngineError) {
    // What is wrong with the headers the decoder tells.
    let table = try? JPEGHeader.scanTable(of: input, at: offset)
    try self.init(jpeg: input, at: offset, scans: table ?? nil, on: ledger, options: options)
  }

  /// As `init(jpeg:at:on:options:)`, the scans being known; nil for one alone.
  init(
    jpeg input: CodecInput, at offset: UInt64, scans: JPEGScanTable?, on ledger: MemoryLedger,
    options: Options
  ) throws(EngineError) {
    guard let scans else {
      try unsafe self.init(input, offset, ledger, options.forC) {
        unsafe wi_jpeg_open($0, $1, $2, $3, nil, $4)
      }
      return
    }
    try unsafe self.init(input, offset, ledger, options.forC) {
      input, offset, hooks, options, failure in
      unsafe scans.ends.withUnsafeBufferPointer { ends in
        var layout = unsafe wi_jpeg_layout(
          frame_start: scans.frameStart, frame_end: scans.frameEnd, first_scan: scans.firstScan,
          ends: ends.baseAddress, count: UInt32(clamping: ends.count))
        return unsafe wi_jpeg_open(input, offset, hooks, options, &layout, failure)
      }
    }
  }

  /// Opens through `opener`, one of the C side's `wi_…_open`.
  init(
    _ input: CodecInput, _ offset: UInt64, _ ledger: MemoryLedger, _ options: wi_reader_options,
    _ opener: Opener
  ) throws(EngineError) {
    var hooks = unsafe ledger.hooks
    var options = options
    var failure = wi_failure()
    guard let handle = unsafe opener(input.handle, offset, &hooks, &options, &failure) else {
      throw EngineError(failure, on: ledger)
    }
    let rows = unsafe wi_reader_rows(handle)
    guard let channels = PixelLayout.Channels(rawValue: Int(rows.channels)),
      let depth = PixelLayout.Depth(rawValue: Int(rows.bits))
    else {
      unsafe wi_reader_close(handle)
      throw EngineError(
        .internalFault, "a decoder gives \(rows.channels) channels of \(rows.bits) bits")
    }
    size = PixelSize(width: Int(rows.width), height: Int(rows.height))
    layout = PixelLayout(channels, depth)
    unsafe self.handle = handle
    self.input = input
    self.ledger = ledger
  }

  deinit {
    unsafe wi_reader_close(handle)
  }

  package mutating func readRow(into row: UnsafeMutableRawBufferPointer) throws(EngineError) {
    guard let base = row.baseAddress else {
      throw EngineError(.internalFault, "a row of no bytes was asked for")
    }
    let bytes = unsafe base.assumingMemoryBound(to: UInt8.self)
    let status = unsafe wi_reader_next_row(handle, bytes, row.count)
    if status != .WI_OK { throw failure }
  }

  package mutating func finish() throws(EngineError) {
    if unsafe wi_reader_finish(handle) != .WI_OK { throw failure }
  }

  package var notes: [ImageNote] {
    let bits = unsafe wi_reader_notes(handle).rawValue
    let all: [(wi_notes, ImageNote)] = [
      (.WI_NOTE_TRAILER_MISSING, .trailerMissing), (.WI_NOTE_DAMAGED, .damagedData),
      (.WI_NOTE_TRAILING_BYTES, .trailingBytes), (.WI_NOTE_FILLED, .filledTruncation),
    ]
    return all.compactMap { bits & $0.rawValue != 0 ? $1 : nil }
  }

  private var failure: EngineError {
    EngineError(unsafe wi_reader_failure(handle).pointee, on: ledger)
  }
}
