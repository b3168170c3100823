import MenuModel

extension SchemaChange {
  /// The number of this program's schemas (`user_version`).
  static let currentSchema = allCases.count

  /// The number of the schema on the other side of the change: 1 to 4 for the older ones, which each
  /// differ from this program's in one change, so that its cost stands alone; 6 for the newer one.
  var schema: Int {
    guard self != .back else { return Self.currentSchema + 1 }
    return Self.allCases.prefix { $0 != self }.count + 1
  }
}

/// A change of one table: columns that it gains, each with the expression that fills it, and columns
/// that it loses.
struct TableChange: Sendable {
  let table: Table
  let gains: [Gain]
  let losses: [Column]
  /// The indexes afterwards; nil for those that remain.
  var indexes: [String]?

  struct Gain: Sendable {
    let column: Column
    /// Fills it, by the columns that were there; nil where it stays at its default.
    var value: String?
  }

  /// The statements that change the table and its indexes.
  var statements: [String] {
    lost.map { "DROP INDEX \(table.index(on: $0))" } + columnStatements
      + changed.indexes.filter { !table.indexes.contains($0) }.map(changed.creation(ofIndex:))
  }

  /// Those that change its columns: what is filled is filled by one UPDATE
  /// (sqlite.org/lang_altertable.html: a column added touches no row, one that goes touches all).
  var columnStatements: [String] {
    let values = gains.compactMap { gain in gain.value.map { "\(gain.column.name) = \($0)" } }
    let filling =
      values.isEmpty ? [] : ["UPDATE \(table.name) SET \(values.joined(separator: ", "))"]
    return gains.map { "ALTER TABLE \(table.name) ADD COLUMN \($0.column.sql)" } + filling
      + losses.map { "ALTER TABLE \(table.name) DROP COLUMN \($0.name)" }
  }

  /// The table as SQLite declares it afterwards: what was added stands behind the other columns.
  var changed: Table {
    let names = Set(losses.map(\.name))
    return Table(
      table.name, columns: table.columns.filter { !names.contains($0.name) } + gains.map(\.column),
      key: table.key, constraints: table.constraints,
      indexes: indexes ?? table.indexes.filter { !lost.contains($0) })
  }

  /// SQLite drops no column that an index looks at, so these go before.
  private var lost: [String] { table.indexes(of: Set(losses.map(\.name))) }
}
