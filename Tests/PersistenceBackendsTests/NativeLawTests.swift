import MenuModel
import PersistenceBackends
import Testing

private let ids = BackendRegistry.all.map(\.id)

private func laws(_ id: String, _ durability: Durability = .atomic) throws -> NativeLaws {
  let entry = try #require(BackendRegistry.all.first { $0.id == id })
  return NativeLaws(entry: entry, durability: durability)
}

@Suite("Every backend's routes to parts of a menu")
struct NativeLawTests {
  /// The fixtures that a backend keeps bit by bit, and a menu as a store has it.
  private func menus(_ id: String) -> [Menu] {
    // Their whole-menu route loses it before a part is looked at.
    let lossy = knownLosses[id, default: []]
    return Fixtures.all.filter { !lossy.contains($0.name) }.map(\.menu)
      + [Menu(shape: MenuShape(.small))]
  }

  @Test("are what its entry promises", arguments: ids, Durability.allCases)
  func promises(id: String, durability: Durability) throws {
    try laws(id, durability).checkPromises()
  }

  @Test("find every product and combo as it was stored", arguments: ids)
  func parts(id: String) throws {
    for menu in menus(id) { try laws(id).checkParts(menu) }
  }

  @Test("show first what the whole menu shows first", arguments: ids)
  func screens(id: String) throws {
    for menu in menus(id) { try laws(id).checkFirstScreen(menu) }
    try laws(id).checkFirstScreen(Fixtures.lateShelf)
  }

  @Test("show nothing first where nothing was written", arguments: ids)
  func noScreen(id: String) throws { try laws(id).checkNoFirstScreen() }

  @Test("patch prices and availability as the reference does, or nothing", arguments: ids)
  func patches(id: String) throws {
    for menu in menus(id) { try laws(id).checkPatch(menu) }
  }

  @Test("find names as the reference does", arguments: ids)
  func search(id: String) throws {
    for menu in menus(id) + [Fixtures.marks] { try laws(id).checkSearch(menu) }
  }

  @Test("let a second handle read the old menu, then the new", arguments: ids, Durability.allCases)
  func readers(id: String, durability: Durability) throws {
    let isLossy = !knownLosses[id, default: []].isEmpty
    try laws(id, durability).checkReader(
      Fixtures.full, then: isLossy ? Fixtures.full.revised(1) : Fixtures.oddTexts)
  }

  @Test(
    "let a second handle read whole menus while the first writes", arguments: ids,
    Durability.allCases)
  func readersBeside(id: String, durability: Durability) throws {
    try laws(id, durability).checkReaderBeside(
      Menu(shape: MenuShape(.small)), Menu(shape: MenuShape(.small)).revised(1))
  }

  @Test("give back what the store no longer needs", arguments: ids, Durability.allCases)
  func compaction(id: String, durability: Durability) throws {
    try laws(id, durability).checkCompaction(Menu(shape: MenuShape(.small)))
  }

  @Test("change the schema in place and keep the menu", arguments: ids)
  func schemas(id: String) throws {
    try laws(id).checkSchemas(Fixtures.full)
  }
}
