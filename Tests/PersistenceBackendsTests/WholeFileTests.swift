import Dispatch
import Foundation
import PersistenceBackends
import Testing

@Suite("A whole file")
struct WholeFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ durability: Durability) -> WholeFile {
    WholeFile(path: folder.path + "/menu", durability: durability)
  }

  private func write(_ text: String, to file: WholeFile) throws {
    try Array(text.utf8).withUnsafeBytes { try file.write($0) }
  }

  @Test("has the content written last, and leaves nothing else", arguments: Durability.allCases)
  func replaces(durability: Durability) throws {
    let file = file(durability)
    try write("a long first menu", to: file)
    try write("second", to: file)
    #expect(try file.read() == Data("second".utf8))
    #expect(try file.length() == 6)
    #expect(try folder.files() == ["menu"])
  }

  @Test("may be empty", arguments: Durability.allCases)
  func empty(durability: Durability) throws {
    let file = file(durability)
    try write("", to: file)
    #expect(try file.read() == Data())
    #expect(try file.length() == 0)
  }

  @Test("is refused with the system's words if it is missing")
  func missing() {
    let expected = StoreError(
      operation: "open", path: folder.path + "/menu", reason: "No such file or directory")
    #expect(throws: expected) { try file(.atomic).read() }
    #expect(throws: expected) { try file(.atomic).length() }
    #expect(
      expected.description == "open \(folder.path)/menu: No such file or directory")
  }

  @Test(
    "says why it cannot be renamed into place, and leaves nothing else",
    arguments: [Durability.atomic, .durable])
  func renameFails(durability: Durability) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/menu", withIntermediateDirectories: false)
    #expect(
      throws: StoreError(
        operation: "rename", path: folder.path + "/menu", reason: "Is a directory")
    ) { try write("new", to: file(durability)) }
    #expect(try folder.files() == ["menu"])
  }

  @Test("names the wanted file if its folder is missing")
  func noFolder() {
    let path = folder.path + "/none/menu"
    #expect(
      throws: StoreError(operation: "open", path: path, reason: "No such file or directory")
    ) { try write("new", to: WholeFile(path: path, durability: .atomic)) }
  }

  @Test("is whole after two writers at once, and has the content of the last one")
  func twoWriters() throws {
    let texts = ["a", "b"].map { String(repeating: $0, count: 100_000) }
    let files = [file(.atomic), file(.atomic)]
    DispatchQueue.concurrentPerform(iterations: 2) { writer in
      for _ in 0..<50 {
        Array(texts[writer].utf8).withUnsafeBytes { bytes in
          #expect(throws: Never.self) { try files[writer].write(bytes) }
        }
      }
    }
    #expect(texts.contains(String(decoding: try files[0].read(), as: UTF8.self)))
    #expect(try folder.files() == ["menu"])
  }

  @Test(
    "removes the leftovers of a dead writer, and nothing else, when it is described",
    arguments: [Durability.atomic, .durable])
  func leftovers(durability: Durability) throws {
    let left = "menu.abcdefghijklmnop.new"
    let others = [
      "other.abcdefghijklmnop.new", "menu.new", "menu.abcdefghijklmno.new",
      "menu.abcdefghijklmnoq.new", "menu.abcdefghijklmnop.old",
    ]
    for name in others + [left] {
      try Data("half".utf8).write(to: URL(filePath: folder.path + "/" + name))
    }
    _ = file(.none)
    #expect(try folder.files() == (others + [left]).sorted())
    _ = file(durability)
    #expect(try folder.files() == others.sorted())
  }

  @Test("does not change a file that another process still writes")
  func stillWritten() throws {
    let path = folder.path + "/menu.abcdefghijklmnop.new"
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o644)
    #expect(descriptor >= 0)
    #expect(flock(descriptor, LOCK_EX) == 0)
    _ = file(.atomic)
    #expect(try folder.files() == ["menu.abcdefghijklmnop.new"])
    close(descriptor)
    _ = file(.atomic)
    #expect(try folder.files() == [])
  }

  @Test(
    "reports a full disk",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func fullDisk() {
    let file = WholeFile(path: "/dev/full", durability: .none)
    #expect(
      throws: StoreError(
        operation: "write", path: "/dev/full", reason: "No space left on device")
    ) { try write("menu", to: file) }
  }

  @Test("is refused if it is shorter than the buffer")
  func tooShort() throws {
    let file = file(.atomic)
    try write("abc", to: file)
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(
      throws: StoreError(
        operation: "read", path: folder.path + "/menu", reason: "the file ended too soon")
    ) { try buffer.withUnsafeMutableBytes { try file.read(into: $0) } }
  }
}
