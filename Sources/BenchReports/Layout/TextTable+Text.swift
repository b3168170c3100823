extension TextTable {
  private static let gap = 2

  /// Lines of at most so many terminal columns, and a note of what had no room.
  ///
  /// Optional columns are left out, the last one first, until the rest fits with its names
  /// shortened; of a table that does not fit even so, the lines are cut.
  func text(width: Int) -> [String] {
    var table = displayable
    var dropped: [String] = []
    while table.leastWidth > width,
      let index = table.columns.lastIndex(where: \.isOptional)
    {
      dropped.insert(table.columns[index].title, at: 0)
      table = table.without(index)
    }
    let lines = table.laidOut(width: width)
    guard !dropped.isEmpty else { return lines }
    return lines
      + "(no room for: \(dropped.joined(separator: ", ")); csv has all)".wrapped(to: width)
  }

  private var displayable: TextTable {
    var table = self
    table.rows = rows.map { $0.map(\.displayable) }
    return table
  }

  /// The widest text of every column.
  private var widths: [Int] {
    columns.indices.map { index in
      rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].displayWidth) }
    }
  }

  /// What the table takes with every name as short as it may get.
  private var leastWidth: Int {
    let least = zip(columns, widths).map { column, width in
      min(width, max(column.shrinksTo ?? width, column.title.displayWidth))
    }
    return Self.total(least)
  }

  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap * max(0, widths.count - 1)
  }

  private func laidOut(width: Int) -> [String] {
    var widths = widths
    while Self.total(widths) > width, let index = widest(widths) { widths[index] -= 1 }
    let rule = widths.map { String(repeating: "─", count: $0) }
    return ([columns.map(\.title), rule] + spaced).map { row in
      line(row, widths).shortened(to: width)
    }
  }

  /// The rows, where they are grouped with each name once and an empty row between the groups.
  private var spaced: [[String]] {
    let repeats = rows.indices.map { $0 > 0 && rows[$0].first == rows[$0 - 1].first }
    guard isGrouped, repeats.contains(true) else { return rows }
    return rows.indices.flatMap { index -> [[String]] in
      if repeats[index] { return [[""] + rows[index].dropFirst()] }
      return index == 0 ? [rows[index]] : [columns.map { _ in "" }, rows[index]]
    }
  }

  /// The widest column that may still shrink.
  private func widest(_ widths: [Int]) -> Int? {
    columns.indices.filter { index in
      guard let least = columns[index].shrinksTo else { return false }
      return widths[index] > max(least, columns[index].title.displayWidth)
    }.max { widths[$0] < widths[$1] }
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    let cells = row.indices.map { index in
      let text = row[index].shortened(to: widths[index])
      let pad = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      return columns[index].isNumber ? pad + text : text + pad
    }
    let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
