import Foundation
import Testing

@testable import BenchCLI

@Suite("The version has one source")
struct VersionTests {
  @Test("CHANGELOG begins with the unreleased changes, or with the program's own version")
  func changes() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = text.split(separator: "\n").first { $0.hasPrefix("## ") }
    #expect(newest == "## Unreleased" || newest?.hasPrefix("## \(ToolInfo.version)") == true)
  }
}
