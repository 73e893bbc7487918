import WidgetCodecs
import WidgetCore
import WidgetResample

extension FitPlan {
  init(_ job: borrowing FitJob) {
    let plan = job.plan
    self.init(
      source: SourceDescription(plan.header), outputSize: plan.geometry.outputSize,
      outputFormat: plan.format, strategy: plan.decode.strategy,
      kernels: job.kernels.tier.rawValue, plannedBytes: plan.memory.peak,
      parts: plan.memory.publicParts, notes: plan.notes.map(Note.init),
      threads: plan.threads)
  }
}

extension FitResult {
  init(_ job: borrowing FitJob, _ outcome: FitJob.Outcome) {
    let size = job.plan.geometry.outputSize
    var notes = job.plan.notes
    for note in outcome.notes where !notes.contains(note) { notes.append(note) }
    self.init(
      plan: FitPlan(job), bytes: outcome.written.bytes, sha256: outcome.written.sha256,
      decodedBytes: size.width * size.height * 4, changed: outcome.written.changed,
      ledgerPeakBytes: job.ledger.peak, quality: outcome.quality, notes: notes.map(Note.init),
      data: outcome.written.data)
  }
}

extension Inspection {
  init(header: ImageHeader, held: Int, budget: MemoryBudget) {
    let decode = DecodePlan(header: header, shrink: 1, limit: budget.ledgerLimit)
    let row = MemoryPlan.Part(
      "source row",
      RowBuffer<UInt8>.reservedBytes(count: header.layout.bytesPerRow(width: header.size.width)))
    let plan = MemoryPlan([
      .init("read", [MemoryPlan.Part("input", held)] + decode.parts + [row])
    ])
    var notes = header.notes
    if let text = header.colorTags.unappliedNote {
      notes.append(ImageNote(text.code, text.message))
    }
    self.init(
      source: SourceDescription(header), strategy: decode.strategy, plannedBytes: plan.peak,
      parts: plan.publicParts, fitsBudget: plan.peak <= budget.ledgerLimit,
      notes: notes.map(Note.init))
  }
}

extension Note {
  init(_ note: ImageNote) {
    self.init(code: note.code, message: note.message)
  }
}

extension MemoryPlan {
  /// Every part with its phase, those of no bytes left out.
  fileprivate var publicParts: [PlannedPart] {
    phases.flatMap { phase in
      phase.parts.filter { $0.bytes > 0 }.map {
        PlannedPart(phase: phase.name, name: $0.name, bytes: $0.bytes)
      }
    }
  }
}
