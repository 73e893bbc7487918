import Testing
import WidgetCore
import WidgetTestSupport

@Suite("Bad input: a named error, a status, nothing written, no hang", .needsTool)
struct BadInputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var file: String
    var statuses: [Int]
    var message: String
    var testDescription: String { file }

    init(_ file: String, _ statuses: [Int], _ message: String = "") {
      self.file = file
      self.statuses = statuses
      self.message = message
    }
  }

  static let cases = [
    Case("empty.png", [65], "empty"), Case("one-byte.jpg", [65]), Case("text.png", [65], "text"),
    Case("page.png", [65], "HTML"), Case("zeros.webp", [65]), Case("drawing.svg", [65], "SVG"),
    Case("photo.heic", [65], "HEIC"), Case("photo.avif", [65], "AVIF"),
    Case("picture.gif", [65], "GIF"), Case("picture.bmp", [65], "BMP"),
    Case("picture.tiff", [65], "TIFF"), Case("half.png", [65], "ends"),
    Case("half.jpg", [65], "ends"), Case("half.webp", [65], "ends"),
    Case("claims-100000.png", [65, 69]), Case("claims-65500.jpg", [65, 69]),
    Case("idat-crc.png", [65], "damaged"), Case("ihdr-crc.png", [65]), Case("no-idat.png", [65]),
    Case("zero-width.png", [65]), Case("no-palette.png", [65]), Case("only-start.jpg", [65]),
    Case("twelve-bit.jpg", [65], "12-bit"), Case("lossless.jpg", [65], "lossless"),
  ]

  @Test("Refused", arguments: cases)
  func refused(_ item: Case) throws {
    let folder = try TemporaryFolder()
    let name = RawPath(item.file)
    try folder.write(name, ProcessFile.read(RawPath("\(PackageFolder.fixtures)/bad/\(item.file)")))
    var process = BinaryUnderTest.process(["fit", name, "--px", "10"], in: folder.path)
    process.timeLimit = 20
    let outcome = try process.run()
    #expect(item.statuses.contains(outcome.status ?? -1), "\(outcome.status ?? -1)")
    #expect(outcome.errorText.hasPrefix("Error: \(item.file): "))
    #expect(outcome.errorText.contains(item.message), "\(outcome.errorText)")
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    #expect(outcome.output.isEmpty)
    #expect(folder.names() == [name])
  }

  @Test(
    "Taken, with a note where one is due",
    arguments: [
      ("short-by-1.png", "every pixel is there"), ("short-by-1.jpg", "every pixel is there"),
      ("trailing.png", "after the end"), ("trailing.jpg", "after the end"),
      ("trailing.webp", "after the end"), ("png-named.jpg", ""), ("jpeg-named.png", ""),
      ("webp-named.png", ""), ("no-extension", ""),
    ])
  func taken(file: String, note: String) throws {
    let folder = try TemporaryFolder()
    let name = RawPath(file)
    try folder.write(name, ProcessFile.read(RawPath("\(PackageFolder.fixtures)/bad/\(file)")))
    let outcome = try tool("fit \(file) --px 10", in: folder)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.contains(note))
    #expect(outcome.errors.isEmpty == note.isEmpty)
    #expect(folder.names().count == 2)
  }

  @Test("--strict refuses what has a note, --allow-truncated takes what is there")
  func tolerance() throws {
    let folder = try TemporaryFolder()
    for file in ["half.png", "half.jpg", "trailing.png", "short-by-1.png"] as [RawPath] {
      try folder.write(file, ProcessFile.read(RawPath("\(PackageFolder.fixtures)/bad/\(file)")))
    }
    #expect(try tool("fit half.png half.jpg --px 10 --allow-truncated", in: folder).status == 0)
    #expect(try tool("fit short-by-1.png --px 10 --strict", in: folder).status == 65)
  }

  @Test("Megabytes after the end are ignored")
  func trailingMegabytes() throws {
    let folder = try TemporaryFolder()
    let image = png(20, 20, .rgb) { x, y in [UInt8(x), UInt8(y), 9] }
    try folder.write("long.png", image + [UInt8](repeating: 7, count: 5_000_000))
    try folder.write(
      "long.jpg", ProcessFile.read(sample("portrait.jpg")) + [UInt8](repeating: 7, count: 5_000_000)
    )
    let outcome = try tool("fit long.png long.jpg --px 10", in: folder)
    #expect(outcome.status == 0, "\(outcome.errorText)")
  }

  @Test("Over the ceiling: 69, naming bytes, nothing written")
  func overBudget() throws {
    let folder = try TemporaryFolder()
    try folder.link("photo.jpg", symbolicTo: sample("photo.jpg"))
    let outcome = try tool("fit photo.jpg --px 300 --budget 3.1MB", in: folder)
    #expect(outcome.status == 69)
    #expect(outcome.errorText.contains(#/[0-9,.]{5,}/#), "\(outcome.errorText)")
    #expect(folder.names() == ["photo.jpg"])
  }

  @Test(
    "Cut anywhere, the samples end in a status and never in a signal",
    arguments: ["logo.png", "photo.jpg", "cover.webp", "portrait.jpg"])
  func cut(name: String) throws {
    let folder = try TemporaryFolder()
    let bytes = ProcessFile.read(sample(name))
    for percent in [1, 10, 50, 90, 99] {
      try folder.write("cut", Array(bytes.prefix(bytes.count * percent / 100)))
      let outcome = try tool("fit cut --px 20", in: folder)
      #expect(outcome.status == 65, "\(percent) %: \(outcome.errorText)")
      #expect(folder.names() == ["cut"])
    }
  }
}

/// What a folder on its own small file system does.
@Suite("Disks that are full and folders that can't be written", .needsTool)
struct DiskTests {
  /// A tmpfs, unmounted when the value ends; nil without the right to mount.
  private final class Mount {
    let folder: TemporaryFolder
    let path: RawPath

    init?(_ options: RawPath) throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("disk")
      path = folder("disk")
      let mount = try? Subprocess("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).run()
      guard mount?.status == 0 else {
        print("skipped: no right to mount a tmpfs")
        return nil
      }
    }

    deinit {
      _ = try? Subprocess("umount", [path]).run()
    }
  }

  @Test("A full disk: 74 or 73, nothing left on it")
  func full() throws {
    guard let disk = try Mount("size=16k") else { return }
    for format in ["png", "jpeg", "webp"] {
      let outcome = try BinaryUnderTest.run([
        "fit", sample("photo.jpg"), "--px", "400", "--format", RawPath(format), "-o", disk.path,
      ])
      #expect([73, 74].contains(outcome.status ?? -1), "\(outcome.errorText)")
      #expect(outcome.output.isEmpty)
      #expect(disk.folder.names(in: "disk").isEmpty)
    }
  }

  @Test("A read-only folder: 73, nothing left")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("out")
    try folder.setMode(0o555, of: "out")
    let disk = try Mount("ro")
    // Root may write anywhere but on a read-only disk.
    let target = disk?.path ?? folder("out")
    if disk == nil, try Subprocess("id", ["-u"]).run().outputText == "0\n" { return }
    let outcome = try BinaryUnderTest.run(["fit", sample("logo.png"), "--pt", "18", "-o", target])
    #expect(outcome.status == 73)
    #expect(outcome.errorText.hasPrefix("Error: "))
    #expect(outcome.output.isEmpty)
  }
}
