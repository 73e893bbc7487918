#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import WidgetCore

/// The built tool that end-to-end suites run.
package enum BinaryUnderTest {
  /// `$WIDGETIMG_BINARY`, which `Scripts/test` sets, else the tool beside the
  /// test bundle in the build folder; nil where neither is there.
  package static let path: RawPath? = {
    if let given = getenv("WIDGETIMG_BINARY").map({ String(cString: $0) }), !given.isEmpty {
      return RawPath(given)
    }
    // The bundle is this process's program, or an argument of its helper.
    for argument in CommandLine.arguments {
      guard let range = argument.utf8.lastIndex(of: UInt8(ascii: "/")), argument.contains(".xctest")
      else { continue }
      var folder = argument[..<range]
      while folder.contains(".xctest") {
        guard let slash = folder.lastIndex(of: "/") else { return nil }
        folder = folder[..<slash]
      }
      let tool = "\(folder)/widgetimg"
      if access(tool, X_OK) == 0 { return RawPath(tool) }
    }
    return nil
  }()

  package static let missing = "the tool is not built: set $WIDGETIMG_BINARY"

  /// Whether the standard library is linked into the tool, as `Scripts/run`
  /// builds it on Linux.
  package static let isStatic: Bool = {
    guard let path else { return false }
    return !contains("libswiftCore.so", file: path)
  }()

  /// Whether the file's bytes contain `text`.
  private static func contains(_ text: String, file: RawPath) -> Bool {
    let bytes = ProcessFile.read(file)
    let wanted = Array(text.utf8)
    // Strings of the dynamic section end in a NUL and start after one.
    return bytes.split(separator: 0).contains { $0.elementsEqual(wanted) }
  }

  /// The tool with arguments, not yet run.
  package static func process(_ arguments: [RawPath], in folder: RawPath? = nil) -> Subprocess {
    Subprocess(path ?? "/nonexistent/widgetimg", arguments, folder: folder)
  }

  /// Runs the tool.
  package static func run(
    _ arguments: [RawPath], in folder: RawPath? = nil
  ) throws -> Subprocess.Outcome {
    try process(arguments, in: folder).run()
  }
}

/// Small files of the system, and any others.
package enum ProcessFile {
  /// All bytes, empty where there is no such file.
  package static func read(_ path: RawPath) -> [UInt8] {
    let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(file, &buffer, buffer.count)
      #else
        let count = Glibc.read(file, &buffer, buffer.count)
      #endif
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// A field of a /proc file that is given in kB, in bytes: `VmHWM` of
  /// `status`, `Anonymous` of `smaps_rollup`.
  package static func kilobytes(_ field: String, of child: Int32, in name: String) -> Int? {
    let text = String(decoding: read(RawPath("/proc/\(child)/\(name)")), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("\(field):") {
      let words = line.split { $0 == " " || $0 == "\t" }
      return words.count >= 2 ? Int(words[1]).map { $0 * 1024 } : nil
    }
    return nil
  }
}

extension ProcessFile {
  /// A variable of this process's environment.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Replaces a file's bytes.
  package static func write(_ bytes: [UInt8], to path: RawPath) throws {
    let folder = try TemporaryFolder()
    let copy = try folder.write("copy", bytes)
    let outcome = try Subprocess("cp", [copy, path]).run()
    guard outcome.status == 0 else {
      throw Subprocess.Failure(step: "writing \(path)", number: EIO)
    }
  }
}

extension ProcessFile {
  package static func isMissing(_ path: RawPath) -> Bool {
    path.withCString { access($0, F_OK) } != 0
  }
}
