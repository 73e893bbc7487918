internal import WidgetCore

/// The walk over a WebP's chunks.
///
/// The flags of VP8X and the size of RIFF are not believed: what stands there
/// counts. libwebp's own rules judge the frame.
struct WebPHeader {
  private var reader: ByteReader
  private var canvas: PixelSize?
  private var flags: UInt64 = 0
  private var frame: Frame?
  private var frames = 0
  private var orientation: Orientation?
  private var colorTags: [ColorTag] = []
  private var notes: [ImageNote] = []
  private var end: UInt64 = 12

  /// The picture that is shown: the only one, or an animation's first.
  private struct Frame {
    var image: WebPBitstream
    var offset: UInt64
    var bytes: Int
    var alpha: Chunk?
    var x = 0
    var y = 0
    var isAnimated = false
  }

  private struct Chunk {
    var name: UInt64
    var count: UInt64
    var data: UInt64
    /// Odd sizes are padded with one byte.
    var next: UInt64 { data + count + (count & 1) }
  }

  private init(_ reader: ByteReader) {
    self.reader = reader
  }

  static func read(_ reader: inout ByteReader) throws(EngineError) -> ImageHeader {
    var header = WebPHeader(reader)
    try header.walk()
    return try header.result()
  }

  // MARK: The walk

  private mutating func walk() throws(EngineError) {
    let riff = try reader.little(at: 4, 4) ?? 0
    var offset: UInt64 = 12
    var alpha: Chunk?
    var visits = 0
    while visits < ImageHeader.visitLimit {
      visits += 1
      guard let chunk = try chunk(at: offset) else { break }
      // After the pixels what has no proper name is junk; before them libwebp
      // steps over any name.
      if frame != nil, !isName(chunk.name) { break }
      guard chunk.count <= 0xFFFF_FFF6 else {
        if frame != nil { break }
        throw EngineError(.damaged, "the WebP has an impossible chunk before its pixels")
      }
      switch chunk.name {
      case fourCC("VP8X"): try readExtension(chunk)
      case fourCC("ALPH"): if frame == nil { alpha = chunk }
      case fourCC("VP8 "), fourCC("VP8L"):
        if frame == nil {
          frame = try readFrame(chunk, alpha: alpha)
          frames = 1
        }
      case fourCC("ANMF"):
        if frame == nil { frame = try readAnimationFrame(chunk) }
        if frame?.isAnimated == true { frames += 1 }
      case fourCC("EXIF"):
        let exif = try EXIFReader(&reader, at: chunk.data, count: chunk.count)
        if orientation == nil {
          orientation = exif.orientation
          colorTags += exif.tags
        }
      case fourCC("ICCP"):
        if !colorTags.contains(where: \.isProfile) {
          let piece = ICCDescription.Piece(offset: chunk.data, count: Int(chunk.count))
          colorTags.append(try ICCDescription([piece]).tag(&reader))
        }
      default: break
      }
      offset = chunk.next
      end = chunk.next
    }
    end = max(end, 8 + riff + (riff & 1))
    if !reader.isWhole, flags & 8 != 0, orientation == nil { notes.append(.orientationUnknown) }
  }

  private mutating func readExtension(_ chunk: Chunk) throws(EngineError) {
    guard canvas == nil, chunk.count >= 10 else { return }
    guard let flags = try reader.byte(at: chunk.data),
      let width = try reader.little(at: chunk.data + 4, 3),
      let height = try reader.little(at: chunk.data + 7, 3)
    else { throw reader.cut("the WebP's header") }
    self.flags = UInt64(flags)
    canvas = PixelSize(width: Int(width) + 1, height: Int(height) + 1)
  }

  private mutating func readFrame(
    _ chunk: Chunk, alpha: Chunk?
  ) throws(EngineError) -> Frame {
    let isLossless = chunk.name == fourCC("VP8L")
    let image =
      isLossless
      ? try WebPBitstream(lossless: &reader, at: chunk.data, count: chunk.count)
      : try WebPBitstream(lossy: &reader, at: chunk.data, count: chunk.count)
    return Frame(
      image: image, offset: chunk.data, bytes: Int(chunk.count), alpha: isLossless ? nil : alpha)
  }

