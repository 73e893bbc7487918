public import WidgetCore

/// The public door: plans, fits and inspects images under a memory ceiling.
public struct ImageFitter: Sendable {
  /// A fitter; holds nothing.
  public init() {}

  /// Plans a job: reads headers only, decodes and writes nothing.
  ///
  /// - Throws: `WidgetImageError`; `.overBudget` when it would not fit the budget.
  public func plan(_ input: ImageInput, options: FitOptions) throws(WidgetImageError) -> FitPlan {
    throw WidgetImageError(EngineError(.internalFault, "not built yet"))
  }

  /// Fits one image and writes it.
  ///
  /// - Throws: `WidgetImageError`. Nothing is left at the destination then that
  ///   was not there before.
  public func fit(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions,
    progress: (_ fraction: Double) -> Void = { _ in }
  ) throws(WidgetImageError) -> FitResult {
    throw WidgetImageError(EngineError(.internalFault, "not built yet"))
  }

  /// Tells what a file is, how it would be read and what that would cost.
  ///
  /// The plan is for reading all rows, before any resizing.
  public func inspect(
    _ input: ImageInput, budget: MemoryBudget = .widget
  ) throws(WidgetImageError) -> Inspection {
    throw WidgetImageError(EngineError(.internalFault, "not built yet"))
  }
}

/// What `ImageFitter.inspect` tells.
public struct Inspection: Hashable, Sendable {
  /// What the source is.
  public var source: SourceDescription
  /// How it would be read.
  public var strategy: String
  /// Bytes that reading it row by row reserves, the baseline not included.
  public var plannedBytes: Int
  /// The parts of `plannedBytes`.
  public var parts: [PlannedPart]
  /// Whether that fits the budget that was asked about.
  public var fitsBudget: Bool
  /// What the user should know.
  public var notes: [Note]

  package init(
    source: SourceDescription, strategy: String, plannedBytes: Int, parts: [PlannedPart],
    fitsBudget: Bool, notes: [Note] = []
  ) {
    self.source = source
    self.strategy = strategy
    self.plannedBytes = plannedBytes
    self.parts = parts
    self.fitsBudget = fitsBudget
    self.notes = notes
  }
}
