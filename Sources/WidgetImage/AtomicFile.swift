internal import WidgetCodecs
package import WidgetCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that appears, or changes, in one step or not at all.
///
/// Bytes go to `descriptor`, a temporary file in the target's folder
/// (`.widgetimg-PID-NUMBER.tmp`); `commit` renames it over the target. A value
/// that ends before that removes it, as an interrupted program does after
/// `AtomicFile.removeOnSignals()`.
///
/// - A target that is a link stays one: what it leads to is replaced.
/// - A target that exists keeps its permissions; a new one gets 0666 less the
///   umask. Other names of the old file (hard links) keep the old bytes.
/// - A target that is neither file nor folder (`/dev/null`, a named pipe) is
///   written to directly.
@safe
package struct AtomicFile: ~Copyable {
  /// Open for writing (and reading, of a temporary file).
  package let descriptor: Int32

  private let target: FilePath
  /// Nil when the target is written to directly, or once it was renamed.
  private var temporary: FilePath?
  private let cleanupSlot: Int32
  private var ended = false

  /// Opens a temporary file beside what `path` leads to.
  ///
  /// - Throws: `.cannotCreate` for a folder that is missing or not writable, a
  ///   target that is a folder, a name that is too long; `.writeFailed` when
  ///   the disk is full.
  package init(path: RawPath) throws(EngineError) {
    let given = FilePath(bytes: path.bytes)
    guard given.isValid else { throw EngineError(.cannotCreate, "not a file name") }
    guard let target = given.followingLinks() else { throw .cannotCreate(errno) }
    let existing = target.status(followingLink: true)
    if existing == nil && errno != ENOENT { throw .cannotCreate(errno) }
    guard let kind = existing.map({ $0.st_mode & S_IFMT }) else {
      if target.name.isEmpty { throw .cannotCreate(EISDIR) }
      try self.init(beside: target, mode: nil)
      return
    }
    switch kind {
    case S_IFDIR: throw .cannotCreate(EISDIR)
    case S_IFREG: try self.init(beside: target, mode: existing.map { $0.st_mode & 0o777 })
    default: try self.init(directly: target)
    }
  }

  private init(beside target: FilePath, mode: mode_t?) throws(EngineError) {
    let (descriptor, path) = try Self.openTemporary(in: target.folder)
    self.descriptor = descriptor
    self.target = target
    temporary = path
    unsafe cleanupSlot = path.withCString { unsafe TemporaryFiles.remember($0) }
    if let mode {
      // A file system without permissions refuses; the bytes matter more.
      _ = fchmod(descriptor, mode)
    }
  }

  private init(directly target: FilePath) throws(EngineError) {
    let descriptor = unsafe target.withCString { unsafe openRetrying($0, O_WRONLY | O_CLOEXEC) }
    if descriptor < 0 { throw .cannotCreate(errno) }
    self.descriptor = descriptor
    self.target = target
    temporary = nil
    cleanupSlot = -1
  }

  deinit {
    if !ended { close(descriptor) }
    if let temporary { unsafe temporary.withCString { _ = unsafe unlink($0) } }
    TemporaryFiles.forget(cleanupSlot)
  }

  /// Puts the bytes in place: synchronised to the disk, renamed, the folder
  /// synchronised. Call once, when all bytes are written.
  ///
  /// - Returns: False when the target had these bytes already: it is left
  ///   alone then, its time too.
  /// - Throws: `.writeFailed`; the target is as before, the temporary file gone.
  package mutating func commit() throws(EngineError) -> Bool {
    precondition(!ended, "a file committed twice")
    guard let temporary else {
      ended = true
      if close(descriptor) != 0 && errno != EINTR { throw .writeFailed(errno) }
      return true
    }
    if target.hasContents(of: descriptor) { return false }
    try synchronize()
    ended = true
    if close(descriptor) != 0 && errno != EINTR { throw .writeFailed(errno) }
    let result = unsafe temporary.withCString { from in
      unsafe target.withCString { unsafe rename(from, $0) }
    }
    if result != 0 { throw .writeFailed(errno) }
    self.temporary = nil
    synchronizeFolder()
    return true
  }

  /// After this an interruption removes all temporary files. For programs.
  package static func removeOnSignals() {
    TemporaryFiles.removeOnSignals()
  }

  private func synchronize() throws(EngineError) {
    while fsync(descriptor) != 0 {
      switch errno {
      case EINTR: continue
      // A file system that does not synchronise files.
      case EINVAL, ENOTSUP: return
      default: throw .writeFailed(errno)
      }
    }
  }

  /// The rename has happened: a failure here changes nothing about the files.
  private func synchronizeFolder() {
    let folder = unsafe target.folder.withCString {
      unsafe openRetrying($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard folder >= 0 else { return }
    _ = fsync(folder)
    close(folder)
  }

  private static func openTemporary(
    in folder: FilePath
  ) throws(EngineError) -> (descriptor: Int32, path: FilePath) {
    // A name can only be taken by a file that a killed process left behind.
    for _ in 0..<100 {
      let name = ".widgetimg-\(getpid())-\(TemporaryFiles.nextNumber()).tmp"
      let path = folder.appending(Array(name.utf8))
      let descriptor = unsafe path.withCString {
        unsafe openRetrying($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
      }
      if descriptor >= 0 { return (descriptor, path) }
      if errno != EEXIST { break }
    }
    throw .cannotCreate(errno)
  }
}

func openRetrying(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  while true {
    let descriptor = unsafe open(path, flags, 0o666 as mode_t)
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}

extension EngineError {
  /// An output can't be opened, for the reason `error`, an errno. A full disk
  /// is a failure of writing.
  static func cannotCreate(_ error: Int32) -> EngineError {
    switch error {
    case ENOSPC, EDQUOT, EIO: .writeFailed(error)
    default:
      EngineError(.cannotCreate, unsafe String(cString: strerror(error)), systemError: error)
    }
  }
}
