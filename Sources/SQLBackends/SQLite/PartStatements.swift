import BackendKit
import MenuModel

/// The statements that fetch one kind of part: a SELECT per table.
struct PartStatements {
  private let menu: StoredMenu
  private let tables: [PartTable]
  private let selections: [PreparedStatement]

  init(_ tables: [PartTable], prepare: (String) throws -> PreparedStatement) rethrows {
    self.tables = tables
    menu = try StoredMenu(prepare: prepare)
    selections = try tables.map { try prepare($0.table.table.selection(where: $0.condition)) }
  }

  /// Reads the rows of the part with an id from one state of the store.
  ///
  /// - Throws: ``SQLiteFailure`` if no menu was written.
  func rows(_ id: Int) throws -> MenuRows {
    try menu.reading {
      var rows = MenuRows()
      for (part, selection) in zip(tables, selections) {
        try selection.bind { $0.put(id) }
        try part.table.select(selection, &rows)
      }
      return rows
    }
  }
}

/// The statements that fetch the first screen of an app, as `FirstScreen` defines it.
struct ScreenStatements {
  private let menu: StoredMenu
  private let categories: PreparedStatement
  private let products: PreparedStatement
  private let combos: PreparedStatement

  init(prepare: (String) throws -> PreparedStatement) rethrows {
    menu = try StoredMenu(prepare: prepare)
    categories = try prepare(CategoryRow.table.selection())
    products = try prepare(Self.products)
    combos = try prepare(Self.combos)
  }

  /// Reads the screen from one state of the store. Throws ``SQLiteFailure`` if no menu was written.
  func screen() throws -> FirstScreen {
    try menu.reading {
      FirstScreen(
        categories: MenuRows(categories: try categories.rows(CategoryRow.self)).categoryList,
        products: try Self.cards(products), combos: try Self.cards(combos))
    }
  }

  private static func cards(_ selection: PreparedStatement) throws -> [FirstScreen.Card] {
    try selection.rows {
      FirstScreen.Card(
        id: $0.int(), name: try $0.text(), details: try $0.text(), price: try Int?(from: &$0),
        image: try String?(from: &$0))
    }
  }

  /// The cards of the products of the first category that has any. Indexes lead to the products and to
  /// the variants of each.
  static let products = """
    SELECT id, name, details, (SELECT min(price) FROM variant WHERE product_id = product.id), \
    (SELECT image FROM variant WHERE product_id = product.id AND position = 0) \
    FROM product WHERE id IN (\(shelf)) ORDER BY position
    """

  /// The cards of the first combos.
  static let combos = """
    SELECT id, name, details, price, image FROM combo ORDER BY position LIMIT \(FirstScreen.combos)
    """

  private static let shelf = PartTable.shown(
    by: """
      (SELECT id FROM category WHERE EXISTS (\(PartTable.shown(by: "category.id"))) \
      ORDER BY position LIMIT 1)
      """)
}

/// A statement that finds products by name, or by a filter of products that can be ordered.
struct ProductQuery {
  private let menu: StoredMenu
  private let products: PreparedStatement

  init(_ sql: String, prepare: (String) throws -> PreparedStatement) rethrows {
    menu = try StoredMenu(prepare: prepare)
    products = try prepare(sql)
  }

  func ids(_ bind: (inout RowBinder) -> Void) throws -> [Int] {
    try menu.reading { try products.rows(bind) { $0.int() } }
  }

  /// The ids of products whose name keys contain the given key, ordered by key and id. SQLite scans the
  /// index, which has every key in that order. It reads no row and computes no key.
  static let names = """
    SELECT id FROM product INDEXED BY \(ProductRow.table.index(on: "name_key(name), id")) \
    WHERE instr(name_key(name), CAST(?1 AS TEXT)) ORDER BY name_key(name), id
    """

  /// The ids of products of a category that can be ordered, up to a price, as `ProductFilter` defines
  /// them. SQLite uses the index on the category, then the index on each product's variants.
  static let shelf = """
    SELECT product.id FROM product JOIN variant ON variant.product_id = product.id \
    WHERE product.id IN (\(PartTable.shown(by: "?1"))) AND product.availability = 'available' \
    AND product.id NOT IN (SELECT entity_id FROM stop_list WHERE entity = 'product') \
    AND variant.id NOT IN (SELECT entity_id FROM stop_list WHERE entity = 'variant') \
    GROUP BY product.id HAVING min(variant.price) <= ?2 \
    ORDER BY min(variant.price), name_key(product.name), product.id
    """
}

/// Runs queries on one state of a store that contains a menu.
private struct StoredMenu {
  private let selection: PreparedStatement

  init(prepare: (String) throws -> PreparedStatement) rethrows {
    selection = try prepare("SELECT id FROM \(MenuRow.table.name)")
  }

  /// Runs `body` while a row of `menu` is open. Throws ``SQLiteFailure`` if no menu was written.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    guard let result = try selection.first({ _ in }, { _ in try body() }) else {
      throw SQLiteFailure.nothingWritten
    }
    return result
  }
}

/// A table, and the condition for its rows that belong to one part of a menu: a product, or a combo
/// with everything that it shows. The condition's parameter is the part's id.
///
/// The key of most tables begins with the parent's id, so the children of a parent are adjacent.
/// Variants and slots have ids of their own and an index.
struct PartTable: Sendable {
  let table: MenuTable
  let condition: String

  private init<Row: TableRow>(
    _ path: any WritableKeyPath<MenuRows, [Row]> & Sendable, where condition: String
  ) {
    table = MenuTable(path)
    self.condition = condition
  }
}

extension PartTable {
  static let product = products("?1")

