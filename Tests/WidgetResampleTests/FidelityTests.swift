import Testing
import WidgetCore
import WidgetResample
import WidgetTestSupport

/// A small deterministic generator: SplitMix64.
struct Noise: RandomNumberGenerator {
  var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// A picture to resample, with its samples as they stand in rows.
struct Picture {
  var size: PixelSize
  var layout: PixelLayout
  /// Samples, 8 or 16 bits each.
  var samples: [UInt16]

  enum Content: String, CaseIterable, Sendable {
    case noise, blackAndWhite, gradient, dark, softDisc
  }

  init(_ content: Content, _ size: PixelSize, _ layout: PixelLayout, seed: UInt64 = 1) {
    self.size = size
    self.layout = layout
    let channels = layout.channels.rawValue
    let top = layout.depth == .eight ? 255 : 65_535
    var noise = Noise(seed)
    samples = (0..<(size.width * size.height * channels)).map { index -> UInt16 in
      let pixel = index / channels
      let (x, y, channel) = (pixel % size.width, pixel / size.width, index % channels)
      let isAlpha = layout.hasAlpha && channel == channels - 1
      switch content {
      case .noise: return UInt16(Int.random(in: 0...top, using: &noise))
      case .blackAndWhite:
        return isAlpha ? UInt16(top) : Bool.random(using: &noise) ? UInt16(top) : 0
      case .gradient:
        if isAlpha { return UInt16(top * (y + 1) / size.height) }
        return UInt16(top * ((x * (channel + 1)) % size.width) / max(1, size.width - 1))
      case .dark:
        return isAlpha ? UInt16(top) : UInt16(Int.random(in: 0...(top / 20), using: &noise))
      case .softDisc:
        let dx = Double(2 * x + 1) / Double(size.width) - 1
        let dy = Double(2 * y + 1) / Double(size.height) - 1
        let inside = min(1, max(0, (0.8 - (dx * dx + dy * dy).squareRoot()) * 8))
        return UInt16(isAlpha ? inside * Double(top) : (inside * 0.9 + 0.1) * Double(top))
      }
    }
  }

  func bytes(ofRow y: Int) -> [UInt8] {
    let count = size.width * layout.channels.rawValue
    let row = samples[(y * count)..<((y + 1) * count)]
    if layout.depth == .eight { return row.map { UInt8($0) } }
    return row.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  var reference: ReferenceImage {
    let channels = layout.channels.rawValue
    let top = layout.depth == .eight ? 255.0 : 65_535.0
    return ReferenceImage(width: size.width, height: size.height, channels: channels) { x, y, c in
      Double(samples[(y * size.width + x) * channels + c]) / top
    }
  }
}

/// Runs the resampler over a picture and gives all output rows.
func resample(
  _ picture: Picture, rect: (x: Double, y: Double, width: Double, height: Double)? = nil,
  to output: PixelSize, _ filter: Filter, tier: KernelTier = .best
) throws -> (pixels: [UInt8], plan: ResizePlan, ledgerPeak: Int) {
  let plan = ResizePlan(
    sourceSize: picture.size, layout: picture.layout,
    sourceRect: rect ?? (0, 0, Double(picture.size.width), Double(picture.size.height)),
    outputSize: output, filter: filter)
  let ledger = MemoryLedger()
  let table = try #require(KernelTable(tier))
  var resampler = try StreamingResampler(plan: plan, ledger: ledger, kernels: table)
  var row = [UInt8](
    repeating: 0, count: plan.outputLayout.bytesPerRow(width: output.width))
  var pixels: [UInt8] = []
  for y in stride(from: 0, to: picture.size.height, by: plan.batchRows) {
    let rows = y..<min(y + plan.batchRows, picture.size.height)
    let bytes = rows.flatMap { picture.bytes(ofRow: $0) }
    bytes.withUnsafeBytes { resampler.push(rows: $0, count: rows.count) }
    while row.withUnsafeMutableBytes({ resampler.pop(into: $0) }) { pixels += row }
  }
  return (pixels, plan, ledger.peak)
}

/// The largest error against the reference, as the design defines it: each
/// channel where alpha is 255, the premultiplied channels elsewhere, and alpha.
func largestError(_ pixels: [UInt8], channels: Int, against reference: ReferenceImage) -> Double {
  var largest = 0.0
  for y in 0..<reference.height {
    for x in 0..<reference.width {
      let base = (y * reference.width + x) * channels
      let (colour, alpha) = reference.encoded(x, y)
      let ours = channels == 4 ? Double(pixels[base + 3]) : 255
      largest = max(largest, (ours - alpha.rounded()).magnitude)
      for c in 0..<3 {
        let value = Double(pixels[base + (channels == 1 ? 0 : c)])
        if alpha.rounded() == 255, ours == 255 {
          largest = max(largest, (value - colour[c].rounded()).magnitude)
        } else {
          largest = max(largest, (value * ours - colour[c] * alpha).magnitude / 255)
        }
      }
    }
  }
  return largest
}

@Suite("Fidelity: within 1 of 255 of the float64 reference")
struct FidelityTests {
  static let layouts = [
    PixelLayout(.grey), PixelLayout(.greyAlpha), PixelLayout(.rgb), PixelLayout(.rgba),
    PixelLayout(.grey, .sixteen), PixelLayout(.greyAlpha, .sixteen),
    PixelLayout(.rgb, .sixteen), PixelLayout(.rgba, .sixteen),
  ]

