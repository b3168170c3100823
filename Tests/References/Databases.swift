import CLMDB
import Foundation
import GRDBSQLite
import LMDBBackends
import MenuModel
import PersistenceBackends
import SQLBackends
import SwiftProtobuf

/// Stores that backends made, for what a reference takes from them: rows, entries, messages.
enum Stores {
  static func made<Result>(
    by entry: BackendEntry<Menu>, of menu: Menu, _ take: (String) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.path + "/made-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let backend = try entry.open(StoreContext(folder: folder, durability: .atomic))
    try backend.save(menu)
    try backend.close()
    return try take(folder)
  }
}

/// The rows of each table, as values of any type.
typealias Rows = [[[Value]]]

enum Value: Equatable {
  case null
  case int(Int64)
  case real(Double)
  case text(String)

  var string: String? { if case .text(let text) = self { text } else { nil } }
}

/// The tables that the `sqlite` backend makes of a menu.
struct Tables {
  let schema: [String]
  let names: [String]
  let insertions: [String]
  let rows: Rows

  init(of menu: Menu) throws {
    (schema, names, rows) = try Stores.made(by: .sqlite, of: menu) { folder in
      let connection = try SQLiteAlone.Connection(folder + "/menu.sqlite")
      let definitions = try connection.all(
        "SELECT sql, type = 'table' AND name NOT LIKE 'sqlite_%', name FROM sqlite_master "
          + "WHERE sql IS NOT NULL")
      let names = definitions.filter { $0[1] == .int(1) }.compactMap { $0[2].string }
      let rows = try names.map { try connection.all("SELECT * FROM \($0)") }
      return (definitions.compactMap { $0[0].string }, names, rows)
    }
    insertions = zip(names, rows).map { name, rows in
      let values = (rows.first ?? []).map { _ in "?" }.joined(separator: ", ")
      return values.isEmpty ? "SELECT 1" : "INSERT INTO \(name) VALUES (\(values))"
    }
  }
}

/// Tables by one library: all rows are deleted and inserted in one transaction, and read back.
///
/// The settings are the backend's: a log, synchronous NORMAL, foreign keys that are looked at once before
/// the commit, and no row twice in memory.
protocol RowStore {
  init(_ path: String, _ tables: Tables) throws
  func replace(with rows: Rows) throws
  func read() throws -> Rows
  func checkpoint() throws
  func releaseMemory()
}

extension RowStore {
  static func measure() throws -> Laps {
    let tables = try References.menus.map { try Tables(of: $0) }
    var opened: Self?
    return try Laps.run { laps, turn, folder in
      let store = try opened ?? Self(folder + "/rows.sqlite", tables[0])
      opened = store
      let rows = tables[turn % 2].rows
      try laps.time("write") { try store.replace(with: rows) }
      // As often as a log is full: 3 saves of it are more than 1,000 pages.
      if turn % 3 == 2 { try store.checkpoint() }
      store.releaseMemory()
      let found = try laps.time("read") { try store.read() }
      guard found == rows else { throw Problem("\(Self.self) gave other rows") }
    }
  }
}

/// SQLite's C functions alone, with statements that are prepared once.
final class SQLiteAlone: RowStore {
  private let connection: Connection
  private let deletions: [OpaquePointer]
  private let insertions: [OpaquePointer]
  private let selections: [OpaquePointer]

  init(_ path: String, _ tables: Tables) throws {
    let connection = try Connection(path)
    self.connection = connection
    for pragma in [
      "journal_mode = wal", "synchronous = NORMAL", "foreign_keys = OFF",
      "wal_autocheckpoint = 0",
    ] { try connection.run("PRAGMA \(pragma)") }
    for sql in tables.schema { try connection.run(sql) }
    deletions = try tables.names.reversed().map { try connection.prepare("DELETE FROM \($0)") }
    insertions = try tables.insertions.map { try connection.prepare($0) }
    selections = try tables.names.map { try connection.prepare("SELECT * FROM \($0)") }
  }

  func replace(with rows: Rows) throws {
    try connection.run("BEGIN IMMEDIATE")
    for deletion in deletions { try connection.step(deletion) }
    for (table, insertion) in zip(rows, insertions) {
      for row in table {
        connection.bind(row, to: insertion)
        try connection.step(insertion)
      }
    }
    guard try connection.all("PRAGMA foreign_key_check").isEmpty else {
      throw Problem("SQLite holds rows that name none")
    }
    try connection.run("COMMIT")
  }

