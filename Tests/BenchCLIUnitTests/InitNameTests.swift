import Foundation
import Testing

@testable import BenchCLI

@Suite("A new package cannot have the name of one of its dependencies")
struct InitNameTests {
  @Test("Every target of this package is taken")
  func targets() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Sources").path)
    #expect(sources.count > 20)
    for name in sources where !name.hasPrefix(".") {
      let error = refusal { try InitCommand.check(name: name) }
      #expect(error?.message.hasPrefix("'\(name)' is taken: ") == true)
    }
  }

  @Test("Other names are free", arguments: ["OurBench", "_x", "Menus2"])
  func others(_ name: String) throws { try InitCommand.check(name: name) }
}
