import WidgetCore
import WidgetImage

/// A result or a plan as lines of text.
enum ResultText {
  /// `logo.png 1024x1024 -> logo@3x.png 54x54 px (18 pt @3x), 3.1 KB, 11.7 KB
  /// decoded, peak 9.8 of 30.0 MB`, on one line.
  static func line(_ result: FitResult, _ job: FitJob) -> String {
    let peak = saturatingSum(MemoryBudget.baseline, result.ledgerPeakBytes)
    return "\(source(result.plan.source, job)) -> \(output(result.plan, job)), "
      + "\(Amounts.bytes(result.bytes)), \(Amounts.bytes(result.decodedBytes)) decoded, "
      + "peak \(ofBudget(peak, job))\n"
  }

  /// The same for what would be done.
  static func line(_ plan: FitPlan, _ job: FitJob) -> String {
    let peak = saturatingSum(MemoryBudget.baseline, plan.plannedBytes)
    return "\(source(plan.source, job)): would write \(output(plan, job)), "
      + "\(Amounts.bytes(plan.decodedBytes)) decoded, planned peak \(ofBudget(peak, job))\n"
  }

  /// How it is done, and what for memory is planned: a few indented lines.
  static func details(_ plan: FitPlan) -> String {
    "  strategy: \(plan.strategy)\n  kernels: \(plan.kernels)\n"
      + parts(plan.parts, total: plan.plannedBytes)
  }

  /// A table of planned memory.
  static func parts(_ parts: [PlannedPart], total: Int) -> String {
    let all = saturatingSum(MemoryBudget.baseline, total)
    var rows = parts.map { ($0.phase, $0.name, Amounts.grouped($0.bytes)) }
    rows.append(("baseline", "the process at rest", Amounts.grouped(MemoryBudget.baseline)))
    rows.append(("planned", "peak, baseline included", Amounts.grouped(all)))
    let phase = rows.map(\.0.count).max() ?? 0
    let name = rows.map(\.1.count).max() ?? 0
    let bytes = rows.map(\.2.count).max() ?? 0
    return rows.map {
      "  \(padded($0.0, phase))  \(padded($0.1, name))  \(padded($0.2, bytes, left: true)) bytes\n"
    }.joined()
  }

  static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return left ? space + text : text + space
  }

  private static func source(_ source: SourceDescription, _ job: FitJob) -> String {
    "\(job.input.printable) \(source.uprightSize)"
  }

  private static func output(_ plan: FitPlan, _ job: FitJob) -> String {
    let size = plan.outputSize
    let text = "\(job.output.printable) \(size) px"
    guard let scale = job.scale else { return text }
    let width = Amounts.points(size.width, scale: scale)
    let height = Amounts.points(size.height, scale: scale)
    let points = size.width == size.height ? width : "\(width)x\(height)"
    return "\(text) (\(points) pt @\(scale)x)"
  }

  private static func ofBudget(_ bytes: Int, _ job: FitJob) -> String {
    "\(Amounts.megabytes(bytes)) of \(Amounts.megabytes(job.options.budget.bytes)) MB"
  }
}

extension FitPlan {
  /// Width x height x 4.
  var decodedBytes: Int { saturatingProduct(outputSize.width, outputSize.height, 4) }
}

extension SourceDescription {
  /// The size as it is seen, which is what a box is about.
  var uprightSize: PixelSize { Orientation(rawValue: orientation)?.upright(size) ?? size }
}
