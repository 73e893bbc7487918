import Testing
import WidgetImage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The snippet of README.md, to the letter but for its indentation.
private func snippet() throws {
  // README begins
  var options = FitOptions()
  options.box = PixelSize(width: 54, height: 54)
  options.budget = .watch
  let result = try ImageFitter().fit("logo.png", to: "logo@3x.png", options: options)
  print("\(result.plan.outputSize) px, \(result.bytes) bytes, planned \(result.plan.plannedBytes)")
  // README ends
}

@Suite("README's Swift", .serialized)
struct ReadmeSnippetTests {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private static func text(_ path: String) -> [Substring] {
    var text = ""
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      text += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("what is compiled here is what README shows")
  func same() {
    let own = Self.text(#filePath)
    let begin = own.firstIndex { $0.hasSuffix("// README begins") } ?? 0
    let end = own.firstIndex { $0.hasSuffix("// README ends") } ?? 0
    let compiled = own[(begin + 1)..<end].map { $0.drop { $0 == " " } }
    let readme = Self.text(Self.root + "/README.md")
    let start = readme.firstIndex { $0 == "```swift" } ?? 0
    let shown = readme[(start + 1)...].prefix { $0 != "```" }
    #expect(compiled.count > 3)
    #expect(["import WidgetImage", ""] + compiled == Array(shown))
  }

  @Test("it runs, and writes the logo")
  func runs() throws {
    var template = Array("/tmp/widgetimg-readme.XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    let before = try #require(getcwd(nil, 0))
    defer {
      chdir(before)
      free(before)
      for name in ["logo.png", "logo@3x.png"] { unlink(folder + "/" + name) }
      rmdir(folder)
    }
    symlink(Self.root + "/SampleImages/logo.png", folder + "/logo.png")
    chdir(folder)
    try snippet()
    #expect(access(folder + "/logo@3x.png", R_OK) == 0)
  }
}
