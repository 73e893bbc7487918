import WidgetCodecs
import WidgetCore

extension FitJob {
  /// All of the output is held, upright, then encoded.
  func runHeld(
    to destination: ImageDestination, progress: (Double) -> Void
  ) throws(EngineError) -> Outcome {
    let size = plan.geometry.outputSize
    let picture = try RowBuffer<UInt8>(
      count: size.width * size.height * plan.outputChannels, for: "the output picture",
      on: ledger)
    let notes = try fill(picture, progress: progress)
    let encoder = HeldEncoder(plan: plan, ledger: ledger)
    return try encoder.encode(picture, to: destination, notes: checked(notes))
  }

  /// Decodes, resamples and sets upright. All that this takes is given back
  /// before the encoder starts.
  private func fill(
    _ picture: borrowing RowBuffer<UInt8>, progress: (Double) -> Void
  ) throws(EngineError) -> [ImageNote] {
    let stored = plan.storedOutput
    let orientation = plan.header.orientation
    let placement = placement
    let target = unsafe UnsafeMutableRawBufferPointer(picture.samples)
    let pump = try RowPump(plan, input: input, ledger: ledger, kernels: kernels)
    return try unsafe pump.run(progress: progress) { row, y throws(EngineError) in
      let (first, step) = orientation.placement(ofRow: y, in: stored)
      unsafe placement.place(row, width: stored.width, into: target, first: first, step: step)
    }
  }
}

/// Encodes a picture that is held: once, or at several qualities until the
/// bytes fit.
struct HeldEncoder {
  let plan: JobPlan
  let ledger: MemoryLedger

  private var size: PixelSize { plan.geometry.outputSize }

  func encode(
    _ picture: borrowing RowBuffer<UInt8>, to destination: ImageDestination, notes: [ImageNote]
  ) throws(EngineError) -> FitJob.Outcome {
    let hasAlpha =
      unsafe plan.outputChannels == 4
      && !isOpaque(UnsafeBufferPointer(picture.samples))
    var notes = notes
    var choice = plan.encoder
    if let most = plan.options.maxBytes, let highest = choice.quality {
      let search = try QualitySearch.best(maxBytes: most, upTo: highest) {
        quality throws(EngineError) in
        let sink = try ByteSink.counting(on: ledger)
        try write(picture, hasAlpha, choice.at(quality: quality), to: sink)
        return sink.byteCount
      }
      guard let quality = search.quality else { throw unreachable(most, search.smallest) }
      choice = choice.at(quality: quality)
    }
    let output = try OutputStream(destination, on: ledger)
    if let note = try write(picture, hasAlpha, choice, to: output.sink) { notes.append(note) }
    if let most = plan.options.maxBytes, output.sink.byteCount > most {
      throw unreachable(most, output.sink.byteCount)
    }
    return FitJob.Outcome(
      written: try output.commit(), quality: choice.quality, notes: notes)
  }

  private func unreachable(_ most: Int, _ smallest: Int) -> EngineError {
    EngineError(
      .maxBytesUnreachable, "\(most) bytes can't be reached; the smallest has \(smallest)")
  }

  /// - Returns: a note on how it was written.
  @discardableResult
  private func write(
    _ picture: borrowing RowBuffer<UInt8>, _ hasAlpha: Bool, _ choice: EncoderChoice,
    to sink: ByteSink
  ) throws(EngineError) -> ImageNote? {
    switch choice {
    case .png(let allowsPalette):
      if allowsPalette, let note = try writeIndexed(picture, to: sink) { return note }
      try writePNG(picture, hasAlpha, to: sink)
    case .jpeg(let options):
      var encoder = try RowEncoder(jpeg: options, size: size, to: sink, on: ledger)
      try unsafe encoder.write(rowsOf: UnsafeRawBufferPointer(picture.samples), size: size)
      try encoder.finish()
    case .webp(let options):
      // libwebp sees by itself that a picture is opaque.
      try unsafe WebPEncoder.encode(
        UnsafeRawBufferPointer(picture.samples), size: size,
        hasAlpha: plan.outputChannels == 4, options: options, to: sink, on: ledger)
    }
    return nil
  }

