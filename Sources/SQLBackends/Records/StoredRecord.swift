import BackendKit
import GRDB
import MenuModel

/// A record as GRDB's documentation recommends it: a struct a table, whose columns are its
/// properties by `Codable`'s own names.
protocol StoredRecord: Codable, FetchableRecord, PersistableRecord, Hashable, Sendable {
  /// Makes the record's table, as the migration that brought it.
  static func createTable(_ db: Database) throws
  /// Names the columns of that table.
  static func define(_ t: TableDefinition)
}

extension StoredRecord {
  /// STRICT for the sake of one thing: an ANY column keeps a floating-point number bit by bit, where a
  /// REAL one stores whole numbers as integers and so loses the sign of -0.
  static func createTable(_ db: Database) throws {
    try db.create(table: databaseTableName, options: .strict, body: define)
  }
}

/// A record that stands in a list: of the menu, or of the record that it belongs to.
protocol OrderedRecord: StoredRecord {
  /// Its place in the list, from 0.
  var position: Int { get }
}

/// A record of a list whose owner is another record.
protocol ListRecord: OrderedRecord {
  /// The owner's table.
  static var owner: String { get }
}

extension ListRecord {
  /// Its key is the owner and the place in its list: one B-tree in the order in which it is read.
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
  /// Columns that must not be NULL.
  func required(_ type: Database.ColumnType, _ names: String...) {
    for name in names { column(name, type).notNull() }
  }
}

extension DerivableRequest where RowDecoder: OrderedRecord {
  /// In the order of the list.
  func ordered() -> Self { order(GRDB.Column("position")) }
}

/// Takes the records of a menu one after another.
protocol RecordSink {
  mutating func take(_ record: some StoredRecord) throws
}

/// Inserts every record, parents before what belongs to them.
struct RecordInserter: RecordSink {
  let db: Database

  func take(_ record: some StoredRecord) throws { try record.insert(db) }
}

/// Counts the bytes of what is inserted: 8 for a number, its UTF-8 length for a text, none for NULL.
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

// Columns of text.
extension Product.Kind: DatabaseValueConvertible {}
extension Product.Availability: DatabaseValueConvertible {}
extension Allergen: DatabaseValueConvertible {}
extension OrderType: DatabaseValueConvertible {}
extension Entity: DatabaseValueConvertible {}
