import Foundation
import MenuModel

/// The statements of a document store, prepared once.
struct DocumentStatements {
  private let deletions: [DocumentStatement]
  private let insertion: DocumentStatement
  private let holding: DocumentStatement
  private let selection: DocumentStatement
  private let lookup: DocumentStatement
  private let search: DocumentStatement
  private let listing: DocumentStatement
  private let shelf: DocumentStatement
  let patching: PatchStatements

  /// Prepares them; whoever prepares keeps and finalises them.
  init(prepare: (String) throws -> OpaquePointer) rethrows {
    func statement(_ sql: String) throws -> DocumentStatement {
      DocumentStatement(try prepare(sql))
    }
    deletions = [try statement("DELETE FROM holder"), try statement("DELETE FROM entity")]
    insertion = try statement(
      "INSERT INTO entity (place, kind, id, position, body) VALUES (?, ?, ?, ?, ?)")
    holding = try statement("INSERT INTO holder (held, id, entity) VALUES (?, ?, ?)")
    selection = try statement("SELECT kind, id, position, body FROM entity ORDER BY place")
    lookup = try statement(
      """
      SELECT kind, id, position, body FROM entity WHERE kind = ? AND id = ? \
      ORDER BY position LIMIT 1
      """)
    // Left to itself, SQLite 3.40 takes the key's index, works every name out of its JSON and sorts.
    search = try statement(
      """
      SELECT id FROM entity INDEXED BY entity_name \
      WHERE kind = \(EntityKind.product.rawValue) AND instr(name_key, ?) ORDER BY name_key, id
      """)
    listing = try statement(
      """
      SELECT kind, id, position, body FROM entity WHERE kind = ? ORDER BY position LIMIT ?
      """)
    shelf = try statement(
      """
      SELECT kind, id, position, body FROM entity INDEXED BY entity_shelf \
      WHERE kind = \(EntityKind.product.rawValue) AND category_id = ? ORDER BY position
      """)
    patching = try PatchStatements(prepare: prepare)
  }

  /// Removes the old menu and adds the new. To be called in a transaction.
  ///
  /// A DELETE without a condition frees a table's pages without a look at its rows
  /// (sqlite.org/lang_delete.html, the truncate optimisation).
  func replace(with payload: MenuEntities) throws {
    for deletion in deletions { try deletion.run() }
    for (place, entity) in payload.entities.enumerated() {
      try insertion.run(
        .int(place), .int(Int(entity.key.kind.rawValue)), .int(entity.key.id),
        .int(entity.key.position), .body(entity.body))
    }
    for holder in payload.holders {
      try holding.run(.int(Int(holder.held.rawValue)), .int(holder.id), .int(holder.entity))
    }
  }

  /// Every entity. To be called in a transaction.
  func fetch() throws -> MenuEntities {
    let entities = try selection.all(taking: entity)
    guard !entities.isEmpty else { throw SQLiteFailure("nothing was written") }
    return MenuEntities(entities: entities)
  }

  /// Throws where no menu was written.
  func checkWritten() throws {
    guard try first(.head, 0) != nil else { throw SQLiteFailure("nothing was written") }
  }

  /// The ids of products whose name's key holds another, by key and id.
  func products(withKey key: String) throws -> [Int] {
    try search.all(.text(key)) { $0.int(0) }
  }

  private func entity(_ row: DocumentRow) throws -> StoredEntity {
    guard let kind = UInt8(exactly: row.int(0)).flatMap(EntityKind.init) else {
      throw SQLiteFailure("there is no entity of kind \(row.int(0))")
    }
    return StoredEntity(
      key: EntityKey(kind: kind, id: row.int(1), position: row.int(2)), body: row.data(3))
  }
}

extension DocumentStatements: EntityLookup {
  func first(_ kind: EntityKind, _ id: Int) throws -> StoredEntity? {
    try lookup.first(.int(Int(kind.rawValue)), .int(id), taking: entity)
  }
}

extension DocumentStatements: ScreenLookup {
  func entities(_ kind: EntityKind, first count: Int) throws -> [StoredEntity] {
    try listing.all(.int(Int(kind.rawValue)), .int(count), taking: entity)
  }

  /// By the index of shelves, one after another.
  func shelf(_ categories: [MenuModel.Category], _ coder: EntityCoder) throws -> [Product] {
    for category in categories {
      let products = try shelf.all(.int(category.id), taking: entity)
      if !products.isEmpty { return try products.map { try coder.decode(Product.self, $0) } }
    }
    return []
  }
}
