package import WidgetCodecs
package import WidgetCore
package import WidgetResample

/// Everything that is decided before the first row is decoded.
package struct JobPlan: Sendable {
  package let header: ImageHeader
  package let options: FitOptions
  package let geometry: FitGeometry
  package let format: OutputFormat
  /// How the source is read, with its memory.
  package let decode: DecodePlan
  package let resize: ResizePlan
  /// How rows come from the decoder to the resampler, on how many threads.
  package let transport: RowTransport
  /// The size that comes out of the resampler, before orientation.
  package let storedOutput: PixelSize
  /// 3, or 4 where the output carries alpha.
  package let outputChannels: Int
  /// Whether all of the output is held before it is encoded.
  package let holdsOutput: Bool
  package let encoder: EncoderChoice
  package let memory: MemoryPlan
  package let notes: [ImageNote]

  /// Threads that work at one time: the caller's, the decoder's, the reader's own.
  package var threads: Int { transport.threads + decode.threads - 1 }

  /// Decides everything. Reads nothing.
  ///
  /// - Parameters:
  ///   - held: bytes that the input holds in memory.
  ///   - opened: the most that was reserved while it was opened: what is held of
  ///     a pipe grows by copying.
  ///   - limit: bytes that the ledger allows.
  ///   - processors: that the process may run on; with one there is no second
  ///     thread.
  /// - Throws: `EngineError` with code `.badRequest`. A plan over the limit is
  ///   no error here: see `requireFits`.
  package init(
    header: ImageHeader, held: Int, opened: Int, options: FitOptions, limit: Int, processors: Int
  ) throws(EngineError) {
    self.header = header
    self.options = options
    let upright = header.orientation.upright(header.size)
    geometry = try FitGeometry(source: upright, options: options)
    storedOutput =
      header.orientation.swapsSides ? geometry.outputSize.transposed : geometry.outputSize

    format = options.format ?? (header.hasAlpha || header.format == .png ? .png : .jpeg)
    if format == .jpeg, header.hasAlpha, options.background == nil {
      throw EngineError(
        .badRequest, "the source has alpha and JPEG has none; a background colour is needed")
    }
    outputChannels = header.hasAlpha && format != .jpeg ? 4 : 3

    let storedRect = header.orientation.storedRect(geometry.sourceRect, in: header.size)
    let shrink = DecodePlan.shrink(
      for: header, rect: storedRect, output: storedOutput, allowed: options.allowsShrinkOnLoad)
    let decode = DecodePlan(header: header, shrink: shrink, limit: limit)
    resize = ResizePlan(
      sourceSize: decode.size, layout: header.layout,
      sourceRect: storedRect.scaled(by: 1 / Double(shrink)).tuple, outputSize: storedOutput,
      filter: options.filter.kernel)

    let decodedBytes = saturatingProduct(storedOutput.width, storedOutput.height, 4)
    holdsOutput =
      !header.orientation.keepsRowOrder || format == .webp || options.allowsPalette
      || (options.maxBytes != nil && format == .jpeg)
      || (format == .png && outputChannels == 4 && decodedBytes <= Self.heldForOpaqueness)
    // The best encoder whose memory fits; the last one where none does.
    var choice = try EncoderChoice(
      header: header, format: format, size: geometry.outputSize, options: options)
    var planned: MemoryPlan
    let oneThread = RowTransport(resize: resize, threads: 1)
    repeat {
      planned = Self.memoryPlan(
        held: held, opened: opened, decode: decode, resize: resize, transport: oneThread,
        encoder: choice, header: header, options: options, output: geometry.outputSize,
        channels: outputChannels, holdsOutput: holdsOutput)
      guard planned.peak > limit,
        let slimmer = choice.slimmer(size: geometry.outputSize, hasAlpha: outputChannels == 4)
      else { break }
      choice = slimmer
    } while true
    encoder = choice
    // Threads come last: no choice that shows in the output hangs on them.
    let most = min(options.threads, processors)
    let shared = DecodePlan(header: header, shrink: shrink, limit: limit, threads: most)
    let overlapped = RowTransport(
      resize: resize, threads: RowTransport.threads(for: resize, most: most))
    var chosen = (decode, oneThread, planned)
    for (decode, transport) in [
      (shared, overlapped), (shared, oneThread), (decode, overlapped),
    ] where decode.threads > 1 || transport.threads > 1 {
      let wished = Self.memoryPlan(
        held: held, opened: opened, decode: decode, resize: resize, transport: transport,
        encoder: choice, header: header, options: options, output: geometry.outputSize,
        channels: outputChannels, holdsOutput: holdsOutput)
      if wished.peak > limit { continue }
      chosen = (decode, transport, wished)
      break
    }
    (self.decode, transport, memory) = chosen
    notes = header.notes + Self.notes(geometry: geometry, header: header)
  }

  /// Outputs of at most this many decoded bytes are held until it is known
  /// whether a pixel needs alpha; larger ones stay RGBA.
  package static let heldForOpaqueness = 2_000_000

  private static func notes(geometry: FitGeometry, header: ImageHeader) -> [ImageNote] {
    var notes: [ImageNote] = []
    if geometry.isUndersized {
      notes.append(
        ImageNote(
          "undersized",
          "the source is smaller than the box; it stays \(geometry.outputSize) px"))
    }
    if let text = header.colorTags.unappliedNote {
      notes.append(ImageNote(text.code, text.message))
    }
    return notes
  }
}

