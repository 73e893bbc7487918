import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

/// `fit` over all of the corpus, against what Debian's own decoders say.
@Suite(
  "Verdicts over the corpus", .needsTool,
  .enabled(if: PackageFolder.corpus != nil, "no corpus: set $WIDGETIMG_CORPUS"))
struct CorpusVerdictTests {
  /// A row of `INDEX.tsv`.
  struct File: Sendable {
    var name: String
    /// `ok`, `warn: ...`, `err ...` or `not-run(big)`.
    var reference: String

    /// What its words alone say: 0 or 65; nil where they do not decide.
    var expected: Int? {
      if reference.hasPrefix("ok") { return 0 }
      return reference.hasPrefix("err") ? 65 : nil
    }
  }

  /// Statuses that the index does not say, or says otherwise, by the reason.
  static let differing: [(reason: String, status: Int, names: [String])] = [
    (
      "damage that libjpeg steps over: taken with a note, every pixel is there", 0,
      [
        "jpeg/gen/bad-height-smaller-than-data.jpg", "jpeg/gen/bitrot-entropy-0.jpg",
        "jpeg/gen/bitrot-entropy-3.jpg", "jpeg/gen/bitrot-progressive-1.jpg",
        "jpeg/gen/dnl-header-too-tall.jpg", "jpeg/gen/entropy-all-ff00.jpg",
        "jpeg/gen/garbage-between-segments.jpg", "jpeg/gen/restart-bad-duplicated.jpg",
        "jpeg/gen/restart-bad-missing-one.jpg", "jpeg/gen/restart-bad-segment-lost.jpg",
        "jpeg/gen/restart-bad-wrong-number.jpg", "jpeg/image-rs-crash/subtract-with-overflow.jpg",
        "jpeg/image-rs/extraneous-data.jpg", "jpeg/image-rs/partial_progressive.jpg",
        "jpeg/pillow/photoshop-200dpi-broken.jpg", "jpeg/pillow/truncated_app14.jpg",
        "jpeg/zune/re.jpg",
      ]
    ),
    (
      "djpeg fails on what follows the last pixel: taken with a note", 0,
      [
        "jpeg/image-rs-afl/id_000831_sync_jpeg9_src_000903.jpg",
        "jpeg/image-rs-afl/id_001458_src_000531_op_flip4_pos_287.jpg",
      ]
    ),
    (
      "libjpeg warns of a header's oddity that harms no pixel", 0,
      [
        "jpeg/gen/badsos-spectral-in-baseline.jpg", "jpeg/gen/jfif-bad-version-9.9.jpg",
        "jpeg/gen/ycc-adobe-transform2-in-3comp.jpg",
        "jpeg/image-rs/progressive-missing-dc.jpg",
      ]
    ),
    (
      "only the end mark is missing: taken with a note", 0,
      [
        "jpeg/gen/missing-eoi.jpg", "png/gen/chunk-length-beyond-eof.png",
        "png/gen/trunc-no-iend.png", "png/go/invalid-noend.png", "png/go/invalid-trunc.png",
        "png/libpng-crashers/huge_IDAT.png",
      ]
    ),
    (
      "pixels are missing: djpeg warns and fills, here --allow-truncated does", 65,
      [
        "jpeg/gen/entropy-empty.jpg", "jpeg/gen/prog-truncated-after-scan-1.jpg",
        "jpeg/gen/prog-truncated-after-scan-3.jpg",
        "jpeg/gen/restart-bad-dri-without-markers.jpg", "jpeg/gen/trunc-10pct-progressive.jpg",
        "jpeg/gen/trunc-50pct-progressive.jpg", "jpeg/gen/trunc-75pct-baseline.jpg",
        "jpeg/gen/trunc-75pct-progressive.jpg", "jpeg/gen/trunc-90pct-progressive.jpg",
        "jpeg/gen/trunc-99pct-baseline.jpg",
        "jpeg/image-rs-afl/id_000202_src_000000_op_flip2_pos_178_+cov.jpg",
        "jpeg/image-rs-afl/id_001259_sync_jpeg9_src_001469_+cov.jpg",
        "jpeg/image-rs-afl/id_001696_src_001527_op_arith8_pos_296_val_-17.jpg",
        "jpeg/image-rs-afl/id_001744_src_001635_op_arith8_pos_164_val_-28.jpg",
        "jpeg/image-rs-crash/dc-predictor-overflow.jpg", "jpeg/libgd/bug_double_free.jpg",
        "jpeg/libvips/truncated.jpg", "jpeg/pillow/ultrahdr.jpg", "jpeg/sharp/truncated.jpg",
        "jpeg/wuffs/peacock.default.truncated.jpeg",
        "jpeg/wuffs/peacock.progressive.truncated.jpeg", "jpeg/zune/small-img.jpg",
      ]
    ),
    (
      "told by content: a PNG that is named .jpg", 0,
      ["jpeg/image-rs/mozilla__jpg-size-6x6.jpg"]
    ),
    (
      "dwebp reads no animations; the first frame is shown here", 0,
      [
        "webp/gen/anim-300-frames.webp", "webp/gen/anim-4frames-lossless.webp",
        "webp/gen/anim-first-frame-smaller-than-canvas.webp",
        "webp/gen/anim-flag-without-anmf-but-vp8.webp", "webp/gen/anim-mixed.webp",
        "webp/gen/anim-subframes-dispose-blend.webp", "webp/gen/anim-with-icc-exif.webp",
        "webp/image-rs/anim.webp", "webp/image-webp/random_lossless.webp",
        "webp/sharp/big-height.webp", "webp/sharp/rotating-squares.webp",
      ]
    ),
    (
      "RIFF's size is wrong, its chunks are right", 0,
      ["webp/gen/riff-size-ffffffff.webp", "webp/gen/riff-size-zero.webp"]
    ),
    (
      "a bare VP8 stream: no WebP file, though dwebp takes it", 65,
      ["webp/gen/lossy-padded-no-riff-raw-vp8.webp"]
    ),
    (
      "2001 scans, 29 KB of decoder each: over the ceiling", 69,
      ["jpeg/gen/bomb-2000x2000-progressive-2000scans.jpg"]
    ),
    (
      "more rows than libpng's own limit; rows are streamed here", 0,
      ["png/gen/bomb-dim-1x10000000-grey8.png"]
    ),
    (
      "too large for the reference run, streamed here", 0,
      [
        "jpeg/gen/bomb-12000x12000-420-baseline-full.jpg",
        "jpeg/gen/bomb-16000x16000-grey-baseline-full.jpg",
        "png/gen/bomb-dim-12000x12000-rgba8.png", "png/gen/bomb-dim-50000x50000-grey1.png",
        "png/gen/bomb-dim-50000x50000-pal1-adam7.png",
        "png/sharp/65536-uint32-limit.png",
      ]
    ),
    (
      "too large for the reference run, and its data ends at once", 65,
      [
        "jpeg/gdk-pixbuf/issue205.jpg", "jpeg/gen/bomb-65500x65500-ycc-progressive-nodata.jpg",
      ]
    ),
    (
      "sides that the format or libjpeg does not allow", 65,
      [
        "jpeg/gen/bomb-65535x65535-grey-nodata.jpg", "jpeg/image-rs-crash/max_size.jpg",
        "png/image-png/x_issue_230.1.png",
      ]
    ),
    (
      "a coding that is held whole as yet, over the ceiling", 69,
      [
        "webp/gen/bomb-16383x16383-lossless-solid.webp",
        "webp/gen/bomb-16384x16384-lossless-solid.webp",
      ]
    ),
    (
      "one row alone passes the ceiling", 69,
      [
        "png/gen/bomb-dim-2^31-1-square-headeronly.png", "png/gen/bomb-dim-50000000x1-rgb8.png",
        "webp/gen/anim-bomb-canvas-16777216x255-frame-20x16.webp",
      ]
    ),
  ]

