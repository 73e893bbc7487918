package import WidgetCore

/// Why an image could not be made.
public struct WidgetImageError: Error, Hashable, Sendable {
  /// A reason to act on. New ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    package let engine: EngineError.Code

    package init(_ engine: EngineError.Code) {
      self.engine = engine
    }

    /// The stable name: `truncated`, `over-budget`.
    public var description: String { engine.rawValue }

    /// Not a PNG, JPEG or WebP.
    public static let notAnImage = Code(.notAnImage)
    /// An image of a kind that is not read.
    public static let unsupported = Code(.unsupported)
    /// The input ends before its pixels do.
    public static let truncated = Code(.truncated)
    /// The data breaks its format's rules.
    public static let damaged = Code(.damaged)
    /// More memory would be needed than the budget allows.
    public static let overBudget = Code(.overBudget)
    /// There is no such input.
    public static let noSuchInput = Code(.noSuchInput)
    /// The input can't be opened.
    public static let unreadableInput = Code(.unreadableInput)
    /// Reading failed part-way.
    public static let readFailed = Code(.readFailed)
    /// The output can't be created.
    public static let cannotCreate = Code(.cannotCreate)
    /// Writing failed part-way.
    public static let writeFailed = Code(.writeFailed)
    /// No quality reaches `FitOptions.maxBytes`.
    public static let maxBytesUnreachable = Code(.maxBytesUnreachable)
    /// The options contradict themselves or the input.
    public static let badRequest = Code(.badRequest)
    /// A signal asked to stop.
    public static let interrupted = Code(.interrupted)
    /// A fault of this library.
    public static let internalFault = Code(.internalFault)
  }

  /// The reason.
  public let code: Code
  /// One sentence without a full stop; names no file.
  public let message: String
  /// For `overBudget`: bytes that the job would need with the baseline, where known.
  public let neededBytes: Int?

  package init(_ error: EngineError) {
    code = Code(error.code)
    message = error.message
    neededBytes = error.neededBytes.map { saturatingSum($0, MemoryBudget.baseline) }
  }
}

extension WidgetImageError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
