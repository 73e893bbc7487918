#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import WidgetCore

/// A folder of its own for a test, removed with all in it when the value ends.
package final class TemporaryFolder {
  package let path: RawPath

  /// - Throws: ``Subprocess/Failure``.
  package init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/widgetimg-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Subprocess.Failure(step: "making a temporary folder", number: errno)
    }
    path = RawPath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit {
    Self.remove(path)
  }

  /// The path of something in the folder.
  package func callAsFunction(_ name: RawPath) -> RawPath {
    RawPath(bytes: path.bytes + [UInt8(ascii: "/")] + name.bytes)
  }

  @discardableResult
  package func write(_ name: RawPath, _ bytes: [UInt8]) throws -> RawPath {
    let path = self(name)
    let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    guard file >= 0 else { throw Subprocess.Failure(step: "writing \(path)", number: errno) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        #if canImport(Darwin)
          Darwin.write(file, buffer.baseAddress, buffer.count)
        #else
          Glibc.write(file, buffer.baseAddress, buffer.count)
        #endif
      }
      guard count > 0 else { throw Subprocess.Failure(step: "writing \(path)", number: errno) }
      rest = rest.dropFirst(count)
    }
    return path
  }

  package func read(_ name: RawPath) -> [UInt8] { ProcessFile.read(self(name)) }

  package func makeFolder(_ name: RawPath) throws {
    try check("making \(name)", self(name).withCString { mkdir($0, 0o755) })
  }

  package func link(_ name: RawPath, symbolicTo target: RawPath) throws {
    try check(
      "linking \(name)", self(name).withCString { to in target.withCString { symlink($0, to) } })
  }

  package func link(_ name: RawPath, hardTo target: RawPath) throws {
    try check(
      "linking \(name)",
      self(name).withCString { to in self(target).withCString { Self.hardLink($0, to) } })
  }

  package func setMode(_ mode: UInt16, of name: RawPath) throws {
    try check("changing \(name)", self(name).withCString { chmod($0, mode_t(mode)) })
  }

  /// Names in the folder, or in one inside it, in the order of their bytes.
  package func names(in name: RawPath = ".") -> [RawPath] { Self.names(self(name)) }

  private func check(_ step: String, _ status: Int32) throws {
    if status != 0 { throw Subprocess.Failure(step: step, number: errno) }
  }

  private static func hardLink(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
    #if canImport(Darwin)
      Darwin.link(from, to)
    #else
      Glibc.link(from, to)
    #endif
  }

  private static func names(_ folder: RawPath) -> [RawPath] {
    guard let stream = folder.withCString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [RawPath] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
          Array(
            UnsafeBufferPointer(
              start: start,
              count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))))
        }
      }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(RawPath(bytes: name)) }
    }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func remove(_ path: RawPath) {
    if path.withCString({ unlink($0) }) == 0 { return }
    path.withCString { _ = chmod($0, 0o755) }
    for name in names(path) {
      remove(RawPath(bytes: path.bytes + [UInt8(ascii: "/")] + name.bytes))
    }
    path.withCString { _ = rmdir($0) }
  }
}
