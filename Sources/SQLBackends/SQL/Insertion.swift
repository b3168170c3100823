import BackendKit
import GRDBSQLite

/// The INSERTs of a table: one for several rows and one for a single row.
struct Insertion {
  private let atOnce: Int
  private let several: PreparedStatement
  private let one: PreparedStatement

  init(into table: Table, prepare: (String) throws -> PreparedStatement) rethrows {
    atOnce = table.rowsAtOnce
    several = try prepare(table.insertion(of: atOnce))
    one = try prepare(table.insertion())
  }

  func add<Row: TableRow>(_ rows: [Row]) throws {
    let rest = rows.count - rows.count % atOnce
    if rest > 0 {
      var binder = RowsBinder(several)
      for first in stride(from: 0, to: rest, by: atOnce) {
        for index in first..<first + atOnce { binder.put(rows[index]) }
        try binder.run()
      }
    }
    guard rest < rows.count else { return }
    var binder = RowsBinder(one)
    for index in rest..<rows.count {
      binder.put(rows[index])
      try binder.run()
    }
  }
}

/// Binds rows to the parameters of a statement and runs it repeatedly.
///
/// The texts are joined in one buffer, and SQLite reads them there. ``RowBinder`` makes SQLite
/// allocate and copy each text.
private struct RowsBinder: ValueSink {
  private let statement: PreparedStatement
  private var code = SQLITE_OK
  private var index: Int32 = 0
  private var bytes: [UInt8] = []
  private var texts: [(parameter: Int32, place: Range<Int>)] = []

  init(_ statement: PreparedStatement) { self.statement = statement }

  /// Binds a row for the next run.
  @inline(__always)
  mutating func put(_ row: some TableRow) {
    var row = row
    row.fields(&self)
  }

  mutating func put(_ number: Int) {
    check(sqlite3_bind_int64(statement.handle, next(), Int64(number)))
  }

  mutating func put(_ number: Double) {
    check(sqlite3_bind_double(statement.handle, next(), number))
  }

  mutating func put(_ text: String) {
    let start = bytes.count
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
    texts.append((next(), start..<bytes.count))
  }

  mutating func putNull() { check(sqlite3_bind_null(statement.handle, next())) }

  mutating func run() throws {
    guard code == SQLITE_OK else { throw statement.failure(code) }
    try bytes.withUnsafeBytes { bytes in
      // A null address would bind NULL instead of an empty text.
      let start = bytes.baseAddress ?? UnsafeRawPointer(Self.nothing.utf8Start)
      for (parameter, place) in texts {
        let text = (start + place.lowerBound).assumingMemoryBound(to: CChar.self)
        // nil is SQLITE_STATIC: SQLite does not copy. The bytes outlive the run.
        let code = sqlite3_bind_text64(
          statement.handle, parameter, text, UInt64(place.count), nil, UInt8(SQLITE_UTF8))
        guard code == SQLITE_OK else { throw statement.failure(code) }
      }
      try statement.run()
    }
    index = 0
    bytes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
  }

  private static let nothing: StaticString = ""

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  private mutating func check(_ result: Int32) { if code == SQLITE_OK { code = result } }
}
