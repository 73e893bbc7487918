package import WidgetCore
package import WidgetImage

/// What `fit` was asked for, read and checked as far as that goes without
/// opening an image.
package struct FitRequest {
  package var inputs: [RawPath]
  package var box: Box?
  /// The scales to write; nil where files are named by their size.
  package var scales: [Int]?
  /// Everything but the box.
  package var options: FitOptions
  package var target: Target
  package var messages: Messages
  package var isDryRun: Bool
  /// Threads for all of it; nil for as many as there are processors.
  package var jobs: Int?

  /// The box that pictures are fitted to.
  package enum Box: Hashable, Sendable {
    case points(width: ExactDecimal, height: ExactDecimal)
    case pixels(PixelSize)

    /// In pixels; sides are at least 1.
    package func pixels(scale: Int) -> PixelSize {
      switch self {
      case .pixels(let size): size
      case .points(let width, let height):
        PixelSize(
          width: max(1, width.rounded(times: scale)), height: max(1, height.rounded(times: scale)))
      }
    }
  }

  /// Where results go.
  package enum Target: Hashable, Sendable {
    case besideInput
    /// The path as given.
    case folder(RawPath)
    case file(RawPath)
    case standardOutput
  }

  package struct Messages: Hashable, Sendable {
    package var isJSON = false
    package var isQuiet = false
    package var isVerbose = false
    package var showsProgress = true
  }

  /// One file to write of one input.
  package struct Result: Hashable, Sendable {
    package var input: RawPath
    package var scale: Int?
    package var options: FitOptions
  }

  /// All results, in the order in which they are made.
  package var results: [Result] {
    inputs.flatMap { input in
      (scales.map { $0.map(Optional.some) } ?? [nil]).map { scale in
        var options = options
        options.box = box?.pixels(scale: scale ?? 1)
        return Result(input: input, scale: scale, options: options)
      }
    }
  }

  /// Whether `input` is read from standard input.
  package static func isStandardInput(_ input: RawPath) -> Bool { input == "-" }

  /// How `count` results share the threads: pictures side by side, and threads
  /// for each of them. Pictures come first: two of them gain more by a second
  /// thread than one.
  package func sharing(
    of count: Int, processors: Int
  ) -> (places: Int, threads: Int) {
    Self.sharing(of: count, jobs: jobs ?? processors, processors: processors)
  }

  package static func sharing(
    of count: Int, jobs: Int, processors: Int
  ) -> (places: Int, threads: Int) {
    let places = max(1, min(jobs, count))
    return (places, 2 * places <= min(jobs, processors) ? 2 : 1)
  }

  /// The target of one input: standard input goes to standard output unless
  /// told otherwise.
  package func target(of input: RawPath) -> Target {
    target == .besideInput && Self.isStandardInput(input) ? .standardOutput : target
  }
}
