import Testing
import WidgetCommand
import WidgetCore

@Suite("Arguments")
struct ArgumentParserTests {
  private func parse(_ arguments: [RawPath]) throws -> ParsedArguments {
    guard case .run(_, let parsed) = try ArgumentParser.parse(arguments, root: .widgetimg) else {
      throw NotRun()
    }
    return parsed
  }

  private struct NotRun: Error {}

  @Test(
    "Ways to write an option",
    arguments: [
      ("fit a --pt 18", [.pt: "18"]), ("fit a --pt=18", [.pt: "18"]),
      ("fit --pt 18 a", [.pt: "18"]), ("fit a --pt 18 --pt 20", [.pt: "20"]),
      ("fit a -o out", [.output: "out"]), ("fit a -oout", [.output: "out"]),
      ("fit a -o=out", [.output: "out"]), ("fit a -o -", [.output: "-"]),
      ("fit a -o-", [.output: "-"]), ("fit a --output=-x", [.output: "-x"]),
      ("fit a --output=a=b", [.output: "a=b"]),
    ] as [(String, [OptionName: RawPath])])
  func option(line: String, values: [OptionName: RawPath]) throws {
    let parsed = try parse(words(line))
    #expect(parsed.values == values)
    #expect(parsed.inputs == ["a"])
  }

  @Test("What follows -- is a file, and a lone - too")
  func files() throws {
    #expect(
      try parse(words("fit - a -- --pt -x - --")).inputs == ["-", "a", "--pt", "-x", "-", "--"])
  }

  @Test("Bytes that are no UTF-8 stay as they are, in arguments and in values")
  func bytes() throws {
    let odd = RawPath(bytes: [0x61, 0xFF, 0x80])
    let parsed = try parse(["fit", odd, "-o", odd])
    #expect(parsed.inputs == [odd])
    #expect(parsed.values[.output] == odd)
    let joined = try parse(["fit", "a", RawPath(bytes: Array("--output=".utf8) + odd.bytes)])
    #expect(joined.values[.output] == odd)
    let short = try parse(["fit", "a", RawPath(bytes: Array("-o".utf8) + odd.bytes)])
    #expect(short.values[.output] == odd)
  }

  @Test("A joined option whose bytes are no UTF-8 is unknown, nothing worse")
  func unknownBytes() {
    #expect(throws: CommandUsageError.self) {
      try ArgumentParser.parse(["fit", RawPath(bytes: [0x2D, 0xC3])], root: .widgetimg)
    }
  }

  @Test(
    "Help is help, whatever else is wrong",
    arguments: [
      "-h", "--help", "fit --help", "fit --bogus -h", "fit a --mode --help", "help fit",
      "inspect -h", "help", "",
    ])
  func help(line: String) throws {
    let harness = Harness()
    #expect(harness.run(words(line)) == .success)
    #expect(harness.output.text.hasPrefix("OVERVIEW: "))
    #expect(harness.error.text.isEmpty)
  }

  @Test("After -- there is no help")
  func helpAfterTerminator() throws {
    #expect(try parse(words("inspect -- --help")).inputs == ["--help"])
  }

  @Test(
    "Edit distance",
    arguments: [("", "abc", 3), ("abc", "abc", 0), ("widht", "width", 2), ("pt", "px", 1)])
  func distance(one: String, other: String, expected: Int) {
    #expect(editDistance(one, other) == expected)
    #expect(editDistance(other, one) == expected)
  }

  @Test("Every option of the description can be read back by the parser, and help tells of it")
  func everyOption() throws {
    for command in CommandSpec.widgetimg.subcommands where command.name != "help" {
      let help = HelpText.help(CommandPath(.widgetimg).appending(command), columns: 80)
      for option in command.options where option.name != .help && option.name != .version {
        let value = option.value.map { $0.candidates.first ?? "1" }
        let word = value.map { "\(option.long)=\($0)" } ?? option.long
        let parsed = try parse([RawPath(command.name), "a", RawPath(word)])
        #expect(parsed.has(option.name))
        #expect(help.contains("\(option.label)"))
      }
    }
  }

  @Test("Help keeps to the columns", arguments: [40, 60, 80, 120])
  func columns(columns: Int) {
    for command in CommandSpec.widgetimg.subcommands {
      let help = HelpText.help(CommandPath(.widgetimg).appending(command), columns: columns)
      for line in help.split(separator: "\n")
      where !line.hasPrefix("USAGE:") && !line.hasPrefix("SIZE") {
        #expect(line.count <= max(columns, 46), "\(line)")
      }
    }
  }
}
