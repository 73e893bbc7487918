import WidgetCore
import WidgetImage

extension FitRequest {
  /// Reads the arguments.
  ///
  /// - Parameter facts: tells whether `-o` names a folder.
  /// - Throws: `UsageError` for values that can't be read and for options that
  ///   contradict each other.
  init(
    _ parsed: ParsedArguments, facts: (RawPath) -> FileFacts?
  ) throws(UsageError) {
    try Self.checkContradictions(parsed)
    let reader = OptionReader(parsed)
    let scales = try reader.scales()
    box = try reader.box(scales: scales)
    let givenFormat = try reader.format()
    options = try reader.fitOptions()
    inputs = parsed.inputs
    isDryRun = parsed.has(.dryRun)
    jobs = try reader.jobs()
    messages = Messages(
      isJSON: parsed.has(.json), isQuiet: parsed.has(.quiet), isVerbose: parsed.has(.verbose),
      showsProgress: !parsed.has(.noProgress) && !parsed.has(.quiet) && !parsed.has(.json))
    if case .points? = box { self.scales = scales ?? [3] } else { self.scales = scales }
    target = .besideInput
    options.format = givenFormat
    if let path = parsed.values[.output] {
      target = Self.target(path, facts)
      options.format = try reader.format(of: target, given: givenFormat)
    }
    try checkTargets()
  }

  private static func checkContradictions(_ parsed: ParsedArguments) throws(UsageError) {
    let pairs: [(OptionName, OptionName)] = [
      (.pt, .px), (.scale, .scales), (.strict, .allowTruncated), (.quiet, .verbose),
      (.quality, .maxBytes),
    ]
    for (one, other) in pairs where parsed.has(one) && parsed.has(other) {
      throw .contradiction(one, other)
    }
    guard parsed.has(.pt) || parsed.has(.px) || parsed.has(.maxDecoded) else {
      throw UsageError(
        "Please specify a size: '--pt <w[xh]>', '--px <w[xh]>' or '--max-decoded <size>'.")
    }
  }

  private static func target(_ path: RawPath, _ facts: (RawPath) -> FileFacts?) -> Target {
    if path == "-" { return .standardOutput }
    if path.bytes.last == UInt8(ascii: "/") || facts(path)?.kind == .folder {
      return .folder(path)
    }
    return .file(path)
  }

  /// One file or stream takes one result, and standard input is read once.
  private func checkTargets() throws(UsageError) {
    let piped = inputs.filter(Self.isStandardInput).count
    if piped > 1 { throw UsageError("Standard input can be read once only.") }
    let results = inputs.count * (scales?.count ?? 1)
    switch target {
    case .file(let path) where results > 1:
      throw UsageError("\(results) results can't go to one file '\(path.printable)'.")
    case .standardOutput where results > 1:
      throw UsageError("\(results) results can't go to standard output.")
    case .folder where piped > 0:
      throw UsageError("Please specify a file with '-o <path>': standard input has no name.")
    case .besideInput where piped > 0 && (scales?.count ?? 1) > 1:
      throw UsageError("\(scales?.count ?? 1) results can't go to standard output.")
    default: break
    }
  }
}

/// Reads the values of single options.
struct OptionReader {
  let parsed: ParsedArguments

  init(_ parsed: ParsedArguments) {
    self.parsed = parsed
  }

  private func spec(_ name: OptionName) -> OptionSpec {
    let all = CommandSpec.widgetimg.subcommands.flatMap(\.options)
    return all.first { $0.name == name } ?? OptionSpec(name, "")
  }

  private func read<Value>(
    _ name: OptionName, reason: String, _ parse: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let given = parsed.values[name] else { return nil }
    guard let value = parse(given.description) else {
      throw .invalidValue(spec(name), given, reason: reason)
    }
    return value
  }

  /// One of an option's allowed values; the parser has checked it.
  private func choice<Value: RawRepresentable<String>>(
    _ name: OptionName, default fallback: Value
  ) -> Value {
    parsed.values[name].flatMap { Value(rawValue: $0.description) } ?? fallback
  }

  func scales() throws(UsageError) -> [Int]? {
    if let scale = try read(.scale, reason: "1, 2 or 3", { Int($0) }) { return [scale] }
    return try read(.scales, reason: "some of 1, 2 and 3, each once, such as 1,2,3") { text in
      let scales = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      let isValid = scales.allSatisfy((1...3).contains) && Set(scales).count == scales.count
      return isValid ? scales : nil
    }
  }

  func box(scales: [Int]?) throws(UsageError) -> FitRequest.Box? {
    let longest = FitGeometry.longestBoxSide
    let inPoints = try read(
      .pt, reason: "a number of points such as 18 or 36.67, or two such as 36.67x45"
    ) { text -> FitRequest.Box? in
      guard let (width, height) = Self.pair(text, ExactDecimal.init) else { return nil }
      let sides = [width, height]
      let fits = sides.allSatisfy { $0.digits > 0 && $0.rounded(times: 3) <= longest }
      return fits ? .points(width: width, height: height) : nil
    }
    let inPixels = try read(
      .px, reason: "a whole number of pixels from 1 to \(longest), or two such as 120x40"
    ) { text -> FitRequest.Box? in
      guard let (width, height) = Self.pair(text, { Self.wholeNumber($0) }),
        (1...longest).contains(width), (1...longest).contains(height)
      else { return nil }
      return .pixels(PixelSize(width: width, height: height))
    }
    if inPoints == nil, (scales?.count ?? 1) > 1 {
      throw UsageError(
        "Several scales need '--pt <w[xh]>': a size in pixels or bytes is the same at each.")
    }
    return inPoints ?? inPixels
  }

