import Testing
import WidgetCodecs
import WidgetCore

@Suite("Headers of broken files", .enabled(if: !Corpus.entries.isEmpty, Corpus.missing))
struct HeaderRobustnessTests {
  /// Reading must end in a header that makes sense or an error that fits.
  private func check(_ bytes: [UInt8], _ name: String) {
    do throws(EngineError) {
      let header = try Head.read(bytes)
      let size = header.size
      let isSane =
        size.width > 0 && size.height > 0 && header.frames > 0
        && header.hasAlpha == header.layout.hasAlpha
      if !isSane { Issue.record("\(name): \(header)") }
      _ = WebPMemory.parts(for: header, limit: 27_000_000)
    } catch {
      let expected: [EngineError.Code] = [.notAnImage, .truncated, .damaged, .unsupported]
      if !expected.contains(error.code) { Issue.record("\(name): \(error)") }
    }
  }

  @Test("Cut at every length up to 600 bytes")
  func cut() {
    #if DEBUG
      let step = 23
    #else
      let step = 1
    #endif
    for (index, entry) in Corpus.entries.enumerated() {
      let bytes = Array(Corpus.head(entry.folder, 600))
      for length in stride(from: index % step, through: bytes.count, by: step) {
        check(Array(bytes.prefix(length)), "\(entry.path) cut to \(length)")
      }
    }
  }

  @Test("One to three bytes changed, 6,000 times")
  func changed() {
    var seed: UInt64 = 42
    func random(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    for _ in 0..<6000 {
      let entry = Corpus.entries[random(Corpus.entries.count)]
      var bytes = Corpus.head(entry.folder, 6000)
      if bytes.isEmpty { continue }
      for _ in 0...random(3) {
        // Most often near the front, where the structure is.
        bytes[random(random(3) == 0 ? bytes.count : min(bytes.count, 200))] = UInt8(random(256))
      }
      check(bytes, "\(entry.path) changed")
    }
  }
}
