/// A table that knows no format: columns, and rows of text.
struct TextTable {
  /// What stands for an unknown.
  static let unknown = "—"

  /// One column.
  struct Column {
    var title: String
    var isNumber: Bool
    /// To how many terminal columns a long text may be shortened; nil for never.
    var shrinksTo: Int?
    /// Whether it may be left out: where no row knows it, and where the line has no room.
    var isOptional: Bool

    /// A column of names.
    static func text(_ title: String, shrinksTo: Int? = nil, isOptional: Bool = false) -> Column {
      Column(title: title, isNumber: false, shrinksTo: shrinksTo, isOptional: isOptional)
    }

    /// A column of figures, set to the right.
    static func number(_ title: String, isOptional: Bool = false) -> Column {
      Column(title: title, isNumber: true, shrinksTo: nil, isOptional: isOptional)
    }
  }

  /// The columns.
  var columns: [Column]
  /// The rows, each with one text a column.
  var rows: [[String]]
  /// Whether rows that follow each other with one name in the first column belong together: a
  /// terminal shows the name once and a blank line before the next.
  var isGrouped: Bool

  /// Makes a table, leaving out optional columns that no row knows.
  init(columns: [Column], rows: [[String]], isGrouped: Bool = false) {
    self.isGrouped = isGrouped
    let kept = columns.indices.filter { index in
      !columns[index].isOptional || rows.contains { $0[index] != Self.unknown && $0[index] != "" }
    }
    self.columns = kept.map { columns[$0] }
    self.rows = rows.map { row in kept.map { row[$0] } }
  }

  /// The table without one column.
  func without(_ index: Int) -> TextTable {
    var table = self
    table.columns.remove(at: index)
    for row in table.rows.indices { table.rows[row].remove(at: index) }
    return table
  }
}
