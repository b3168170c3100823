import Foundation
import MenuModel

extension BackendEntry where Document == Menu {
  /// `json-split`: a file a category.
  public static var jsonSplit: Self {
    Self(
      id: "json-split",
      summary: "JSON by Foundation in several files: one a category, one for the first screen",
      caveat:
        "json-split keeps what the first screen shows twice; a product is found by its category's "
        + "file, a combo by the file of all combos and those of its products' categories; each save "
        + "writes and flushes every file anew",
      library: .foundation, promises: .durable,
      belowFloor: [
        "read": "its files fit into memory that malloc has at hand, where the floor's one piece of "
          + "their size is mapped and faulted in anew each time: with malloc told to keep it, "
          + "reading takes a multiple of the floor"
      ]
    ) { SplitBackend($0) }
    .beyond(
      CodecAndPlace(codec: "json", place: "file"),
      "reads the first screen, a product or a combo without the rest"
    ).advised([
      Advice(
        "flush a new file and the folder that names it before the old one is replaced by rename",
        source: "https://man7.org/linux/man-pages/man2/fsync.2.html",
        here: "followed at atomic and durable, a flush a file")
    ])
  }
}

/// A menu as JSON in several files that are replaced together: partial reads without a library.
///
/// | file | what is in it |
/// | --- | --- |
/// | `head.json` | the menu without products, option lists and combos |
/// | `category-ID.json` | a menu of nothing but the category's products |
/// | `combos.json` | a menu of nothing but combos and option lists |
/// | `screen.json` | a menu of what the first screen shows, and nothing else |
/// | `index.json` | ``SplitIndex``: where the products are |
///
/// What was decoded for one part is forgotten at once: an app that opens one product after another decodes
/// the category each time.
package final class SplitBackend: Backend {
  private let store: StoreContext
  private let generations: Generations
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// Keeps files in the store's folder.
  package init(_ store: StoreContext) {
    self.store = store
    generations = Generations(store)
  }

  /// The menu as the files' JSON.
  package func encode(_ document: Menu) throws -> SplitMenu {
    try encode(document) { try encoder.encode($0) }
  }

  /// Puts the files in the place of the old ones, all or none.
  package func write(_ payload: SplitMenu) throws {
    try generations.replace(with: payload.files.sorted { $0.key < $1.key }.map { ($0, $1) })
  }

  /// Every file.
  package func read() throws -> SplitMenu {
    try generations.reading { generation in
      let files = try generations.files(of: generation).map {
        ($0, try generations.bytes($0, of: generation))
      }
      return SplitMenu(files: Dictionary(files, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The menu that the files hold.
  ///
  /// - Throws: ``StoreError`` where one is missing, or they contradict each other; `DecodingError` where
  ///   one is not the JSON that it should be.
  package func decode(_ payload: SplitMenu) throws -> Menu {
    var menu = try menu(payload.file(SplitMenu.head))
    let combos = try self.menu(payload.file(SplitMenu.combos))
    (menu.optionLists, menu.combos) = (combos.optionLists, combos.combos)
    let index = try decoder.decode(SplitIndex.self, from: payload.file(SplitMenu.index))
    menu.products = try index.places.map { category, places in
      (places, try self.menu(payload.file(SplitMenu.shelf(category))).products)
    }.arranged()
    return menu
  }

  /// The bytes of all files.
  package func size(of payload: SplitMenu) -> Size {
    .bytes(payload.files.values.reduce(0) { $0 + $1.count })
  }

  private func menu(_ bytes: Data) throws -> Menu { try decoder.decode(Menu.self, from: bytes) }

  /// - Parameter json: makes JSON of a menu of parts.
  private func encode(_ menu: Menu, _ json: (Menu) throws -> Data) throws -> SplitMenu {
    var (head, combos) = (menu, menu.withoutContent())
    (head.products, head.optionLists, head.combos) = ([], [], [])
    (combos.optionLists, combos.combos) = (menu.optionLists, menu.combos)
    let index = SplitIndex(menu)
    var files = [
      SplitMenu.head: try json(head), SplitMenu.combos: try json(combos),
      SplitMenu.screen: try json(menu.partsOfFirstScreen()),
      SplitMenu.index: try encoder.encode(index),
    ]
    for (category, places) in index.places {
      var shelf = menu.withoutContent()
      shelf.products = places.map { menu.products[$0] }
      files[SplitMenu.shelf(category)] = try json(shelf)
    }
    return SplitMenu(files: files)
  }
}

extension SplitBackend: ProductReading, ComboReading, FirstScreenReading {
  /// The product, of its category's file.
  package func product(_ id: Int) throws -> Product? {
    try generations.reading { generation in
      guard let category = try index(of: generation).categories[id] else { return nil }
      return try part(SplitMenu.shelf(category), of: generation).product(id)
    }
  }

  /// The combo, of the file of all combos, with products of their categories' files.
  package func combo(_ id: Int) throws -> ResolvedCombo? {
    try generations.reading { generation in
      var menu = try part(SplitMenu.combos, of: generation)
      menu.combos = menu.combos.first { $0.id == id }.map { [$0] } ?? []
      guard !menu.combos.isEmpty else { return nil }
      let index = try index(of: generation)
      let categories = menu.namedProducts().compactMap { index.categories[$0] }
      menu.products = try Set(categories).map { category in
        (
          index.places[category, default: []],
          try part(SplitMenu.shelf(category), of: generation).products
        )
      }.inOrder().map(\.product)
      return menu.resolvedCombo(id)
    }
  }

  /// What is shown, of a file of its own.
  package func firstScreen() throws -> FirstScreen {
    try generations.reading { try part(SplitMenu.screen, of: $0).firstScreen() }
  }

  private func part(_ file: String, of generation: String) throws -> Menu {
    try menu(generations.bytes(file, of: generation))
  }

  private func index(of generation: String) throws -> SplitIndex {
    try decoder.decode(
      SplitIndex.self, from: generations.bytes(SplitMenu.index, of: generation))
  }
}

extension SplitBackend: ProductFiltering {
  /// Of the category's file, and the stop list of the menu's own.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    try generations.reading { generation in
      guard try index(of: generation).places[filter.categoryID] != nil else { return [] }
      return filter.products(
        among: try part(SplitMenu.shelf(filter.categoryID), of: generation).products,
        stopList: try part(SplitMenu.head, of: generation).stopList)
    }
  }
}

extension SplitBackend: ConcurrentReading {
  /// At `none` the file that names the others is rewritten in place.
  package var readsBesideWriter: Bool { store.durability != .none }

  /// Another handle on the files.
  package func openReader() -> any Backend<Menu> { SplitBackend(store) }
}

extension SplitBackend: SchemaChanging {
  /// As the other program's JSON.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try write(encode(menu) { try encoder.encode(ForeignMenu($0, across: change)) })
  }
}

/// The files of a menu, by their names.
package struct SplitMenu: Hashable, Sendable {
  static let head = "head.json"
  static let combos = "combos.json"
  static let screen = "screen.json"
  static let index = "index.json"

  var files: [String: Data]

  /// The file of a category's products.
  static func shelf(_ category: Int) -> String { "category-\(category).json" }

  /// A file's bytes.
  func file(_ name: String) throws -> Data {
    guard let bytes = files[name] else {
      throw StoreError(operation: "decode", path: name, reason: "there is no such file")
    }
    return bytes
  }
}

/// Where a menu's products are: the first category of each, and the places in the menu's list of all that a
/// category shows. A product that several show stands in the file of each.
struct SplitIndex: Codable {
  /// By the product's id; of several with one id, that of the first.
  var categories: [Int: Int] = [:]
  /// By the category's id, in the order of its file.
  var places: [Int: [Int]] = [:]

  init(_ menu: Menu) {
    for (place, product) in menu.products.enumerated() {
      if categories[product.id] == nil { categories[product.id] = product.categoryID }
      for category in product.categoryIDs { places[category, default: []].append(place) }
    }
  }
}

extension [(places: [Int], products: [Product])] {
  /// The products of several categories in the menu's order.
  ///
  /// - Throws: ``StoreError`` where a file has other products than the index says.
  fileprivate func inOrder() throws -> [(place: Int, product: Product)] {
    try flatMap { places, products in
      guard places.count == products.count else {
        throw StoreError(
          operation: "decode", path: SplitMenu.index,
          reason: "a category has \(products.count) products and \(places.count) places")
      }
      return zip(places, products).map { (place: $0, product: $1) }
    }.sorted { $0.place < $1.place }.onceAPlace()
  }

  /// All products of a menu, whose places must be 0, 1, 2 and so on.
  fileprivate func arranged() throws -> [Product] {
    let placed = try inOrder()
    for (next, product) in placed.enumerated() where product.place != next {
      throw StoreError(
        operation: "decode", path: SplitMenu.index,
        reason: "product \(product.product.id) stands at \(product.place), where \(next) is next")
    }
    return placed.map(\.product)
  }
}

extension [(place: Int, product: Product)] {
  /// Without the copies of products that several categories show, which must be the same in each file.
  fileprivate func onceAPlace() throws -> Self {
    var once: Self = []
    for element in self {
      guard let last = once.last, last.place == element.place else {
        once.append(element)
        continue
      }
      guard last.product.id == element.product.id else {
        throw StoreError(
          operation: "decode", path: SplitMenu.index,
          reason: "products \(last.product.id) and \(element.product.id) stand at \(element.place)")
      }
    }
    return once
  }
}

extension Menu {
  /// The menu's own fields and nothing else.
  fileprivate func withoutContent() -> Menu {
    Menu(id: id, revision: revision, locale: locale, currency: currency, city: city)
  }

  /// A menu of nothing but what its first screen shows, whose first screen is the same.
  fileprivate func partsOfFirstScreen() -> Menu {
    let screen = firstScreen()
    var menu = withoutContent()
    menu.categories = categories
    menu.combos = screen.combos.map(\.combo)
    let lists = Set(menu.combos.flatMap(\.slots).compactMap(\.optionListID))
    menu.optionLists = optionLists.filter { lists.contains($0.id) }
    var shown = Set(screen.combos.flatMap(\.products).map(\.id))
    let filled = Set(products.flatMap(\.categoryIDs))
    let shelf = categories.first { filled.contains($0.id) }?.id
    menu.products = products.filter { product in
      // Of several with one id a combo shows the first.
      let isNamed = shown.remove(product.id) != nil
      return isNamed || shelf.map(product.stands(in:)) == true
    }
    return menu
  }

  /// The ids of the products that its combos' options name.
  fileprivate func namedProducts() -> [Int] {
    let resolver = SlotResolver(self)
    return combos.flatMap(\.slots).flatMap { resolver.options(of: $0) }.map(\.productID)
  }
}
