#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
  /// Why a child could not be started, with the system's error number.
  package struct Failure: Error, CustomStringConvertible {
    package var step: String
    package var number: Int32
    package var description: String { "\(step): error \(number)" }
  }

  /// Runs `executable` (looked up in PATH when it has no slash) to its end.
  ///
  /// The child gets `input` on standard input, this process's environment with
  /// the changes of `environment` (nil removes a variable), and starts in
  /// `workingDirectory`, or where this process is when that is nil. Output and
  /// errors go through unnamed temporary files, so that no full pipe can stop
  /// either side. After `seconds` the child is killed and `timedOut` is true.
  /// - Returns: What the child left; a failing child is not an error.
  /// - Throws: ``Failure`` when it cannot be started or its output not be read.
  package static func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    workingDirectory: String? = nil, input: [UInt8] = [], seconds: Int = 120
  ) throws -> ChildResult {
    let standardInput = try temporaryFile()
    defer { close(standardInput) }
    try writeAll(input, to: standardInput)
    lseek(standardInput, 0, SEEK_SET)
    let output = try temporaryFile()
    defer { close(output) }
    let errors = try temporaryFile()
    defer { close(errors) }

    let child = try spawn(
      executable, arguments, environment: merged(environment), workingDirectory: workingDirectory,
      descriptors: [standardInput, output, errors])
    let (raw, timedOut) = try wait(for: child, seconds: seconds)

    // The macros WIFEXITED and its kin are not imported.
    let signal = raw & 0x7f
    return ChildResult(
      status: signal == 0 ? (raw >> 8) & 0xff : nil, signal: signal == 0 ? nil : signal,
      timedOut: timedOut, output: try readAll(output), errors: try readAll(errors))
  }

  /// This process's environment as `NAME=value`, with `changes` made.
  private static func merged(_ changes: [String: String?]) -> [String] {
    var entries = currentEnvironment().filter { entry in
      !changes.keys.contains { entry.hasPrefix($0 + "=") }
    }
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      if let value { entries.append("\(name)=\(value)") }
    }
    return entries
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
      let file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      return ((try? readAll(file, fromStart: false)) ?? []).split(separator: 0).map {
        String(decoding: $0, as: UTF8.self)
      }
    #endif
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], environment: [String],
    workingDirectory: String?, descriptors: [Int32]
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, source) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
    }

    // Glibc does not show Swift its way to set the folder; a shell does it for us.
    var words = [executable] + arguments
    if let workingDirectory {
      words = ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", workingDirectory] + words
    }
    var argv = words.map { strdup($0) } + [nil]
    var envp = environment.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var child: pid_t = 0
    let number = posix_spawnp(&child, words[0], &actions, nil, &argv, &envp)
    guard number == 0 else { throw Failure(step: "starting \(executable)", number: number) }
    return child
  }

  private static func wait(for child: pid_t, seconds: Int) throws -> (status: Int32, late: Bool) {
    var status: Int32 = 0
    var pause: UInt32 = 500
    let start = now()
    var late = false
    while true {
      let ended = waitpid(child, &status, late ? 0 : WNOHANG)
      if ended == child { return (status, late) }
      if ended < 0 && errno != EINTR { throw Failure(step: "waiting", number: errno) }
      if ended == 0 && now() - start > seconds {
        late = true
        kill(child, SIGKILL)
      } else {
        usleep(pause)
        pause = min(pause * 2, 10_000)
      }
    }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  private static func temporaryFile() throws -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/widgetimg-test.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw Failure(step: "making a temporary file", number: errno) }
    unlink(template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        write(file, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
      }
      guard written > 0 else { throw Failure(step: "writing the input", number: errno) }
      offset += written
    }
  }

  private static func readAll(_ file: Int32, fromStart: Bool = true) throws -> [UInt8] {
    if fromStart { lseek(file, 0, SEEK_SET) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count >= 0 else { throw Failure(step: "reading the output", number: errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