// MARK: Memory

extension JobPlan {
  private static func memoryPlan(
    held: Int, opened: Int, decode: DecodePlan, resize: ResizePlan, transport: RowTransport,
    encoder: EncoderChoice, header: ImageHeader, options: FitOptions, output: PixelSize,
    channels: Int, holdsOutput: Bool
  ) -> MemoryPlan {
    let open = MemoryPlan.Phase("open", [MemoryPlan.Part("input", opened)])
    let resampled = MemoryPlan.Part(
      "resampled row",
      RowBuffer<UInt8>.reservedBytes(
        count: resize.outputLayout.bytesPerRow(width: resize.outputSize.width)))
    let outputRow = MemoryPlan.Part(
      "output row",
      RowBuffer<UInt8>.reservedBytes(count: saturatingProduct(output.width, 4)))
    let picture = MemoryPlan.Part(
      "output picture",
      RowBuffer<UInt8>.reservedBytes(
        count: saturatingProduct(output.width, output.height, channels)))

    // The input stays open, with what it holds, until the result is in place.
    let input = MemoryPlan.Part("input", held)
    var read = [input] + decode.parts + transport.parts + resize.parts
    read.append(resampled)
    read.append(
      MemoryPlan.Part(
        "last good row",
        RowBuffer<UInt8>.reservedBytes(
          count: options.tolerance == .allowTruncated ? transport.rowBytes : 0)))
    let encode =
      encoder.parts(size: output, hasAlpha: channels == 4) + [
        outputRow, MemoryPlan.Part("output buffer", ByteSink.descriptorBytes),
      ]
    if holdsOutput {
      return MemoryPlan([
        open, .init("read", read + [picture]), .init("encode", [input, picture] + encode),
      ])
    }
    return MemoryPlan([open, .init("read", read + encode)])
  }

  /// Refuses a plan that passes the ceiling, before anything is decoded.
  ///
  /// - Throws: `EngineError` with code `.overBudget`, naming the bytes needed,
  ///   what needs most of them, and what would do.
  package func requireFits(limit: Int) throws(EngineError) {
    try memory.requireFits(limit: limit)
  }
}

extension MemoryPlan {
  /// See `JobPlan.requireFits(limit:)`.
  package func requireFits(limit: Int) throws(EngineError) {
    guard peak > limit else { return }
    let baseline = MemoryBudget.baseline
    let needed = saturatingSum(peak, baseline)
    let heaviest = heaviestPart.map { ", \($0.bytes) of them for \($0.name)" } ?? ""
    // What is held of a pipe, or was given in memory.
    let advice = heaviestPart?.name == "input" ? "; of a file nothing is held" : ""
    let megabytes = needed / 1_000_000 + (needed % 1_000_000 == 0 ? 0 : 1)
    throw EngineError(
      .overBudget,
      "it would need \(needed) bytes of memory\(heaviest), and the budget is "
        + "\(saturatingSum(limit, baseline)); a budget of \(megabytes)MB would do\(advice)",
      neededBytes: peak)
  }
}
