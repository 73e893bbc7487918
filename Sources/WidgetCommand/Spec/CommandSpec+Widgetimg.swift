import WidgetImage

/// The version, in one place.
package let widgetimgVersion = "0.1.0"

extension CommandSpec {
  /// The whole tool.
  package static let widgetimg = CommandSpec(
    name: "widgetimg",
    abstract: "Turns any PNG, JPEG or WebP into an image that is safe in an iOS widget.",
    groups: [
      OptionGroup(
        "Options",
        [
          OptionSpec(
            .generateCompletionScript,
            ValueSpec("shell", .choice(Shell.allCases.map(\.rawValue)), isOptional: true),
            "Print a completion script for a shell, by default for the one in $SHELL."),
          .version, .help,
        ])
    ],
    subcommands: [.fit, .inspect, .help])

  private static let fit = CommandSpec(
    name: "fit",
    abstract: "Fit images to a size, under a memory ceiling.",
    discussion: """
      Formats are told by content, never by a file's name. Without '-o' results are written \
      beside their input: STEM@3x.EXT, or with '--px' and no '--scale' STEM-54x54.EXT by the \
      size that was written. An input is never overwritten.

      A size is a number of bytes, or a number with KB, MB, GB (decimal) or KiB, MiB, GiB (binary).
      """,
    arguments: [
      ArgumentSpec(
        name: "input", kind: .path, abstract: "Images to fit; '-' is standard input.",
        isRepeated: true, isOptional: false)
    ],
    groups: [
      OptionGroup("Size (at least one of --pt, --px and --max-decoded)", sizeOptions),
      OptionGroup("Picture", pictureOptions),
      OptionGroup("Output", outputOptions),
      OptionGroup("Safety", safetyOptions),
      OptionGroup("Messages", messageOptions),
      OptionGroup("Options", [.version, .help]),
    ])

  private static let sizeOptions = [
    OptionSpec(.pt, ValueSpec("w[xh]"), "Box in points; one number means a square box."),
    OptionSpec(.px, ValueSpec("w[xh]"), "Box in pixels; one number means a square box."),
    OptionSpec(
      .maxDecoded, ValueSpec("size"),
      "Cap on width x height x 4: the largest size inside the box that keeps it."),
    OptionSpec(
      .scale, ValueSpec("scale", .choice(["1", "2", "3"]), default: "3"), "Pixels per point."),
    OptionSpec(
      .scales, ValueSpec("list", .suggestions(["1,2,3", "2,3"])),
      "Several scales, such as 1,2,3: one file for each."),
  ]

  private static let pictureOptions = [
    OptionSpec(
      .mode, ValueSpec("mode", .choice(FitMode.allCases.map(\.rawValue)), default: "contain"),
      "Keep all of the picture, fill the box and crop, or fill it and distort."),
    OptionSpec(
      .gravity,
      ValueSpec("place", .choice(Gravity.allCases.map(\.rawValue)), default: "center"),
      "The part that '--mode cover' keeps."),
    OptionSpec(.upscale, "Allow enlarging; a small source keeps its size otherwise."),
    OptionSpec(
      .filter,
      ValueSpec(
        "filter", .choice(ResampleFilter.allCases.map(\.rawValue)), default: "lanczos3"),
      "The resampling kernel."),
    OptionSpec(
      .fast, "Allow the codec's own shrink-on-load: quicker, averages encoded values."),
    OptionSpec(
      .background, ValueSpec("color", .suggestions(["white", "black"])),
      "What lies under alpha where the format has none: white, black, #RGB or #RRGGBB."),
  ]

  private static let outputOptions = [
    OptionSpec(
      .output, short: "o", ValueSpec("path", .path),
      "A file, an existing folder, or '-' for standard output. A file's extension sets the format."
    ),
    OptionSpec(
      .format,
      ValueSpec(
        "format", .choice(["auto"] + OutputFormat.allCases.map(\.rawValue)), default: "auto"),
      "auto: PNG where the source has alpha or was PNG, else JPEG."),
    OptionSpec(.quality, ValueSpec("1-100", default: "85"), "Quality of lossy output."),
    OptionSpec(
      .maxBytes, ValueSpec("size"),
      "The best quality that stays under this size; fails with the smallest size reached."),
    OptionSpec(
      .palette, "Allow indexed PNG. Some iOS versions mis-decode it with alpha."),
  ]

  private static let safetyOptions = [
    OptionSpec(
      .budget,
      ValueSpec("size", .suggestions(["widget", "notification", "watch"]), default: "30MB"),
      """
      Ceiling for the process's dirty memory: a size, or widget (30MB), notification (24MB) or \
      watch (15MB).
      """),
    OptionSpec(
      .jobs, ValueSpec("n"),
      "Worker threads, all under one budget; by default as many as processors."),
    OptionSpec(.strict, "Refuse what decoders only warn of."),
    OptionSpec(.allowTruncated, "Take what is there of a file that is cut."),
    OptionSpec(.dryRun, "Plan only; write nothing."),
  ]

  private static let messageOptions = [
    OptionSpec(.json, "Print one JSON object a result, on one line."),
    OptionSpec(.quiet, "Print errors only."),
    OptionSpec(.verbose, "Print the plan of each result too."),
    OptionSpec(.noProgress, "Show no progress bar on a terminal."),
  ]

  private static let inspect = CommandSpec(
    name: "inspect",
    abstract: "Tell what images are, how they would be read and what that would cost.",
    discussion: "Nothing is decoded. The planned peak is that of reading all rows, "
      + "before any resizing.",
    arguments: [
      ArgumentSpec(
        name: "input", kind: .path, abstract: "Images to inspect; '-' is standard input.",
        isRepeated: true, isOptional: false)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          OptionSpec(
            .budget,
            ValueSpec("size", .suggestions(["widget", "notification", "watch"]), default: "30MB"),
            "The ceiling to judge by: a size, or widget, notification or watch."),
          OptionSpec(.json, "Print one JSON object an image, on one line."),
          OptionSpec(.verbose, "Print the parts of the planned peak too."),
          .version, .help,
        ])
    ])

  private static let help = CommandSpec(
    name: "help",
    abstract: "Show the help of a command.",
    arguments: [
      ArgumentSpec(
        name: "subcommand", kind: .choice(["fit", "inspect", "help"]),
        abstract: "The command to tell about.", isRepeated: false, isOptional: true)
    ],
    groups: [OptionGroup("Options", [.help])])
}

extension OptionSpec {
  fileprivate static let version = OptionSpec(.version, "Show the version.")
  fileprivate static let help = OptionSpec(.help, short: "h", "Show help information.")
}
