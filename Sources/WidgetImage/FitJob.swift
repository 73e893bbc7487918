import WidgetCodecs
import WidgetCore
import WidgetResample

/// One image from its input to its destination.
struct FitJob {
  let input: CodecInput
  let plan: JobPlan
  let kernels: KernelTable
  let ledger: MemoryLedger

  /// Reads the header and decides; decodes nothing.
  ///
  /// - Parameter processors: that the process may run on.
  /// - Throws: `EngineError`; `.overBudget` when the plan passes the budget.
  init(
    input: CodecInput, ledger: MemoryLedger, options: FitOptions, kernels: KernelTable,
    processors: Int
  ) throws(EngineError) {
    self.input = input
    self.ledger = ledger
    self.kernels = kernels
    let header = try ImageHeader.read(from: input)
    plan = try JobPlan(
      header: header, held: ledger.reserved, opened: ledger.peak, options: options,
      limit: ledger.limit, processors: processors)
    try plan.requireFits(limit: ledger.limit)
  }

  /// What a job did.
  struct Outcome {
    var written: EncodedOutput
    var quality: Int?
    var notes: [ImageNote]
  }

  func run(
    to destination: ImageDestination, progress: (Double) -> Void
  ) throws(EngineError) -> Outcome {
    plan.holdsOutput
      ? try runHeld(to: destination, progress: progress)
      : try runStreaming(to: destination, progress: progress)
  }

  var placement: RowPlacement {
    RowPlacement(
      channels: plan.resize.outputLayout.channels, outputChannels: plan.outputChannels,
      background: plan.options.background)
  }

  /// Refuses what the caller wants no damage of.
  func checked(_ notes: [ImageNote]) throws(EngineError) -> [ImageNote] {
    guard plan.options.tolerance == .strict else { return notes }
    for note in notes {
      if note == .trailerMissing { throw EngineError(.truncated, note.message) }
      if note == .damagedData { throw EngineError(.damaged, note.message) }
    }
    return notes
  }
}

// MARK: Row by row

extension FitJob {
  /// Rows go to the encoder as they come.
  private func runStreaming(
    to destination: ImageDestination, progress: (Double) -> Void
  ) throws(EngineError) -> Outcome {
    let output = try OutputStream(destination, on: ledger)
    let width = plan.storedOutput.width
    let row = try RowBuffer<UInt8>(
      count: 4 * width, for: "an output row", on: ledger)
    var encoder = try rowEncoder(to: output.sink)
    let placement = placement
    let pump = try RowPump(plan, input: input, ledger: ledger, kernels: kernels)
    let notes = try unsafe pump.run(progress: progress) { resampled, _ throws(EngineError) in
      let mirrored = plan.header.orientation == .mirrored
      unsafe placement.place(
        resampled, width: width, into: UnsafeMutableRawBufferPointer(row.samples),
        first: mirrored ? width - 1 : 0, step: mirrored ? -1 : 1)
      try unsafe encoder.write(
        row: UnsafeRawBufferPointer(
          rebasing:
            UnsafeRawBufferPointer(row.samples)[..<(width * plan.outputChannels)]))
    }
    let accepted = try checked(notes)
    try encoder.finish()
    try requireBytes(output.sink.byteCount)
    return Outcome(
      written: try output.commit(), quality: plan.encoder.quality, notes: accepted)
  }

  private func rowEncoder(to sink: ByteSink) throws(EngineError) -> RowEncoder {
    let size = plan.geometry.outputSize
    switch plan.encoder {
    case .png:
      return try RowEncoder(
        png: PNGOptions(), size: size, hasAlpha: plan.outputChannels == 4, to: sink, on: ledger)
    case .jpeg(let options):
      return try RowEncoder(jpeg: options, size: size, to: sink, on: ledger)
    case .webp:
      throw EngineError(.internalFault, "a WebP can't be written row by row")
    }
  }

  private func requireBytes(_ bytes: Int) throws(EngineError) {
    guard let most = plan.options.maxBytes, bytes > most else { return }
    throw EngineError(
      .maxBytesUnreachable,
      "it has \(bytes) bytes, \(most) are allowed, and this format has no quality to lower")
  }
}
