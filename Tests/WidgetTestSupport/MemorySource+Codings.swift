import CTestCodecs
import CTestWebP
package import WidgetCore

extension MemorySource {
  package static let small = PixelSize(width: 150, height: 101)
  package static let medium = PixelSize(width: 1500, height: 1001)
  package static let large = PixelSize(width: 4032, height: 3024)

  /// One file of every coding in this size.
  package static func everyCoding(_ size: PixelSize) -> [MemorySource] {
    everyPNG(size) + everyJPEG(size) + everyWebP(size)
  }

  /// Every colour type and depth, with a colour key where there may be one, in
  /// rows and interlaced.
  package static func everyPNG(_ size: PixelSize) -> [MemorySource] {
    PNGFixture.ColorType.allCases.flatMap { type in
      type.depths.flatMap { depth in
        [false, true].flatMap { interlaced in
          let keys = type == .greyAlpha || type == .rgba ? [false] : [false, true]
          return keys.map { transparent in
            png(type, depth, size, transparent: transparent, interlaced: interlaced)
          }
        }
      }
    }
  }

  package static func everyJPEG(_ size: PixelSize) -> [MemorySource] {
    let samplings: [(String, [UInt8])] = [
      ("4:4:4", [1, 1, 1, 1, 1, 1]), ("4:2:2", [2, 1, 1, 1, 1, 1]),
      ("4:2:0", [2, 2, 1, 1, 1, 1]), ("4:1:1", [4, 1, 1, 1, 1, 1]),
      ("4:4:0", [1, 2, 1, 1, 1, 1]),
    ]
    let four: [UInt8] = [1, 1, 1, 1, 1, 1, 1, 1]
    return samplings.map { jpeg($0.0, "baseline", size, sampling: $0.1) }
      + samplings.map { sampling in
        jpeg("progressive \(sampling.0)", "progressive", size, sampling: sampling.1) {
          $0.progressive = true
        }
      } + [
        jpeg("grey", "baseline", size, components: 1, sampling: [1, 1]),
        jpeg("RGB", "baseline", size, sampling: samplings[0].1) { $0.untransformed = true },
        jpeg("CMYK", "baseline", size, components: 4, sampling: four) { $0.untransformed = true },
        jpeg("YCCK 4:2:0", "baseline", size, components: 4, sampling: [2, 2, 1, 1, 1, 1, 2, 2]),
        jpeg("restart", "baseline", size) { $0.restart_interval = 7 },
        jpeg("progressive grey", "progressive", size, components: 1, sampling: [1, 1]) {
          $0.progressive = true
        },
        jpeg("progressive CMYK", "progressive", size, components: 4, sampling: four) {
          $0.progressive = true
          $0.untransformed = true
        },
        jpeg("multi-scan", "multi-scan", size) { $0.separate_scans = true },
        jpeg("arithmetic", "arithmetic", size) { $0.arithmetic = true },
        jpeg("arithmetic multi-scan", "arithmetic", size) {
          $0.arithmetic = true
          $0.separate_scans = true
        },
        jpeg("arithmetic progressive", "arithmetic-progressive", size) {
          $0.arithmetic = true
          $0.progressive = true
        },
      ]
  }

  package static func everyWebP(_ size: PixelSize) -> [MemorySource] {
    [
      webp("lossy", "lossy", size),
      webp("lossy without filter", "lossy", size) { $0.no_filter = true },
      webp("lossy simple filter", "lossy", size) { $0.simple_filter = true },
      webp("lossy flat", "lossy", size, scene: .WT_FLAT),
      webp("lossy half flat", "lossy", size, scene: .WT_HALF_FLAT),
      webp("lossy 2 partitions", "lossy", size) { $0.partitions = 1 },
      webp("lossy 8 partitions", "lossy", size) { $0.partitions = 3 },
      webp("lossy alpha", "lossy-alpha", size, alpha: true),
      webp("lossy noisy alpha", "lossy-alpha", size, scene: .WT_NOISE, alpha: true),
      webp("lossy plain alpha", "lossy-alpha", size, alpha: true) { $0.plain_alpha = true },
      webp("lossless", "lossless", size) { $0.lossless = true },
      webp("lossless noise", "lossless", size, scene: .WT_NOISE) { $0.lossless = true },
      webp("lossless alpha", "lossless", size, alpha: true) { $0.lossless = true },
      webp("lossless drawing", "lossless", size, scene: .WT_DRAWING) { $0.lossless = true },
      webp("lossless flat", "lossless", size, scene: .WT_FLAT) { $0.lossless = true },
      webp("animated", "animated", size, animated: true),
    ]
  }

  /// What is read row by row, so that it must fit every preset.
  package static func everyStreamed(_ size: PixelSize) -> [MemorySource] {
    [
      png(.rgb, 8, size), png(.rgba, 8, size), png(.rgba, 16, size), png(.palette, 8, size),
      jpeg("4:2:0", "baseline", size),
      jpeg("4:4:4", "baseline", size, sampling: [1, 1, 1, 1, 1, 1]),
      jpeg("arithmetic", "arithmetic", size) { $0.arithmetic = true },
      webp("lossy", "lossy", size), webp("lossy flat", "lossy", size, scene: .WT_FLAT),
    ]
  }

  /// What is held whole while it is read.
  package static func everyHeld(_ size: PixelSize) -> [MemorySource] {
    [
      png(.rgba, 16, size, interlaced: true), progressive(size), losslessWebP(size),
      webp("lossy noisy alpha", "lossy-alpha", size, scene: .WT_NOISE, alpha: true),
      webp("lossy 8 partitions", "lossy", size) { $0.partitions = 3 },
    ]
  }

  package static func photo(_ size: PixelSize, orientation: Int = 0) -> MemorySource {
    jpeg("4:2:0", "baseline", size, orientation: orientation)
  }

  package static func lossyWebP(_ size: PixelSize, orientation: Int = 0) -> MemorySource {
    webp("lossy", "lossy", size, orientation: orientation)
  }

  package static func losslessWebP(_ size: PixelSize, orientation: Int = 0) -> MemorySource {
    webp("lossless alpha", "lossless", size, alpha: true, orientation: orientation) {
      $0.lossless = true
    }
  }

  package static func progressive(_ size: PixelSize) -> MemorySource {
    jpeg("progressive 4:2:0", "progressive", size) { $0.progressive = true }
  }
}