  private static func pair<Side>(
    _ text: String, _ parse: (String) -> Side?
  ) -> (Side, Side)? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "X" }
    guard parts.count <= 2, let width = parse(String(parts[0])) else { return nil }
    if parts.count == 1 { return (width, width) }
    return parse(String(parts[1])).map { (width, $0) }
  }

  /// Digits only: `Int` would take a sign as well.
  private static func wholeNumber(_ text: String) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }

  func format() throws(UsageError) -> OutputFormat? {
    parsed.values[.format].flatMap { OutputFormat(rawValue: $0.description) }
  }

  /// The format that a file's extension sets, else the given one.
  func format(
    of target: FitRequest.Target, given: OutputFormat?
  ) throws(UsageError) -> OutputFormat? {
    guard case .file(let path) = target, let ending = OutputName.fileExtension(of: path) else {
      return given
    }
    guard let named = OutputFormat(fileExtension: ending) else {
      if given != nil { return given }
      throw UsageError(
        "The extension of '\(path.printable)' names no format that is written: png, jpg, jpeg or "
          + "webp. Please specify one with '--format <format>'.")
    }
    guard given == nil || given == named else {
      throw UsageError(
        "The extension of '\(path.printable)' contradicts '--format \(given?.rawValue ?? "")'.")
    }
    return named
  }

  func fitOptions() throws(UsageError) -> FitOptions {
    var options = FitOptions()
    options.maxDecodedBytes = try read(.maxDecoded, reason: ByteSize.reason, ByteSize.parse)
    if let cap = options.maxDecodedBytes, cap < 4 {
      throw .invalidValue(
        spec(.maxDecoded), parsed.values[.maxDecoded] ?? "", reason: "one pixel takes 4 bytes")
    }
    options.maxBytes = try read(.maxBytes, reason: ByteSize.reason, ByteSize.parse)
    options.budget = try budget()
    options.mode = choice(.mode, default: .contain)
    options.gravity = choice(.gravity, default: .center)
    options.filter = choice(.filter, default: .lanczos3)
    options.allowsUpscaling = parsed.has(.upscale)
    options.allowsShrinkOnLoad = parsed.has(.fast)
    options.allowsPalette = parsed.has(.palette)
    if parsed.has(.strict) { options.tolerance = .strict }
    if parsed.has(.allowTruncated) { options.tolerance = .allowTruncated }
    let quality = try read(.quality, reason: "a whole number from 1 to 100") { text in
      Self.wholeNumber(text).flatMap { (1...100).contains($0) ? $0 : nil }
    }
    if let quality { options.quality = quality }
    options.background = try read(
      .background, reason: "a colour is white, black, #RGB or #RRGGBB", RGBColor.init(text:))
    return options
  }

  func jobs() throws(UsageError) -> Int? {
    try read(.jobs, reason: "a whole number from 1 to \(Self.mostJobs)") { text in
      Self.wholeNumber(text).flatMap { (1...Self.mostJobs).contains($0) ? $0 : nil }
    }
  }

  /// As many temporary files as an interruption removes.
  private static let mostJobs = 128

  func budget() throws(UsageError) -> MemoryBudget {
    let given = try read(
      .budget, reason: "\(ByteSize.reason), or one of widget, notification and watch"
    ) { text -> MemoryBudget? in
      switch text {
      case "widget": .widget
      case "notification": .notification
      case "watch": .watch
      default: ByteSize.parse(text).map { MemoryBudget(bytes: $0) }
      }
    }
    return given ?? .widget
  }
}

extension OutputFormat {
  /// The format of a file name's extension, in either case; nil for others.
  init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "webp": self = .webp
    default: return nil
    }
  }
}

extension RGBColor {
  /// Reads `white`, `black`, `#RGB`, `#RRGGBB`; the sign may be left out.
  init?(text: String) {
    switch text.lowercased() {
    case "white": self.init(red: 255, green: 255, blue: 255)
    case "black": self.init(red: 0, green: 0, blue: 0)
    case let other:
      let digits = (other.hasPrefix("#") ? other.dropFirst() : other[...]).utf8
        .map { Character(Unicode.Scalar($0)).hexDigitValue ?? -1 }
      guard digits.allSatisfy({ $0 >= 0 }) else { return nil }
      switch digits.count {
      case 3:
        let values = digits.map { UInt8($0 * 17) }
        self.init(red: values[0], green: values[1], blue: values[2])
      case 6:
        let values = [0, 2, 4].map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        self.init(red: values[0], green: values[1], blue: values[2])
      default: return nil
      }
    }
  }
}
