import Basics
import Foundation
import Testing

@Suite("Folders, and the system's reasons")
struct SystemReasonTests {
  @Test(
    "A folder is made with its parents, and may exist",
    arguments: ["/o", "/a/b/c", "/a//b/", "/a/./b", ""])
  func made(path: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "folder-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for _ in 0..<2 { try makeFolder(folder + path) }
    var isFolder: ObjCBool = false
    #expect(FileManager.default.fileExists(atPath: folder + path, isDirectory: &isFolder))
    #expect(isFolder.boolValue)
  }

  @Test(
    "A path that cannot be a folder is refused in the system's words",
    arguments: [
      ("/dev/null", "Not a directory"), ("/dev/null/a", "Not a directory"),
      ("", "No such file or directory"),
      ("/tmp/" + String(repeating: "o", count: 300), "File name too long"),
    ])
  func refused(path: String, reason: String) {
    do {
      try makeFolder(path)
      Issue.record("it was made")
    } catch {
      #expect(systemReason(error) == reason)
    }
  }

  @Test("A file that appears at a folder's path is not a folder")
  func fileMeanwhile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "folder-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try makeFolder(folder)
    try Data().write(to: URL(fileURLWithPath: folder + "/file"))
    // Names nothing at first, and the file once `new` was made on the way.
    let error = #expect(throws: POSIXError.self) { try makeFolder(folder + "/new/../file") }
    #expect(error?.code == .ENOTDIR)
    #expect(FileManager.default.fileExists(atPath: folder + "/new"))
  }

  @Test("A broken link is not a folder")
  func danglingLink() throws {
    let link = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID())").path
    try #require(symlink("/no/such/folder", link) == 0)
    defer { unlink(link) }
    let error = #expect(throws: POSIXError.self) { try makeFolder(link) }
    #expect(error?.code == .EEXIST)
  }

  @Test("Foundation's sentences are replaced, and ours are kept")
  func words() {
    struct Ours: Error, CustomStringConvertible { let description = "the tape is torn" }
    #expect(
      systemReason(CocoaError(.fileReadUnknown))
        == "the system gave no reason: NSCocoaErrorDomain 256")
    #expect(systemReason(CocoaError(.fileWriteFileExists)) == "File exists")
    #expect(systemReason(POSIXError(.ELOOP)) == "Too many levels of symbolic links")
    #expect(systemReason(Ours()) == "the tape is torn")
  }
}
