import WidgetCodecs
public import WidgetCore
package import WidgetResample

/// The public door: plans, fits and inspects images under a memory ceiling.
public struct ImageFitter: Sendable {
  private let kernels: KernelTable
  /// Processors that the process may run on.
  private let processors: Int

  /// A fitter that uses the best kernels of this processor.
  public init() {
    self.init(kernels: .best)
  }

  /// A fitter that uses these kernels, and works as on a machine of so many
  /// processors.
  package init(kernels: KernelTable = .best, processors: Int = HostProcess.processors) {
    self.kernels = kernels
    self.processors = processors
  }

  /// Plans a job: reads headers only, decodes and writes nothing.
  ///
  /// Standard input is read as far as is needed, and what was read is gone.
  ///
  /// - Throws: `WidgetImageError`; `.overBudget` when it would not fit the budget.
  public func plan(_ input: ImageInput, options: FitOptions) throws(WidgetImageError) -> FitPlan {
    try mapped { () throws(EngineError) in
      let ledger = MemoryLedger(limit: options.budget.ledgerLimit)
      let job = try FitJob(
        input: try open(input, on: ledger), ledger: ledger, options: options, kernels: kernels,
        processors: processors)
      return FitPlan(job)
    }
  }

  /// Fits one image and writes it.
  ///
  /// - Parameter progress: is told now and then what share of the source is read.
  /// - Throws: `WidgetImageError`. Nothing is left at the destination then that
  ///   was not there before; standard output may have got a part.
  public func fit(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions,
    progress: (_ fraction: Double) -> Void = { _ in }
  ) throws(WidgetImageError) -> FitResult {
    try prepare(input, to: destination, options: options).run(progress: progress)
  }

  /// Opens and plans a fit, and begins nothing.
  ///
  /// - Throws: as `fit`.
  package func prepare(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions
  ) throws(WidgetImageError) -> PreparedFit {
    try mapped { () throws(EngineError) in
      let ledger = MemoryLedger(limit: options.budget.ledgerLimit)
      let source = try open(input, on: ledger)
      if case .file(let path) = destination, let identity = source.identity,
        FileIdentity(path: path)
          == FileIdentity(device: identity.device, inode: identity.inode)
      {
        throw EngineError(.badRequest, "the output is the input itself")
      }
      let job = try FitJob(
        input: source, ledger: ledger, options: options, kernels: kernels,
        processors: processors)
      return PreparedFit(job, to: destination)
    }
  }

  /// Tells what a file is, how it would be read and what that would cost.
  ///
  /// The plan is for reading all rows, before any resizing. A file that would
  /// not fit the budget is no error here: see `Inspection.fitsBudget`.
  ///
  /// - Throws: `WidgetImageError`.
  public func inspect(
    _ input: ImageInput, budget: MemoryBudget = .widget
  ) throws(WidgetImageError) -> Inspection {
    try mapped { () throws(EngineError) in
      // The ceiling to judge by is not the one to work under.
      let limit = max(budget.ledgerLimit, MemoryBudget.widget.ledgerLimit)
      let ledger = MemoryLedger(limit: limit)
      let source = try open(input, on: ledger)
      return Inspection(
        header: try ImageHeader.read(from: source), held: ledger.reserved, budget: budget)
    }
  }

  private func open(
    _ input: ImageInput, on ledger: MemoryLedger
  ) throws(EngineError) -> CodecInput {
    switch input {
    case .file(let path): return try CodecInput(path: path, on: ledger)
    case .standardInput: return try CodecInput(descriptor: 0, on: ledger)
    case .bytes(let bytes): return try CodecInput(bytes: bytes, on: ledger)
    }
  }

  /// Turns the engine's errors into public ones.
  private func mapped<Value>(
    _ body: () throws(EngineError) -> Value
  ) throws(WidgetImageError) -> Value {
    do throws(EngineError) {
      return try body()
    } catch {
      throw WidgetImageError(error)
    }
  }
}
