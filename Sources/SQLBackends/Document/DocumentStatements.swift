import BackendKit
import MenuModel

/// The statements that read a document store.
struct DocumentStatements {
  private let selection: PreparedStatement
  private let lookup: PreparedStatement
  private let search: PreparedStatement
  private let listing: PreparedStatement
  private let shelf: PreparedStatement

  /// Prepares them; whoever prepares keeps and finalises them.
  init(prepare: (String) throws -> PreparedStatement) rethrows {
    selection = try prepare("SELECT kind, id, position, body FROM entity ORDER BY place")
    lookup = try prepare(
      """
      SELECT kind, id, position, body FROM entity WHERE kind = ? AND id = ? \
      ORDER BY position LIMIT 1
      """)
    // Left to itself, SQLite 3.40 takes the key's index, works every name out of its JSON and sorts.
    search = try prepare(
      """
      SELECT id FROM entity INDEXED BY entity_name \
      WHERE kind = \(EntityKind.product.rawValue) AND instr(name_key, ?) ORDER BY name_key, id
      """)
    listing = try prepare(Self.listing)
    shelf = try prepare(
      """
      SELECT kind, id, entity.position, body FROM shelf JOIN entity ON kind = \(EntityKind.product.rawValue) \
      AND id = product_id AND entity.position = shelf.position \
      WHERE category_id = ? ORDER BY shelf.position
      """)
  }

  /// The first rows of a kind in the menu's order. Which they are the key's index tells: sorted as they
  /// stand, all rows of the kind would be read, JSON and all.
  static let listing = """
    SELECT kind, id, position, body FROM entity WHERE place IN \
    (SELECT place FROM entity WHERE kind = ?1 ORDER BY position LIMIT ?2) ORDER BY position
    """

  /// Every entity. To be called in a transaction.
  func fetch() throws -> MenuEntities {
    let entities = try selection.rows { try StoredEntity(from: &$0) }
    guard !entities.isEmpty else { throw SQLiteFailure.nothingWritten }
    return MenuEntities(entities: entities)
  }

  /// Throws where no menu was written.
  func checkWritten() throws {
    guard try first(.head, 0) != nil else { throw SQLiteFailure.nothingWritten }
  }

  /// Applies a patch: the stop list as JSON that is decoded and encoded, all else within the JSON. To be
  /// called in a transaction, which an error has to undo.
  mutating func apply(
    _ patch: MenuPatch, _ coder: EntityCoder, by patching: PatchStatements
  ) throws {
    for stop in patch.stops where try !has(stop.entity, stop.entityID, coder, patching) {
      throw UnknownPatchTarget(entity: stop.entity, id: stop.entityID)
    }
    if !patch.stops.isEmpty, let head = try first(.head, 0) {
      try patching.replaceHead(by: EntityPatch(patch, coder).applied(to: head))
    }
    try patching.apply(patch)
  }

  private mutating func has(
    _ entity: Entity, _ id: Int, _ coder: EntityCoder, _ patching: PatchStatements
  ) throws -> Bool {
    if let kind = entity.kind { return try first(kind, id) != nil }
    return entity == .variant ? try patching.hasVariant(id) : try hasSlot(id, coder)
  }

  /// The ids of products whose name's key holds another, by key and id.
  func products(withKey key: String) throws -> [Int] {
    try search.rows {
      $0.put(key)
    } _: {
      $0.int()
    }
  }
}

/// The statements that replace a menu.
struct DocumentReplacement {
  private let deletions: [PreparedStatement]
  private let insertion: PreparedStatement
  private let holding: Insertion
  private let shelving: Insertion

  /// Prepares them; whoever prepares keeps and finalises them.
  init(prepare: (String) throws -> PreparedStatement) rethrows {
    deletions = try ["holder", "shelf", "entity"].map { try prepare("DELETE FROM \($0)") }
    insertion = try prepare(
      "INSERT INTO entity (place, kind, id, position, body) VALUES (?, ?, ?, ?, ?)")
    holding = try Insertion(into: HolderRow.table, prepare: prepare)
    shelving = try Insertion(into: ShelfRow.table, prepare: prepare)
  }

  /// Removes the old menu and adds the new. To be called in a transaction.
  ///
  /// A DELETE without a condition frees a table's pages without a look at its rows
  /// (sqlite.org/lang_delete.html, the truncate optimisation).
  func replace(with payload: MenuEntities) throws {
    for deletion in deletions { try deletion.run() }
    for (place, entity) in payload.entities.enumerated() {
      try insertion.run(utf8: entity.body) {
        $0.put(place)
        $0.put(Int(entity.key.kind.rawValue))
        $0.put(entity.key.id)
        $0.put(entity.key.position)
      }
    }
    try shelving.add(payload.shelves.map(ShelfRow.init))
    try holding.add(payload.holders.map(HolderRow.init))
  }
}

/// A product's place on a shelf.
private struct ShelfRow: TableRow {
  static let table = Table("shelf", columns: columns, key: ["category_id", "position"])

  var categoryID = 0
  var position = 0
  var productID = 0

  init() {}

  init(_ place: ShelfPlace) {
    (categoryID, position, productID) = (place.categoryID, place.position, place.productID)
  }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("category_id", &categoryID)
    try visitor.field("position", &position)
    try visitor.field("product_id", &productID)
  }
}

/// Where something stands that a patch names.
private struct HolderRow: TableRow {
  static let table = Table("holder", columns: columns, key: ["held", "id", "entity"])

  var held = 0
  var id = 0
  var entity = 0

  init() {}

