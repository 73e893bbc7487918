package import WidgetCore
package import WidgetImage

/// What the commands need of the engine; `ImageFitter`, or a stand-in in tests.
package protocol FitEngine {
  func plan(_ input: ImageInput, options: FitOptions) throws(WidgetImageError) -> FitPlan
  func fit(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions,
    progress: (_ fraction: Double) -> Void
  ) throws(WidgetImageError) -> FitResult
  func inspect(_ input: ImageInput, budget: MemoryBudget) throws(WidgetImageError) -> Inspection
  /// Opens and plans a fit, and begins nothing.
  func prepare(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions
  ) throws(WidgetImageError) -> any PlannedFit
}

/// A fit that was planned; it runs once, on whatever thread.
package protocol PlannedFit: Sendable {
  /// Bytes that it takes beside others, on a thread of its own.
  var bytesOnThread: Int { get }
  /// - Parameter account: of the jobs that run side by side; nil where it runs alone.
  func run(
    beside account: MemoryLedger?, progress: (_ fraction: Double) -> Void
  ) throws(WidgetImageError) -> FitResult
}

extension PreparedFit: PlannedFit {}

extension ImageFitter: FitEngine {
  package func prepare(
    _ input: ImageInput, to destination: ImageDestination, options: FitOptions
  ) throws(WidgetImageError) -> any PlannedFit {
    let fit: PreparedFit = try prepare(input, to: destination, options: options)
    return fit
  }
}

/// Everything outside that the commands touch.
package struct CommandEnvironment {
  package var engine: any FitEngine
  package var output: any TextOutput
  package var error: any TextOutput
  /// The environment variable of that name, nil where it is not set.
  package var variable: (String) -> String?
  /// What a path leads to, links followed; nil where there is nothing.
  package var facts: (RawPath) -> FileFacts?
  /// The most bytes that were resident at one time, code included; nil where
  /// the system does not tell.
  package var residentPeak: () -> Int?
  /// A clock that never goes back, in seconds.
  package var seconds: () -> Double
  /// Columns of the terminal; nil where there is none.
  package var terminalColumns: Int?
  package var errorIsTerminal: Bool
  /// Processors that the process may run on.
  package var processors: Int

  package init(
    engine: any FitEngine, output: any TextOutput, error: any TextOutput,
    variable: @escaping (String) -> String? = { _ in nil },
    facts: @escaping (RawPath) -> FileFacts?, residentPeak: @escaping () -> Int? = { nil },
    seconds: @escaping () -> Double = { 0 }, terminalColumns: Int? = nil,
    errorIsTerminal: Bool = false, processors: Int = 1
  ) {
    self.engine = engine
    self.output = output
    self.error = error
    self.variable = variable
    self.facts = facts
    self.residentPeak = residentPeak
    self.seconds = seconds
    self.terminalColumns = terminalColumns
    self.errorIsTerminal = errorIsTerminal
    self.processors = processors
  }

  /// Columns to lay help out for: `COLUMNS`, else the terminal's, else 80.
  package var columns: Int {
    if let text = variable("COLUMNS"), let columns = Int(text), columns > 0 {
      return min(columns, 10_000)
    }
    return terminalColumns ?? 80
  }

  /// Whether a progress bar may be drawn on standard error.
  package var canDrawProgress: Bool {
    errorIsTerminal && variable("TERM") != "dumb" && variable("TERM") != nil
  }
}

/// Where text goes: standard output, standard error, a test's buffer.
package protocol TextOutput: AnyObject {
  /// Writes all of `text`. After a failure nothing more is written.
  func write(_ text: String)
  /// Why writing failed, nil as long as it did not.
  var failure: OutputFailure? { get }
}

/// Why a stream took no more.
package struct OutputFailure: Hashable, Sendable {
  /// Nobody reads any more: no message, they do not want one.
  package var isBrokenPipe: Bool
  package var message: String

  package init(isBrokenPipe: Bool, message: String) {
    self.isBrokenPipe = isBrokenPipe
    self.message = message
  }
}

/// What stands at a path.
package struct FileFacts: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular, folder
    /// A pipe, a device, a socket.
    case other
  }

  package var kind: Kind
  package var identity: Identity

  /// Tells one file by all of its names.
  package struct Identity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64

    package init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  package init(kind: Kind, identity: Identity) {
    self.kind = kind
    self.identity = identity
  }
}
