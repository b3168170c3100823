import MenuModel

extension SchemaChange {
  /// The number of this program's schema (`user_version`).
  static let currentSchema = allCases.count

  /// The number of the schema on the other side of the change. The older schemas are 1 to 4, and each
  /// differs from this program's in one change, so that its cost is measured alone. The newer is 6.
  var schema: Int {
    guard self != .back else { return Self.currentSchema + 1 }
    return Self.allCases.prefix { $0 != self }.count + 1
  }
}

/// A change of one table: the columns that it gains, each with the expression that fills it, and the
/// columns that it loses.
struct TableChange: Sendable {
  let table: Table
  let gains: [Gain]
  let losses: [Column]
  /// The indexes after the change, or nil if the others remain as they are.
  var indexes: [String]?

  struct Gain: Sendable {
    let column: Column
    /// The expression over the old columns that fills it, or nil if it keeps its default.
    var value: String?
  }

  /// The statements that change the table and its indexes.
  var statements: [String] {
    lost.map { "DROP INDEX \(table.index(on: $0))" } + columnStatements
      + changed.indexes.filter { !table.indexes.contains($0) }.map(changed.creation(ofIndex:))
  }

  /// The statements that change its columns. One UPDATE fills all new columns: ADD COLUMN changes no
  /// row, but DROP COLUMN rewrites all (sqlite.org/lang_altertable.html).
  var columnStatements: [String] {
    let values = gains.compactMap { gain in gain.value.map { "\(gain.column.name) = \($0)" } }
    let filling =
      values.isEmpty ? [] : ["UPDATE \(table.name) SET \(values.joined(separator: ", "))"]
    return gains.map { "ALTER TABLE \(table.name) ADD COLUMN \($0.column.sql)" } + filling
      + losses.map { "ALTER TABLE \(table.name) DROP COLUMN \($0.name)" }
  }

  /// The table as SQLite declares it after the change: new columns come last.
  var changed: Table {
    let names = Set(losses.map(\.name))
    return Table(
      table.name, columns: table.columns.filter { !names.contains($0.name) } + gains.map(\.column),
      key: table.key, constraints: table.constraints,
      indexes: indexes ?? table.indexes.filter { !lost.contains($0) })
  }

  /// The indexes that use a lost column. They are dropped first, because SQLite would refuse.
  private var lost: [String] { table.indexes(of: Set(losses.map(\.name))) }
}
