import Testing
import WidgetCore
import WidgetTestSupport

/// Files of one picture, each stored turned another way and tagged for it.
@Suite("Every orientation comes out upright", .needsTool)
struct SeenOrientationTests {
  static let files =
    (1...8).flatMap { ["jpeg/exif\($0)-be.jpg", "jpeg/exif\($0)-le.jpg"] } + [
      "jpeg/exif9.jpg", "png/exif-before.png", "png/exif-after.png", "webp/exif6.webp",
    ]

  @Test(
    "As the upright file does, in every mode and place",
    arguments: [
      "--px 40", "--px 20x10 --mode stretch", "--px 16 --mode cover",
      "--px 20x10 --mode cover --gravity top", "--px 20x10 --mode cover --gravity bottom",
      "--px 10x20 --mode cover --gravity left", "--px 10x20 --mode cover --gravity right",
      "--px 10x20 --mode cover --gravity top-left",
      "--px 20x10 --mode cover --gravity bottom-right",
    ])
  func upright(options: String) throws {
    let folder = try TemporaryFolder()
    var first: DecodedPNG?
    for file in Self.files {
      let input = RawPath("\(PackageFolder.fixtures)/\(file)")
      let words = options.split(separator: " ").map { RawPath(String($0)) }
      let outcome = try BinaryUnderTest.run(
        ["fit", input, "-o", "out.png"] + words, in: folder.path)
      #expect(outcome.status == 0, "\(file): \(outcome.errorText)")
      let picture = try #require(DecodedPNG(folder.read("out.png")))
      let upright = first ?? picture
      first = upright
      #expect(picture.size == upright.size, "\(file)")
      let differences = zip(picture.samples, upright.samples).map { abs(Int($0) - Int($1)) }
      let mean = Double(differences.reduce(0, +)) / Double(max(1, differences.count))
      // Lossy coding of the turned pixels differs a little; a picture that is
      // turned or cropped wrongly differs by far more.
      #expect(mean < 6, "\(file): \(mean)")
    }
  }
}
