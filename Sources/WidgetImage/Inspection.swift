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
