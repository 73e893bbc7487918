import WidgetCore
import WidgetResample

/// What went wrong with a command, in one sentence.
struct CommandError: Error {
  var message: String
}

/// A source in memory, a plan and the last output.
struct Session {
  private var source: SourceRows?
  private var plan: ResizePlan?
  private var tier = KernelTier.best
  private var output: [UInt8] = []

  static let usage = """
    tiers | load PATH WIDTH ROWS CHANNELS | noise WIDTH ROWS CHANNELS | \
    plan WIDTH HEIGHT [FILTER] [TIER] [SOURCE-HEIGHT] | run COUNT | write PATH
    """

  /// Obeys one command.
  ///
  /// - Returns: one JSON object.
  mutating func obey(_ line: String) throws(CommandError) -> String {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("tiers", 1):
      let names = KernelTier.allCases.filter(\.isSupported).map { quoted($0.rawValue) }
      return
        "{\"tiers\":[\(names.joined(separator: ","))],\"best\":\(quoted(KernelTier.best.rawValue))}"
    case ("load", 5):
      let (width, rows, channels) = try shape(words[2...])
      source = try SourceRows(path: words[1], width: width, rows: rows, channels: channels)
      return "{}"
    case ("noise", 4):
      let (width, rows, channels) = try shape(words[1...])
      source = SourceRows(noise: width, rows: rows, channels: channels)
      return "{}"
    case ("plan", 3...6):
      return try makePlan(Array(words.dropFirst()))
    case ("run", 2):
      return try run(number(words[1]))
    case ("write", 2):
      try writeFile(output, to: words[1])
      return "{\"bytes\":\(output.count)}"
    default:
      throw CommandError(message: "'\(line)' is no command: \(Self.usage)")
    }
  }

  private func number(_ word: String) throws(CommandError) -> Int {
    guard let value = Int(word), value > 0, value <= 1_000_000_000 else {
      throw CommandError(message: "'\(word)' is not a positive number")
    }
    return value
  }

  private func shape(
    _ words: ArraySlice<String>
  ) throws(CommandError) -> (width: Int, rows: Int, channels: PixelLayout.Channels) {
    var numbers: [Int] = []
    for word in words { numbers.append(try number(word)) }
    guard numbers.count == 3, let channels = PixelLayout.Channels(rawValue: numbers[2]) else {
      throw CommandError(message: "a source has 1 to 4 channels")
    }
    return (numbers[0], numbers[1], channels)
  }

  private mutating func makePlan(_ words: [String]) throws(CommandError) -> String {
    guard let source else { throw CommandError(message: "'plan' comes after 'load' or 'noise'") }
    let output = PixelSize(width: try number(words[0]), height: try number(words[1]))
    guard let filter = Filter(rawValue: words.count > 2 ? words[2] : "lanczos3") else {
      throw CommandError(message: "'\(words[2])' is no filter")
    }
    guard
      let tier = words.count > 3 ? KernelTier(rawValue: words[3]) : .best, tier.isSupported
    else {
      throw CommandError(message: "this machine has no kernels named '\(words[3])'")
    }
    let height = words.count > 4 ? try number(words[4]) : source.rows
    let plan = ResizePlan(
      sourceSize: PixelSize(width: source.width, height: height),
      layout: PixelLayout(source.channels),
      sourceRect: (0, 0, Double(source.width), Double(height)), outputSize: output,
      filter: filter)
    self.plan = plan
    self.tier = tier
    let bytes = plan.outputLayout.bytesPerRow(width: output.width) * output.height
    self.output = [UInt8](repeating: 0, count: bytes)
    let planned = MemoryPlan([.init("resample", plan.parts)]).peak
    return "{\"tier\":\(quoted(tier.rawValue)),\"planned\":\(planned)}"
  }

  /// Resamples `count` times. What is timed is all that one picture takes:
  /// tables, conversion to linear light, both passes, and conversion back.
  private mutating func run(_ count: Int) throws(CommandError) -> String {
    guard let source, let plan, let kernels = KernelTable(tier) else {
      throw CommandError(message: "'run' comes after 'plan'")
    }
    var wall: [String] = []
    var processor: [String] = []
    var setup: [String] = []
    var peak = 0
    for _ in 0..<count {
      do throws(EngineError) {
        let pass = try source.resample(plan, kernels: kernels, into: &output)
        wall.append(String(pass.nanoseconds))
        processor.append(String(pass.processorNanoseconds))
        setup.append(String(pass.setupNanoseconds))
        peak = max(peak, pass.ledgerPeak)
      } catch {
        throw CommandError(message: error.message)
      }
    }
    func list(_ numbers: [String]) -> String { "[\(numbers.joined(separator: ","))]" }
    return
      "{\"ns\":\(list(wall)),\"cpu_ns\":\(list(processor)),\"setup_ns\":\(list(setup)),"
      + "\"ledgerPeak\":\(peak)}"
  }
}

/// `text` as a JSON string.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case "\u{0}"..<" ": result += " "
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
