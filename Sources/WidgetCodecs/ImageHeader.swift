package import WidgetCore

/// A file format that is read here, told by content and never by name.
package enum ImageFormat: String, Sendable, CaseIterable {
  case png, jpeg, webp
}

/// How the pixels are coded: what decides the strategy and its memory.
package enum ImageCoding: String, Sendable, CaseIterable {
  case pngSequential = "non-interlaced"
  case pngAdam7 = "adam7"
  case jpegBaseline = "baseline"
  case jpegExtended = "extended"
  case jpegProgressive = "progressive"
  /// Sequential, in more than one scan.
  case jpegMultiScan = "multi-scan"
  case jpegArithmetic = "arithmetic"
  case jpegArithmeticProgressive = "arithmetic-progressive"
  case webpLossy = "lossy"
  case webpLossyAlpha = "lossy-alpha"
  case webpLossless = "lossless"
  case webpAnimated = "animated"

  package var format: ImageFormat {
    switch self {
    case .pngSequential, .pngAdam7: .png
    case .jpegBaseline, .jpegExtended, .jpegProgressive, .jpegMultiScan, .jpegArithmetic,
      .jpegArithmeticProgressive:
      .jpeg
    case .webpLossy, .webpLossyAlpha, .webpLossless, .webpAnimated: .webp
    }
  }
}

/// What one cheap walk over chunks, markers or scan headers tells. Pixel data
/// is never decoded for it.
package struct ImageHeader: Hashable, Sendable {
  package var coding: ImageCoding
  /// As stored, before orientation.
  package var size: PixelSize
  /// Bits a sample in the file: 1, 2, 4, 8 or 16.
  package var bitDepth: Int
  /// The layout of the rows that the reader will give.
  package var layout: PixelLayout
  /// Alpha channel or tRNS.
  package var hasAlpha: Bool
  package var orientation: Orientation
  /// 1, or the number of frames of an animation.
  package var frames: Int
  package var colorTags: [ColorTag]
  /// Where the format's signature stands in the input.
  package var offset: UInt64
  /// Length of the input, nil for a pipe that goes on past what is held.
  package var fileBytes: Int?
  package var notes: [ImageNote]
  /// What only one format has.
  package var detail: Detail

  package enum Detail: Hashable, Sendable {
    /// `colorType` is 0, 2, 3, 4 or 6.
    case png(colorType: Int, paletteEntries: Int)
    case jpeg(JPEGDetail)
    case webp(WebPDetail)
  }

  package struct JPEGDetail: Hashable, Sendable {
    /// In the order of the frame header.
    package var components: [Component]
    /// Scans met; 0 when the walk could not go past the first.
    package var scans: Int
    /// Where they stand; nil for one scan alone, or when they were not all met.
    package var scanTable: JPEGScanTable?
    package var restartInterval: Int
    /// The transform byte of Adobe's APP14, nil without one.
    package var adobeTransform: Int?

    package struct Component: Hashable, Sendable {
      package var id: Int
      package var horizontalSampling: Int
      package var verticalSampling: Int

      package init(id: Int, horizontalSampling: Int, verticalSampling: Int) {
        self.id = id
        self.horizontalSampling = horizontalSampling
        self.verticalSampling = verticalSampling
      }
    }

    package init(
      components: [Component], scans: Int, scanTable: JPEGScanTable? = nil,
      restartInterval: Int, adobeTransform: Int?
    ) {
      self.components = components
      self.scans = scans
      self.scanTable = scanTable
      self.restartInterval = restartInterval
      self.adobeTransform = adobeTransform
    }
  }

  package struct WebPDetail: Hashable, Sendable {
    /// VP8 token partitions, 1, 2, 4 or 8; 0 for lossless.
    package var partitions: Int
    /// Bytes of the VP8, VP8L and ALPH chunks that make the first frame.
    package var imageBytes: Int
    package var alphaBytes: Int
    /// Canvas of VP8X; the frame's own size and place for animations.
    package var frameSize: PixelSize
    package var frameX: Int
    package var frameY: Int
    /// Where the payloads of the VP8 or VP8L chunk and of ALPH stand.
    package var imageOffset: UInt64 = 0
    package var alphaOffset: UInt64 = 0
    /// Where the file ends by its own account.
    package var endOffset: UInt64 = 0
    /// Bytes of the image chunk without which no row can be decoded.
    package var headBytes: Int = 0
    /// Rows that VP8's loop filter holds back beside a row of blocks: 0, 2, 8.
    package var filterRows: Int = 0
    /// What a VP8L image chunk needs, nil for VP8.
    package var lossless: LosslessShape?
    /// What an alpha channel compressed as VP8L needs, nil without one.
    package var alphaLossless: LosslessShape?

    package init(
      partitions: Int, imageBytes: Int, alphaBytes: Int, frameSize: PixelSize, frameX: Int,
      frameY: Int
    ) {
      self.partitions = partitions
      self.imageBytes = imageBytes
      self.alphaBytes = alphaBytes
      self.frameSize = frameSize
      self.frameX = frameX
      self.frameY = frameY
    }
  }

  /// The tables of a VP8L stream, which stand before its pixels.
  package struct LosslessShape: Hashable, Sendable {
    /// Pixels in a stored row: several palette indices share one.
    package var packedWidth: Int
    /// Pixels of the transforms' sub-images and of the meta-prefix image.
    package var subImagePixels: Int = 0
    /// Prefix code groups that are kept, and the highest number of one plus 1.
    package var groups: Int = 1
    package var groupNumbers: Int = 1
    /// log2 of the colour cache's entries; 0 for none.
    package var cacheBits: Int = 0
    /// A palette alone, indices in green: libwebp takes 1 byte a pixel for alpha.
    package var isIndexed = false
    /// Bytes up to the first pixel.
    package var headBytes: Int = 0
    /// Whether the tables could be read to their end.
    package var isComplete = false

    package init(packedWidth: Int) {
      self.packedWidth = packedWidth
    }
  }

  package init(
    coding: ImageCoding, size: PixelSize, bitDepth: Int, layout: PixelLayout, hasAlpha: Bool,
    orientation: Orientation = .up, frames: Int = 1, colorTags: [ColorTag] = [],
    offset: UInt64 = 0, fileBytes: Int?, notes: [ImageNote] = [], detail: Detail
  ) {
    self.coding = coding
    self.size = size
    self.bitDepth = bitDepth
    self.layout = layout
    self.hasAlpha = hasAlpha
    self.orientation = orientation
    self.frames = frames
    self.colorTags = colorTags
    self.offset = offset
    self.fileBytes = fileBytes
    self.notes = notes
    self.detail = detail
  }

  package var format: ImageFormat { coding.format }
}

/// A statement about colour in the file, as it stands there.
package enum ColorTag: Hashable, Sendable {
  /// Description of the embedded profile ("Display P3"), and its size.
  case icc(description: String, bytes: Int)
  case srgbChunk
  /// gAMA, in 100,000ths.
  case gamma(Int)
  /// cHRM: white x, y, red x, y, green x, y, blue x, y in 100,000ths.
  case chromaticities([Int])
  /// cICP: primaries, transfer, matrix, full range.
  case cicp(primaries: Int, transfer: Int, matrix: Int, fullRange: Bool)
  /// EXIF ColorSpace: 1 sRGB, 65535 uncalibrated.
  case exifColorSpace(Int)
  /// EXIF interoperability index, `R03` for Adobe RGB.
  case exifInteroperability(String)
  /// Four components, or Adobe's transform.
  case adobe(transform: Int)
}
