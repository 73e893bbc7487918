package import WidgetCore

/// What the JPEG reader reserves, by formula: libjpeg-turbo's own sizes.
package enum JPEGMemory {
  /// The parts for a JPEG of this header decoded at 1/`shrink`, the input's own
  /// bytes not among them.
  ///
  /// - decoder: 88,000 bytes. The reader with its 32 KiB of input (34,700), a
  ///   constant for libjpeg's manager and spare room (24,600), its tables and
  ///   small objects (12,000 to 27,000).
  /// - rows of components: for each component its width in samples, and as many
  ///   rows as a row of blocks has, plus two row groups where chroma is
  ///   smoothed downward.
  /// - upsampling: for each component of less than full size, as many output
  ///   rows as the largest vertical sampling factor.
  /// - coefficients, for several scans: 128 bytes a block of all components,
  ///   of one row of MCUs; where there are two threads of three rows, or of two
  ///   where one takes more than 512 KiB.
  /// - scans, where there are several: 29,000 bytes for each but the last. Its
  ///   object (1,200) with 4 KiB of input, 20,480 for libjpeg's manager and its
  ///   room for small objects, tables that do not fit in there.
  /// - CMYK row: 4 bytes a pixel.
  ///
  /// A header without JPEG detail gives no parts. `shrink` is 1, 2, 4 or 8,
  /// `threads` 1 or 2.
  package static func parts(
    for header: ImageHeader, shrink: Int = 1, threads: Int = 1
  ) -> [MemoryPlan.Part] {
    guard case .jpeg(let detail) = header.detail else { return [] }
    let frame = Frame(size: header.size, components: detail.components, shrink: shrink)
    var parts = [
      MemoryPlan.Part("JPEG decoder", 88_000),
      MemoryPlan.Part("rows of components", frame.mainBytes),
    ]
    if frame.upsamplingBytes > 0 {
      parts.append(MemoryPlan.Part("chroma upsampling", frame.upsamplingBytes))
    }
    if hasSeveralScans(header.coding, detail) {
      let windows = threads > 1 ? (frame.coefficientBytes > 512 * 1024 ? 2 : 3) : 1
      parts.append(
        MemoryPlan.Part(
          "JPEG coefficients", saturatingSum(saturatingProduct(windows, frame.coefficientBytes), 80)
        ))
      if threads > 1 { parts.append(ReaderThreads.part) }
      let scans = scansRead(detail, frame)
      parts.append(MemoryPlan.Part("\(scans) scans", saturatingProduct(scans, 29_000)))
    }
    if detail.components.count == 4 {
      parts.append(
        MemoryPlan.Part("CMYK row", saturatingSum(saturatingProduct(4, frame.outputWidth), 16)))
    }
    return parts
  }

  /// Whether the picture comes in several scans, which are read side by side.
  private static func hasSeveralScans(
    _ coding: ImageCoding, _ detail: ImageHeader.JPEGDetail
  ) -> Bool {
    switch coding {
    case .jpegProgressive, .jpegArithmeticProgressive, .jpegMultiScan: true
    case .jpegArithmetic: detail.scanTable != nil
    default: false
    }
  }

  /// Scans that are read: all, but for those that carry AC alone of components
  /// whose blocks come out as one sample.
  private static func scansRead(_ detail: ImageHeader.JPEGDetail, _ frame: Frame) -> Int {
    guard let table = detail.scanTable else { return max(1, detail.scans) }
    let needed = table.heads.count { head in
      head.isDC
        || frame.scaledSizes.enumerated().contains { index, size in
          size > 1 && head.components >> UInt8(index) & 1 == 1
        }
    }
    return max(1, needed)
  }
}

/// The numbers that libjpeg derives from a frame header.
private struct Frame {
  let outputWidth: Int
  private(set) var mainBytes = 0
  private(set) var upsamplingBytes = 0
  /// Of one row of MCUs.
  private(set) var coefficientBytes = 0
  /// Side of a decoded block of each component.
  private(set) var scaledSizes: [Int] = []

  init(
    size: PixelSize, components: [ImageHeader.JPEGDetail.Component], shrink: Int
  ) {
    // Side of a decoded block of the component that is sampled most.
    let side = 8 / max(1, min(8, shrink))
    let maxH = components.map(\.horizontalSampling).max() ?? 1
    let maxV = components.map(\.verticalSampling).max() ?? 1
    outputWidth = Self.quotient(saturatingProduct(size.width, side), 8)

    // Factors as they come from a file: 0 is refused by the decoder, but must
    // not divide here.
    let planes = components.map { component in
      let h = max(1, component.horizontalSampling)
      let v = max(1, component.verticalSampling)
      // Chroma is decoded larger, instead of enlarged, where that comes out even.
      var scaled = side
      while scaled < 8, maxH * side % (h * scaled * 2) == 0, maxV * side % (v * scaled * 2) == 0 {
        scaled *= 2
      }
      return Plane(
        h: h, v: v, scaled: scaled, groupWidth: h * scaled / side, groupHeight: v * scaled / side,
        blocksAcross: Self.quotient(saturatingProduct(size.width, h), 8 * max(1, maxH)))
    }
    scaledSizes = planes.map(\.scaled)
    let smoothsDown =
      side > 1
      && planes.contains {
        $0.groupHeight * 2 == maxV && ($0.groupWidth == maxH || $0.groupWidth * 2 == maxH)
      }
    let groups = smoothsDown ? side + 2 : side
    let upsampled = roundedUp(outputWidth, to: max(1, maxH))
    for plane in planes {
      let samples = saturatingProduct(plane.blocksAcross, plane.scaled)
      mainBytes = saturatingSum(
        mainBytes, Self.sampleArray(samples, rows: plane.groupHeight * groups))
      if plane.groupWidth != maxH || plane.groupHeight != maxV {
        upsamplingBytes = saturatingSum(upsamplingBytes, Self.sampleArray(upsampled, rows: maxV))
      }
      let row = saturatingProduct(roundedUp(plane.blocksAcross, to: plane.h), 128)
      coefficientBytes = saturatingSum(coefficientBytes, saturatingProduct(row, plane.v))
    }
  }

  private struct Plane {
    var h, v, scaled, groupWidth, groupHeight, blocksAcross: Int
  }

  private static func quotient(_ value: Int, _ divisor: Int) -> Int {
    let rounded = roundedUp(value, to: divisor)
    return rounded == .max ? .max : rounded / divisor
  }

  /// A two-dimensional array of libjpeg's: rows, a pointer to each, a header.
  private static func array(rowBytes: Int, rows: Int) -> Int {
    saturatingSum(
      saturatingProduct(rowBytes, rows), roundedUp(saturatingProduct(rows, 8), to: 32), 128)
  }

  /// Rows of samples are padded to 64 bytes.
  private static func sampleArray(_ samples: Int, rows: Int) -> Int {
    array(rowBytes: roundedUp(samples, to: 64), rows: rows)
  }
}
