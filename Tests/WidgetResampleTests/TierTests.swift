import CWidgetKernels
import Testing
import WidgetCore
import WidgetResample

@Suite("Kernel tiers")
struct TierTests {
  static let tiers = KernelTier.allCases.filter { $0.isSupported && $0 != .scalar }

  @Test("the scalar tier is always there, and the best one is supported")
  func support() throws {
    #expect(KernelTier.scalar.isSupported)
    #expect(KernelTier.best.isSupported)
    for tier in KernelTier.allCases {
      #expect((KernelTable(tier) != nil) == tier.isSupported)
      if tier.isSupported { #expect(KernelTable(tier)?.tier == tier) }
    }
  }

  @Test("a vector tier is there for every processor that we know, and is the best one")
  func best() {
    #if arch(x86_64)
      #expect(KernelTier.sse2.isSupported && !KernelTier.neon.isSupported)
      #expect(KernelTier.best == (KernelTier.avx2.isSupported ? .avx2 : .sse2))
    #elseif arch(arm64)
      #expect(KernelTier.best == .neon)
      #expect(!KernelTier.sse2.isSupported && !KernelTier.avx2.isSupported)
    #endif
  }

  @Test("a tier has functions of its own: none is another tier's")
  func functions() throws {
    func addresses(_ tier: wk_tier) -> [UInt]? {
      guard let kernels = wk_kernels_for(tier) else { return nil }
      let count = MemoryLayout<wk_kernels>.size / MemoryLayout<UInt>.size
      return kernels.withMemoryRebound(to: UInt.self, capacity: count) {
        Array(UnsafeBufferPointer(start: $0, count: count))
      }
    }
    let tables = [WK_TIER_SCALAR, WK_TIER_SSE2, WK_TIER_AVX2, WK_TIER_NEON].compactMap(addresses)
    #expect(tables.count == Self.tiers.count + 1)
    let all = tables.flatMap { $0 }
    #expect(all.count == tables.count * 12)
    #expect(Set(all).count == all.count)
  }

  @Test(
    "every tier gives the scalar tier's bytes",
    arguments: [PixelLayout.Channels.grey, .greyAlpha, .rgb, .rgba], Filter.allCases)
  func parity(_ channels: PixelLayout.Channels, _ filter: Filter) throws {
    for tier in Self.tiers {
      for width in Array(1...67) + [500, 4099] {
        for depth in PixelLayout.Depth.allCases where depth == .eight || width % 9 == 0 {
          let picture = Picture(
            .noise, PixelSize(width: width, height: 9), PixelLayout(channels, depth),
            seed: UInt64(width))
          for columns in Set([1, max(1, width / 3), width, width + 5]) where columns < 600 {
            let output = PixelSize(width: columns, height: width % 2 == 0 ? 4 : 1)
            let scalar = try resample(picture, to: output, filter, tier: .scalar)
            let other = try resample(picture, to: output, filter, tier: tier)
            try #require(scalar.pixels == other.pixels, "\(tier) \(width) to \(columns)")
          }
        }
      }
    }
  }

  @Test(
    "every tier gives the scalar tier's bytes over several batches of rows, up and down",
    arguments: [PixelLayout.Channels.grey, .greyAlpha, .rgb, .rgba], Picture.Content.allCases)
  func tallParity(_ channels: PixelLayout.Channels, _ content: Picture.Content) throws {
    let shapes = [
      (PixelSize(width: 83, height: 61), PixelSize(width: 31, height: 23)),
      (PixelSize(width: 83, height: 61), PixelSize(width: 83, height: 61)),
      (PixelSize(width: 29, height: 35), PixelSize(width: 70, height: 90)),
      (PixelSize(width: 700, height: 70), PixelSize(width: 9, height: 3)),
      (PixelSize(width: 2100, height: 300), PixelSize(width: 4, height: 2)),
    ]
    for (source, output) in shapes {
      let picture = Picture(content, source, PixelLayout(channels), seed: 7)
      let scalar = try resample(picture, to: output, .lanczos3, tier: .scalar)
      for tier in Self.tiers {
        let other = try resample(picture, to: output, .lanczos3, tier: tier)
        try #require(scalar.pixels == other.pixels, "\(tier) \(source) to \(output)")
      }
    }
  }
}

@Suite("Working set")
struct WorkingSetTests {
  @Test(
    "what is reserved is what was planned",
    arguments: [PixelLayout.Channels.grey, .rgb, .rgba], Filter.allCases)
  func planned(_ channels: PixelLayout.Channels, _ filter: Filter) throws {
    for (source, output) in [
      (PixelSize(width: 400, height: 30), PixelSize(width: 54, height: 4)),
      (PixelSize(width: 400, height: 300), PixelSize(width: 3, height: 2)),
      (PixelSize(width: 3, height: 5), PixelSize(width: 30, height: 50)),
      (PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
    ] {
      let picture = Picture(.noise, source, PixelLayout(channels))
      let run = try resample(picture, to: output, filter)
      #expect(run.ledgerPeak == run.plan.parts.reduce(0) { $0 + $1.bytes })
    }
  }

  @Test("memory does not grow with the source's height")
  func flat() {
    func bytes(_ height: Int, _ rows: Int) -> Int {
      ResizePlan(
        sourceSize: PixelSize(width: 4000, height: height), layout: PixelLayout(.rgba),
        sourceRect: (0, 0, 4000, Double(height)),
        outputSize: PixelSize(width: 54, height: rows), filter: .lanczos3
      ).parts.reduce(0) { $0 + $1.bytes }
    }
    #expect(bytes(1_000_000_000, 40) == bytes(3000, 40))
  }

  @Test("a strip of a hundred thousand rows is one colour where it was one")
  func tall() throws {
    let picture = Picture(.noise, PixelSize(width: 2, height: 100_000), PixelLayout(.grey))
    var flat = picture
    for index in flat.samples.indices { flat.samples[index] = 200 }
    let (pixels, _, ledgerPeak) = try resample(
      flat, to: PixelSize(width: 2, height: 54), .lanczos3)
    #expect(pixels == [UInt8](repeating: 200, count: 108))
    #expect(ledgerPeak < 40_000)
  }

  @Test("an absurd header costs nothing to plan, and its parts saturate")
  func absurd() {
    let plan = ResizePlan(
      sourceSize: PixelSize(width: 1 << 31, height: 1 << 31), layout: PixelLayout(.rgba),
      sourceRect: (0, 0, Double(1 << 31), Double(1 << 31)),
      outputSize: PixelSize(width: 54, height: 54), filter: .lanczos3)
    #expect(MemoryPlan([.init("read", plan.parts)]).peak > 1 << 34)
  }

  @Test("a ledger that is too small refuses, and nothing stays reserved")
  func refusal() {
    let plan = ResizePlan(
      sourceSize: PixelSize(width: 4000, height: 10), layout: PixelLayout(.rgba),
      sourceRect: (0, 0, 4000, 10), outputSize: PixelSize(width: 54, height: 4),
      filter: .lanczos3)
    let needed = plan.parts.reduce(0) { $0 + $1.bytes }
    let ledger = MemoryLedger(limit: needed - 1)
    #expect(throws: EngineError.self) {
      _ = try StreamingResampler(plan: plan, ledger: ledger, kernels: .best)
    }
    #expect(ledger.reserved == 0)
  }
}

@Suite("Linear light and premultiplied alpha")
struct LightTests {
  @Test("a checkerboard of 0 and 255 halved is 187 or 188, not 128")
  func checkerboard() throws {
    var picture = Picture(.noise, PixelSize(width: 64, height: 64), PixelLayout(.rgb))
    for index in picture.samples.indices {
      let pixel = index / 3
      picture.samples[index] = (pixel % 64 + pixel / 64) % 2 == 0 ? 0 : 255
    }
    for filter in Filter.allCases {
      let (pixels, _, _) = try resample(picture, to: PixelSize(width: 32, height: 32), filter)
      for y in 8..<24 {
        for x in 8..<24 { #expect((187...188).contains(pixels[(y * 32 + x) * 3])) }
      }
    }
  }

  @Test("a flat colour stays that colour up to the rim", arguments: Filter.allCases)
  func rim(_ filter: Filter) throws {
    // Lobes lift alpha and premultiplied colour alike inside an edge.
    let size = PixelSize(width: 120, height: 120)
    var disc = Picture(.softDisc, size, PixelLayout(.rgba))
    for pixel in 0..<(120 * 120) {
      disc.samples[pixel * 4 + 3] = disc.samples[pixel * 4 + 3] >= 128 ? 255 : 0
      for (channel, value) in [UInt16(60), 120, 200].enumerated() {
        disc.samples[pixel * 4 + channel] = value
      }
    }
    let pixels = try resample(disc, to: PixelSize(width: 37, height: 37), filter).pixels
    for pixel in stride(from: 0, to: pixels.count, by: 4) where pixels[pixel + 3] > 40 {
      for (channel, value) in [60, 120, 200].enumerated() {
        #expect(abs(Int(pixels[pixel + channel]) - value) <= 2)
      }
    }
  }

  @Test("what colour hides under alpha 0 makes no difference")
  func hiddenColour() throws {
    let size = PixelSize(width: 90, height: 90)
    var onBlack = Picture(.softDisc, size, PixelLayout(.rgba))
    var onWhite = onBlack
    for pixel in 0..<(90 * 90) {
      let opaque = onBlack.samples[pixel * 4 + 3] >= 128
      for channel in 0..<3 {
        onBlack.samples[pixel * 4 + channel] = opaque ? 255 : 0
        onWhite.samples[pixel * 4 + channel] = 255
      }
      onBlack.samples[pixel * 4 + 3] = opaque ? 255 : 0
      onWhite.samples[pixel * 4 + 3] = opaque ? 255 : 0
    }
    let output = PixelSize(width: 27, height: 27)
    for filter in Filter.allCases {
      let black = try resample(onBlack, to: output, filter).pixels
      #expect(black == (try resample(onWhite, to: output, filter).pixels))
      #expect(stride(from: 0, to: black.count, by: 4).contains { black[$0 + 3] == 0 })
      for pixel in stride(from: 0, to: black.count, by: 4) {
        // Of little alpha, one step of the 14-bit colour is more than a code.
        #expect(black[pixel + 3] == 0 ? black[pixel] == 0 : black[pixel] >= 254)
      }
    }
  }
}
