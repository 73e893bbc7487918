public import WidgetCore

/// What a source is, told without decoding it.
public struct SourceDescription: Hashable, Sendable {
  /// `png`, `jpeg` or `webp`.
  public var format: String
  /// `baseline`, `adam7`, `lossy-alpha` and so on.
  public var coding: String
  /// As stored, before orientation.
  public var size: PixelSize
  /// Bytes of the input; nil for a pipe that goes on past what is held.
  public var bytes: Int?
  /// EXIF's 1 to 8.
  public var orientation: Int
  /// What the file says of its colour: `untagged`, `srgb`, `icc "Display P3"`, `gamma 1.0`.
  public var colorSpace: String
  /// Alpha channel or colour key.
  public var hasAlpha: Bool
  /// Bits a sample in the file.
  public var bitDepth: Int
  /// 1, or the frames of an animation.
  public var frames: Int

  package init(
    format: String, coding: String, size: PixelSize, bytes: Int? = nil, orientation: Int,
    colorSpace: String, hasAlpha: Bool, bitDepth: Int, frames: Int
  ) {
    self.format = format
    self.coding = coding
    self.size = size
    self.bytes = bytes
    self.orientation = orientation
    self.colorSpace = colorSpace
    self.hasAlpha = hasAlpha
    self.bitDepth = bitDepth
    self.frames = frames
  }
}

/// What a job will do and cost, before anything is decoded.
public struct FitPlan: Hashable, Sendable {
  /// What the source is.
  public var source: SourceDescription
  /// The upright size that will be written.
  public var outputSize: PixelSize
  /// The format that will be written.
  public var outputFormat: OutputFormat
  /// How the source is read, in a few words: `baseline JPEG, row by row`.
  public var strategy: String
  /// The kernels that will run: `scalar`, `sse2`, `avx2`, `neon`.
  public var kernels: String
  /// Threads that will run: 1, one more where decoding has one of its own, and one more where it
  /// shares its work with another.
  public var threads: Int
  /// Bytes that the job reserves at most, the baseline not included.
  public var plannedBytes: Int
  /// Every buffer of every phase, by name.
  public var parts: [PlannedPart]
  /// What the user should know.
  public var notes: [Note]

  package init(
    source: SourceDescription, outputSize: PixelSize, outputFormat: OutputFormat,
    strategy: String, kernels: String, plannedBytes: Int, parts: [PlannedPart], notes: [Note] = [],
    threads: Int = 1
  ) {
    self.source = source
    self.outputSize = outputSize
    self.outputFormat = outputFormat
    self.strategy = strategy
    self.kernels = kernels
    self.threads = threads
    self.plannedBytes = plannedBytes
    self.parts = parts
    self.notes = notes
  }
}

/// One buffer, or one library's memory, of a plan.
public struct PlannedPart: Hashable, Sendable {
  /// `read` or `encode`: parts of one phase exist together.
  public var phase: String
  /// What it is.
  public var name: String
  /// Its size.
  public var bytes: Int

  package init(phase: String, name: String, bytes: Int) {
    self.phase = phase
    self.name = name
    self.bytes = bytes
  }
}

/// Something to know although the job went well.
public struct Note: Hashable, Sendable {
  /// Stable, for scripts.
  public var code: String
  /// One sentence without a full stop.
  public var message: String

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

/// What a `fit` did.
public struct FitResult: Hashable, Sendable {
  /// What was planned.
  public var plan: FitPlan
  /// Encoded bytes written.
  public var bytes: Int
  /// SHA-256 of the encoded bytes, in lower-case hexadecimal.
  public var sha256: String
  /// Width x height x 4: what the image costs where it is shown.
  public var decodedBytes: Int
  /// False when the file was there already with these bytes.
  public var changed: Bool
  /// The most that was reserved at one time, the baseline not included.
  public var ledgerPeakBytes: Int
  /// Lossy quality that was used, nil for lossless output.
  public var quality: Int?
  /// What the user should know, the plan's notes included.
  public var notes: [Note]
  /// The encoded bytes, for `ImageDestination.memory`.
  public var data: [UInt8]?

  package init(
    plan: FitPlan, bytes: Int, sha256: String, decodedBytes: Int, changed: Bool,
    ledgerPeakBytes: Int, quality: Int? = nil, notes: [Note] = [], data: [UInt8]? = nil
  ) {
    self.plan = plan
    self.bytes = bytes
    self.sha256 = sha256
    self.decodedBytes = decodedBytes
    self.changed = changed
    self.ledgerPeakBytes = ledgerPeakBytes
    self.quality = quality
    self.notes = notes
    self.data = data
  }
}
