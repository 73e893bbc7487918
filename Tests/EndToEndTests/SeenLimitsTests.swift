import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

@Suite("Limits that users meet", .needsTool)
struct SeenLimitsTests {
  /// A picture of a million rows took hours when each row looked at the taps of
  /// the output row to come.
  @Test("The time of a tall picture grows with its rows only")
  func tall() throws {
    let folder = try TemporaryFolder()
    let rows = [UInt8](repeating: 0, count: 2_000_000)
    try folder.write("tall.png", png(1, 1_000_000, .grey, depth: 8, rows: rows))
    var process = BinaryUnderTest.process(
      ["fit", "tall.png", "--px", "54", "-o", "out.png"], in: folder.path)
    process.timeLimit = 60
    let outcome = try process.run()
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(DecodedPNG(folder.read("out.png"))?.size == PixelSize(width: 1, height: 54))
  }

  @Test(
    "A budget below the process itself: 69, and both numbers are those of --budget",
    arguments: [("2MB", 2_000_000), ("3000000", 3_000_000), ("3000100", 3_000_100)])
  func tinyBudget(budget: String, bytes: Int) throws {
    let folder = try TemporaryFolder()
    try folder.link("logo.png", symbolicTo: sample("logo.png"))
    let outcome = try tool("fit logo.png --pt 18 --budget \(budget)", in: folder)
    #expect(outcome.status == 69)
    let words =
      #/Error: logo\.png: (\d+) bytes of memory or more are needed, and the budget is (\d+)\n/#
    let match = try #require(outcome.errorText.wholeMatch(of: words), "\(outcome.errorText)")
    #expect(try #require(Int(match.1)) > bytes)
    #expect(Int(match.2) == bytes)
    #expect(folder.names() == ["logo.png"])
  }

  @Test("inspect judges by a budget of any size, and works in spite of it")
  func inspectTinyBudget() throws {
    let outcome = try BinaryUnderTest.run(["inspect", sample("logo.png"), "--budget", "2MB"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains(#/planned peak +3\.\d of 2\.0 MB: does not fit/#))
    let json = try BinaryUnderTest.run(
      ["inspect", sample("logo.png"), "--budget", "2MB", "--json"])
    #expect(try JSONReader.read(json.output)["memory"]?["fits"] == false)
  }

  @Test("A refusal of the plan names what would do, and that does")
  func suggestedBudget() throws {
    let folder = try TemporaryFolder()
    try folder.link("photo.jpg", symbolicTo: sample("photo.jpg"))
    let refused = try tool("fit photo.jpg --px 300 --budget 3.2MB -o a.jpg", in: folder)
    #expect(refused.status == 69)
    let words = #/it would need \d+ bytes of memory, .* a budget of (\d+MB) would do\n/#
    let match = try #require(refused.errorText.firstMatch(of: words), "\(refused.errorText)")
    #expect(folder.names() == ["photo.jpg"])
    #expect(try tool("fit photo.jpg --px 300 --budget \(match.1) -o a.jpg", in: folder).status == 0)
  }
}

@Suite("Outputs that can't be made are named", .needsTool)
struct SeenOutputFailureTests {
  @Test(
    "73, and the output's name, in words and in JSON",
    arguments: [
      ("none/a.png", "No such file or directory"), ("logo.png/a.png", "Not a directory"),
    ])
  func named(output: String, reason: String) throws {
    let folder = try TemporaryFolder()
    try folder.link("logo.png", symbolicTo: sample("logo.png"))
    let outcome = try tool("fit logo.png --pt 18 --json -o \(output)", in: folder)
    #expect(outcome.status == 73)
    #expect(outcome.errorText == "Error: logo.png: \(reason): '\(output)'\n")
    let error = try JSONReader.read(outcome.output)["error"]
    #expect(error?["message"]?.stringValue == "\(reason): '\(output)'")
    #expect(error?["code"]?.stringValue == "cannot-create")
    #expect(folder.names() == ["logo.png"])
  }

  @Test(
    "A device that is full: 74",
    .enabled(if: (try? Subprocess("test", ["-c", "/dev/full"]).run().status) == 0, "no /dev/full"))
  func full() throws {
    let outcome = try BinaryUnderTest.run(
      ["fit", sample("logo.png"), "--pt", "18", "-o", "/dev/full"])
    #expect(outcome.status == 74)
    #expect(
      outcome.errorText.hasSuffix(": writing failed: No space left on device: '/dev/full'\n"))
  }

  @Test("An empty name is shown as one")
  func emptyName() throws {
    let outcome = try BinaryUnderTest.run(["fit", "", "--pt", "18"])
    #expect(outcome.status == 66)
    #expect(outcome.errorText.hasPrefix("Error: '': "))
  }
}
