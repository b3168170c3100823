import Foundation
import PersistenceBackends
import Testing

@Suite("The registry of backends")
struct RegistryTests {
  @Test("lists exactly the files in Backends, each by its name")
  func matchesFolder() throws {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/PersistenceBackends/Backends")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let suffix = "Backend.swift"
    #expect(files.filter { !$0.hasSuffix(suffix) } == [])
    let named = files.map { String($0.dropLast(suffix.count)).lowercased() }
    let apples = AppleBackends.all.map(\.id)
    let listed = BackendRegistry.all.map(\.id).filter { !apples.contains($0) }
      .map { $0.replacingOccurrences(of: "-", with: "") }
    #expect(named.sorted() == listed.sorted())
  }

  @Test("gives every backend an id of its own and a summary")
  func idsAreUnique() {
    let ids = BackendRegistry.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(BackendRegistry.all.filter(\.summary.isEmpty).map(\.id) == [])
  }

  @Test("shows backends in the order of reports")
  func order() {
    #expect(BackendRegistry.all.map(\.id).prefix(4) == ["json", "plist", "sqlite", "memory"])
  }
}
