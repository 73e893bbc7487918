#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import WidgetCore

extension Subprocess {
  /// Both ends of the child's three streams; -1 where there is none.
  struct Streams {
    var childEnds: [Int32] = []
    var inputEnd: Int32 = -1
    var inputBytes: [UInt8] = []
    var outputEnd: Int32 = -1
    var errorEnd: Int32 = -1
    var probe: ((Int32) throws -> Void)?
    /// Bytes that fill a held pipe and are no output of the child's.
    var filling = 0

    mutating func open(input: Input, output: Output, errors: Output) throws {
      switch input {
      case .nothing: childEnds.append(try Self.openFile("/dev/null", O_RDONLY))
      case .file(let path): childEnds.append(try Self.openFile(path, O_RDONLY))
      case .bytes(let bytes):
        let (read, write) = try Self.pipe()
        childEnds.append(read)
        inputEnd = write
        inputBytes = bytes
        _ = fcntl(write, F_SETFL, O_NONBLOCK)
      }
      outputEnd = try open(output)
      errorEnd = try open(errors)
    }

    private mutating func open(_ output: Output) throws -> Int32 {
      switch output {
      case .captured:
        let (read, write) = try Self.pipe()
        childEnds.append(write)
        return read
      case .file(let path):
        childEnds.append(try Self.openFile(path, O_WRONLY | O_CREAT | O_TRUNC))
        return -1
      case .closedPipe:
        let (read, write) = try Self.pipe()
        close(read)
        childEnds.append(write)
        return -1
      case .heldPipe(let probe):
        let (read, write) = try Self.pipe()
        childEnds.append(write)
        self.probe = probe
        // Non-blocking while it is filled only: the child shares the setting.
        _ = fcntl(write, F_SETFL, O_NONBLOCK)
        let block = [UInt8](repeating: 0, count: 4096)
        while true {
          let count = Subprocess.write(write, block[...])
          if count <= 0 { break }
          filling += count
        }
        _ = fcntl(write, F_SETFL, 0)
        return read
      case .terminal:
        let (main, name) = try Self.terminal()
        _ = fcntl(main, F_SETFD, FD_CLOEXEC)
        var size = winsize(ws_row: 24, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(main, UInt(TIOCSWINSZ), &size)
        childEnds.append(try Self.openFile(name, O_RDWR | O_NOCTTY))
        return main
      }
    }

    /// Takes the filling out of a held pipe.
    mutating func release() {
      var left = filling
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while left > 0 {
        let count = read(outputEnd, &buffer, min(left, buffer.count))
        if count <= 0 { return }
        left -= count
      }
      filling = 0
    }

    mutating func closeChildEnds() {
      for end in childEnds { close(end) }
      childEnds = []
    }

    /// The pump closes the input's end and says so by -1.
    mutating func closeAll() {
      closeChildEnds()
      for end in [outputEnd, errorEnd] where end >= 0 { close(end) }
    }

    /// A pseudo-terminal, and the name of the child's end.
    private static func terminal() throws -> (main: Int32, name: RawPath) {
      #if canImport(Darwin)
        let main = posix_openpt(O_RDWR | O_NOCTTY)
        guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else {
          throw Failure(step: "opening a terminal", number: errno)
        }
        return (main, RawPath(String(cString: name)))
      #else
        // Glibc does not show Swift posix_openpt and its kin: TIOCSPTLCK, TIOCGPTN.
        let main = try openFile("/dev/ptmx", O_RDWR | O_NOCTTY)
        var locked: Int32 = 0
        var number: Int32 = -1
        guard ioctl(main, 0x4004_5431, &locked) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
          throw Failure(step: "opening a terminal", number: errno)
        }
        return (main, RawPath("/dev/pts/\(number)"))
      #endif
    }

    /// To be called under the spawn lock: another test's child must not inherit
    /// an end, and Glibc does not show Swift pipe2.
    private static func pipe() throws -> (read: Int32, write: Int32) {
      var ends: [Int32] = [-1, -1]
      #if canImport(Darwin)
        let status = Darwin.pipe(&ends)
      #else
        let status = Glibc.pipe(&ends)
      #endif
      guard status == 0 else { throw Failure(step: "making a pipe", number: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }

    private static func openFile(_ path: RawPath, _ flags: Int32) throws -> Int32 {
      let file = path.withCString { Subprocess.openFile($0, flags | O_CLOEXEC, 0o644) }
      guard file >= 0 else { throw Failure(step: "opening \(path)", number: errno) }
      return file
    }
  }

  /// Feeds the child and takes what it says, all at once, so that neither waits
  /// for the other.
  struct Pump {
    let streams: Streams
    let deadline: Double
    private(set) var output: [UInt8] = []
    private(set) var errors: [UInt8] = []
    private var pending: ArraySlice<UInt8>

    init(streams: Streams, deadline: Double) {
      self.streams = streams
      self.deadline = deadline
      pending = streams.inputBytes[...]
    }

    mutating func run() throws {
      // The child may go away before it has read all.
      signal(SIGPIPE, SIG_IGN)
      var inputEnd = streams.inputEnd
      var outputEnd = streams.outputEnd
      var errorEnd = streams.errorEnd
      defer { if inputEnd >= 0 { close(inputEnd) } }
      while inputEnd >= 0 || outputEnd >= 0 || errorEnd >= 0 {
        if inputEnd >= 0, pending.isEmpty {
          close(inputEnd)
          inputEnd = -1
          continue
        }
        let left = deadline - Subprocess.now()
        if left <= 0 { return }
        var entries = [
          pollfd(fd: inputEnd, events: Int16(POLLOUT), revents: 0),
          pollfd(fd: outputEnd, events: Int16(POLLIN), revents: 0),
          pollfd(fd: errorEnd, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&entries, nfds_t(entries.count), Int32(min(left * 1000 + 1, 60_000)))
        if ready < 0, errno != EINTR { throw Failure(step: "waiting", number: errno) }
        if ready <= 0 { continue }
        if entries[0].revents != 0 {
          let count = Subprocess.write(inputEnd, pending.prefix(65_536))
          if count > 0 {
            pending = pending.dropFirst(count)
          } else if errno != EAGAIN, errno != EINTR {
            pending = []
          }
        }
        if entries[1].revents != 0, !Self.take(outputEnd, into: &output) { outputEnd = -1 }
        if entries[2].revents != 0, !Self.take(errorEnd, into: &errors) { errorEnd = -1 }
      }
    }

    /// False at the end; a terminal that was left says EIO there.
    private static func take(_ end: Int32, into bytes: inout [UInt8]) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(end, &buffer, buffer.count)
      if count < 0 { return errno == EINTR || errno == EAGAIN }
      bytes += buffer[..<count]
      return count > 0
    }
  }

  fileprivate static func write(_ file: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes {
      #if canImport(Darwin)
        Darwin.write(file, $0.baseAddress, $0.count)
      #else
        Glibc.write(file, $0.baseAddress, $0.count)
      #endif
    }
  }

  fileprivate static func openFile(
    _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
  ) -> Int32 {
    open(path, flags, mode)
  }
}