  func read() throws -> Rows {
    try connection.run("BEGIN")
    let rows = try selections.map { try connection.rows($0) }
    try connection.run("COMMIT")
    return rows
  }

  func checkpoint() throws { try connection.run("PRAGMA wal_checkpoint") }

  func releaseMemory() { sqlite3_db_release_memory(connection.handle) }

  final class Connection {
    private(set) var handle: OpaquePointer?

    init(_ path: String) throws {
      guard sqlite3_open(path, &handle) == SQLITE_OK else { throw problem }
      // An index of the schema is by this function of the names.
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
      let code = sqlite3_create_function_v2(
        handle, "name_key", 1, flags, nil,
        { context, _, arguments in
          guard let name = sqlite3_value_text(arguments?.pointee) else {
            return sqlite3_result_null(context)
          }
          let key = NameSearch.key(String(cString: name))
          sqlite3_result_text(context, key, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }, nil, nil, nil)
      guard code == SQLITE_OK else { throw problem }
    }

    private var problem: Problem { Problem(String(cString: sqlite3_errmsg(handle))) }

    func run(_ sql: String) throws {
      guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw problem }
    }

    func prepare(_ sql: String) throws -> OpaquePointer {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement
      else { throw problem }
      return statement
    }

    func all(_ sql: String) throws -> [[Value]] {
      let statement = try prepare(sql)
      defer { sqlite3_finalize(statement) }
      return try rows(statement)
    }

    func step(_ statement: OpaquePointer) throws {
      guard sqlite3_step(statement) == SQLITE_DONE else { throw problem }
      sqlite3_reset(statement)
    }

    func bind(_ row: [Value], to statement: OpaquePointer) {
      // SQLITE_TRANSIENT: SQLite copies the text.
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      for (index, value) in row.enumerated() {
        let place = Int32(index + 1)
        switch value {
        case .null: sqlite3_bind_null(statement, place)
        case .int(let int): sqlite3_bind_int64(statement, place, int)
        case .real(let real): sqlite3_bind_double(statement, place, real)
        case .text(var text):
          text.withUTF8 {
            _ = $0.withMemoryRebound(to: CChar.self) {
              sqlite3_bind_text(statement, place, $0.baseAddress, Int32($0.count), copied)
            }
          }
        }
      }
    }

    func rows(_ statement: OpaquePointer) throws -> [[Value]] {
      defer { sqlite3_reset(statement) }
      var rows: [[Value]] = []
      let columns = sqlite3_column_count(statement)
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_DONE: return rows
        case SQLITE_ROW: rows.append((0..<columns).map { value(statement, $0) })
        default: throw problem
        }
      }
    }

    private func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .int(sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
      case SQLITE_NULL: .null
      default:
        .text(
          String(
            decoding: UnsafeRawBufferPointer(
              start: sqlite3_column_text(statement, column),
              count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self))
      }
    }
  }
}

/// LMDB's functions and swift-protobuf alone. Each entity's message is encoded and decoded. Every
/// entry of the `lmdb` backend's store is put into a store in one transaction, and copied out of
/// it.
enum LMDBAlone {
  private struct Entry: Equatable {
    var key: [UInt8]
    var value: Data
  }

  static func measure() throws -> Laps {
    let entries = try References.menus.map { menu in
      try Stores.made(by: .lmdb, of: menu) { folder in
        let store = try Store(folder)
        defer { store.close() }
        return try store.read()
      }
    }
    let messages = try References.menus.map { Messages(try ProtobufAlone.message(of: $0)) }
    var opened: Store?
    return try Laps.run { laps, turn, folder in
      let store = try opened ?? Store(folder)
      opened = store
      let message = messages[turn % 2]
      let bytes = try laps.time("encode") { try message.bytes() }
      // The write frees what it wrote, as the backend's does.
      var payload = entries[turn % 2].map { Entry(key: $0.key, value: Data(Array($0.value))) }
      try laps.time("write") {
        try store.replace(with: payload)
        payload = []
      }
      let found = try laps.time("read") { try store.read() }
      guard found == entries[turn % 2] else { throw Problem("LMDB gave other entries") }
      let read = try laps.time("decode") { try Messages(bytes) }
      guard read == message else { throw Problem("swift-protobuf gave other messages") }
    }
  }

