import Basics
import Foundation
import MenuModel
import MenuSources
import Testing

@Suite("Paths without a menu")
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

  private func problem(_ path: String) -> String? {
    let error = #expect(throws: Refusal.self) { try MenuFile.load(path: path) }
    let start = "menu file \(path.debugDescription): "
    #expect(error?.message.hasPrefix(start) == true)
    return (error?.message.dropFirst(start.count)).map(String.init)
  }

  @Test("a missing file is called missing")
  func missing() throws {
    #expect(problem(folder.path + "/none.json") == "No such file or directory")
    #expect(problem("") == "No such file or directory")
    let dangling = folder.path + "/dangling"
    try FileManager.default.createSymbolicLink(
      atPath: dangling, withDestinationPath: folder.path + "/none.json")
    #expect(problem(dangling) == "No such file or directory")
    let loop = folder.path + "/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    #expect(problem(loop) == "Too many levels of symbolic links")
  }

  @Test("a directory and a device are not files")
  func notFiles() {
    #expect(problem(folder.path) == "it is a folder")
    #expect(problem("/dev/null") == "it is not a regular file")
  }

  @Test("a file that the system refuses to read is unreadable, with its reason")
  func unreadable() throws {
    let inFile = try file("{}") + "/menu.json"
    #expect(problem(inFile) == "Not a directory")
  }

  @Test("a file of 200 MB is refused by its size, without being read")
  func tooLarge() throws {
    let path = try file("")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 200_000_000)
    try handle.close()
    #expect(problem(path) == "it has more bytes than the limit of 100000000")
  }

  @Test("a link to a menu is followed, whatever the name")
  func link() throws {
    let menu = Menu(id: 1, revision: 1, locale: "en-US", currency: "USD", city: "Springfield")
    let path = try file(String(decoding: MenuFile.encode(menu), as: UTF8.self), "menu.txt")
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try MenuFile.load(path: link) == MenuFile(menu: menu))
  }

  @Test("the message is one line with the path, the fault and the remedy")
  func wording() throws {
    let path = try file("{\"a\": [")
    let error = #expect(throws: Refusal.self) { try MenuFile.load(path: path) }
    #expect(
      error?.description
        == "menu file \"\(path)\": it ends too soon and was cut short")
    #expect(error?.help == "fetch or copy the file again")
  }
}
