#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Counts what a program takes from the C allocator, by preloading
/// `Tests/CMallocProbe` into it. For glibc alone; see ``unavailable``.
package enum MallocProbe {
  /// Figures of one run, in bytes but for `count`.
  package struct Reading: Sendable {
    /// Most bytes of live allocations at one time, by their usable sizes.
    package var peakBytes = 0
    /// Calls that gave out memory.
    package var count = 0
    /// Bytes not given back when the process ended.
    package var liveBytes = 0
    package var largestBytes = 0
    /// Most bytes of writable anonymous mappings that the program made itself.
    package var mappedPeakBytes = 0
    /// Most bytes of allocations and mappings together at one time.
    package var totalPeakBytes = 0
    package var child: ChildResult
  }

  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// Why the probe cannot be used here, for a test's skip; nil when it can.
  package static var unavailable: String? {
    switch library {
    case .success: nil
    case .failure(let failure): failure.description
    }
  }

  /// Runs `binary` with the probe in it, otherwise as ``ChildProcess`` does.
  /// - Returns: The figures and what the child left.
  /// - Throws: ``Failure`` where the probe is unavailable, or left no figures
  ///   because a signal ended the child.
  package static func run(
    _ binary: String, _ arguments: [String], environment: [String: String?] = [:],
    workingDirectory: String? = nil, input: [UInt8] = []
  ) throws -> Reading {
    let path = try library.get()
    var template = Array("/tmp/widgetimg-probe.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw Failure(description: "no temporary file for the probe") }
    let report = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    close(file)
    defer { unlink(report) }

    var variables = environment
    variables["LD_PRELOAD"] = path
    variables["WIDGETIMG_PROBE_OUT"] = report
    let child = try ChildProcess.run(
      binary, arguments, environment: variables, workingDirectory: workingDirectory, input: input)

    let written = try ChildProcess.run("cat", [report]).outputText
    var figures: [Substring: Int] = [:]
    for field in written.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let parts = field.split(separator: "=")
      if parts.count == 2, let value = Int(parts[1]) { figures[parts[0]] = value }
    }
    guard let peak = figures["peak"], let count = figures["count"], let live = figures["live"],
      let largest = figures["largest"], let mapped = figures["mapped_peak"],
      let total = figures["total_peak"]
    else {
      throw Failure(description: "the probe left no figures: \(child)")
    }
    return Reading(
      peakBytes: peak, count: count, liveBytes: live, largestBytes: largest,
      mappedPeakBytes: mapped, totalPeakBytes: total, child: child)
  }

  /// Runs the first C compiler found in PATH; nil where there is none.
  package static func compile(_ arguments: [String], input: [UInt8] = []) -> ChildResult? {
    for compiler in ["clang", "cc", "gcc"] {
      if let child = try? ChildProcess.run(compiler, arguments, input: input) { return child }
    }
    return nil
  }

  /// The probe, compiled on first use into the package's build folder.
  private static let library: Result<String, Failure> = build()

  private static func build() -> Result<String, Failure> {
    #if os(Linux) && !canImport(Musl)
      let source = PackageFolder.path + "/Tests/CMallocProbe/malloc_probe.c"
      let folder = PackageFolder.path + "/.build"
      let finished = folder + "/malloc_probe.so"
      // Compiled aside and renamed: two test runs may do this at once.
      let unfinished = "\(finished).\(getpid())"
      mkdir(folder, 0o777)
      let child = compile([
        "-shared", "-fPIC", "-O2", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-o", unfinished,
        source,
      ])
      guard let child else {
        return .failure(Failure(description: "no C compiler in PATH to build the malloc probe"))
      }
      guard child.status == 0, rename(unfinished, finished) == 0 else {
        return .failure(Failure(description: "the malloc probe does not build: \(child.errorText)"))
      }
      return .success(finished)
    #else
      return .failure(Failure(description: "the malloc probe is for Linux with glibc"))
    #endif
  }
}
