import GRDB
import MenuModel

/// GRDB alone: one statement for each table, as its author [inserts many
/// rows](https://github.com/groue/GRDB.swift/blob/v7.10.0/Tests/Performance/GRDBPerformance/InsertRecordOptimizedTests.swift),
/// and a cursor of rows with columns by index.
final class GRDBAlone: RowStore {
  private let queue: DatabaseQueue
  private let tables: Tables

  init(_ path: String, _ tables: Tables) throws {
    self.tables = tables
    var configuration = Configuration()
    // With synchronous NORMAL.
    configuration.journalMode = .wal
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      database.add(
        function: DatabaseFunction("name_key", argumentCount: 1, pure: true) { values in
          String.fromDatabaseValue(values[0]).map { NameSearch.key($0) }
        })
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { database in
      for sql in tables.schema { try database.execute(sql: sql) }
    }
  }

  func replace(with rows: Rows) throws {
    try queue.write { database in
      for name in tables.names.reversed() { try database.execute(sql: "DELETE FROM \(name)") }
      for (table, insertion) in zip(rows, tables.insertions) {
        let statement = try database.makeStatement(sql: insertion)
        for row in table {
          statement.setUncheckedArguments(StatementArguments(row))
          try statement.execute()
        }
      }
      try database.checkForeignKeys()
    }
  }

  func read() throws -> Rows {
    try queue.read { database in
      try tables.names.map { name in
        var rows: [[Value]] = []
        let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM \(name)")
        while let row = try cursor.next() {
          rows.append((0..<row.count).map { row[$0] as Value })
        }
        return rows
      }
    }
  }

  func checkpoint() throws { try queue.writeWithoutTransaction { _ = try $0.checkpoint() } }

  func releaseMemory() { queue.releaseMemory() }
}

extension Value: DatabaseValueConvertible {
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .int(let int): int.databaseValue
    case .real(let real): real.databaseValue
    case .text(let text): text.databaseValue
    }
  }

  static func fromDatabaseValue(_ found: DatabaseValue) -> Value? {
    switch found.storage {
    case .null: Value.null
    case .int64(let int): .int(int)
    case .double(let real): .real(real)
    case .string(let text): .text(text)
    case .blob: nil
    }
  }
}