  /// A combo, its slots, their options and the options' products. IN ignores duplicates.
  static let combo =
    products(
      """
      SELECT product_id FROM slot_option WHERE slot_id IN (\(slots)) \
      UNION ALL SELECT product_id FROM list_option WHERE option_list_id IN (\(lists))
      """) + [
      PartTable(\.combos.optionLists, where: "id IN (\(lists))"),
      PartTable(\.combos.listOptions, where: "option_list_id IN (\(lists))"),
      PartTable(\.combos.rows, where: "id = ?1"),
      PartTable(\.combos.slots, where: "combo_id = ?1"),
      PartTable(\.combos.slotOptions, where: "slot_id IN (\(slots))"),
    ]

  private static let slots = "SELECT id FROM slot WHERE combo_id = ?1"
  private static let lists = "SELECT option_list_id FROM slot WHERE combo_id = ?1"

  /// The products whose ids a query selects, with their lists and variants.
  private static func products(_ ids: String) -> [PartTable] {
    let variants = "SELECT id FROM variant WHERE product_id IN (\(ids))"
    return [
      PartTable(\.products.rows, where: "id IN (\(ids))"),
      PartTable(\.products.categories, where: "product_id IN (\(ids))"),
      PartTable(\.products.hours, where: "product_id IN (\(ids))"),
      PartTable(\.products.allergens, where: "product_id IN (\(ids))"),
      PartTable(\.products.tags, where: "product_id IN (\(ids))"),
      PartTable(\.products.ingredients, where: "product_id IN (\(ids))"),
      PartTable(\.products.modifierGroups, where: "product_id IN (\(ids))"),
      PartTable(\.products.variants, where: "product_id IN (\(ids))"),
      PartTable(\.products.priceTiers, where: "variant_id IN (\(variants))"),
      PartTable(\.products.nutrition, where: "variant_id IN (\(variants))"),
    ]
  }

  /// The products of a category, which may be their first category or a further one.
  static func shown(by category: String) -> String {
    """
    SELECT id FROM product WHERE category_id = \(category) \
    UNION ALL SELECT product_id FROM product_category WHERE category_id = \(category)
    """
  }
}

extension MenuRows {
  /// Builds a combo from the rows of ``PartTable/combo``, or nil if there is none with that id.
  func combo(_ id: Int) throws -> ResolvedCombo? {
    let products = try products.products()
    let catalogue = Catalogue(products)
    // The menu has only this combo, so the combo is resolved as in any other menu.
    return Menu(
      id: 0, revision: 0, locale: "", currency: "", city: "", products: products,
      optionLists: try combos.lists(catalogue), combos: try combos.combos(catalogue)
    ).resolvedCombo(id)
  }
}

/// The statements that update prices, availability and the stop list, one row per change.
struct MenuPatchStatements {
  private let revision: PreparedStatement
  private let availability: PreparedStatement
  private let price: PreparedStatement
  /// Checks whether an entity exists, by its kind.
  private let things: [Entity: PreparedStatement]
  private let renewal: PreparedStatement
  private let insertion: PreparedStatement
  private let removal: PreparedStatement

  init(prepare: (String) throws -> PreparedStatement) rethrows {
    revision = try prepare("UPDATE menu SET revision = ?1")
    availability = try prepare("UPDATE product SET availability = ?2 WHERE id = ?1")
    price = try prepare("UPDATE variant SET price = ?2 WHERE id = ?1")
    things = try Dictionary(
      uniqueKeysWithValues: Entity.allCases.map { entity in
        (entity, try prepare("SELECT 1 FROM \(entity.tableName) WHERE id = ?1"))
      })
    renewal = try prepare(
      "UPDATE stop_list SET until = ?3 WHERE entity = ?1 AND entity_id = ?2")
    insertion = try prepare(
      """
      INSERT INTO stop_list (position, entity, entity_id, until) \
      SELECT ifnull(max(position), -1) + 1, ?1, ?2, ?3 FROM stop_list
      """)
    removal = try prepare("DELETE FROM stop_list WHERE entity = ?1 AND entity_id = ?2")
  }

  /// Applies a patch as ``Menu/apply(_:)`` does. Call it in a transaction, so that an error rolls back
  /// the changes before it.
  ///
  /// - Throws: `UnknownPatchTarget` or ``SQLiteFailure``.
  func apply(_ patch: MenuPatch) throws {
    guard try revision.update({ $0.put(patch.revision) }) > 0 else {
      throw SQLiteFailure.nothingWritten
    }
    for change in patch.availability {
      let found = try availability.update {
        $0.put(change.productID)
        $0.put(change.availability.rawValue)
      }
      guard found > 0 else { throw UnknownPatchTarget(entity: .product, id: change.productID) }
    }
    for change in patch.prices {
      let found = try price.update {
        $0.put(change.variantID)
        $0.put(change.price)
      }
      guard found > 0 else { throw UnknownPatchTarget(entity: .variant, id: change.variantID) }
    }
    for change in patch.stops { try apply(change) }
  }

  private func apply(_ change: MenuPatch.StopChange) throws {
    let exists = try things[change.entity]?.first({ $0.put(change.entityID) }, { _ in true })
    guard exists == true else {
      throw UnknownPatchTarget(entity: change.entity, id: change.entityID)
    }
    func put(_ binder: inout RowBinder) {
      binder.put(change.entity.rawValue)
      binder.put(change.entityID)
    }
    guard change.isStopped else {
      _ = try removal.update(put)
      return
    }
    func putAll(_ binder: inout RowBinder) {
      put(&binder)
      change.until.put(into: &binder)
    }
    if try renewal.update(putAll) == 0 { _ = try insertion.update(putAll) }
  }
}

extension Entity {
  /// The table of entities of this kind.
  var tableName: String { self == .modifierGroup ? "modifier_group" : rawValue }
}
