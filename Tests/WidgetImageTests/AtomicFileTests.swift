import Testing
import WidgetCore

import WidgetImage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite("Atomic files")
struct AtomicFileTests {
  @Test(
    "any name works, as bytes",
    arguments: ["a.png", "with space.png", "[1] (2).png", "иконка.png", "🎉🧁.png", "-x", "%d%s"])
  func names(_ name: String) throws {
    let folder = TemporaryFolder()
    let changed = try put([1, 2, 3], at: folder.file(name))
    #expect(changed)
    #expect(folder.names == [name])
    #expect(readFile(folder.file(name)) == [1, 2, 3])
  }

  @Test("nothing is at the target before the commit, and nothing stays when abandoned")
  func abandoned() throws {
    let folder = TemporaryFolder()
    do {
      let file = try AtomicFile(path: RawPath(folder.file("a.png")))
      _ = write(file.descriptor, [1], 1)
      #expect(folder.names.count == 1)
      #expect(folder.names.allSatisfy { $0.hasPrefix(".widgetimg-") && $0.hasSuffix(".tmp") })
    }
    #expect(folder.names.isEmpty)
  }

  @Test("an abandoned file leaves what was there")
  func abandonedOverOld() throws {
    let folder = TemporaryFolder()
    writeFile(folder.file("a.png"), [9])
    do {
      let file = try AtomicFile(path: RawPath(folder.file("a.png")))
      _ = write(file.descriptor, [1], 1)
    }
    #expect(folder.names == ["a.png"])
    #expect(readFile(folder.file("a.png")) == [9])
  }

  @Test(
    "the same bytes leave the file alone, its time and inode too", arguments: [0, 1, 8192, 20_001])
  func unchanged(_ count: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.png")
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    writeFile(path, bytes)
    let before = information(path)
    let changed = try put(bytes, at: path)
    #expect(!changed)
    let after = information(path)
    #expect(before.st_ino == after.st_ino)
    #if os(Linux)
      #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    #endif
    #expect(folder.names == ["a.png"])
    guard count > 0 else { return }
    // One other byte, at the very end.
    var other = bytes
    other[count - 1] ^= 1
    let changedNow = try put(other, at: path)
    #expect(changedNow)
    #expect(readFile(path) == other)
  }

  @Test("a new file has 0666 less the umask, an old one keeps its mode")
  func modes() throws {
    let folder = TemporaryFolder()
    let mask = umask(0)
    umask(mask)
    _ = try put([1], at: folder.file("new"))
    #expect(information(folder.file("new")).st_mode & 0o777 == 0o666 & ~mask)
    for mode in [0o600, 0o640, 0o444] as [mode_t] {
      let path = folder.file("old\(mode)")
      writeFile(path, [0])
      chmod(path, mode)
      _ = try put([1], at: path)
      #expect(information(path).st_mode & 0o777 == mode)
      #expect(readFile(path) == [1])
    }
  }

  @Test("a link stays a link, and what it leads to changes", arguments: [true, false])
  func links(exists: Bool) throws {
    let folder = TemporaryFolder()
    mkdir(folder.file("real"), 0o755)
    if exists { writeFile(folder.file("real/a.png"), [9]) }
    symlink("real/a.png", folder.file("one"))
    symlink("one", folder.file("two"))
    let changed = try put([1], at: folder.file("two"))
    #expect(changed)
    #expect(readFile(folder.file("real/a.png")) == [1])
    #expect(information(folder.file("one")).st_mode & S_IFMT == S_IFLNK)
    #expect(information(folder.file("two")).st_mode & S_IFMT == S_IFLNK)
    #expect(folderNames(folder.file("real")) == ["a.png"])
  }

  @Test("another name of the old file keeps the old bytes")
  func hardLink() throws {
    let folder = TemporaryFolder()
    writeFile(folder.file("a"), [9])
    link(folder.file("a"), folder.file("b"))
    _ = try put([1], at: folder.file("a"))
    #expect(readFile(folder.file("a")) == [1])
    #expect(readFile(folder.file("b")) == [9])
  }

  @Test("what can't be created says so")
  func cannotCreate() throws {
    let folder = TemporaryFolder()
    mkdir(folder.file("folder"), 0o755)
    writeFile(folder.file("file"), [1])
    symlink("loop", folder.file("loop"))
    let cases: [(String, Int32?)] = [
      (folder.file("missing/a.png"), ENOENT), (folder.file("folder"), EISDIR),
      (folder.file("folder/"), EISDIR), (folder.file("new/"), EISDIR),
      (folder.file("file/a.png"), ENOTDIR), (folder.file("loop"), ELOOP),
      (folder.file(String(repeating: "x", count: 300)), ENAMETOOLONG), ("", nil),
      (folder.file("a\0b"), nil),
    ]
    for (path, reason) in cases {
      do {
        _ = try put([1], at: path)
        Issue.record("created \(path)")
      } catch {
        #expect(error.code == .cannotCreate)
        #expect(error.systemError == reason)
      }
    }
    #expect(folder.names == ["file", "folder", "loop"])
    #expect(folderNames(folder.file("folder")).isEmpty)
  }

