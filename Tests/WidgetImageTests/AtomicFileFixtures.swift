import WidgetCore

import WidgetImage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A folder of its own under /tmp, removed with all it holds.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/widgetimg-test-XXXXXX".utf8CString)
    mkdtemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    removeTree(path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Names of everything inside, sorted; temporary files too.
  var names: [String] { folderNames(path) }
}

func folderNames(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

private func removeTree(_ path: String) {
  for name in folderNames(path) {
    removeTree(path + "/" + name)
  }
  if unlink(path) != 0 { rmdir(path) }
}

func writeFile(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o644) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
  _ = write(descriptor, bytes, bytes.count)
  close(descriptor)
}

func readFile(_ path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var all: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let got = read(descriptor, &chunk, chunk.count)
    if got <= 0 { return all }
    all += chunk[..<got]
  }
}

func information(_ path: String) -> stat {
  var info = stat()
  lstat(path, &info)
  return info
}

/// Writes `bytes` atomically; whether the file changed.
func put(_ bytes: [UInt8], at path: String) throws(EngineError) -> Bool {
  var file = try AtomicFile(path: RawPath(path))
  guard write(file.descriptor, bytes, bytes.count) == bytes.count else {
    throw EngineError(.writeFailed, "short", systemError: errno)
  }
  return try file.commit()
}
