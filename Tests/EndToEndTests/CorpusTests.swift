import Testing
import WidgetCore
import WidgetTestSupport

/// The corpus of real and hostile files, where it is there.
@Suite(
  "The corpus", .needsTool,
  .enabled(if: PackageFolder.corpus != nil, "no corpus: set $WIDGETIMG_CORPUS"))
struct CorpusTests {
  /// Paths of `INDEX.tsv` and whether Debian's decoders read them.
  static let files: [(path: RawPath, isSound: Bool)] = {
    guard let corpus = PackageFolder.corpus else { return [] }
    let index = String(decoding: ProcessFile.read(RawPath("\(corpus)/INDEX.tsv")), as: UTF8.self)
    return index.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 4 else { return nil }
      return (RawPath("\(corpus)/\(fields[0])"), fields[4] == "ok")
    }
  }()

  /// What Debian's decoders read and this tool refuses.
  static let refused = [
    // A bare VP8 stream without RIFF: no WebP file.
    "webp/gen/lossy-padded-no-riff-raw-vp8.webp"
  ]

  @Test("inspect ends in 0 or 65 for every file, and in 0 for the sound ones")
  func inspect() throws {
    #expect(Self.files.count > 1000)
    for file in Self.files {
      let outcome = try BinaryUnderTest.run(["inspect", file.path])
      let isRefused = Self.refused.contains { file.path.description.hasSuffix($0) }
      let allowed = isRefused ? [65] : file.isSound ? [0] : [0, 65]
      #expect(
        allowed.contains(outcome.status ?? -1),
        "\(file.path): \(outcome.status ?? -1) \(outcome.errorText)")
      #expect(outcome.errors.isEmpty == (outcome.status == 0))
    }
  }
}
