import Foundation
import MenuModel
import MenuSources
import Testing

@Suite("Paths that lead to no menu")
final class MenuFileLoadTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "menubench-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func file(_ content: String, _ name: String = "menu.json") throws -> String {
    let url = folder.appending(path: name)
    try Data(content.utf8).write(to: url)
    return url.path
  }

  private func problem(_ path: String) -> MenuFileProblem? {
    let error = #expect(throws: MenuFileError.self) { try MenuFile.load(path: path) }
    #expect(error?.path == path)
    return error?.problem
  }

  @Test("a path to nothing is missing")
  func missing() throws {
    #expect(problem(folder.path + "/none.json") == .missing)
    #expect(problem("") == .missing)
    let dangling = folder.path + "/dangling"
    try FileManager.default.createSymbolicLink(
      atPath: dangling, withDestinationPath: folder.path + "/none.json")
    #expect(problem(dangling) == .missing)
    let loop = folder.path + "/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    #expect(problem(loop) == .unreadable(reason: "Too many levels of symbolic links"))
  }

  @Test("a directory and a device are not files")
  func notFiles() {
    #expect(problem(folder.path) == .directory)
    #expect(problem("/dev/null") == .notAFile)
  }

  @Test("what the system refuses to read is unreadable, with its reason")
  func unreadable() throws {
    let inFile = try file("{}") + "/menu.json"
    guard case .unreadable(let reason) = problem(inFile) else {
      Issue.record("a path through a file cannot be read")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test("a file of 200 MB is refused by its size, without being read")
  func tooLarge() throws {
    let path = try file("")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 200_000_000)
    try handle.close()
    #expect(problem(path) == .tooLarge)
  }

  @Test("a link to a menu is followed, and the name plays no part")
  func link() throws {
    let menu = Menu(id: 1, revision: 1, locale: "en-US", currency: "USD", city: "Springfield")
    let path = try file(String(decoding: MenuFile.encode(menu), as: UTF8.self), "menu.txt")
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try MenuFile.load(path: link) == MenuFile(menu: menu))
  }

  @Test("the message is one line with the path, what is wrong and what to do")
  func wording() throws {
    let path = try file("{\"a\": [")
    let error = #expect(throws: MenuFileError.self) { try MenuFile.load(path: path) }
    #expect(
      error?.description
        == "menu file \"\(path)\": it is cut short: the JSON is not complete at its end, "
        + "line 1, column 8")
    #expect(error?.help == "fetch or copy the file again")
  }
}
