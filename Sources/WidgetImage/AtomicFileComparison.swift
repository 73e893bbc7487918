#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension FilePath {
  /// Whether the regular file at this path holds the bytes of `descriptor`,
  /// which may be read. Compares through two buffers of 8 KB; a file that can't
  /// be read counts as different.
  func hasContents(of descriptor: Int32) -> Bool {
    let own = unsafe withCString { unsafe openRetrying($0, O_RDONLY | O_CLOEXEC) }
    guard own >= 0 else { return false }
    defer { close(own) }
    var ours = stat()
    var theirs = stat()
    guard unsafe fstat(own, &ours) == 0, unsafe fstat(descriptor, &theirs) == 0,
      ours.st_mode & S_IFMT == S_IFREG, ours.st_size == theirs.st_size
    else { return false }
    return sameBytes(own, descriptor, count: Int(ours.st_size))
  }
}

private func sameBytes(_ left: Int32, _ right: Int32, count: Int) -> Bool {
  let chunk = 8192
  return unsafe withUnsafeTemporaryAllocation(byteCount: 2 * chunk, alignment: 16) { buffer in
    guard let first = buffer.baseAddress else { return false }
    let second = unsafe first + chunk
    var offset = 0
    while offset < count {
      let length = min(chunk, count - offset)
      guard unsafe fill(first, length, from: left, at: offset),
        unsafe fill(second, length, from: right, at: offset),
        unsafe memcmp(first, second, length) == 0
      else { return false }
      offset += length
    }
    return true
  }
}

/// False when the file ends before `length` bytes, or can't be read.
private func fill(
  _ buffer: UnsafeMutableRawPointer, _ length: Int, from descriptor: Int32, at offset: Int
) -> Bool {
  var filled = 0
  while filled < length {
    let got = unsafe pread(
      descriptor, buffer + filled, length - filled, off_t(offset + filled))
    if got < 0 && errno == EINTR { continue }
    guard got > 0 else { return false }
    filled += got
  }
  return true
}
