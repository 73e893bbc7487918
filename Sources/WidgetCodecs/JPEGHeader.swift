internal import WidgetCore

/// The walk over a JPEG's markers.
struct JPEGHeader {
  private var reader: ByteReader
  private var frame: Frame?
  private var orientation: Orientation?
  private var exifTags: [ColorTag] = []
  private var metEXIF = false
  private var adobeTransform: Int?
  private var restartInterval = 0
  private var profile: [Int: ICCDescription.Piece] = [:]
  private var notes: [ImageNote] = []
  private var scans = 0
  private var hasPartialScan = false
  private var table = JPEGScanTable()
  /// The end of the last scan's data is still to come.
  private var isInScan = false
  /// Restart marks stand in the data of the scans to come.
  private var scanRestarts = false

  private struct Frame {
    /// The low four bits of its marker: SOF0 is 0.
    var process: Int
    var size: PixelSize
    var components: [ImageHeader.JPEGDetail.Component]

    /// Baseline, extended and their arithmetic twin are the others.
    var isProgressive: Bool { process == 2 || process == 10 }
  }

  private init(_ reader: ByteReader) {
    self.reader = reader
  }

  static func read(_ reader: inout ByteReader) throws(EngineError) -> ImageHeader {
    var header = JPEGHeader(reader)
    try header.walk(from: 0)
    return try header.result()
  }

  /// Where the scans of the JPEG at `offset` stand, nil where one stands alone.
  ///
  /// - Throws: as `ImageHeader.read(from:)`.
  static func scanTable(
    of input: CodecInput, at offset: UInt64
  ) throws(EngineError) -> JPEGScanTable? {
    var header = JPEGHeader(ByteReader(input))
    try header.walk(from: offset)
    return header.wholeTable
  }

  // MARK: Markers

  /// Walks up to the first scan, and through all scans where there are several.
  private mutating func walk(from start: UInt64) throws(EngineError) {
    var offset = start &+ 2
    var visits = 0
    while visits < ImageHeader.visitLimit {
      visits += 1
      guard let (marker, position) = try nextMarker(from: offset) else {
        if scans > 0 {
          endScan(at: reader.end)
          // Of a pipe that goes on, the rest of the scans is not known.
          if !reader.isWhole { scans = 0 }
          return
        }
        throw reader.cut("the JPEG's header")
      }
      // Where restarts are due, libjpeg steps over what is no marker of its
      // time; elsewhere such bytes end a scan, and then the reading.
      if marker < 0xC0, isInScan, scanRestarts {
        offset = position
        continue
      }
      if marker != 0x01 { endScan(at: position - 2) }
      switch marker {
      case 0x01, 0xD0...0xD7:
        offset = position
        continue
      case 0xD8:
        if scans > 0 { return }
        throw EngineError(.damaged, "the JPEG begins twice")
      case 0xD9:
        if scans > 0 { return }
        throw EngineError(.damaged, "the JPEG holds no picture")
      default: break
      }
      guard let stated = try reader.big(at: position, 2) else {
        if scans > 0 { return }
        throw reader.cut("the JPEG's header")
      }
      // The length counts its own two bytes; less is taken as nothing.
      let count = max(2, stated)
      let data = position + 2
      if marker == 0xDA {
        if try visitScan(at: data, count: count) { return }
      } else if scans == 0 {
        try visit(marker, at: data, count: count - 2)
      } else if marker == 0xDD {
        scanRestarts = try reader.big(at: data, 2) ?? 0 > 0
      }
      offset = position + count
    }
  }

  /// The next marker and the offset after it, skipping fill bytes, junk and
  /// entropy-coded data.
  private mutating func nextMarker(
    from offset: UInt64
  ) throws(EngineError) -> (UInt8, UInt64)? {
    var offset = offset
    while let found = try reader.next0xFF(from: offset) {
      var after = found + 1
      while try reader.byte(at: after) == 0xFF { after += 1 }
      guard let code = try reader.byte(at: after) else { return nil }
      offset = after + 1
      // Stuffed zeros and restart marks belong to a scan's data.
      if code != 0, !(0xD0...0xD7).contains(code) { return (code, offset) }
    }
    return nil
  }

  /// Says whether the walk may end.
  private mutating func visitScan(
    at data: UInt64, count bytes: UInt64
  ) throws(EngineError) -> Bool {
    guard let frame else {
      throw EngineError(.damaged, "the JPEG has a scan before its frame header")
    }
    guard let count = try reader.byte(at: data) else {
      if scans > 0 { return true }
      throw reader.cut("the JPEG's header")
    }
    // A header that the file ends in begins no scan.
    let last = data + max(bytes, 3) - 3
    if scans > 0, try reader.byte(at: last) == nil { return true }
    scans += 1
    if Int(count) < frame.components.count { hasPartialScan = true }
    if !frame.isProgressive && !hasPartialScan { return true }
    try reader.holdAll("the JPEG has several scans")
    guard scans <= JPEGScanTable.limit else {
      throw EngineError(
        .damaged, "the JPEG has more than \(JPEGScanTable.limit) scans, the most that are read")
    }
    var members: UInt8 = 0
    for index in 0..<UInt64(min(count, 4)) {
      let id = try reader.byte(at: data + 1 + 2 * index)
      for (place, component) in frame.components.enumerated() where component.id == id.map(Int.init)
      {
        members |= 1 << UInt8(place)
      }
    }
    let first = try reader.byte(at: data + 1 + 2 * UInt64(count)) ?? 0
    if scans == 1 { table.firstScan = data - 4 }
    table.heads.append(
      .init(isDC: !frame.isProgressive || first == 0, components: members))
    isInScan = true
    return false
  }

