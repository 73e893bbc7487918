#if canImport(Darwin)
  import Darwin
#endif
import WidgetCore

/// What a finished child process left.
package struct ChildResult: Sendable {
  /// The exit status, or nil when a signal ended it.
  package var status: Int32?
  /// The signal that ended it, or nil when it exited. SIGKILL when it ran out of time.
  package var signal: Int32?
  package var timedOut: Bool
  package var output: [UInt8]
  package var errors: [UInt8]

  package var outputText: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: errors, as: UTF8.self) }
}

/// Runs programs from tests, without Foundation.
package enum ChildProcess {
  package typealias Failure = Subprocess.Failure

  /// Runs `executable` (looked up in PATH when it has no slash) to its end.
  ///
  /// The child gets `input` on standard input, this process's environment with
  /// the changes of `environment` (nil removes a variable), and starts in
  /// `workingDirectory`, or where this process is when that is nil. Output and
  /// errors are taken as they come, so that no full pipe can stop either side.
  /// After `seconds` the child is killed and `timedOut` is true.
  /// - Returns: What the child left; a failing child is not an error.
  /// - Throws: ``Failure`` when it cannot be started or its output not be read.
  package static func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    workingDirectory: String? = nil, input: [UInt8] = [], seconds: Int = 120
  ) throws -> ChildResult {
    var process = Subprocess(
      RawPath(executable), arguments.map { RawPath($0) }, environment: merged(environment),
      folder: workingDirectory.map { RawPath($0) })
    process.input = .bytes(input)
    process.timeLimit = Double(seconds)
    let outcome = try process.run()
    return ChildResult(
      status: outcome.status.map { Int32($0) }, signal: outcome.signal.map { Int32($0) },
      timedOut: outcome.timedOut, output: outcome.output, errors: outcome.errors)
  }

  /// This process's environment with `changes` made.
  private static func merged(_ changes: [String: String?]) -> [String: String] {
    var all: [String: String] = [:]
    for entry in currentEnvironment() {
      guard let at = entry.firstIndex(of: "=") else { continue }
      all[String(entry[..<at])] = String(entry[entry.index(after: at)...])
    }
    for (name, value) in changes { all[name] = value }
    return all
  }

  private static func currentEnvironment() -> [String] {
    #if canImport(Darwin)
      var entry = _NSGetEnviron().pointee
      var entries: [String] = []
      while let pointer = entry?.pointee {
        entries.append(String(cString: pointer))
        entry = entry?.advanced(by: 1)
      }
      return entries
    #else
      // `environ` is a global variable that Swift will not read safely.
      return ProcessFile.read("/proc/self/environ").split(separator: 0).map {
        String(decoding: $0, as: UTF8.self)
      }
    #endif
  }
}
