#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard output or standard error, written at once and without a buffer.
package final class StandardStream: TextOutput {
  private let descriptor: Int32
  package private(set) var failure: OutputFailure?

  package static func output() -> StandardStream { StandardStream(descriptor: 1) }
  package static func error() -> StandardStream { StandardStream(descriptor: 2) }

  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  package func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while failure == nil, !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        #if canImport(Darwin)
          unsafe Darwin.write(descriptor, $0.baseAddress, $0.count)
        #elseif canImport(Glibc)
          unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        #else
          unsafe Musl.write(descriptor, $0.baseAddress, $0.count)
        #endif
      }
      if count > 0 {
        bytes = bytes.dropFirst(count)
        continue
      }
      let code = count == 0 ? EIO : errno
      switch code {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      default:
        failure = OutputFailure(isBrokenPipe: code == EPIPE, message: systemMessage(code))
      }
    }
  }

  /// For a terminal or pipe that another program set to not block.
  private func waitUntilWritable() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }
}

/// The system's words for an errno.
package func systemMessage(_ code: Int32) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text)
}
