extension ObjectSession {
  /// Every row of a table.
  func all<Row: GraphRow>(_ type: Row.Type) throws -> [Row] {
    try query(.all, type) { Row.table.selection() }.rows { try Row(from: &$0) }
  }

  /// Removes every row of a table.
  func deleteAll<Row: GraphRow>(_ type: Row.Type) throws {
    try query(.deleteAll, type) { Row.table.deletion }.run()
  }

  /// Adds rows.
  func insert<Row: GraphRow>(_ rows: [Row]) throws {
    let query = try query(.insert, Row.self, times: rows.count) { Row.table.insertion }
    for row in rows { try query.run { row.put(into: &$0) } }
  }

  /// Adds a row.
  func insert<Row: GraphRow>(_ row: Row) throws { try insert([row]) }

  /// Gives an object's row other values.
  func update<Object: StoredObject>(_ row: Stored<Object>) throws {
    let query = try query(.update, Stored<Object>.self) { Stored<Object>.table.update }
    try query.run { row.put(into: &$0) }
  }

  /// Removes an object.
  func delete<Object: StoredObject>(_ type: Object.Type, _ key: Int) throws {
    let query = try query(.delete, Stored<Object>.self) {
      "DELETE FROM \(Object.entity) WHERE pk = ?"
    }
    try query.run { $0.put(key) }
  }

  /// Removes the links of a source.
  func removeLinks<R: Relation>(_ type: R.Type, of source: Int) throws {
    let query = try query(.delete, Link<R>.self) { "DELETE FROM \(R.name) WHERE source = ?" }
    try query.run { $0.put(source) }
  }
}

extension Table {
  /// Changes the row of a key; parameters are those of the INSERT.
  fileprivate var update: String {
    let values = columns.enumerated().map { "\($1.name) = ?\($0 + 1)" }.dropFirst()
    return "UPDATE \(name) SET \(values.joined(separator: ", ")) WHERE pk = ?1"
  }
}
