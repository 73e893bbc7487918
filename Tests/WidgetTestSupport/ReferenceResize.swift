#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// The definition of a correct resize, in float64, whole picture in memory.
///
/// Plainly written from the definition, sharing nothing with the program:
/// linear light, premultiplied alpha, the exact kernel over its whole support,
/// taps outside the picture dropped and the rest renormalised.
package struct ReferenceImage: Sendable {
  package var width: Int
  package var height: Int
  /// Linear premultiplied red, green, blue and alpha, four a pixel.
  package var samples: [Double]

  /// - Parameters:
  ///   - sample: the encoded sample of (x, y, channel), 0 to 1, straight alpha.
  ///   - channels: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
  package init(width: Int, height: Int, channels: Int, sample: (Int, Int, Int) -> Double) {
    self.width = width
    self.height = height
    samples = []
    samples.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let alpha = channels == 2 || channels == 4 ? sample(x, y, channels - 1) : 1
        for c in 0..<3 {
          samples.append(Self.linear(sample(x, y, channels < 3 ? 0 : c)) * alpha)
        }
        samples.append(alpha)
      }
    }
  }

  private init(width: Int, height: Int, samples: [Double]) {
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// The kernels by name, as the contract of the command line names them.
  package static func kernel(_ name: String) -> (support: Double, weight: (Double) -> Double) {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x) }
    func lanczos(_ n: Double) -> (Double, (Double) -> Double) {
      (n, { abs($0) < n ? sinc($0) * sinc($0 / n) : 0 })
    }
    // Mitchell and Netravali's family.
    func cubic(_ b: Double, _ c: Double) -> (Double, (Double) -> Double) {
      (
        2,
        {
          let x = abs($0)
          let x2 = x * x
          let x3 = x2 * x
          if x < 1 {
            return ((12 - 9 * b - 6 * c) * x3 + (12 * b + 6 * c - 18) * x2 + 6 - 2 * b) / 6
          }
          if x >= 2 { return 0 }
          let outer = (-b - 6 * c) * x3 + (6 * b + 30 * c) * x2
          return (outer - (12 * b + 48 * c) * x + 8 * b + 24 * c) / 6
        }
      )
    }
    switch name {
    case "lanczos3": return lanczos(3)
    case "lanczos2": return lanczos(2)
    case "catmull-rom": return cubic(0, 0.5)
    case "mitchell": return cubic(1.0 / 3, 1.0 / 3)
    case "triangle": return (1, { max(0, 1 - abs($0)) })
    case "box": return (0.5, { $0 >= -0.5 && $0 < 0.5 ? 1 : 0 })
    default: preconditionFailure("no kernel \(name)")
    }
  }

  /// The part of the picture from (x, y), of the given size, as `columns` x `rows` pixels.
  package func resized(
    x: Double, y: Double, width cropWidth: Double, height cropHeight: Double, columns: Int,
    rows: Int, filter: String
  ) -> ReferenceImage {
    let across = Self.taps(width, x, cropWidth, columns, filter)
    let down = Self.taps(height, y, cropHeight, rows, filter)
    var narrow = [Double](repeating: 0, count: columns * height * 4)
    for row in 0..<height {
      for column in 0..<columns {
        for (source, weight) in across[column] {
          for c in 0..<4 {
            narrow[(row * columns + column) * 4 + c] +=
              weight * samples[(row * width + source) * 4 + c]
          }
        }
      }
    }
    var result = [Double](repeating: 0, count: columns * rows * 4)
    for row in 0..<rows {
      for (source, weight) in down[row] {
        for index in 0..<(columns * 4) {
          result[row * columns * 4 + index] += weight * narrow[source * columns * 4 + index]
        }
      }
    }
    return ReferenceImage(width: columns, height: rows, samples: result)
  }

  private static func taps(
    _ count: Int, _ start: Double, _ length: Double, _ outputs: Int, _ filter: String
  ) -> [[(Int, Double)]] {
    // A side that keeps its size is not filtered.
    if length == Double(outputs), start == floor(start) {
      return (0..<outputs).map { [(Int(start) + $0, 1)] }
    }
    let (support, weight) = kernel(filter)
    let ratio = length / Double(outputs)
    let stretch = max(1, ratio)
    return (0..<outputs).map { output in
      let centre = start + (Double(output) + 0.5) * ratio - 0.5
      let low = max(0, Int(floor(centre - support * stretch)) - 1)
      let high = min(count - 1, Int(ceil(centre + support * stretch)) + 1)
      let raw = (low...high).map { ($0, weight((Double($0) - centre) / stretch)) }
      let sum = raw.reduce(0) { $0 + $1.1 }
      return raw.map { ($0.0, $0.1 / sum) }
    }
  }

  /// Pixel (x, y): straight 8-bit-scaled values before rounding, 0 to 255.
  package func encoded(_ x: Int, _ y: Int) -> (colour: [Double], alpha: Double) {
    let base = (y * width + x) * 4
    // Colour is divided by alpha as it was filtered: clamping alpha first would
    // brighten the rim of everything that is not white.
    let alpha = samples[base + 3]
    let colour = (0..<3).map { channel -> Double in
      if alpha <= 0 { return 0 }
      let straight = min(1, max(0, samples[base + channel] / alpha))
      return Self.encode(straight) * 255
    }
    return (colour, min(1, max(0, alpha)) * 255)
  }

  package static func linear(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  package static func encode(_ value: Double) -> Double {
    value <= 0.003_130_8 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
  }
}
