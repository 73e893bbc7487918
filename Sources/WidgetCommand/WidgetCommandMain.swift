#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
package import WidgetCore
import WidgetImage

/// The command line, from the process's arguments to its exit status.
package enum WidgetCommandMain {
  /// Runs the process's arguments and ends the process.
  package static func run() -> Never {
    // A reader that went away is seen as EPIPE.
    signal(SIGPIPE, SIG_IGN)
    ImageFitter.removeTemporaryFilesOnSignals()
    ImageFitter.keepOneHeap()
    var environment = CommandEnvironment.process(engine: ImageFitter())
    if let name = environment.variable("WIDGETIMG_SIMD"), !name.isEmpty {
      guard let fitter = ImageFitter(kernelsNamed: name) else {
        var names = ImageFitter.kernelNames.map { "'\($0)'" }
        let last = names.removeLast()
        let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
        environment.error.write(
          "Error: WIDGETIMG_SIMD is '\(name.printable)'; this machine has \(list)\n")
        exit(ExitCode.usage.rawValue)
      }
      environment.engine = fitter
    }
    exit(run(ProcessFacts.arguments(), in: environment).rawValue)
  }

  /// Runs `arguments`, which start after the program's name.
  package static func run(
    _ arguments: [RawPath], in environment: CommandEnvironment
  ) -> ExitCode {
    let status: ExitCode
    do throws(CommandUsageError) {
      status = try runParsed(arguments, in: environment)
    } catch {
      environment.error.write(HelpText.error(error.error, error.path))
      return .usage
    }
    guard let failure = environment.output.failure else { return status }
    if !failure.isBrokenPipe {
      environment.error.write("Error: standard output: \(failure.message)\n")
    }
    return .inputOutput
  }

  private static func runParsed(
    _ arguments: [RawPath], in environment: CommandEnvironment
  ) throws(CommandUsageError) -> ExitCode {
    switch try ArgumentParser.parse(arguments, root: .widgetimg) {
    case .help(let path):
      environment.output.write(HelpText.help(path, columns: environment.columns))
    case .version:
      environment.output.write("\(widgetimgVersion)\n")
    case .completionScript(let named):
      guard let shell = named ?? environment.variable("SHELL").flatMap(Shell.init(executable:))
      else {
        throw CommandUsageError(error: Shell.undetected, path: CommandPath(.widgetimg))
      }
      environment.output.write(shell.completionScript(for: .widgetimg))
    case .run(let path, let parsed):
      do throws(UsageError) {
        if path.command.name == "inspect" {
          return try InspectCommand(parsed).run(in: environment)
        }
        return try FitCommand(FitRequest(parsed, facts: environment.facts)).run(in: environment)
      } catch {
        throw CommandUsageError(error: error, path: path)
      }
    }
    return .success
  }
}
