import Testing
import WidgetCodecs
import WidgetCore
import WidgetTestSupport

/// The corpus' index, and its files as bytes.
enum Corpus {
  struct Entry: Sendable, CustomTestStringConvertible {
    var path: String
    var size: PixelSize?
    var tags: [Substring]
    var verdict: String

    var testDescription: String { path }
    var isSound: Bool { verdict == "ok" || verdict.hasPrefix("ok ") && !verdict.contains("warn") }
    var folder: String { PackageFolder.corpus.map { $0 + "/" + path } ?? path }
  }

  static let entries: [Entry] = {
    guard let folder = PackageFolder.corpus else { return [] }
    let index = String(decoding: bytes(folder + "/INDEX.tsv"), as: UTF8.self)
    return index.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let sides = fields[2].split(separator: "x").compactMap { Int($0) }
      return Entry(
        path: String(fields[0]),
        size: sides.count == 2 ? PixelSize(width: sides[0], height: sides[1]) : nil,
        tags: fields[3].split(separator: " "), verdict: String(fields[4]))
    }
  }()

  static func bytes(_ path: String) -> [UInt8] { head(path, .max) }

  /// The file's first bytes.
  static func head(_ path: String, _ limit: Int) -> [UInt8] {
    guard let input = try? CodecInput(path: RawPath(path), on: MemoryLedger()),
      let length = input.length
    else { return [] }
    let count = min(length, limit)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let part = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
      filled = (try? input.read(at: 0, into: part)) ?? 0
    }
  }

  static let missing: Comment = "no corpus: set WIDGETIMG_CORPUS"
}

@Suite("Headers of the corpus", .enabled(if: !Corpus.entries.isEmpty, Corpus.missing))
struct HeaderCorpusTests {
  @Test func everyFileHasItsVerdict() throws {
    var wrong: [String] = []
    var counts: [String: Int] = [:]
    for entry in Corpus.entries {
      do throws(EngineError) {
        let input = try CodecInput(path: RawPath(entry.folder), on: MemoryLedger())
        let header = try ImageHeader.read(from: input)
        counts["read", default: 0] += 1
        if entry.isSound || entry.verdict.contains("not-run") {
          for fault in faults(header, entry) { wrong.append("\(entry.path): \(fault)") }
        }
      } catch {
        counts[error.code.rawValue, default: 0] += 1
        // A bare VP8 stream is no WebP file, though libwebp takes it.
        if entry.isSound, !entry.path.contains("no-riff") {
          wrong.append("\(entry.path): \(error.message)")
        }
      }
    }
    print("corpus headers:", counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  private func faults(_ header: ImageHeader, _ entry: Corpus.Entry) -> [String] {
    var faults: [String] = []
    if let size = entry.size, header.size != size, header.orientation.upright(header.size) != size {
      faults.append("\(header.size) rather than \(size)")
    }
    for tag in entry.tags {
      if tag.hasPrefix("orient="), let value = Int(tag.dropFirst(7)) {
        let expected = Orientation(rawValue: value) ?? .up
        if header.orientation != expected { faults.append("\(header.orientation), \(tag)") }
      }
      if tag == "adam7", header.coding != .pngAdam7 { faults.append("\(header.coding), \(tag)") }
      if tag.hasPrefix("SOF"), let process = Int(tag.dropFirst(3)) {
        let codings: [ImageCoding] =
          switch process {
          case 0: [.jpegBaseline, .jpegMultiScan]
          case 1: [.jpegExtended, .jpegMultiScan]
          case 2: [.jpegProgressive]
          case 9: [.jpegArithmetic]
          case 10: [.jpegArithmeticProgressive]
          default: []
          }
        if !codings.contains(header.coding) { faults.append("\(header.coding), \(tag)") }
      }
    }
    // The first picture counts, and alpha that stands before it.
    let webp = entry.tags.prefix { $0 != "VP8" && $0 != "VP8L" }
    let expected: ImageCoding? =
      switch entry.tags.dropFirst(webp.count).first {
      case "VP8": webp.contains("ALPH") ? .webpLossyAlpha : .webpLossy
      case "VP8L": .webpLossless
      default: nil
      }
    if let expected, !entry.path.hasSuffix("alph-after-vp8.webp"), header.coding != expected {
      faults.append("\(header.coding), not \(expected)")
    }
    for tag in entry.tags {
      if tag == "ANMF", entry.tags.firstIndex(of: "VP8") == nil,
        header.frames < 1 || header.coding != .webpAnimated
      {
        faults.append("\(header.coding) with \(header.frames) frames")
      }
    }
    return faults
  }
}
