import BenchAnalysis
import BenchResults

/// A table independent of any format: columns, and rows of cells.
package struct Table: Sendable {
  /// Stands for an unknown value.
  static let unknown = "—"

  struct Column: Sendable {
    var title: String
    var isNumber = false
    /// The number of terminal columns that a long text may be shortened to, or nil for never.
    var shrinksTo: Int?
    /// Whether it may be dropped: if no row has a value, and if the line is too narrow.
    var isOptional = false
    /// Whether it adds to the column before, so that both are dropped together.
    var isMore = false

    static func text(_ title: String, shrinksTo: Int? = nil, isOptional: Bool = false) -> Column {
      Column(title: title, shrinksTo: shrinksTo, isOptional: isOptional)
    }

    /// Makes a column of ids, which people search for. Only exceptionally long ones are shortened.
    static func id(_ title: String) -> Column { text(title, shrinksTo: longestID) }

    /// Longer ids are cut in the middle: in 80 columns nothing else would fit.
    static let longestID = 40

    /// Makes a column of figures, aligned right.
    static func number(
      _ title: String, isOptional: Bool = false, isMore: Bool = false
    ) -> Column {
      Column(title: title, isNumber: true, isOptional: isOptional, isMore: isMore)
    }
  }

  struct Cell: Sendable, ExpressibleByStringLiteral {
    var text: String
    /// The value that pages sort by and programs read, or nil for words and unknowns.
    var value: Double?
    /// The name of a place in a page, such as a chart, that the cell links to if the page has it.
    var link: String?
    /// The tone in which a terminal paints it.
    var tone: Tone?
    /// Whether it is drawn with characters that should not be read aloud.
    var isDrawn = false

    /// Makes a cell of a text and its value; unknown if the text is nil.
    init(_ text: String?, _ value: Double? = nil, link: String? = nil, tone: Tone? = nil) {
      self.text = text ?? Table.unknown
      self.value = text == nil ? nil : value
      (self.link, self.tone) = (link, tone)
    }

    init(stringLiteral text: String) { self.init(text) }

    static var unknown: Cell { Cell(nil) }

    /// Makes a cell of a metric's value, scaled. A value below `least` becomes an upper bound.
    static func value(_ value: Double?, _ unit: Unit, least: Double? = nil) -> Cell {
      Cell(value.map { Wording.value($0, unit, resolutionLimit: least) }, value)
    }

    static func multiple(_ ratio: Double?) -> Cell { Cell(ratio.map(Wording.multiple), ratio) }

    static func percent(_ share: Double?) -> Cell { Cell(share.map(Wording.percent), share) }

    static func count(_ number: Double) -> Cell { Cell(Wording.count(number), number) }
  }

  var columns: [Column]
  var titles: [String] { columns.map(\.title) }
  /// The rows, each with one cell per column.
  var rows: [[Cell]]
  /// Whether neighbouring rows with the same first cell form a group. A terminal shows the name
  /// once, and a blank line before the next group.
  var isGrouped: Bool
  /// The number of rows at the top that sorting leaves in place, such as weights.
  var pinned: Int
  /// The place that has the columns for which a terminal is too narrow. Nil if the first column
  /// identifies each row: the table then continues below with the rest.
  var whole: String?

  /// Makes a table without the optional columns for which no row has a value.
  init(
    columns: [Column], rows: [[Cell]], isGrouped: Bool = false, pinned: Int = 0,
    whole: String? = "csv"
  ) {
    (self.isGrouped, self.pinned, self.whole) = (isGrouped, pinned, whole)
    let kept = columns.indices.filter { index in
      !columns[index].isOptional || rows.contains { ![Self.unknown, ""].contains($0[index].text) }
    }
    self.columns = kept.map { columns[$0] }
    self.rows = rows.map { row in kept.map { row[$0] } }
  }

  /// Makes a table. A column after the first contains numbers if any of its cells has a value.
  init(columns: [String], rows: [[Cell]]) {
    self.init(
      columns: columns.indices.map { place in
        let isNumber = place > 0 && rows.contains { $0[place].value != nil }
        return isNumber ? .number(columns[place]) : .text(columns[place])
      }, rows: rows)
  }

  private func with(_ kept: [Int]) -> Table {
    var table = self
    table.columns = kept.map { columns[$0] }
    table.rows = rows.map { row in kept.map { row[$0] } }
    return table
  }
}

extension Table {
  private static let gap = 2

