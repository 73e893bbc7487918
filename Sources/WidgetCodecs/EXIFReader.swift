internal import WidgetCore

/// The few EXIF fields that matter here, read in place.
///
/// Damaged EXIF is no error: what can't be read is as if it were not there.
/// Only the first directory counts, never that of the thumbnail.
struct EXIFReader {
  /// Orientation, when a valid one stands there.
  private(set) var orientation: Orientation?
  /// 1 sRGB, 65535 uncalibrated.
  private(set) var colorSpace: Int?
  /// `R98` sRGB, `R03` Adobe RGB.
  private(set) var interoperability: String?

  private let base: UInt64
  private let end: UInt64
  private var isBig = false

  /// Reads the TIFF structure in `offset..<offset + count`, which may start
  /// with `Exif\0\0`.
  init(_ reader: inout ByteReader, at offset: UInt64, count: UInt64) throws(EngineError) {
    let hasMark = try reader.matches("Exif", at: offset)
    base = offset + (hasMark && count >= 6 ? 6 : 0)
    // Offsets in it are 32-bit numbers: no more than 4 GB are ever looked at.
    end = min(offset + count, reader.end)
    guard base + 8 <= end else { return }
    switch try reader.big(at: base, 4) {
    case 0x4949_2A00: isBig = false
    case 0x4D4D_002A: isBig = true
    default: return
    }
    guard let directory = try number(&reader, 4, 4) else { return }
    try readMain(&reader, at: directory)
  }

  var tags: [ColorTag] {
    var tags: [ColorTag] = []
    if let colorSpace { tags.append(.exifColorSpace(colorSpace)) }
    if let interoperability { tags.append(.exifInteroperability(interoperability)) }
    return tags
  }

  /// An entry of a directory: its tag, type, count, and where its value stands.
  private struct Entry {
    var tag: UInt64
    var type: UInt64
    var count: UInt64
    var value: UInt64
  }

  private func number(
    _ reader: inout ByteReader, _ offset: UInt64, _ count: Int
  ) throws(EngineError) -> UInt64? {
    let at = base + offset
    guard at + UInt64(count) <= end else { return nil }
    return isBig ? try reader.big(at: at, count) : try reader.little(at: at, count)
  }

  private func entries(
    _ reader: inout ByteReader, at offset: UInt64, _ body: (Entry) -> Void
  ) throws(EngineError) {
    guard offset >= 8, let stated = try number(&reader, offset, 2) else { return }
    for index in 0..<min(stated, 1000) {
      let at = offset + 2 + index * 12
      guard let tag = try number(&reader, at, 2), let type = try number(&reader, at + 2, 2),
        let count = try number(&reader, at + 4, 4), try number(&reader, at + 8, 4) != nil
      else { return }
      body(Entry(tag: tag, type: type, count: count, value: at + 8))
    }
  }

  /// A single number of type BYTE, SHORT or LONG.
  private func scalar(
    _ reader: inout ByteReader, _ entry: Entry
  ) throws(EngineError) -> UInt64? {
    guard entry.count == 1 else { return nil }
    switch entry.type {
    case 1: return try number(&reader, entry.value, 1)
    case 3: return try number(&reader, entry.value, 2)
    case 4, 13: return try number(&reader, entry.value, 4)
    default: return nil
    }
  }

  private mutating func readMain(
    _ reader: inout ByteReader, at offset: UInt64
  ) throws(EngineError) {
    var turns: [Entry] = []
    var exif: Entry?
    try entries(&reader, at: offset) { entry in
      if entry.tag == 0x0112, turns.count < 8 { turns.append(entry) }
      if entry.tag == 0x8769, exif == nil { exif = entry }
    }
    for entry in turns where orientation == nil {
      orientation = try scalar(&reader, entry).flatMap { Orientation(rawValue: Int($0)) }
    }
    guard let exif, let directory = try scalar(&reader, exif) else { return }
    var space: Entry?
    var interop: Entry?
    try entries(&reader, at: directory) { entry in
      if entry.tag == 0xA001, space == nil { space = entry }
      if entry.tag == 0xA005, interop == nil { interop = entry }
    }
    if let space { colorSpace = try scalar(&reader, space).map { Int($0) } }
    guard let interop, let table = try scalar(&reader, interop) else { return }
    var index: Entry?
    try entries(&reader, at: table) { entry in
      if entry.tag == 1, entry.type == 2, entry.count == 4, index == nil { index = entry }
    }
    guard let index, let text = try number(&reader, index.value, 4) else { return }
    // Text stands in file order, whatever the order of numbers is.
    let ordered = isBig ? text : UInt64(UInt32(truncatingIfNeeded: text).byteSwapped)
    let characters = [24, 16, 8].map { UInt8(truncatingIfNeeded: ordered >> $0) }
    guard characters.allSatisfy({ (0x30...0x5A).contains($0) }) else { return }
    interoperability = String(decoding: characters, as: UTF8.self)
  }
}