  @Test("a device is written to, not replaced")
  func device() throws {
    let before = information("/dev/null")
    let changed = try put([1, 2], at: "/dev/null")
    #expect(changed)
    #expect(information("/dev/null").st_ino == before.st_ino)
    #expect(information("/dev/null").st_mode & S_IFMT == S_IFCHR)
  }

  #if os(Linux)
    @Test("an interruption removes the temporary files and ends with its status")
    func interrupted() async {
      let folder = TemporaryFolder()
      let old = getenv("WIDGETIMG_TEST_FOLDER").map { String(cString: $0) }
      #expect(old == nil)
      setenv("WIDGETIMG_TEST_FOLDER", folder.path, 1)
      defer { unsetenv("WIDGETIMG_TEST_FOLDER") }
      await #expect(processExitsWith: .exitCode(130)) { try interrupt(by: SIGINT) }
      await #expect(processExitsWith: .exitCode(143)) { try interrupt(by: SIGTERM) }
      await #expect(processExitsWith: .exitCode(129)) { try interrupt(by: SIGHUP) }
      // An ignored signal stays ignored.
      await #expect(processExitsWith: .exitCode(7)) {
        signal(SIGHUP, SIG_IGN)
        try interrupt(by: SIGHUP)
        exit(7)
      }
      #expect(folder.names.isEmpty)
    }
  #endif
}

#if os(Linux)
  private func interrupt(by number: Int32) throws {
    guard let folder = getenv("WIDGETIMG_TEST_FOLDER").map({ String(cString: $0) }) else { exit(1) }
    AtomicFile.removeOnSignals()
    let first = try AtomicFile(path: RawPath(folder + "/a.png"))
    let second = try AtomicFile(path: RawPath(folder + "/b.png"))
    guard folderNames(folder).count == 2 else { exit(2) }
    // The test runner blocks signals in its threads.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    _ = first.descriptor
    _ = second.descriptor
  }
#endif

@Suite("One file by several names")
struct FileIdentityTests {
  @Test("an existing file, through any path")
  func existing() {
    let folder = TemporaryFolder()
    mkdir(folder.file("sub"), 0o755)
    writeFile(folder.file("a.png"), [1])
    writeFile(folder.file("b.png"), [1])
    symlink("a.png", folder.file("soft"))
    link(folder.file("a.png"), folder.file("hard"))
    for other in ["a.png", "./a.png", "sub/../a.png", "soft", "hard", "/a.png"] {
      #expect(isSame(folder.file("a.png"), folder.file(other)), "\(other)")
    }
    #expect(!isSame(folder.file("a.png"), folder.file("b.png")))
    #expect(!isSame(folder.file("a.png"), folder.file("new.png")))
  }

  @Test("a file that is not there yet")
  func pending() {
    let folder = TemporaryFolder()
    mkdir(folder.file("sub"), 0o755)
    symlink("sub", folder.file("alias"))
    symlink("new.png", folder.file("dangling"))
    let same = [
      ("new.png", "./new.png"), ("sub/x.png", "alias/x.png"), ("new.png", "dangling"),
      ("sub/../new.png", "new.png"),
    ]
    for (left, right) in same {
      #expect(isSame(folder.file(left), folder.file(right)), "\(left) \(right)")
    }
    #expect(!isSame(folder.file("x.png"), folder.file("sub/x.png")))
    #expect(!isSame(folder.file("x.png"), folder.file("y.png")))
    #expect(FileIdentity(path: RawPath(folder.file("missing/x.png"))) == nil)
    #expect(FileIdentity(path: "") == nil)
  }

  @Test("case and composition count only where the file system ignores them")
  func folding() {
    let folder = TemporaryFolder()
    let pairs = [("Logo.png", "logo.PNG"), ("caf\u{e9}.png", "cafe\u{301}.png")]
    for (left, right) in pairs {
      let names = [left, right].map(folder.file)
      #expect(
        FileIdentity(path: RawPath(names[0]), foldingCase: true)
          == FileIdentity(path: RawPath(names[1]), foldingCase: true))
      #expect(
        FileIdentity(path: RawPath(names[0]), foldingCase: false)
          != FileIdentity(path: RawPath(names[1]), foldingCase: false))
    }
  }
}

private func isSame(_ left: String, _ right: String) -> Bool {
  FileIdentity.isSameFile(RawPath(left), RawPath(right))
}
