import BenchResults
import Foundation
import MenuWorkloads
import PersistenceBackends
import Testing

@testable import BenchCLI

@Suite("The page on which backend to take has")
struct ChoosingPageTests {
  /// The rows of the table under a heading, cell by cell.
  private func rows(under heading: String) throws -> [[String]] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "Documentation/choosing.md"), encoding: .utf8)
    let lines = page.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex(of: heading))
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("every need with its weights")
  func needs() throws {
    let shown = try rows(under: "| need | of an app in which | weights |").map { [$0[0], $0[2]] }
    let needs = NeedInfo.ofMenus.map { need in
      let weights = need.weights.map { "`\($0.key)` " + String(format: "%g", $0.weight) }
      return ["`\(need.id)`", weights.joined(separator: ", ")]
    }
    #expect(shown == needs)
  }

  @Test("every promise")
  func promises() throws {
    let shown = try rows(under: "| promise | |").flatMap { row in
      row[0].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    #expect(shown == BackendPromise.allCases.map(\.rawValue))
  }
}