  /// The frame that an ANMF chunk holds.
  private mutating func readAnimationFrame(_ chunk: Chunk) throws(EngineError) -> Frame {
    guard let x = try reader.little(at: chunk.data, 3),
      let y = try reader.little(at: chunk.data + 3, 3),
      let width = try reader.little(at: chunk.data + 6, 3),
      let height = try reader.little(at: chunk.data + 9, 3)
    else { throw reader.cut("the WebP's first frame") }
    var offset = chunk.data + 16
    var alpha: Chunk?
    for _ in 0..<100 where offset < chunk.next {
      guard let inner = try self.chunk(at: offset) else {
        throw reader.cut("the WebP's first frame")
      }
      if inner.name == fourCC("ALPH") { alpha = inner }
      if inner.name == fourCC("VP8 ") || inner.name == fourCC("VP8L") {
        var frame = try readFrame(inner, alpha: alpha)
        guard frame.image.size == PixelSize(width: Int(width) + 1, height: Int(height) + 1) else {
          throw EngineError(.damaged, "the WebP's first frame is not of the size it states")
        }
        (frame.x, frame.y, frame.isAnimated) = (Int(x) * 2, Int(y) * 2, true)
        return frame
      }
      offset = inner.next
    }
    throw EngineError(.damaged, "the WebP's first frame holds no picture")
  }

  private mutating func chunk(at offset: UInt64) throws(EngineError) -> Chunk? {
    guard let name = try reader.big(at: offset, 4), let count = try reader.little(at: offset + 4, 4)
    else { return nil }
    return Chunk(name: name, count: count, data: offset + 8)
  }

  private func isName(_ name: UInt64) -> Bool {
    (0..<4).allSatisfy { (0x20...0x7E).contains(name >> (8 * UInt64($0)) & 0xFF) }
  }

  // MARK: The result

  private mutating func result() throws(EngineError) -> ImageHeader {
    guard let frame else {
      if reader.isWhole, end <= reader.end {
        throw EngineError(.damaged, "the WebP holds no picture")
      }
      throw reader.cut("the WebP's header")
    }
    let size = frame.image.size
    let whole = canvas ?? size
    if !frame.isAnimated, whole != size {
      throw EngineError(.damaged, "the WebP states a canvas of \(whole) round a picture of \(size)")
    }
    guard frame.x <= whole.width - size.width, frame.y <= whole.height - size.height else {
      throw EngineError(.damaged, "the WebP's first frame lies outside its canvas")
    }
    // An empty alpha chunk is one that libwebp can't read: it says so itself.
    let hasAlpha = frame.image.hasAlpha || frame.alpha != nil
    let coding: ImageCoding =
      if frame.isAnimated {
        .webpAnimated
      } else if frame.image.lossless != nil {
        .webpLossless
      } else {
        frame.alpha == nil ? .webpLossy : .webpLossyAlpha
      }
    var detail = ImageHeader.WebPDetail(
      partitions: frame.image.partitions, imageBytes: frame.bytes,
      alphaBytes: Int(frame.alpha?.count ?? 0), frameSize: size, frameX: frame.x, frameY: frame.y)
    detail.imageOffset = frame.offset
    detail.alphaOffset = frame.alpha?.data ?? 0
    detail.endOffset = end
    detail.headBytes = frame.image.headBytes
    detail.filterRows = frame.image.filterRows
    detail.lossless = frame.image.lossless
    if let alpha = frame.alpha, alpha.count > 1, let kind = try reader.byte(at: alpha.data),
      kind & 3 == 1
    {
      detail.alphaLossless = try VP8LTables.read(
        &reader, at: alpha.data + 1, end: alpha.data + alpha.count, size: size)
    }
    let rowsHaveAlpha = hasAlpha || frame.isAnimated
    return ImageHeader(
      coding: coding, size: whole, bitDepth: 8, layout: PixelLayout(rowsHaveAlpha ? .rgba : .rgb),
      hasAlpha: rowsHaveAlpha, orientation: orientation ?? .up, frames: max(1, frames),
      colorTags: colorTags, fileBytes: reader.length, notes: notes, detail: .webp(detail))
  }
}

extension ColorTag {
  fileprivate var isProfile: Bool {
    if case .icc = self { true } else { false }
  }
}