  /// Returns lines for a terminal, and a note of the columns that do not fit.
  ///
  /// Names are shortened first. Then columns with the same words in every row are shown once, below
  /// the table. Finally columns are dropped, optional ones first, each time the last: a figure cut
  /// in its middle would be a different one.
  func text(on terminal: Terminal) -> [String] {
    let (table, width) = (displayable, terminal.width)
    var kept = Array(columns.indices)
    var (same, dropped) = ([String](), [Int]())
    var isTooWide: Bool { table.with(kept).leastWidth > width }
    while isTooWide, let place = kept.lastIndex(where: table.isSame) {
      let index = kept.remove(at: place)
      same.insert("\(columns[index].title): \(table.rows[0][index].text)", at: 0)
    }
    while isTooWide, kept.count > 1 {
      var place = kept.lastIndex { columns[$0].isOptional } ?? kept.count - 1
      while place > 1, columns[kept[place]].isMore { place -= 1 }
      let end = kept[(place + 1)...].firstIndex { !columns[$0].isMore } ?? kept.count
      dropped.insert(contentsOf: kept[place..<end], at: 0)
      kept.removeSubrange(place..<end)
    }
    let lines =
      table.with(kept).laidOut(on: terminal)
      + (same.isEmpty
        ? [] : "(in every row: \(same.joined(separator: ", ")))".wrapped(to: width))
    guard !dropped.isEmpty else { return lines }
    guard let whole else {
      var rest = table.with([0] + dropped)
      rest.whole = kept.count > 1 ? nil : "csv"
      return lines + [""] + rest.text(on: terminal)
    }
    let titles = dropped.map { columns[$0].title }.joined(separator: ", ")
    return lines + "(left out: \(titles); \(whole) has all)".wrapped(to: width)
  }

  /// Returns whether all of several rows have the same words in a column.
  private func isSame(_ index: Int) -> Bool {
    index > 0 && !columns[index].isNumber && rows.count > 1 && rows[0][index].text != ""
      && rows.allSatisfy { $0[index].text == rows[0][index].text }
  }

  private var displayable: Table {
    var table = self
    for row in rows.indices {
      for place in columns.indices {
        table.rows[row][place].text = rows[row][place].text.displayable
      }
    }
    return table
  }

  private var widths: [Int] {
    columns.indices.map { index in
      rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].text.displayWidth) }
    }
  }

  /// The table's width with every name as short as possible.
  private var leastWidth: Int {
    let least = zip(columns, widths).map { column, width in
      min(width, max(column.shrinksTo ?? width, column.title.displayWidth))
    }
    return Self.total(least)
  }

  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap * max(0, widths.count - 1)
  }

  private func laidOut(on terminal: Terminal) -> [String] {
    var widths = widths
    while Self.total(widths) > terminal.width, let index = widest(widths) { widths[index] -= 1 }
    // A single column may still be wider than the line.
    widths = widths.map { min($0, terminal.width) }
    let rule = widths.map { Cell(String(repeating: "─", count: $0)) }
    return ([columns.map { Cell($0.title) }, rule] + spaced).map { row in
      let texts = row.indices.map { place in
        let text = row[place].text.shortened(to: widths[place])
        let pad = String(repeating: " ", count: max(0, widths[place] - text.displayWidth))
        let painted = terminal.painted(text, row[place].tone)
        return columns[place].isNumber ? pad + painted : painted + pad
      }
      let line = texts.joined(separator: String(repeating: " ", count: Self.gap))
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The rows. In groups, each name appears once, and an empty row separates two groups.
  private var spaced: [[Cell]] {
    let repeats = rows.indices.map { $0 > 0 && rows[$0].first?.text == rows[$0 - 1].first?.text }
    guard isGrouped, repeats.contains(true) else { return rows }
    return rows.indices.flatMap { index -> [[Cell]] in
      if repeats[index] { return [[""] + rows[index].dropFirst()] }
      return index == 0 ? [rows[index]] : [columns.map { _ in "" }, rows[index]]
    }
  }

  /// Returns the widest column that can still shrink.
  private func widest(_ widths: [Int]) -> Int? {
    columns.indices.filter { index in
      guard let least = columns[index].shrinksTo else { return false }
      return widths[index] > max(least, columns[index].title.displayWidth)
    }.max { widths[$0] < widths[$1] }
  }
}

extension Table {
  var markdown: [String] {
    let rule = columns.map { $0.isNumber ? "---:" : "---" }
    let texts = [titles.map(\.markdownEscaped), rule] + rows.map { $0.map(\.text.markdownEscaped) }
    return texts.map { "| " + $0.joined(separator: " | ") + " |" }
  }
}
