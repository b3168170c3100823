import BenchResults
import Foundation
import MenuWorkloads
import PersistenceBackends
import Testing

@testable import BenchCLI

@Suite("The page about choosing a backend")
struct ChoosingPageTests {
  /// The rows of the table whose first column has this title, cell by cell.
  private func rows(of title: String) throws -> [[String]] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "Documentation/choosing.md"), encoding: .utf8)
    let lines = page.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(title) |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("has every need with its weights")
  func needs() throws {
    let shown = try rows(of: "need").map { [$0[0], $0[2]] }
    let needs = NeedInfo.ofMenus.map { need in
      let weights = need.weights.map { "`\($0.key)` " + String(format: "%g", $0.weight) }
      return ["`\(need.id)`", weights.joined(separator: ", ")]
    }
    #expect(shown == needs)
  }

  @Test("has every promise")
  func promises() throws {
    let shown = try rows(of: "promise").flatMap { row in
      row[0].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    #expect(shown == BackendPromise.allCases.map(\.rawValue))
  }
}
