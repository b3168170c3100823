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

  @Test("holds what was written last and leaves nothing beside it", arguments: Durability.allCases)
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

  @Test("that is missing is refused with the system's words")
  func missing() {
    let expected = StoreError(
      operation: "open", path: folder.path + "/menu", reason: "No such file or directory")
    #expect(throws: expected) { try file(.atomic).read() }
    #expect(throws: expected) { try file(.atomic).length() }
    #expect(
      expected.description == "open \(folder.path)/menu: No such file or directory")
  }

  @Test(
    "keeps the old content where the new can't be written aside",
    arguments: [Durability.atomic, .durable])
  func keepsOld(durability: Durability) throws {
    let file = file(durability)
    try write("old", to: file)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/menu.new", withIntermediateDirectories: false)
    #expect(
      throws: StoreError(
        operation: "open", path: folder.path + "/menu.new", reason: "Is a directory")
    ) { try write("new", to: file) }
    #expect(try file.read() == Data("old".utf8))
  }

  @Test("that can't be renamed into place leaves nothing beside it")
  func renameFails() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/menu", withIntermediateDirectories: false)
    #expect(
      throws: StoreError(
        operation: "rename", path: folder.path + "/menu.new", reason: "Is a directory")
    ) { try write("new", to: file(.atomic)) }
    #expect(try folder.files() == ["menu"])
  }

  @Test(
    "on a full disk says so",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func fullDisk() {
    let file = WholeFile(path: "/dev/full", durability: .none)
    #expect(
      throws: StoreError(
        operation: "write", path: "/dev/full", reason: "No space left on device")
    ) { try write("menu", to: file) }
  }

  @Test("shorter than the buffer to fill is refused")
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
