#if os(Linux)
  import Glibc
  import Testing
  import WidgetCore

  import WidgetImage

  /// A file system of `size` bytes; nil where none may be mounted.
  private final class SmallDisk {
    let folder = TemporaryFolder()

    init?(size: String) {
      guard geteuid() == 0 else {
        print("skipped: only root can mount a file system")
        return nil
      }
      guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(size)") == 0 else {
        print("skipped: mounting is not allowed here: \(String(cString: strerror(errno)))")
        return nil
      }
    }

    func makeReadOnly() -> Bool {
      mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0
    }

    deinit {
      umount2(folder.path, Int32(MNT_DETACH))
    }
  }

  @Suite("Atomic files on disks that refuse")
  struct AtomicFileDiskTests {
    @Test("a full disk: writing fails, the old file stays, no temporary file does")
    func full() throws {
      guard let disk = SmallDisk(size: "64k") else { return }
      let path = disk.folder.file("a.png")
      writeFile(path, [9])
      do {
        _ = try put([UInt8](repeating: 1, count: 300_000), at: path)
        Issue.record("300 KB on a disk of 64 KB")
      } catch {
        #expect(error.code == .writeFailed)
      }
      #expect(disk.folder.names == ["a.png"])
      #expect(readFile(path) == [9])
    }

    @Test("a disk without room for one more name: a failure of writing")
    func noInodes() throws {
      guard let disk = SmallDisk(size: "64k,nr_inodes=2") else { return }
      writeFile(disk.folder.file("only"), [1])
      do {
        _ = try put([1], at: disk.folder.file("a.png"))
        Issue.record("created")
      } catch {
        #expect(error.code == .writeFailed)
        #expect(error.systemError == ENOSPC)
      }
    }

    @Test("a read-only disk: the output can't be created")
    func readOnly() throws {
      guard let disk = SmallDisk(size: "64k") else { return }
      writeFile(disk.folder.file("a.png"), [9])
      guard disk.makeReadOnly() else {
        print("skipped: remounting is not allowed here")
        return
      }
      for name in ["a.png", "b.png"] {
        do {
          _ = try put([1], at: disk.folder.file(name))
          Issue.record("created")
        } catch {
          #expect(error.code == .cannotCreate)
          #expect(error.systemError == EROFS)
        }
      }
      #expect(disk.folder.names == ["a.png"])
    }

    @Test("a folder without permission: the output can't be created")
    func permission() throws {
      let folder = TemporaryFolder()
      chmod(folder.path, 0o555)
      defer { chmod(folder.path, 0o755) }
      guard geteuid() != 0 else {
        print("skipped: root writes everywhere")
        return
      }
      do {
        _ = try put([1], at: folder.file("a.png"))
        Issue.record("created")
      } catch {
        #expect(error.code == .cannotCreate)
      }
    }
  }
#endif
