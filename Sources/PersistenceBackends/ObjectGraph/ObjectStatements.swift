import GRDB

/// The statements of a connection, each prepared when it is first needed and kept.
final class ObjectStatements {
  /// What a statement does with its table.
  enum Operation: Hashable {
    case all, one, several, find, keys, greatest, insert, update, delete, deleteAll
    /// A statement of its own, by its text.
    case other(String)
  }

  private struct Name: Hashable {
    let operation: Operation
    let row: ObjectIdentifier?
  }

  private var prepared: [Name: (owner: Statement, query: ObjectQuery)] = [:]
  /// How many statements were run; one that is run for many rows in a loop counts once a row.
  private(set) var executions = 0

  /// A statement about to be run.
  func query(
    _ operation: Operation, _ row: Any.Type? = nil, times: Int = 1, on connection: Database,
    _ sql: () -> String
  ) throws -> ObjectQuery {
    executions += times
    let name = Name(operation: operation, row: row.map { ObjectIdentifier($0) })
    if let known = prepared[name] { return known.query }
    // GRDB's cache is what prepares persistent statements; it may forget them, we don't.
    let statement = try connection.cachedStatement(sql: sql())
    let query = ObjectQuery(statement.sqliteStatement)
    prepared[name] = (statement, query)
    return query
  }
}
