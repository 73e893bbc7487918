/// The ceiling for a process's dirty memory, in bytes.
///
/// iOS kills an extension by its footprint: dirty and compressed pages count,
/// clean file-backed ones (program code, libraries) do not. So a budget is held
/// against dirty memory: `baseline` plus what the job plans.
public struct MemoryBudget: Hashable, Sendable {
  /// All of it, baseline included.
  public var bytes: Int

  /// A budget of `bytes` bytes.
  public init(bytes: Int) {
    self.bytes = bytes
  }

  /// 30,000,000 bytes: a widget extension.
  public static let widget = MemoryBudget(bytes: 30_000_000)
  /// 24,000,000 bytes: a notification service extension.
  public static let notification = MemoryBudget(bytes: 24_000_000)
  /// 15,000,000 bytes: a widget on a watch.
  public static let watch = MemoryBudget(bytes: 15_000_000)

  /// Dirty bytes of the process before any image is opened; a fixed figure,
  /// and a test checks that the process at rest has less.
  public static let baseline = 3_000_000

  /// What a job's ledger may reserve; less than nothing where the budget is
  /// smaller than the process itself.
  package var ledgerLimit: Int { max(0, bytes) - Self.baseline }
}