  private func writePNG(
    _ picture: borrowing RowBuffer<UInt8>, _ hasAlpha: Bool, to sink: ByteSink
  ) throws(EngineError) {
    let drops = plan.outputChannels == 4 && !hasAlpha
    let row = try RowBuffer<UInt8>(
      count: drops ? 3 * size.width : 0, for: "an output row", on: ledger)
    var best = PNGOptions()
    if saturatingProduct(size.width, size.height) <= EncoderChoice.pixelsToTry {
      var fewest = Int.max
      for style in PNGOptions.Style.allCases {
        let trial = try ByteSink.counting(on: ledger)
        let options = PNGOptions(style: style)
        try writePNG(picture, row, hasAlpha: hasAlpha, options, to: trial)
        if trial.byteCount < fewest { (fewest, best) = (trial.byteCount, options) }
      }
    }
    try writePNG(picture, row, hasAlpha: hasAlpha, best, to: sink)
  }

  /// Writes all rows; where the picture is RGBA and `hasAlpha` is false, without
  /// their alpha, through `row`.
  private func writePNG(
    _ picture: borrowing RowBuffer<UInt8>, _ row: borrowing RowBuffer<UInt8>, hasAlpha: Bool,
    _ options: PNGOptions, to sink: ByteSink
  ) throws(EngineError) {
    var encoder = try RowEncoder(png: options, size: size, hasAlpha: hasAlpha, to: sink, on: ledger)
    let pixels = unsafe UnsafeRawBufferPointer(picture.samples)
    if row.count == 0 {
      try unsafe encoder.write(rowsOf: pixels, size: size)
    } else {
      let dropping = RowPlacement(channels: .rgba, outputChannels: 3, background: nil)
      let stride = 4 * size.width
      for y in 0..<size.height {
        let from = unsafe UnsafeRawBufferPointer(
          rebasing: pixels[(y * stride)..<((y + 1) * stride)])
        unsafe dropping.place(
          from, width: size.width, into: UnsafeMutableRawBufferPointer(row.samples), first: 0,
          step: 1)
        try unsafe encoder.write(row: UnsafeRawBufferPointer(row.samples))
      }
    }
    try encoder.finish()
  }

  /// Writes an indexed PNG where at most 256 colours make the picture.
  ///
  /// - Returns: nil, and nothing written, where they do not.
  private func writeIndexed(
    _ picture: borrowing RowBuffer<UInt8>, to sink: ByteSink
  ) throws(EngineError) -> ImageNote? {
    // RGB pictures are widened row by row: palettes are made of RGBA.
    let channels = plan.outputChannels
    let wide = try RowBuffer<UInt8>(count: 4 * size.width, for: "a palette row", on: ledger)
    let indices = try RowBuffer<UInt8>(count: size.width, for: "a palette row", on: ledger)
    let widening = RowPlacement(
      channels: channels == 4 ? .rgba : .rgb, outputChannels: 4, background: nil)
    let pixels = unsafe UnsafeRawBufferPointer(picture.samples)
    let stride = channels * size.width
    func widen(_ y: Int) -> UnsafeRawBufferPointer {
      let from = unsafe UnsafeRawBufferPointer(rebasing: pixels[(y * stride)..<((y + 1) * stride)])
      unsafe widening.place(
        from, width: size.width, into: UnsafeMutableRawBufferPointer(wide.samples), first: 0,
        step: 1)
      return unsafe UnsafeRawBufferPointer(wide.samples)
    }
    var builder = PaletteBuilder()
    for y in 0..<size.height {
      guard unsafe builder.add(widen(y)) else { return nil }
    }
    guard let palette = builder.palette() else { return nil }
    var encoder = try RowEncoder(indexed: palette, size: size, to: sink, on: ledger)
    for y in 0..<size.height {
      unsafe builder.map(widen(y), into: UnsafeMutableRawBufferPointer(indices.samples))
      try unsafe encoder.write(row: UnsafeRawBufferPointer(indices.samples))
    }
    try encoder.finish()
    return palette.hasAlpha
      ? ImageNote(
        "indexed-alpha", "an indexed PNG with alpha: iOS 17.0 decodes its colours wrongly")
      : ImageNote("indexed", "an indexed PNG of \(palette.count) colours")
  }
}
