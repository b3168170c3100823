import Foundation
import Testing

@testable import BenchCLI

@Suite("The name of a new package is none of those that it is built with")
struct InitNameTests {
  @Test("Every target of this package is taken")
  func targets() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Sources").path)
    #expect(sources.count > 20)
    for name in sources {
      #expect(throws: CLIError.self, "\(name)") { try InitCommand.check(name: name) }
    }
  }

  @Test("Others are not", arguments: ["OurBench", "_x", "Menus2"])
  func others(_ name: String) throws { try InitCommand.check(name: name) }
}