  private mutating func endScan(at offset: UInt64) {
    if isInScan { table.ends.append(offset) }
    isInScan = false
  }

  /// The table, once all scans were met; only several scans are in it.
  private var wholeTable: JPEGScanTable? {
    scans > 0 && scans == table.ends.count ? table : nil
  }

  private mutating func visit(
    _ marker: UInt8, at data: UInt64, count: UInt64
  ) throws(EngineError) {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
      try readFrame(Int(marker & 15), at: data, count: count)
    case 0xDD:
      if count == 2 { restartInterval = Int(try reader.big(at: data, 2) ?? 0) }
      scanRestarts = restartInterval > 0
    case 0xE1: try readEXIF(at: data, count: count)
    case 0xE2: try readAPP2(at: data, count: count)
    case 0xEE:
      if count >= 12, try reader.matches("Adobe", at: data) {
        adobeTransform = try reader.byte(at: data + 11).map { Int($0) }
      }
    default: return
    }
  }

  // MARK: Segments

  private mutating func readFrame(
    _ process: Int, at data: UInt64, count: UInt64
  ) throws(EngineError) {
    if frame != nil { throw EngineError(.damaged, "the JPEG has two frame headers") }
    let name: String? =
      switch process {
      case 3: "lossless"
      case 5, 6, 13, 14: "hierarchical"
      case 7, 15: "hierarchical lossless"
      case 11: "lossless arithmetic"
      default: nil
      }
    if let name {
      throw EngineError(
        .unsupported, "this is a \(name) JPEG (SOF\(process)); save it as baseline first")
    }
    guard let precision = try reader.byte(at: data), let height = try reader.big(at: data + 1, 2),
      let width = try reader.big(at: data + 3, 2), let number = try reader.byte(at: data + 5)
    else { throw reader.cut("the JPEG's header") }
    if precision != 8 {
      throw EngineError(.unsupported, "this is a \(precision)-bit JPEG; only 8 bits are read")
    }
    if height == 0, width > 0 {
      throw EngineError(.unsupported, "the JPEG's height is given by DNL, after its pixels")
    }
    guard width > 0, count == 6 + 3 * UInt64(number), number > 0 else {
      throw EngineError(.damaged, "the JPEG's frame header is damaged")
    }
    guard width <= 65500, height <= 65500 else {
      throw EngineError(
        .unsupported, "the JPEG is \(width)x\(height); 65500 is the most that is read")
    }
    guard [1, 3, 4].contains(number) else {
      throw EngineError(.unsupported, "the JPEG has \(number) components; 1, 3 and 4 are read")
    }
    var components: [ImageHeader.JPEGDetail.Component] = []
    for index in 0..<UInt64(number) {
      guard let codes = try reader.big(at: data + 6 + 3 * index, 3) else {
        throw reader.cut("the JPEG's header")
      }
      let (horizontal, vertical) = (Int(codes >> 12 & 15), Int(codes >> 8 & 15))
      guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
        throw EngineError(.damaged, "the JPEG states a sampling of \(horizontal)x\(vertical)")
      }
      components.append(
        .init(
          id: Int(codes >> 16), horizontalSampling: horizontal, verticalSampling: vertical))
    }
    frame = Frame(
      process: process, size: PixelSize(width: Int(width), height: Int(height)),
      components: components)
    table.frameStart = data - 4
    table.frameEnd = data + count
  }

  private mutating func readEXIF(at data: UInt64, count: UInt64) throws(EngineError) {
    guard count >= 6, try reader.matches("Exif", at: data) else { return }
    let exif = try EXIFReader(&reader, at: data, count: count)
    if orientation == nil { orientation = exif.orientation }
    if !metEXIF { exifTags = exif.tags }
    metEXIF = true
  }

  private mutating func readAPP2(at data: UInt64, count: UInt64) throws(EngineError) {
    if count > 14, try reader.matches("ICC_PROFILE", at: data),
      try reader.byte(at: data + 11) == 0, let number = try reader.byte(at: data + 12)
    {
      // The first of a number counts.
      if profile[Int(number)] == nil {
        profile[Int(number)] = .init(offset: data + 14, count: Int(count) - 14)
      }
    } else if count >= 4, try reader.matches("MPF", at: data),
      try reader.byte(at: data + 3) == 0, !notes.contains(.multiPicture)
    {
      notes.append(.multiPicture)
    }
  }

  // MARK: The result

  private mutating func result() throws(EngineError) -> ImageHeader {
    guard let frame else { throw EngineError(.damaged, "the JPEG holds no picture") }
    var tags: [ColorTag] = []
    if !profile.isEmpty {
      let pieces = profile.sorted { $0.key < $1.key }.map(\.value)
      tags.append(try ICCDescription(pieces).tag(&reader))
    }
    tags += exifTags
    if let adobeTransform { tags.append(.adobe(transform: adobeTransform)) }
    let coding: ImageCoding =
      switch frame.process {
      case 2: .jpegProgressive
      case 9: .jpegArithmetic
      case 10: .jpegArithmeticProgressive
      case _ where hasPartialScan: .jpegMultiScan
      case 1: .jpegExtended
      default: .jpegBaseline
      }
    return ImageHeader(
      coding: coding, size: frame.size, bitDepth: 8,
      layout: PixelLayout(frame.components.count == 1 ? .grey : .rgb), hasAlpha: false,
      orientation: orientation ?? .up, colorTags: tags, fileBytes: reader.length, notes: notes,
      detail: .jpeg(
        .init(
          components: frame.components, scans: scans, scanTable: wholeTable,
          restartInterval: restartInterval, adobeTransform: adobeTransform)))
  }
}
