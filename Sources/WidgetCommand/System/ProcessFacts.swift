#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
package import WidgetCore
import WidgetImage

/// What the process can learn from its system.
package enum ProcessFacts {
  /// The process's arguments after its name, their bytes as they came:
  /// `CommandLine.arguments` repairs what is not UTF-8, and then names no file.
  package static func arguments() -> [RawPath] {
    let count = Int(CommandLine.argc)
    var arguments = [RawPath]()
    for index in 1..<max(1, count) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
      let length = unsafe strlen(argument)
      let bytes = unsafe UnsafeRawBufferPointer(start: argument, count: length)
      unsafe arguments.append(RawPath(bytes: Array(bytes)))
    }
    return arguments
  }

  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  package static func facts(_ path: RawPath) -> FileFacts? {
    guard !path.containsNUL else { return nil }
    var info = stat()
    let status = unsafe path.withCString { unsafe stat($0, &info) }
    guard status == 0 else { return nil }
    let kind: FileFacts.Kind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      default: .other
      }
    return FileFacts(
      kind: kind,
      identity: .init(
        device: UInt64(truncatingIfNeeded: info.st_dev),
        inode: UInt64(truncatingIfNeeded: info.st_ino)))
  }

  package static func seconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  package static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// The peak of resident memory: `VmHWM` on Linux (a child's `ru_maxrss`
  /// there starts at its parent's size), the rusage figure on Darwin.
  package static func residentPeak() -> Int? {
    #if os(Linux)
      return statusField("VmHWM:")
    #else
      var usage = rusage()
      guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return Int(usage.ru_maxrss)
    #endif
  }

  #if os(Linux)
    /// A field of /proc/self/status that is given in kB, in bytes.
    private static func statusField(_ name: String) -> Int? {
      let descriptor = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var text = [UInt8](repeating: 0, count: 4096)
      var length = 0
      while length < text.count {
        let got = unsafe text.withUnsafeMutableBytes {
          unsafe read(descriptor, $0.baseAddress.map { unsafe $0 + length }, $0.count - length)
        }
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        length += got
      }
      for line in text[..<length].split(separator: UInt8(ascii: "\n")) {
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard words.count >= 2, words[0].elementsEqual(name.utf8) else { continue }
        return Int(String(decoding: words[1], as: UTF8.self)).map { saturatingProduct($0, 1024) }
      }
      return nil
    }
  #endif
}

extension CommandEnvironment {
  /// The process's own.
  package static func process(engine: any FitEngine) -> CommandEnvironment {
    CommandEnvironment(
      engine: engine, output: StandardStream.output(), error: StandardStream.error(),
      variable: ProcessFacts.variable, facts: ProcessFacts.facts,
      residentPeak: ProcessFacts.residentPeak, seconds: ProcessFacts.seconds,
      terminalColumns: ProcessFacts.columns(of: 1) ?? ProcessFacts.columns(of: 2),
      errorIsTerminal: ProcessFacts.isTerminal(2), processors: ImageFitter.processors)
  }
}
