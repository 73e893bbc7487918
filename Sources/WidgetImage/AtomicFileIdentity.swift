package import WidgetCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What tells that two paths are one file, whether it exists or not.
///
/// A file that exists is its device and inode: through any path, symbolic or
/// hard link, and letter case where the file system ignores it. One that does
/// not exist yet is its folder and name; on a file system that ignores case
/// (the default on Apple's systems) the name is compared without it.
package struct FileIdentity: Hashable, Sendable {
  /// How a name is compared.
  private enum Name: Hashable {
    case bytes([UInt8])
    /// Without case. `String` takes canonical equivalents (`É` as one scalar
    /// and as two) for equal, as such file systems do.
    case text(String)
  }

  /// An existing file by the numbers that the system tells it by.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
    name = nil
  }

  private var device: UInt64
  private var inode: UInt64
  /// Of a file that does not exist yet; `device` and `inode` are its folder's.
  private var name: Name?

  /// Nil when neither the file nor its folder exists, or the path is no file's.
  package init?(path: RawPath) {
    self.init(path: path, foldingCase: nil)
  }

  /// `foldingCase` overrides what the file system says, for tests.
  package init?(path: RawPath, foldingCase: Bool?) {
    let given = FilePath(bytes: path.bytes)
    guard given.isValid else { return nil }
    if let info = given.status(followingLink: true) {
      self.init(info, name: nil)
      return
    }
    guard let target = given.followingLinks(), !target.name.isEmpty,
      let folder = target.folder.status(followingLink: true)
    else { return nil }
    let folds = foldingCase ?? target.folder.ignoresCase
    let text = String(decoding: target.name, as: UTF8.self).lowercased()
    self.init(folder, name: folds ? .text(text) : .bytes(target.name))
  }

  private init(_ info: stat, name: Name?) {
    device = UInt64(truncatingIfNeeded: info.st_dev)
    inode = UInt64(truncatingIfNeeded: info.st_ino)
    self.name = name
  }

  /// Whether both paths are one file now, or would be once written.
  package static func isSameFile(_ left: RawPath, _ right: RawPath) -> Bool {
    guard let left = FileIdentity(path: left), let right = FileIdentity(path: right) else {
      return false
    }
    return left == right
  }
}

extension FilePath {
  /// Whether names in this folder differ by case. Only Apple's systems tell;
  /// elsewhere case-insensitive folders are rare and made on purpose.
  fileprivate var ignoresCase: Bool {
    #if canImport(Darwin)
      // 0 means that case is ignored, -1 that nothing is known.
      return unsafe withCString { unsafe pathconf($0, _PC_CASE_SENSITIVE) } == 0
    #else
      return false
    #endif
  }
}
