import PersistenceBackends
import Testing

@Suite("The registry of backends")
struct RegistryTests {
  @Test("gives every backend its own id and a summary")
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
