import BackendKit
import GRDB
import MenuModel

/// A record as GRDB's documentation recommends: one struct per table. The columns have the names of
/// its `Codable` properties.
protocol StoredRecord: Codable, FetchableRecord, PersistableRecord, Hashable, Sendable {
  /// Creates the record's table, as its migration does.
  static func createTable(_ db: Database) throws
  /// Defines the columns of the table.
  static func define(_ t: TableDefinition)
}

extension StoredRecord {
  /// The table is STRICT only because an ANY column then keeps every bit of a floating-point number. A
  /// REAL column would store whole numbers as integers and lose the sign of -0.
  static func createTable(_ db: Database) throws {
    try db.create(table: databaseTableName, options: .strict, body: define)
  }
}

/// A record with a position in a list of the menu or of a parent record.
protocol OrderedRecord: StoredRecord {
  /// Its position in the list, from 0.
  var position: Int { get }
}

/// A record of a list whose owner is another record.
protocol ListRecord: OrderedRecord {
  /// The owner's table.
  static var owner: String { get }
}

extension ListRecord {
  /// The key is the owner and the position: one B-tree in the order in which it is read.
  static func createTable(_ db: Database) throws {
    try db.create(table: databaseTableName, options: [.strict, .withoutRowID]) { t in
      t.primaryKey {
        t.belongsTo(owner)
        t.required(.integer, "position")
      }
      define(t)
    }
  }
}

extension TableDefinition {
  /// Defines NOT NULL columns.
  func required(_ type: Database.ColumnType, _ names: String...) {
    for name in names { column(name, type).notNull() }
  }
}

extension DerivableRequest where RowDecoder: OrderedRecord {
  /// Sorts by the position in the list.
  func ordered() -> Self { order(GRDB.Column("position")) }
}

/// Takes the records of a menu one after another.
protocol RecordSink {
  mutating func take(_ record: some StoredRecord) throws
}

/// Inserts every record, in the order in which it gets them.
struct RecordInserter: RecordSink {
  let db: Database

  func take(_ record: some StoredRecord) throws { try record.insert(db) }
}

/// Counts the bytes that are inserted: 8 for a number, the UTF-8 length of a text, 0 for NULL.
struct RecordCounter: RecordSink {
  private(set) var bytes = 0

  mutating func take(_ record: some StoredRecord) throws {
    for value in try record.databaseDictionary.values {
      switch value.storage {
      case .null: break
      case .int64, .double: bytes += 8
      case .string(let text): bytes += text.utf8.count
      case .blob(let data): bytes += data.count
      }
    }
  }
}

// These enums are stored in text columns.
extension Product.Kind: DatabaseValueConvertible {}
extension Product.Availability: DatabaseValueConvertible {}
extension Allergen: DatabaseValueConvertible {}
extension OrderType: DatabaseValueConvertible {}
extension Entity: DatabaseValueConvertible {}
