import WidgetCore
import WidgetImage
import WidgetJSON

/// Results, plans and failures as JSON objects, one a line.
enum ResultJSON {
  /// A result; one of a dry run where `result` is nil.
  static func line(
    _ plan: FitPlan, _ result: FitResult?, _ job: FitJob, residentPeak: Int?, seconds: Double
  ) -> String {
    let notes = result?.notes ?? plan.notes
    let value: JSONValue = [
      "input": input(plan.source, job.input),
      "output": output(plan, result, job),
      "memory": [
        "budget": .integer(job.options.budget.bytes),
        "baseline": .integer(MemoryBudget.baseline),
        "planned": .integer(plan.plannedBytes),
        "ledgerPeak": .optional(result?.ledgerPeakBytes),
        "residentPeak": .optional(residentPeak),
      ],
      "strategy": .string(plan.strategy),
      "kernels": .string(plan.kernels),
      "notes": .array(notes.map(note)),
      "seconds": .number((seconds * 1e6).rounded() / 1e6),
    ]
    return value.json + "\n"
  }

  static func line(
    _ failure: WidgetImageError, _ message: String, _ input: RawPath
  ) -> String {
    let value: JSONValue = [
      "input": ["path": .string(input.description)],
      "error": [
        "code": .string(failure.code.description),
        "message": .string(message),
        "exit": .integer(Int(ExitCode(failure.code).rawValue)),
      ],
    ]
    return value.json + "\n"
  }

  static func line(
    _ inspection: Inspection, _ path: RawPath, budget: MemoryBudget, withParts: Bool
  ) -> String {
    var memory: JSONObject = [
      "budget": .integer(budget.bytes),
      "baseline": .integer(MemoryBudget.baseline),
      "planned": .integer(inspection.plannedBytes),
      "fits": .bool(inspection.fitsBudget),
    ]
    if withParts {
      let parts = inspection.parts.map { part -> JSONValue in
        ["phase": .string(part.phase), "name": .string(part.name), "bytes": .integer(part.bytes)]
      }
      memory.members.append(JSONMember("parts", .array(parts)))
    }
    let value: JSONValue = [
      "input": input(inspection.source, path),
      "memory": .object(memory),
      "strategy": .string(inspection.strategy),
      "notes": .array(inspection.notes.map(note)),
    ]
    return value.json + "\n"
  }

  private static func input(_ source: SourceDescription, _ path: RawPath) -> JSONValue {
    [
      "path": .string(path.description),
      "format": .string(source.format),
      "coding": .string(source.coding),
      "width": .integer(source.size.width),
      "height": .integer(source.size.height),
      "bytes": .optional(source.bytes),
      "orientation": .integer(source.orientation),
      "colorSpace": .string(source.colorSpace),
      "hasAlpha": .bool(source.hasAlpha),
      "bitDepth": .integer(source.bitDepth),
      "frames": .integer(source.frames),
    ]
  }

  private static func output(_ plan: FitPlan, _ result: FitResult?, _ job: FitJob) -> JSONValue {
    let size = plan.outputSize
    let scale = job.scale ?? 1
    return [
      "path": .string(job.output.description),
      "reference": nil,
      "format": .string(plan.outputFormat.rawValue),
      "width": .integer(size.width),
      "height": .integer(size.height),
      "scale": .integer(scale),
      "pointWidth": .number(Double(size.width) / Double(scale)),
      "pointHeight": .number(Double(size.height) / Double(scale)),
      "bytes": .optional(result?.bytes),
      "decodedBytes": .integer(plan.decodedBytes),
      "sha256": result.map { .string($0.sha256) } ?? nil,
      "changed": result.map { .bool($0.changed) } ?? nil,
    ]
  }

  /// `undersized: the source is smaller than its box`: the code leads, for scripts.
  private static func note(_ note: Note) -> JSONValue { .string("\(note.code): \(note.message)") }
}

extension JSONValue {
  fileprivate static func optional(_ value: Int?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }
}
