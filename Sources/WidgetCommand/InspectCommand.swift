import WidgetCore
import WidgetImage

/// `inspect`: tells of each input what it is and what reading it would cost.
struct InspectCommand {
  private let inputs: [RawPath]
  private let budget: MemoryBudget
  private let isJSON: Bool
  private let isVerbose: Bool

  init(_ parsed: ParsedArguments) throws(UsageError) {
    inputs = parsed.inputs
    budget = try OptionReader(parsed).budget()
    isJSON = parsed.has(.json)
    isVerbose = parsed.has(.verbose)
    if inputs.filter(FitRequest.isStandardInput).count > 1 {
      throw UsageError("Standard input can be read once only.")
    }
  }

  func run(in environment: CommandEnvironment) -> ExitCode {
    var statuses = [ExitCode]()
    var isFirst = true
    for input in inputs {
      let source: ImageInput =
        FitRequest.isStandardInput(input) ? .standardInput : .file(input)
      do throws(WidgetImageError) {
        let inspection = try environment.engine.inspect(source, budget: budget)
        if isJSON {
          environment.output.write(
            ResultJSON.line(inspection, input, budget: budget, withParts: isVerbose))
        } else {
          environment.output.write((isFirst ? "" : "\n") + text(inspection, input))
          isFirst = false
        }
        statuses.append(.success)
      } catch {
        environment.error.write("Error: \(input.inputName): \(error.message.printable)\n")
        if isJSON { environment.output.write(ResultJSON.line(error, error.message, input)) }
        statuses.append(ExitCode(error.code))
        if error.code == .interrupted { break }
      }
      if environment.output.failure != nil { break }
    }
    return .combined(statuses)
  }

  private func text(_ inspection: Inspection, _ input: RawPath) -> String {
    let source = inspection.source
    let peak = saturatingSum(MemoryBudget.baseline, inspection.plannedBytes)
    var rows = [
      ("format", "\(formatName(source.format)), \(source.coding)"),
      ("size", "\(source.size) px"),
      ("depth", "\(source.bitDepth) \(source.bitDepth == 1 ? "bit" : "bits") a sample"),
      ("colour", source.colorSpace.printable),
      ("alpha", source.hasAlpha ? "yes" : "no"),
      ("orientation", orientation(source)),
      ("frames", "\(source.frames)"),
      ("bytes", source.bytes.map(Amounts.grouped) ?? "unknown: a pipe"),
      ("strategy", inspection.strategy),
      (
        "planned peak",
        "\(Amounts.megabytes(peak)) of \(Amounts.megabytes(budget.bytes)) MB"
          + (inspection.fitsBudget ? "" : ": does not fit")
      ),
    ]
    for note in inspection.notes { rows.append(("note", note.message.printable)) }
    let width = rows.map(\.0.count).max() ?? 0
    var text = "\(input.inputName)\n"
    for (label, value) in rows { text += "  \(ResultText.padded(label, width))  \(value)\n" }
    if isVerbose { text += ResultText.parts(inspection.parts, total: inspection.plannedBytes) }
    return text
  }

  private func formatName(_ format: String) -> String {
    switch format {
    case "png": "PNG"
    case "jpeg": "JPEG"
    case "webp": "WebP"
    default: format
    }
  }

  private func orientation(_ source: SourceDescription) -> String {
    let meaning =
      switch source.orientation {
      case 1: "upright"
      case 2: "mirrored"
      case 3: "upside down"
      case 4: "upside down, mirrored"
      case 5: "on its side, mirrored"
      case 6: "to be turned right"
      case 7: "on its side, mirrored"
      case 8: "to be turned left"
      default: "unknown"
      }
    let upright = source.uprightSize
    let shown = upright == source.size ? "" : ", shown as \(upright)"
    return "\(source.orientation) (\(meaning)\(shown))"
  }
}
