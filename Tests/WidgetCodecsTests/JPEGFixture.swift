import CTestCodecs
import Testing

/// A JPEG written by stock libjpeg.
struct JPEGFixture: CustomTestStringConvertible, Sendable {
  var width = 61
  var height = 47
  /// 1 grey, 3 YCbCr, 4 CMYK (as YCCK unless `untransformed`).
  var components = 3
  var untransformed = false
  /// Horizontal and vertical factor of each component.
  var sampling: [(Int, Int)] = [(1, 1), (1, 1), (1, 1), (1, 1)]
  var progressive = false
  var arithmetic = false
  var separateScans = false
  var restartInterval = 0
  var restartRows = 0
  var hasAdobe = true
  var isFlat = false
  /// A scan script, instead of `progressive` and `separateScans`.
  var script: [ct_jpeg_scan] = []

  var testDescription: String {
    var words = ["\(width)x\(height)x\(components)"]
    words.append(sampling.prefix(components).map { "\($0)x\($1)" }.joined(separator: ","))
    if untransformed { words.append("untransformed") }
    if progressive { words.append("progressive") }
    if arithmetic { words.append("arithmetic") }
    if separateScans { words.append("separate scans") }
    if restartInterval > 0 { words.append("restart \(restartInterval)") }
    if restartRows > 0 { words.append("restart rows \(restartRows)") }
    if !script.isEmpty { words.append("\(script.count) scans") }
    if !hasAdobe { words.append("no Adobe marker") }
    return words.joined(separator: " ")
  }

  /// The file; empty when libjpeg refuses.
  var bytes: [UInt8] {
    var options = ct_jpeg_options()
    options.width = UInt32(width)
    options.height = UInt32(height)
    options.components = UInt32(components)
    options.untransformed = untransformed
    withUnsafeMutableBytes(of: &options.sampling) { target in
      for (i, (h, v)) in sampling.enumerated() where 2 * i + 1 < target.count {
        target[2 * i] = UInt8(h)
        target[2 * i + 1] = UInt8(v)
      }
    }
    options.progressive = progressive
    options.arithmetic = arithmetic
    options.separate_scans = separateScans
    options.restart_interval = UInt32(restartInterval)
    options.quality = 85
    options.restart_rows = UInt32(restartRows)
    options.no_adobe = !hasAdobe
    options.flat = isFlat
    return script.withUnsafeBufferPointer { scans in
      options.scans = scans.isEmpty ? nil : scans.baseAddress
      options.scan_count = UInt32(scans.count)
      return [UInt8](ct_jpeg_write(&options)) ?? []
    }
  }

  static func sampled(_ factors: (Int, Int)..., progressive: Bool = false) -> JPEGFixture {
    var fixture = JPEGFixture()
    for (i, pair) in factors.enumerated() { fixture.sampling[i] = pair }
    fixture.progressive = progressive
    return fixture
  }

  /// Every sampling that cameras and odd encoders write, in every coding.
  static let all: [JPEGFixture] = {
    var bases: [JPEGFixture] = [
      .sampled(), .sampled((2, 1)), .sampled((1, 2)), .sampled((2, 2)), .sampled((4, 1)),
      .sampled((4, 2)), .sampled((1, 4)), .sampled((2, 2), (1, 2), (2, 1)),
      .sampled((1, 1), (2, 1)), .sampled((1, 3)), .sampled((3, 1)),
      .sampled((2, 2), (2, 1), (2, 1)),
      .sampled((1, 1), (1, 1), (2, 2)),
    ]
    var grey = JPEGFixture()
    grey.components = 1
    bases.append(grey)
    grey.sampling[0] = (2, 2)
    bases.append(grey)
    var rgb = JPEGFixture()
    rgb.untransformed = true
    bases.append(rgb)
    for hasAdobe in [true, false] {
      var cmyk = JPEGFixture()
      cmyk.components = 4
      cmyk.untransformed = true
      cmyk.hasAdobe = hasAdobe
      bases.append(cmyk)
    }
    var ycck = JPEGFixture()
    ycck.components = 4
    ycck.sampling = [(2, 2), (1, 1), (1, 1), (2, 2)]
    bases.append(ycck)
    return bases.flatMap { base -> [JPEGFixture] in
      var variants = [base, base, base, base, base, base]
      variants[1].progressive = true
      variants[2].arithmetic = true
      variants[3].arithmetic = true
      variants[3].progressive = true
      variants[4].separateScans = true
      variants[5].restartInterval = 3
      return variants
    }
  }()
}