  struct Shape: Sendable, CustomTestStringConvertible {
    var source: (Int, Int)
    var output: (Int, Int)
    var testDescription: String { "\(source) to \(output)" }
  }

  static let shapes = [
    Shape(source: (64, 48), output: (16, 12)), Shape(source: (67, 41), output: (23, 17)),
    Shape(source: (101, 97), output: (7, 5)), Shape(source: (200, 150), output: (3, 2)),
    Shape(source: (16, 16), output: (16, 16)), Shape(source: (13, 9), output: (40, 31)),
    Shape(source: (5, 7), output: (64, 2)), Shape(source: (1, 150), output: (1, 54)),
    Shape(source: (150, 1), output: (54, 1)), Shape(source: (1, 1), output: (1, 1)),
    Shape(source: (1, 1), output: (9, 9)), Shape(source: (2, 3), output: (1, 1)),
    Shape(source: (300, 4), output: (2, 4)), Shape(source: (4, 400), output: (3, 5)),
  ]

  @Test("every filter, layout and shape", arguments: Filter.allCases, layouts)
  func everyFilter(_ filter: Filter, _ layout: PixelLayout) throws {
    for (index, shape) in Self.shapes.enumerated() {
      let source = PixelSize(width: shape.source.0, height: shape.source.1)
      let output = PixelSize(width: shape.output.0, height: shape.output.1)
      for content in Picture.Content.allCases {
        let picture = Picture(content, source, layout, seed: UInt64(index))
        let (pixels, plan, _) = try resample(picture, to: output, filter)
        let channels = plan.outputLayout.channels.rawValue
        try #require(pixels.count == output.width * output.height * channels)
        let reference = picture.reference.resized(
          x: 0, y: 0, width: Double(source.width), height: Double(source.height),
          columns: output.width, rows: output.height, filter: filter.rawValue)
        let error = largestError(pixels, channels: channels, against: reference)
        #expect(error <= 1, "\(shape.testDescription) \(content) errs by \(error)")
      }
    }
  }

  @Test("fractional crops", arguments: Filter.allCases, [PixelLayout(.grey), PixelLayout(.rgba)])
  func crops(_ filter: Filter, _ layout: PixelLayout) throws {
    let source = PixelSize(width: 61, height: 53)
    let rects = [
      (x: 0.0, y: 10.3, width: 61.0, height: 20.5), (x: 7.25, y: 0.0, width: 30.1, height: 53.0),
      (x: 31.5, y: 22.5, width: 29.5, height: 30.5), (x: 20.0, y: 20.0, width: 3.5, height: 2.5),
    ]
    for rect in rects {
      for output in [PixelSize(width: 9, height: 8), PixelSize(width: 1, height: 1)] {
        let picture = Picture(.noise, source, layout)
        let (pixels, plan, _) = try resample(picture, rect: rect, to: output, filter)
        let reference = picture.reference.resized(
          x: rect.x, y: rect.y, width: rect.width, height: rect.height, columns: output.width,
          rows: output.height, filter: filter.rawValue)
        let channels = plan.outputLayout.channels.rawValue
        #expect(largestError(pixels, channels: channels, against: reference) <= 1)
      }
    }
  }

  @Test(
    "large reductions keep the bound", arguments: [75, 470, 620],
    [PixelLayout(.grey), PixelLayout(.rgb), PixelLayout(.rgba)])
  func largeReductions(_ factor: Int, _ layout: PixelLayout) throws {
    for content in [Picture.Content.noise, .blackAndWhite, .dark, .softDisc] {
      let wide = PixelSize(width: 4 * factor + 3, height: 24)
      for source in [wide, wide.transposed] {
        let output =
          source.width > source.height
          ? PixelSize(width: 4, height: 5) : PixelSize(width: 5, height: 4)
        let picture = Picture(content, source, layout, seed: UInt64(factor))
        let (pixels, plan, _) = try resample(picture, to: output, .lanczos3)
        let reference = picture.reference.resized(
          x: 0, y: 0, width: Double(source.width), height: Double(source.height),
          columns: output.width, rows: output.height, filter: "lanczos3")
        let channels = plan.outputLayout.channels.rawValue
        let error = largestError(pixels, channels: channels, against: reference)
        #expect(error <= 1, "\(source) \(content) errs by \(error)")
      }
    }
  }

  @Test("the same size gives the same opaque pixels", arguments: Filter.allCases)
  func identity(_ filter: Filter) throws {
    let size = PixelSize(width: 256, height: 3)
    for channels in [PixelLayout.Channels.grey, .rgb, .rgba] {
      var picture = Picture(.gradient, size, PixelLayout(channels))
      for index in picture.samples.indices where channels == .rgba && index % 4 == 3 {
        picture.samples[index] = 255
      }
      let (pixels, _, _) = try resample(picture, to: size, filter)
      #expect(pixels == picture.samples.map { UInt8($0) })
    }
  }
}
