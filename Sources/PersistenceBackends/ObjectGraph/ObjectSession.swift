import GRDB

/// Objects and links in a transaction.
struct ObjectSession {
  let connection: Database
  let statements: ObjectStatements
  let access: ObjectAccess

  /// Objects by their keys, in the order of the keys where they come in one SELECT.
  ///
  /// - Throws: ``SQLiteFailure`` where one does not exist.
  func objects<Object: StoredObject>(
    _ type: Object.Type, _ keys: [Int]
  ) throws -> [Stored<Object>] {
    guard !keys.isEmpty else { return [] }
    let rows =
      switch access {
      case .faulting: try keys.flatMap { try one(Stored<Object>.self, by: "pk", $0) }
      case .prefetching: try several(Stored<Object>.self, by: "pk", keys)
      }
    guard rows.count == keys.count else {
      throw SQLiteFailure(
        "\(rows.count) of \(keys.count) \(Object.entity) objects that something links to exist")
    }
    return rows
  }

  /// The links of sources, each source's in their order.
  func links<R: Relation>(_ type: R.Type, of sources: [Int]) throws -> [Link<R>] {
    switch access {
    case .faulting: try sources.flatMap { try one(Link<R>.self, by: "source", $0) }
    case .prefetching: try several(Link<R>.self, by: "source", sources)
    }
  }

  /// The key of the menu.
  ///
  /// - Throws: ``SQLiteFailure`` where there is none, as before the first write.
  func root() throws -> Int {
    let keys = try keys(MenuObject.self)
    guard let root = keys.first else { throw SQLiteFailure("nothing was written") }
    guard keys.count == 1 else { throw SQLiteFailure("\(keys.count) menus instead of one") }
    return root
  }

  /// The key of what has an id among the parts of an owner; 0 is the menu.
  func key<Object: StoredObject>(
    _ type: Object.Type, id: Int, owner: Int = 0
  ) throws -> Int? {
    let query = try query(.find, Stored<Object>.self) {
      "SELECT pk FROM \(Object.entity) WHERE id = ? AND owner = ?"
    }
    return try query.rows {
      $0.put(id)
      $0.put(owner)
    } _: {
      $0.int()
    }.first
  }

  /// Every key of a kind.
  func keys<Object: StoredObject>(_ type: Object.Type) throws -> [Int] {
    let query = try query(.keys, Stored<Object>.self) { "SELECT pk FROM \(Object.entity)" }
    return try query.rows { $0.int() }
  }

  /// The greatest key of a kind, 0 where there is no object.
  func greatestKey<Object: StoredObject>(_ type: Object.Type) throws -> Int {
    let query = try query(.greatest, Stored<Object>.self) {
      "SELECT ifnull(max(pk), 0) FROM \(Object.entity)"
    }
    return try query.rows { $0.int() }.first ?? 0
  }

  /// A statement about to be run.
  func query(
    _ operation: ObjectStatements.Operation, _ row: Any.Type? = nil, times: Int = 1,
    _ sql: () -> String
  ) throws -> ObjectQuery {
    try statements.query(operation, row, times: times, on: connection, sql)
  }

  private func one<Row: GraphRow>(
    _ type: Row.Type, by column: String, _ key: Int
  ) throws -> [Row] {
    let query = try query(.one, type) { Row.table.selection(where: "\(column) = ?") }
    return try query.rows {
      $0.put(key)
    } _: {
      try Row(from: &$0)
    }
  }

  private func several<Row: GraphRow>(
    _ type: Row.Type, by column: String, _ keys: [Int]
  ) throws -> [Row] {
    let query = try query(.several, type) {
      Row.table.selection(where: "\(column) IN (SELECT value FROM json_each(?))")
    }
    // Whole numbers only: this is JSON.
    let list = "[" + keys.map(String.init).joined(separator: ",") + "]"
    return try query.rows {
      $0.put(list)
    } _: {
      try Row(from: &$0)
    }
  }
}
