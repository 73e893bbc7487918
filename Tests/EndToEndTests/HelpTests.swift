import Testing
import WidgetCore
import WidgetTestSupport

/// Texts that users see, held by files in `Snapshots/`.
///
/// After a change that is meant, run with `WIDGETIMG_RECORD=1` and look at the
/// difference before it is committed.
@Suite("Help and completion scripts are as recorded", .needsTool)
struct HelpTests {
  @Test(
    "Texts",
    arguments: [
      ("help.txt", "--help"), ("help-fit.txt", "help fit"), ("help-inspect.txt", "inspect -h"),
      ("help-help.txt", "help help"), ("completion.bash", "--generate-completion-script bash"),
      ("completion.zsh", "--generate-completion-script=zsh"),
      ("completion.fish", "--generate-completion-script fish"),
    ])
  func text(name: String, line: String) throws {
    let outcome = try tool(line)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let path = RawPath("\(PackageFolder.path)/Tests/EndToEndTests/Snapshots/\(name)")
    if ProcessFile.variable("WIDGETIMG_RECORD") == "1" {
      try ProcessFile.write(outcome.output, to: path)
    }
    #expect(outcome.outputText == String(decoding: ProcessFile.read(path), as: UTF8.self))
  }

  @Test("Without arguments the tool shows its help")
  func noArguments() throws {
    #expect(try tool("").output == tool("help").output)
  }

  @Test("COLUMNS sets the width")
  func columns() throws {
    var process = BinaryUnderTest.process(["fit", "-h"])
    process.environment["COLUMNS"] = "60"
    let lines = try process.run().outputText.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 60 })
    #expect(lines.contains { $0.count > 50 })
  }

  @Test("The terminal's width, where COLUMNS is not set")
  func terminal() throws {
    var process = BinaryUnderTest.process(["fit", "-h"])
    process.output = .terminal
    let lines = try process.run().outputText.split { $0 == "\n" || $0 == "\r\n" }
    #expect(lines.count > 40)
    #expect(lines.allSatisfy { $0.count <= 60 })
  }

  @Test("The shell of $SHELL")
  func detectedShell() throws {
    var process = BinaryUnderTest.process(["--generate-completion-script"])
    process.environment["SHELL"] = "/usr/bin/fish"
    #expect(try process.run().output == tool("--generate-completion-script fish").output)
    process.environment["SHELL"] = "/bin/dash"
    let outcome = try process.run()
    #expect(outcome.status == 64)
    #expect(
      outcome.errorText.hasPrefix(
        "Error: Can't tell the shell from $SHELL. Please use one of 'bash', 'zsh', 'fish'\n"))
  }

  @Test("The bare version", arguments: ["--version", "fit --version"])
  func version(line: String) throws {
    let outcome = try tool(line)
    #expect(outcome.outputText == "0.1.0\n")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.status == 0)
  }
}

@Suite("Wrong arguments, all of what is printed", .needsTool)
struct UsageTests {
  @Test(
    "Text and status 64",
    arguments: [
      (
        "fit a.png --pt",
        """
        Error: Missing value for '--pt <w[xh]>'
        Help:  --pt <w[xh]>  Box in points; one number means a square box.
        Usage: widgetimg fit [<options>] <input> ...
          See 'widgetimg fit --help' for more information.

        """
      ),
      (
        "inspect --bugdet 3 a.png",
        """
        Error: Unknown option '--bugdet'. Did you mean '--budget'?
        Usage: widgetimg inspect [--budget <size>] [--json] [--verbose] <input> ...
          See 'widgetimg inspect --help' for more information.

        """
      ),
      (
        "shrink",
        """
        Error: Unexpected argument 'shrink'
        Usage: widgetimg <subcommand>
          See 'widgetimg --help' for more information.

        """
      ),
    ])
  func text(line: String, expected: String) throws {
    let outcome = try tool(line)
    #expect(outcome.status == 64)
    #expect(outcome.errorText == expected)
    #expect(outcome.output.isEmpty)
  }
}
