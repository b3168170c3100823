import GRDB
import MenuModel

/// A record as GRDB's documentation recommends it: a struct a table, whose columns are its
/// properties by `Codable`'s own names.
protocol StoredRecord: Codable, FetchableRecord, PersistableRecord, Hashable, Sendable {}

/// A record that stands in a list: of the menu, or of the record that it belongs to.
protocol OrderedRecord: StoredRecord {
  /// Its place in the list, from 0.
  var position: Int { get }
}

extension DerivableRequest where RowDecoder: OrderedRecord {
  /// In the order of the list.
  func ordered() -> Self { order(GRDB.Column("position")) }
}

/// Takes the records of a menu one after another.
protocol RecordSink {
  /// Takes a record.
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

/// A column of text.
extension Product.Kind: DatabaseValueConvertible {}
/// A column of text.
extension Product.Availability: DatabaseValueConvertible {}
/// A column of text.
extension Entity: DatabaseValueConvertible {}
