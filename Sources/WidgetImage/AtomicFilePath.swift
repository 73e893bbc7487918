#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A path as the kernel takes it: bytes, not text, so that a name in any
/// encoding survives links being followed.
struct FilePath: Hashable {
  /// Without the terminating NUL.
  var bytes: [UInt8]

  init(_ path: String) {
    bytes = Array(path.utf8)
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether the kernel could take it: not empty, no NUL inside.
  var isValid: Bool { !bytes.isEmpty && !bytes.contains(0) }

  /// What stands after the last slash; empty when the path ends in one.
  var name: [UInt8] {
    guard let cut = bytes.lastIndex(of: Self.slash) else { return bytes }
    return Array(bytes[(cut + 1)...])
  }

  /// The folder that `name` stands in.
  var folder: FilePath {
    guard let cut = bytes.lastIndex(of: Self.slash) else { return FilePath(".") }
    return cut == 0 ? FilePath("/") : FilePath(bytes: Array(bytes[..<cut]))
  }

  /// `name` in this folder.
  func appending(_ name: [UInt8]) -> FilePath {
    let separator = bytes.last == Self.slash ? [] : [Self.slash]
    return FilePath(bytes: bytes + separator + name)
  }

  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe text.withUnsafeBufferPointer { buffer in
      // Never empty: the NUL is there.
      guard let base = buffer.baseAddress else { preconditionFailure("no path") }
      return unsafe body(base)
    }
  }

  /// `stat`, or `lstat` without following a link at the end; nil and errno when
  /// it fails.
  func status(followingLink: Bool) -> stat? {
    var info = stat()
    let result = unsafe withCString {
      unsafe followingLink ? stat($0, &info) : lstat($0, &info)
    }
    return result == 0 ? info : nil
  }

  /// Where a link at the end of this path leads, link after link, also when
  /// nothing is there yet. A path that is no link comes back as it is.
  /// Nil, with errno ELOOP or another, when it leads nowhere.
  func followingLinks() -> FilePath? {
    var path = self
    for _ in 0..<40 {
      guard let info = path.status(followingLink: false), info.st_mode & S_IFMT == S_IFLNK
      else { return path }
      guard let next = path.linkTarget() else { return nil }
      path = next.bytes.first == Self.slash ? next : path.folder.appending(next.bytes)
    }
    errno = ELOOP
    return nil
  }

  private func linkTarget() -> FilePath? {
    unsafe withCString { path in
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
        guard let base = buffer.baseAddress else { return nil }
        let length = unsafe readlink(path, base, buffer.count)
        guard length > 0 else { return nil }
        return FilePath(bytes: unsafe buffer[..<length].map { UInt8(bitPattern: $0) })
      }
    }
  }
}
