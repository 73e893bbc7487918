import Testing
import WidgetCommand
import WidgetCore

@Suite("Wrong arguments: status 64, the message, and no work")
struct UsageErrorTests {
  static let cases: [(line: String, message: String)] = [
    ("fit a --widht 3", "Unknown option '--widht'"),
    ("fit a --qualty 3", "Unknown option '--qualty'. Did you mean '--quality'?"),
    ("fit a --max-byte 3", "Unknown option '--max-byte'. Did you mean '--max-bytes'?"),
    ("fit a -x", "Unknown option '-x'"),
    ("--json", "Unknown option '--json'"),
    ("fit a --pt", "Missing value for '--pt <w[xh]>'"),
    ("fit a --pt --json", "Missing value for '--pt <w[xh]>'"),
    ("fit a --pt -5", "Missing value for '--pt <w[xh]>'"),
    ("fit a --pt=", "Missing value for '--pt <w[xh]>'"),
    ("fit a -o", "Missing value for '--output <path>'"),
    ("fit", "Missing expected argument '<input> ...'"),
    ("fit --pt 18", "Missing expected argument '<input> ...'"),
    ("inspect", "Missing expected argument '<input> ...'"),
    ("foo", "Unexpected argument 'foo'"),
    ("fot", "Unexpected argument 'fot'. Did you mean 'fit'?"),
    ("foo bar", "2 unexpected arguments: 'foo', 'bar'"),
    ("help fit x", "Unexpected argument 'x'"),
    ("fit a --strict=7", "The option '--strict' does not take any value, but '7' was specified."),
    (
      "fit a --mode fill",
      "The value 'fill' is invalid for '--mode <mode>'. Please provide one of 'contain', 'cover' or 'stretch'."
    ),
    (
      "fit a --scale 4",
      "The value '4' is invalid for '--scale <scale>'. Please provide one of '1', '2' or '3'."
    ),
    (
      "fit a --filter cubic",
      """
      The value 'cubic' is invalid for '--filter <filter>'. Please provide one of the following:
        - lanczos3
        - lanczos2
        - catmull-rom
        - mitchell
        - triangle
        - box
      """
    ),
    (
      "--generate-completion-script csh",
      "Can't generate completion scripts for 'csh'. Please use one of 'bash', 'zsh', 'fish'"
    ),
    (
      "--generate-completion-script",
      "Can't tell the shell from $SHELL. Please use one of 'bash', 'zsh', 'fish'"
    ),
    ("fit a", "Please specify a size: '--pt <w[xh]>', '--px <w[xh]>' or '--max-decoded <size>'."),
    ("fit a --pt 1 --px 1", "The options '--pt' and '--px' can't be used together."),
    (
      "fit a --pt 1 --scale 1 --scales 1,2",
      "The options '--scale' and '--scales' can't be used together."
    ),
    (
      "fit a --pt 1 --strict --allow-truncated",
      "The options '--strict' and '--allow-truncated' can't be used together."
    ),
    (
      "fit a --pt 1 --quiet --verbose",
      "The options '--quiet' and '--verbose' can't be used together."
    ),
    (
      "fit a --pt 1 --quality 5 --max-bytes 9",
      "The options '--quality' and '--max-bytes' can't be used together."
    ),
    (
      "fit a --px 9 --scales 1,2",
      "Several scales need '--pt <w[xh]>': a size in pixels or bytes is the same at each."
    ),
    (
      "fit a --max-decoded 9 --scales 1,2",
      "Several scales need '--pt <w[xh]>': a size in pixels or bytes is the same at each."
    ),
    ("fit - - --pt 1", "Standard input can be read once only."),
    ("inspect - -", "Standard input can be read once only."),
    ("fit a b --pt 1 -o x.png", "2 results can't go to one file 'x.png'."),
    ("fit a --pt 1 --scales 1,3 -o x.png", "2 results can't go to one file 'x.png'."),
    ("fit a b --pt 1 -o -", "2 results can't go to standard output."),
    ("fit - --pt 1 --scales 1,2,3", "3 results can't go to standard output."),
    ("fit - --pt 1 -o .", "Please specify a file with '-o <path>': standard input has no name."),
    (
      "fit a --pt 1 -o x.png --format jpeg", "The extension of 'x.png' contradicts '--format jpeg'."
    ),
    (
      "fit a --pt 1 -o x.JPEG --format webp",
      "The extension of 'x.JPEG' contradicts '--format webp'."
    ),
    (
      "fit a --pt 1 -o x.gif",
      "The extension of 'x.gif' names no format that is written: png, jpg, jpeg or webp. Please specify one with '--format <format>'."
    ),
  ]

  static let invalid: [(option: String, label: String, values: [String])] = [
    (
      "--pt", "--pt <w[xh]>",
      ["0", "0x5", "5x0", "x", "5x", "x5", "5x5x5", "abc", "5,5", "1e3", "333334"]
    ),
    ("--px", "--px <w[xh]>", ["0", "1.5", "5x0", "1000001", "+5", "99999999999999999999", "x"]),
    ("--scales", "--scales <list>", ["1,1", "4", "", ",", "1,", "a", "0", "1;2"]),
    ("--quality", "--quality <1-100>", ["0", "101", "8.5", "high", "+8"]),
    ("--max-bytes", "--max-bytes <size>", ["0", "2X", "99999999999GB"]),
    ("--max-decoded", "--max-decoded <size>", ["3", "0", "many"]),
    ("--budget", "--budget <size>", ["0", "phone", "WIDGET"]),
    (
      "--background", "--background <color>",
      ["red", "#12", "#1234", "#12345g", "#", "#1234567", "#٣٣٣"]
    ),
  ]

  @Test("Exact messages", arguments: cases)
  func message(line: String, message: String) {
    let harness = Harness()
    harness.image("a")
    harness.image("b")
    #expect(harness.run(words(line)) == .usage)
    #expect(harness.error.text.hasPrefix("Error: \(message)\n"), "\(harness.error.text)")
    #expect(harness.error.text.contains("\nUsage: widgetimg"))
    #expect(harness.error.text.hasSuffix("--help' for more information.\n"))
    #expect(harness.output.text.isEmpty)
    #expect(harness.engine.fits.isEmpty)
  }

  @Test("Values that can't be read name the option and a reason", arguments: invalid)
  func value(option: String, label: String, values: [String]) {
    for value in values where !value.isEmpty {
      let harness = Harness()
      harness.image("a")
      var arguments: [RawPath] = ["fit", "a", RawPath("\(option)=\(value)")]
      if !["--pt", "--px", "--max-decoded"].contains(option) { arguments += ["--pt", "18"] }
      #expect(harness.run(arguments) == .usage, "\(value)")
      #expect(
        harness.error.text.hasPrefix("Error: The value '\(value)' is invalid for '\(label)': "),
        "\(harness.error.text)")
      #expect(harness.error.text.contains("\nHelp:  \(label)  "))
    }
  }

  @Test("Control characters of an argument don't reach the terminal")
  func control() {
    let harness = Harness()
    harness.run("fit", "a", "--\u{1B}[2Jx\ny")
    #expect(harness.error.text.hasPrefix(#"Error: Unknown option '--\u{1b}[2Jx\u{a}y'"#))
  }
}
