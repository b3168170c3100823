import Testing

@testable import MenuModel

@Suite("The registry of importers")
struct ImporterRegistryTests {
  @Test("gives every importer an id of its own")
  func ids() {
    #expect(ImporterRegistry.all.map(\.id) == ["menubench", "dominos"])
  }

  @Test("has importers that tell formats apart by their keys")
  func recognition() {
    let own: Set = ["format", "schema", "menu"]
    let dominos: Set = ["Misc", "Categorization", "Products", "Variants"]
    #expect(ImporterRegistry.all.map { $0.recognises(topLevelKeys: own) } == [true, false])
    #expect(ImporterRegistry.all.map { $0.recognises(topLevelKeys: dominos) } == [false, true])
    #expect(ImporterRegistry.all.allSatisfy { !$0.recognises(topLevelKeys: ["Products"]) })
  }
}