  /// Thousands of millions of pixels, or millions of rows.
  static let slow = [
    "png/gen/bomb-dim-1x10000000-grey8.png", "png/sharp/65536-uint32-limit.png",
    "png/gen/bomb-dim-50000x50000-grey1.png",
  ]

  static let files: [File] = {
    guard let corpus = PackageFolder.corpus else { return [] }
    let index = String(decoding: ProcessFile.read(RawPath("\(corpus)/INDEX.tsv")), as: UTF8.self)
    return index.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 4 else { return nil }
      return File(name: String(fields[0]), reference: String(fields[4]))
    }
  }()

  @Test("The table of differences holds files of the corpus, each once")
  func table() {
    let names = Self.differing.flatMap(\.names)
    #expect(Set(names).count == names.count)
    #expect(Set(names).isSubset(of: Self.files.map(\.name)))
    #expect(Self.files.count > 1000)
  }

  /// In two halves, which may run side by side.
  @Test(
    "Exit status as the index or the table says, in time, under the ceiling", arguments: [0, 1])
  func verdicts(half: Int) throws {
    let corpus = try #require(PackageFolder.corpus)
    let withSlow = ProcessFile.variable("WIDGETIMG_LONG_TESTS") == "1"
    var statuses: [String: Int] = [:]
    for entry in Self.differing {
      for name in entry.names { statuses[name] = entry.status }
    }
    for (index, file) in Self.files.enumerated() where index % 2 == half {
      let isSlow = Self.slow.contains(file.name)
      if isSlow && !withSlow {
        print("skipped: \(file.name): set WIDGETIMG_LONG_TESTS=1")
        continue
      }
      var process = BinaryUnderTest.process([
        "fit", RawPath("\(corpus)/\(file.name)"), "--px", "54", "--background", "white", "--json",
        "-o", "-",
      ])
      process.timeLimit = isSlow ? 240 : 60
      let outcome = try process.run()
      #expect(outcome.signal == nil, "\(file.name): signal, timed out: \(outcome.timedOut)")
      let expected = statuses[file.name] ?? file.expected
      #expect(
        outcome.status == expected, "\(file.name): \(file.reference): \(outcome.errorText)")
      // The object is the last line; notes and the error come before.
      let last = outcome.errorText.split(separator: "\n").last.map(String.init) ?? ""
      let value = try JSONReader.read(last)
      if outcome.status == 0 {
        #expect(!outcome.output.isEmpty)
        let resident = try #require(value["memory"]?["residentPeak"]?.intValue)
        #expect(resident < 30_000_000, "\(file.name): \(resident) bytes resident")
      } else {
        #expect(value["error"]?["exit"]?.intValue == outcome.status)
      }
    }
  }
}