  init(_ holder: EntityHolder) {
    (held, id, entity) = (Int(holder.held.rawValue), holder.id, holder.entity)
  }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("held", &held)
    try visitor.field("id", &id)
    try visitor.field("entity", &entity)
  }
}

extension StoredEntity {
  fileprivate init(from row: inout RowReader) throws {
    let number = row.int()
    guard let kind = UInt8(exactly: number).flatMap(EntityKind.init) else {
      throw SQLiteFailure("there is no entity of kind \(number)")
    }
    let key = EntityKey(kind: kind, id: row.int(), position: row.int())
    self.init(key: key, body: row.utf8())
  }
}

extension DocumentStatements: EntityLookup {
  func first(_ kind: EntityKind, _ id: Int) throws -> StoredEntity? {
    try lookup.first {
      $0.put(Int(kind.rawValue))
      $0.put(id)
    } _: {
      try StoredEntity(from: &$0)
    }
  }
}

extension DocumentStatements {
  func entities(_ kind: EntityKind, first count: Int) throws -> [StoredEntity] {
    try listing.rows {
      $0.put(Int(kind.rawValue))
      $0.put(count)
    } _: {
      try StoredEntity(from: &$0)
    }
  }

  /// By the index of shelves, one after another.
  func shelf(_ categories: [MenuModel.Category], _ coder: EntityCoder) throws -> [Product] {
    for category in categories {
      let products = try shelf.rows {
        $0.put(category.id)
      } _: {
        try StoredEntity(from: &$0)
      }
      if !products.isEmpty { return try products.map { try coder.product.decode($0) } }
    }
    return []
  }
}

/// Changes prices and availability within the JSON, by `json_set`.
///
/// `json_set` copies the texts of everything that it is not told to change, numbers and escapes
/// included (seen in 3.40.1, tried by our tests), so the rest of a menu stays as it is to the bit.
struct PatchStatements {
  private let revision: PreparedStatement
  private let availability: PreparedStatement
  private let holders: PreparedStatement
  private let products: PreparedStatement
  private let variants: PreparedStatement
  private let change: PreparedStatement
  private let head: PreparedStatement

  init(prepare: (String) throws -> PreparedStatement) rethrows {
    // What has an id, by the path of the object that the id stands in.
    let paths =
      "SELECT path FROM entity, json_tree(body) leaf WHERE place = ? AND key = 'id' AND atom = ? AND "
    revision = try prepare(
      """
      UPDATE entity SET body = json_set(body, '$.revision', ?) \
      WHERE kind = \(EntityKind.head.rawValue)
      """)
    availability = try prepare(
      """
      UPDATE entity SET body = json_set(body, '$.availability', ?) \
      WHERE kind = \(EntityKind.product.rawValue) AND id = ?
      """)
    holders = try prepare(
      """
      SELECT entity, kind FROM holder JOIN entity ON place = entity \
      WHERE held = ? AND holder.id = ?
      """)
    products = try prepare(paths + "path LIKE '%.product'")
    variants = try prepare(paths + "path LIKE '%.variants[%]'")
    change = try prepare("UPDATE entity SET body = json_set(body, ?, ?) WHERE place = ?")
    head = try prepare("UPDATE entity SET body = ? WHERE kind = \(EntityKind.head.rawValue)")
  }

  /// Gives the head other bytes.
  func replaceHead(by entity: StoredEntity) throws { try head.run(utf8: entity.body) }

  /// Whether the menu has a variant of its own.
  func hasVariant(_ id: Int) throws -> Bool {
    try holders(of: .variant, id).contains { $0.kind == Int(EntityKind.product.rawValue) }
  }

  /// Applies all but what a patch says of the stop list. To be called in a transaction, which an error
  /// has to undo.
  func apply(_ patch: MenuPatch) throws {
    for change in patch.availability { try apply(change) }
    for change in patch.prices { try apply(change) }
    try revision.run { $0.put(patch.revision) }
  }

  private func apply(_ patch: MenuPatch.AvailabilityChange) throws {
    let found = try availability.update {
      $0.put(patch.availability.rawValue)
      $0.put(patch.productID)
    }
    guard found > 0 else { throw UnknownPatchTarget(entity: .product, id: patch.productID) }
    for holder in try holders(of: .product, patch.productID) {
      try set("availability", at: products, patch.productID, in: holder.place) {
        $0.put(patch.availability.rawValue)
      }
    }
  }

  private func apply(_ patch: MenuPatch.PriceChange) throws {
    let holders = try holders(of: .variant, patch.variantID)
    guard holders.contains(where: { $0.kind == Int(EntityKind.product.rawValue) }) else {
      throw UnknownPatchTarget(entity: .variant, id: patch.variantID)
    }
    for holder in holders {
      try set("price", at: variants, patch.variantID, in: holder.place) { $0.put(patch.price) }
    }
  }

  private func holders(
    of held: EntityHolder.Held, _ id: Int
  ) throws -> [(place: Int, kind: Int)] {
    try holders.rows {
      $0.put(Int(held.rawValue))
      $0.put(id)
    } _: {
      ($0.int(), $0.int())
    }
  }

  private func set(
    _ field: String, at paths: PreparedStatement, _ id: Int, in place: Int,
    _ putValue: (inout RowBinder) -> Void
  ) throws {
    let found = try paths.rows {
      $0.put(place)
      $0.put(id)
    } _: {
      try $0.text()
    }
    for path in found {
      try change.run {
        $0.put("\(path).\(field)")
        putValue(&$0)
        $0.put(place)
      }
    }
  }
}