  /// The entities of a menu as messages.
  private struct Messages: Equatable {
    private let categories: [PBCategory]
    private let ingredients: [PBIngredient]
    private let modifierGroups: [PBModifierGroup]
    private let products: [PBProduct]
    private let optionLists: [PBOptionList]
    private let combos: [PBCombo]
    private let translations: [PBMenu]

    init(_ menu: PBMenu) {
      categories = menu.categories
      ingredients = menu.ingredients
      modifierGroups = menu.modifierGroups
      products = menu.products
      optionLists = menu.optionLists
      combos = menu.combos
      let all = menu.translations
      translations = stride(from: 0, to: all.count, by: 64).map { start in
        PBMenu.with { $0.translations = Array(all[start..<min(start + 64, all.count)]) }
      }
    }

    init(_ bytes: [[Data]]) throws {
      categories = try bytes[0].map { try PBCategory(serializedBytes: $0) }
      ingredients = try bytes[1].map { try PBIngredient(serializedBytes: $0) }
      modifierGroups = try bytes[2].map { try PBModifierGroup(serializedBytes: $0) }
      products = try bytes[3].map { try PBProduct(serializedBytes: $0) }
      optionLists = try bytes[4].map { try PBOptionList(serializedBytes: $0) }
      combos = try bytes[5].map { try PBCombo(serializedBytes: $0) }
      translations = try bytes[6].map { try PBMenu(serializedBytes: $0) }
    }

    func bytes() throws -> [[Data]] {
      [
        try categories.map { try $0.serializedBytes() },
        try ingredients.map { try $0.serializedBytes() },
        try modifierGroups.map { try $0.serializedBytes() },
        try products.map { try $0.serializedBytes() },
        try optionLists.map { try $0.serializedBytes() },
        try combos.map { try $0.serializedBytes() },
        try translations.map { try $0.serializedBytes() },
      ]
    }
  }

  private final class Store {
    private var environment: OpaquePointer?
    private var database: MDB_dbi = 0

    init(_ folder: String) throws {
      try check(mdb_env_create(&environment))
      try check(mdb_env_set_mapsize(environment, 1 << 28))
      try check(mdb_env_open(environment, folder, UInt32(MDB_NOMETASYNC), 0o644))
      try transaction(UInt32(0)) { try check(mdb_dbi_open($0, nil, 0, &database)) }
    }

    func close() { mdb_env_close(environment) }

    func replace(with entries: [Entry]) throws {
      try transaction(0) { transaction in
        try check(mdb_drop(transaction, database, 0))
        for entry in entries {
          try entry.key.withUnsafeBytes { key in
            try entry.value.withUnsafeBytes { value in
              var (name, body) = (Self.value(key), Self.value(value))
              try check(mdb_put(transaction, database, &name, &body, UInt32(MDB_APPEND)))
            }
          }
        }
      }
    }

    func read() throws -> [Entry] {
      var entries: [Entry] = []
      try transaction(UInt32(MDB_RDONLY)) { transaction in
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, database, &cursor))
        defer { mdb_cursor_close(cursor) }
        var (key, value) = (MDB_val(), MDB_val())
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
          entries.append(
            Entry(
              key: Array(UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)),
              value: Data(bytes: value.mv_data, count: value.mv_size)))
        }
      }
      return entries
    }

    private func transaction(_ flags: UInt32, _ work: (OpaquePointer?) throws -> Void) throws {
      var transaction: OpaquePointer?
      try check(mdb_txn_begin(environment, nil, flags, &transaction))
      do { try work(transaction) } catch {
        mdb_txn_abort(transaction)
        throw error
      }
      try check(mdb_txn_commit(transaction))
    }

    private static func value(_ bytes: UnsafeRawBufferPointer) -> MDB_val {
      MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    private func check(_ code: Int32) throws {
      guard code == MDB_SUCCESS else { throw Problem(String(cString: mdb_strerror(code))) }
    }
  }
}
