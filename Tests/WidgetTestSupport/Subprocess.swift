#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import WidgetCore

/// A program to run as its users do: arguments by bytes, standard streams of
/// every kind, a time limit. No Foundation.
package struct Subprocess {
  /// A path, or a name that is looked up in PATH.
  package var executable: RawPath
  package var arguments: [RawPath]
  /// All of the child's environment.
  package var environment: [String: String]
  /// Where the child starts; nil: where this process is.
  package var folder: RawPath?
  package var input = Input.nothing
  package var output = Output.captured
  package var errors = Output.captured
  /// After so long the child is killed.
  package var timeLimit = 120.0

  package enum Input {
    /// /dev/null.
    case nothing
    /// Through a pipe.
    case bytes([UInt8])
    case file(RawPath)
  }

  package enum Output {
    case captured
    case file(RawPath)
    /// A pipe that nobody reads.
    case closedPipe
    /// A pipe that is full: the child's first write waits until `probe`, called
    /// with its process id, has returned. Then everything is captured.
    case heldPipe(probe: (Int32) throws -> Void)
    /// A pseudo-terminal of 60 columns, captured.
    case terminal
  }

  package struct Outcome: Sendable {
    /// The exit status; nil when a signal ended it.
    package var status: Int?
    package var signal: Int?
    package var timedOut: Bool
    package var output: [UInt8]
    package var errors: [UInt8]
    package var seconds: Double

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  package struct Failure: Error, CustomStringConvertible {
    package var step: String
    package var number: Int32
    package var description: String { "\(step): \(String(cString: strerror(number)))" }
  }

  package init(
    _ executable: RawPath, _ arguments: [RawPath] = [],
    environment: [String: String] = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C"],
    folder: RawPath? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
  }

  /// Runs the program to its end. A program that fails is no error.
  ///
  /// - Throws: ``Failure`` when it can't be started, and what a probe throws.
  package func run() throws -> Outcome {
    var streams = Streams()
    defer { streams.closeAll() }
    let start = Self.now()
    pthread_mutex_lock(Self.spawnLock)
    let spawned = Result { try spawn(&streams) }
    pthread_mutex_unlock(Self.spawnLock)
    let child = try spawned.get()
    streams.closeChildEnds()
    var pump = Pump(streams: streams, deadline: start + timeLimit)
    do {
      if let probe = streams.probe {
        Self.waitUntilAsleep(child, deadline: start + timeLimit)
        try probe(child)
        streams.release()
      }
      try pump.run()
    } catch {
      kill(child, SIGKILL)
      _ = Self.wait(child, until: .infinity)
      throw error
    }
    let ended = Self.wait(child, until: start + timeLimit)
    // WIFEXITED and its kin are macros that Swift does not see.
    let signal = ended.raw & 0x7F
    return Outcome(
      status: signal == 0 ? Int(ended.raw >> 8 & 0xFF) : nil,
      signal: signal == 0 ? nil : Int(signal), timedOut: ended.late,
      output: pump.output, errors: pump.errors, seconds: Self.now() - start)
  }

  /// Held from making a child's pipes until the child has been started.
  nonisolated(unsafe) private static let spawnLock = {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    return lock
  }()

  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func wait(_ child: pid_t, until deadline: Double) -> (raw: Int32, late: Bool) {
    var raw: Int32 = 0
    var pause: UInt32 = 200
    var late = false
    while true {
      let ended = waitpid(child, &raw, late ? 0 : WNOHANG)
      if ended == child || (ended < 0 && errno != EINTR) { return (raw, late) }
      if ended == 0, now() > deadline {
        late = true
        kill(child, SIGKILL)
      } else if ended == 0 {
        usleep(pause)
        pause = min(pause * 2, 5000)
      }
    }
  }

  /// Waits until the child has slept for a while: it hangs in its write.
  private static func waitUntilAsleep(_ child: pid_t, deadline: Double) {
    var asleep = 0
    while asleep < 10, now() < deadline {
      usleep(5000)
      // `pid (name) state ...`; the name may contain anything but ends at the last ')'.
      let stat = ProcessFile.read(RawPath("/proc/\(child)/stat"))
      guard let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.count else { return }
      asleep = stat[end + 2] == UInt8(ascii: "S") ? asleep + 1 : 0
    }
  }

  private func spawn(_ streams: inout Streams) throws -> pid_t {
    try streams.open(input: input, output: output, errors: errors)
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (target, source) in streams.childEnds.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
    }
    // The child starts with the signals' defaults, whatever is ignored here.
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    #if canImport(Darwin)
      flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    posix_spawnattr_setflags(&attributes, flags)

    // Glibc does not show Swift its way to set the folder; a shell does it.
    var words = [executable] + arguments
    if let folder {
      words = ["/bin/sh", "-c", #"cd "$1" && shift && exec "$@""#, "sh", folder] + words
    }
    let variables = environment.sorted { $0.key < $1.key }.map { RawPath("\($0.key)=\($0.value)") }
    var argv = words.map { $0.withCString { strdup($0) } } + [nil]
    var envp = variables.map { $0.withCString { strdup($0) } } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var child: pid_t = 0
    let number = words[0].withCString {
      posix_spawnp(&child, $0, &actions, &attributes, &argv, &envp)
    }
    guard number == 0 else { throw Failure(step: "starting \(executable)", number: number) }
    return child
  }
}
