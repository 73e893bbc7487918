import CTestCodecs
import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

/// Skips suites where there is no tool to run.
extension Trait where Self == ConditionTrait {
  static var needsTool: ConditionTrait {
    .enabled(if: BinaryUnderTest.path != nil, "\(BinaryUnderTest.missing)")
  }
}

/// Runs the tool on the words of a line.
@discardableResult
func tool(_ line: String, in folder: TemporaryFolder? = nil) throws -> Subprocess.Outcome {
  try BinaryUnderTest.run(line.split(separator: " ").map { RawPath(String($0)) }, in: folder?.path)
}

/// A sample image of the package.
func sample(_ name: String) -> RawPath { RawPath("\(PackageFolder.samples)/\(name)") }

/// What stock libpng sees in a file.
struct DecodedPNG: Equatable {
  var width: Int
  var height: Int
  var channels: Int
  var samples: [UInt8]

  init?(_ bytes: [UInt8]) {
    var info = ct_png_info()
    let decoded = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { ct_png_decode($0, buffer.count, 64 << 20, &info) }
    }
    guard let decoded, let samples = decoded.bytes else { return nil }
    defer { ct_free(decoded) }
    guard info.bits == 8, info.warnings == 0 else { return nil }
    width = Int(info.width)
    height = Int(info.height)
    channels = Int(info.channels)
    self.samples = Array(UnsafeBufferPointer(start: samples, count: decoded.count))
  }

  var size: PixelSize { PixelSize(width: width, height: height) }

  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * width + x) * channels
    return Array(samples[start..<start + channels])
  }
}

/// An uncompressed PNG of 8-bit samples.
func png(
  _ width: Int, _ height: Int, _ type: PNGFixture.ColorType, _ pixel: (Int, Int) -> [UInt8]
) -> [UInt8] {
  var rows: [UInt8] = []
  for y in 0..<height {
    rows.append(0)
    for x in 0..<width { rows += pixel(x, y) }
  }
  return png(width, height, type, depth: 8, rows: rows)
}

/// A PNG of rows that are there already, each behind its filter byte.
func png(
  _ width: Int, _ height: Int, _ type: PNGFixture.ColorType, depth: UInt8, rows: [UInt8]
) -> [UInt8] {
  let header =
    PNGFixture.big(UInt32(width)) + PNGFixture.big(UInt32(height)) + [
      depth, type.rawValue, 0, 0, 0,
    ]
  return PNGFixture.file([
    .init("IHDR", header), .init("IDAT", PNGFixture.zlib(rows)), .init("IEND"),
  ])
}
