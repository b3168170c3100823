import MenuModel
import MenuSources
import PersistenceBackends
import Testing

private let ids = BackendRegistry.all.map(\.id) + EveryBackend.set.map(\.id)

/// Pairs of a codec and a place as well, for what depends on the two together.
private let all = EveryBackend.ids

private func laws(_ id: String, _ durability: Durability = .atomic) throws -> NativeLaws {
  NativeLaws(entry: try EveryBackend.entry(id), durability: durability)
}

@Suite("Every backend's routes to parts of a menu")
struct NativeLawTests {
  /// The fixtures that a backend keeps bit by bit.
  private func fixtures(_ id: String) -> [Menu] {
    // Their whole-menu route loses it before a part is looked at.
    let lossy = knownLosses(id)
    return Fixtures.all.filter { !lossy.contains($0.name) }.map(\.menu)
  }

  /// Those, and a menu of several pages a table.
  private func menus(_ id: String) throws -> [Menu] { try fixtures(id) + [slim()] }

  /// At `atomic`, the fixtures, one in which every slot repeats its options and every option its
  /// product, and one that breaks the rules of ids if the backend keeps it. Otherwise one that uses
  /// everything.
  private func menus(_ id: String, _ durability: Durability) throws -> [Menu] {
    guard durability == .atomic else { return [Fixtures.full] }
    let isCareless = knownLosses(id).isEmpty && EveryBackend.careless.contains(id)
    return try menus(id) + [slim(",lists=repeated,embed=yes")]
      + (isCareless ? [Fixtures.careless] : [])
  }

  /// A menu of several pages a table, small because laws go over it again and again.
  private func slim(_ more: String = "") throws -> Menu {
    Menu(shape: try MenuShape(parsing: "products=20,combos=3,slots=3,options=10" + more))
  }

  @Test("are those that its entry promises", arguments: all, Durability.allCases)
  func promises(id: String, durability: Durability) throws {
    try laws(id, durability).checkPromises()
  }

  @Test("find every product and combo as it was stored", arguments: ids)
  func parts(id: String) throws {
    for menu in try menus(id, .atomic) { try laws(id).checkParts(menu) }
  }

  @Test("deliver equally many useful bytes", arguments: ids)
  func usefulBytes(id: String) throws {
    // Tea has fourteen numbers of 8 bytes, six marks for optional values, and the texts drink, Чай,
    // new, available and 0.5 in UTF-8.
    var menu = Fixtures.tea
    menu.categories = [MenuModel.Category(id: 3, name: "")]
    menu.ingredients = [Ingredient(id: 20, name: "")]
    try laws(id).checkUsefulBytes(menu, 14 * 8 + 6 + 5 + 6 + 3 + 9 + 3)
  }

  @Test("show the first screen of the whole menu", arguments: ids)
  func screens(id: String) throws {
    for menu in try menus(id, .atomic) { try laws(id).checkFirstScreen(menu) }
    try laws(id).checkFirstScreen(Fixtures.lateShelf)
  }

  @Test("say for any part that nothing was written", arguments: ids)
  func noParts(id: String) throws { try laws(id).checkNoParts() }

  @Test(
    "patch prices and availability like the reference, or nothing", arguments: ids,
    Durability.allCases)
  func patches(id: String, durability: Durability) throws {
    for menu in try menus(id, durability) { try laws(id, durability).checkPatch(menu) }
  }

  @Test("do not treat a part of a copy alone as the menu's", arguments: EveryBackend.copying)
  func copies(id: String) throws {
    var menu = Fixtures.embedding(Fixtures.full)
    menu.combos[0].slots[1].options?[0].product?.variants[0].id = 777
    let patch = MenuPatch(
      revision: 1, prices: [.init(variantID: 33, price: 1), .init(variantID: 777, price: 1)],
      availability: [.init(productID: 100, availability: .hidden)])
    try laws(id).checkUnknown(UnknownPatchTarget(entity: .variant, id: 777), patch, menu)
  }

  @Test("find the same names as the reference", arguments: ids)
  func search(id: String) throws {
    for menu in try menus(id) + [Fixtures.marks, Fixtures.oddNames] {
      try laws(id).checkSearch(menu)
    }
  }

  @Test("filter and sort products like the reference", arguments: ids)
  func filter(id: String) throws {
    for menu in try menus(id) where !menu.products.isEmpty { try laws(id).checkFilter(menu) }
  }

  @Test("let a second handle read the old menu, then the new", arguments: all, Durability.allCases)
  func readers(id: String, durability: Durability) throws {
    let isLossy = !knownLosses(id).isEmpty
    try laws(id, durability).checkReader(
      Fixtures.full, then: isLossy ? Fixtures.full.revised(1) : Fixtures.oddTexts)
  }

  @Test(
    "let a second handle read whole menus while the first writes", arguments: all,
    Durability.allCases)
  func readersBeside(id: String, durability: Durability) throws {
    try laws(id, durability).checkReaderBeside(slim(), slim().revised(1))
  }

  @Test("release the space that the store no longer needs", arguments: all, Durability.allCases)
  func compaction(id: String, durability: Durability) throws {
    try laws(id, durability).checkCompaction(Menu(shape: MenuShape(.small)))
  }

  @Test(
    "keep the menu across every schema change, or refuse the store",
    arguments: ids, SchemaChange.allCases)
  func changes(id: String, change: SchemaChange) throws {
    // In major units, the largest prices are not whole numbers of minor ones any more.
    let menus = fixtures(id).filter {
      ![Fixtures.embedding(Fixtures.full), Fixtures.bare].contains($0)
        && (change != .type || $0 != Fixtures.extremes)
    }
    for menu in try menus + [slim()] { try laws(id).checkChange(change, menu) }
  }

  @Test("cut a label like the reference, whatever its content", arguments: ids)
  func labels(id: String) throws {
    var menu = Fixtures.full
    let texts = [
      ("4: cheese", "a: b"), ("say \"hi\"", "back\\slash: n"), ("", ""), ("a", "\u{301}mark"),
      ("ends with:", " space"), ("line\nbreak", "\t"), ("я", "👩‍👩‍👧: 👧"),
    ]
    let odd = knownLosses(id).isEmpty ? [("a\0b", "c\0d"), ("\0", "\0")] : []
    for (index, (name, details)) in (texts + odd).enumerated() {
      var product = menu.products[0]
      product.id = 1_000 + index
      product.variants = [Variant(id: 1_000 + index, size: "", price: 1, image: "")]
      (product.name, product.details) = (name, details)
      menu.products.append(product)
    }
    try laws(id).checkChange(.split, menu)
  }

  @Test("are a new fetch for three backends, and for stores that the others cannot read")
  func routes() throws {
    var routes: [String: [String]] = [:]
    for entry in BackendRegistry.all {
      let folder = try TemporaryFolder()
      let backend = try entry.open(folder.store())
      let ways = SchemaChange.allCases.map {
        (backend as? any SchemaChanging)?.route(across: $0).rawValue ?? "none"
      }
      routes[ways.joined(separator: ", "), default: []].append(entry.id)
      try backend.close()
    }
    let asItIs = Array(repeating: "read as it is", count: 5).joined(separator: ", ")
    #expect(
      routes["none, none, none, none, none"] == [
        "memory", "object-graph", "object-graph-faulting",
      ])
    #expect(
      routes["native, native, native, native, fetched again"] == [
        "sqlite", "sqlite-grdb", "sqlite-records",
      ])
    #expect(routes[asItIs]?.count == BackendRegistry.all.count - 6)
  }
}
