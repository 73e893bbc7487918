import Testing
import WidgetCore
import WidgetTestSupport

/// Whether a program is installed.
private func isInstalled(_ program: RawPath) -> Bool {
  (try? Subprocess(program, ["--version"]).run().status) == 0
}

@Suite("Completion scripts in the real shells", .needsTool)
struct CompletionTests {
  private static func script(_ shell: String, in folder: TemporaryFolder) throws -> RawPath {
    let script = try tool("--generate-completion-script \(shell)").output
    return try folder.write(RawPath("completion.\(shell)"), script)
  }

  static let cases: [(words: [String], candidates: Set<String>)] = [
    (["widgetimg", ""], ["fit", "inspect", "help"]),
    (["widgetimg", "f"], ["fit"]),
    (["widgetimg", "--v"], ["--version"]),
    (["widgetimg", "--generate-completion-script", ""], ["bash", "zsh", "fish"]),
    (["widgetimg", "help", ""], ["fit", "inspect", "help"]),
    (["widgetimg", "fit", "--max"], ["--max-bytes", "--max-decoded"]),
    (["widgetimg", "fit", "--mode", ""], ["contain", "cover", "stretch"]),
    (["widgetimg", "fit", "--mode", "=", "c"], ["contain", "cover"]),
    (["widgetimg", "fit", "--mode", "="], ["contain", "cover", "stretch"]),
    (["widgetimg", "fit", "a.png", "--gravity", "top"], ["top", "top-left", "top-right"]),
    (["widgetimg", "fit", "--budget", "w"], ["widget", "watch"]),
    (["widgetimg", "fit", "--pt", ""], []),
    (["widgetimg", "fit", "one"], ["one two.png", "one.png"]),
    (["widgetimg", "fit", "-o", "o"], ["one two.png", "one.png"]),
    (["widgetimg", "fit", "--", "-"], ["-dash.png"]),
    (["widgetimg", "inspect", "--"], ["--budget", "--json", "--verbose", "--version", "--help"]),
  ]

  @Test("bash", .enabled(if: isInstalled("bash"), "bash is not installed"), arguments: cases)
  func bash(words: [String], candidates: Set<String>) throws {
    let folder = try TemporaryFolder()
    let script = try Self.script("bash", in: folder)
    for name in ["one.png", "one two.png", "-dash.png"] as [RawPath] { try folder.write(name, []) }
    // What readline does: the words, the place, then the function.
    let ask = """
      source "$1" || exit 9
      shift
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      set -- $(complete -p widgetimg)
      [[ "$*" == *"-F _widgetimg widgetimg" ]] || exit 8
      _widgetimg
      for reply in "${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done
      """
    let outcome = try Subprocess(
      "bash",
      ["--norc", "-c", RawPath(ask), "bash", script] + words.map { RawPath($0) },
      folder: folder.path
    ).run()
    #expect(outcome.status == 0)
    #expect(outcome.errorText.isEmpty)
    let replies = outcome.outputText.split(separator: "\n").map(String.init)
    #expect(Set(replies) == candidates)
    #expect(replies.count == candidates.count)
  }

  @Test(
    "Every shell takes its script",
    arguments: ["bash", "zsh", "fish"])
  func syntax(shell: String) throws {
    guard isInstalled(RawPath(shell)) else {
      print("skipped: \(shell) is not installed")
      return
    }
    let folder = try TemporaryFolder()
    let script = try Self.script(shell, in: folder)
    let outcome = try Subprocess(RawPath(shell), ["-n", script]).run()
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.isEmpty)
  }

  @Test("fish", .enabled(if: isInstalled("fish"), "fish is not installed"))
  func fish() throws {
    let folder = try TemporaryFolder()
    let script = try Self.script("fish", in: folder)
    try folder.write("one.png", [])
    func complete(_ line: String) throws -> Set<String> {
      var process = Subprocess(
        "fish",
        ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, RawPath(line)],
        folder: folder.path)
      process.environment["HOME"] = folder.path.description
      let outcome = try process.run()
      return Set(
        outcome.outputText.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
    }
    #expect(try complete("widgetimg f") == ["fit"])
    #expect(try complete("widgetimg ").isSuperset(of: ["fit", "inspect", "help"]))
    #expect(try !complete("widgetimg ").contains("one.png"))
    #expect(try complete("widgetimg fit --mode c") == ["contain", "cover"])
    #expect(try complete("widgetimg fit --max-").isSuperset(of: ["--max-bytes", "--max-decoded"]))
    #expect(try complete("widgetimg fit on") == ["one.png"])
    #expect(try complete("widgetimg fit -o on") == ["one.png"])
  }

  @Test("zsh", .enabled(if: isInstalled("zsh"), "zsh is not installed"))
  func zsh() throws {
    let folder = try TemporaryFolder()
    let script = try Self.script("zsh", in: folder)
    // Completion needs a line editor; what is checked is that the functions
    // load, register, and hold every option.
    let ask = """
      autoload -Uz compinit && compinit -D -u
      source $1 || exit 9
      [[ $_comps[widgetimg] == _widgetimg ]] || exit 8
      functions _widgetimg_fit
      """
    var process = Subprocess("zsh", ["-f", "-c", RawPath(ask), "zsh", script], folder: folder.path)
    process.environment["HOME"] = folder.path.description
    let outcome = try process.run()
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.isEmpty)
    for option in ["--pt=", "--mode=", "--output=", "--budget=", "--json"] {
      #expect(outcome.outputText.contains(option))
    }
  }
}
