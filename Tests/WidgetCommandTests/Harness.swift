import WidgetCommand
import WidgetCore
import WidgetImage

/// Text that was written.
final class TextBuffer: TextOutput {
  var text = ""
  var failure: OutputFailure?
  /// Writes that succeed before the reader goes away.
  var writesLeft = Int.max

  func write(_ text: String) {
    guard failure == nil else { return }
    guard writesLeft > 0 else {
      failure = OutputFailure(isBrokenPipe: true, message: "Broken pipe")
      return
    }
    writesLeft -= 1
    self.text += text
  }
}

/// An engine without pixels: files are entries of a table.
final class FakeEngine: FitEngine {
  struct Source {
    var size = PixelSize(width: 1024, height: 1024)
    var format = "png"
    var hasAlpha = true
    var orientation = 1
    var error: EngineError?
    var notes: [Note] = []
  }

  struct Call: Equatable {
    var input: ImageInput
    var destination: ImageDestination
    var options: FitOptions
  }

  var sources: [ImageInput: Source] = [:]
  var fits: [Call] = []
  var plans: [ImageInput] = []
  /// Fails the fit, not the plan.
  var fitError: EngineError?
  /// What fits that run side by side take, 1000 where nothing is said, and what
  /// they do then.
  var bytes: [ImageInput: Int] = [:]
  let stage = FakeStage()
  /// Called as a fit goes on.
  var onFit: () -> Void = {}

  func plan(_ input: ImageInput, options: FitOptions) throws(WidgetImageError) -> FitPlan {
    plans.append(input)
    let source = try find(input)
    var size = source.size
    if source.orientation >= 5 { size = size.transposed }
    if let box = options.box {
      let side = min(box.width, box.height)
      size =
        size.width >= size.height
        ? PixelSize(width: side, height: max(1, side * size.height / size.width))
        : PixelSize(width: max(1, side * size.width / size.height), height: side)
    }
    let format = options.format ?? (source.hasAlpha || source.format == "png" ? .png : .jpeg)
    return FitPlan(
      source: describe(source), outputSize: size, outputFormat: format,
      strategy: "PNG, row by row", kernels: "scalar", plannedBytes: 7_000_000,
      parts: [
        PlannedPart(phase: "read", name: "row", bytes: 6_000_000),
        PlannedPart(phase: "encode", name: "held picture", bytes: 7_000_000),
      ], notes: source.notes)
  }

  func fit(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions,
    progress: (_ fraction: Double) -> Void
  ) throws(WidgetImageError) -> FitResult {
    let result = try result(of: input, to: destination, options: options)
    progress(0.5)
    onFit()
    progress(1)
    if let fitError { throw WidgetImageError(fitError) }
    return result
  }

  func prepare(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions
  ) throws(WidgetImageError) -> any PlannedFit {
    let result = try result(of: input, to: destination, options: options)
    return FakeFit(
      input: input, bytesOnThread: bytes[input] ?? 1000,
      result: fitError.map { .failure(WidgetImageError($0)) } ?? .success(result), stage: stage)
  }

  private func result(
    of input: ImageInput, to destination: ImageDestination, options: FitOptions
  ) throws(WidgetImageError) -> FitResult {
    fits.append(Call(input: input, destination: destination, options: options))
    let plan = try plan(input, options: options)
    return FitResult(
      plan: plan, bytes: 3124, sha256: String(repeating: "ab", count: 32),
      decodedBytes: plan.outputSize.width * plan.outputSize.height * 4, changed: true,
      ledgerPeakBytes: 6_800_000, notes: plan.notes)
  }

  func inspect(
    _ input: ImageInput, budget: MemoryBudget
  ) throws(WidgetImageError) -> Inspection {
    let source = try find(input)
    return Inspection(
      source: describe(source), strategy: "PNG, row by row", plannedBytes: 6_000_000,
      parts: [PlannedPart(phase: "read", name: "row", bytes: 6_000_000)],
      fitsBudget: budget.bytes >= 9_000_000, notes: source.notes)
  }

  private func find(_ input: ImageInput) throws(WidgetImageError) -> Source {
    guard let source = sources[input] else {
      throw WidgetImageError(EngineError(.noSuchInput, "there is no such file"))
    }
    if let error = source.error { throw WidgetImageError(error) }
    return source
  }

  private func describe(_ source: Source) -> SourceDescription {
    SourceDescription(
      format: source.format, coding: "non-interlaced", size: source.size, bytes: 123_456,
      orientation: source.orientation, colorSpace: "untagged", hasAlpha: source.hasAlpha,
      bitDepth: 8, frames: 1)
  }
}

/// A command line over a fake engine and a made-up file system.
final class Harness {
  let engine = FakeEngine()
  let output = TextBuffer()
  let error = TextBuffer()
  var files: [RawPath: FileFacts] = [:]
  var variables: [String: String] = [:]
  var time = 0.0
  var isTerminal = false
  var processors = 2
  private var nextInode: UInt64 = 100

  init() {
    folder(".")
  }

  @discardableResult
  func folder(_ path: RawPath) -> FileFacts { add(path, .folder) }

  /// A file that is there, and an image unless `source` is nil.
  @discardableResult
  func image(_ path: RawPath, _ source: FakeEngine.Source? = .init()) -> FileFacts {
    engine.sources[.file(path)] = source
    return add(path, .regular)
  }

  /// A second name of a file.
  func link(_ path: RawPath, to facts: FileFacts) { files[path] = facts }

  @discardableResult
  func add(_ path: RawPath, _ kind: FileFacts.Kind) -> FileFacts {
    nextInode += 1
    let facts = FileFacts(kind: kind, identity: .init(device: 1, inode: nextInode))
    files[path] = facts
    return facts
  }

  @discardableResult
  func run(_ arguments: RawPath...) -> ExitCode { run(arguments) }

  @discardableResult
  func run(_ arguments: [RawPath]) -> ExitCode {
    let environment = CommandEnvironment(
      engine: engine, output: output, error: error, variable: { self.variables[$0] },
      facts: { self.files[$0] }, residentPeak: { 12_345_678 }, seconds: { self.time },
      errorIsTerminal: isTerminal, processors: processors)
    return WidgetCommandMain.run(arguments, in: environment)
  }
}

/// The words of a line; none of them has spaces.
func words(_ line: String) -> [RawPath] { line.split(separator: " ").map { RawPath(String($0)) } }
