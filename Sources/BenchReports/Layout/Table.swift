import BenchAnalysis
import BenchResults

/// A table that knows no format: columns, and rows of cells.
package struct Table: Sendable {
  /// What stands for an unknown.
  static let unknown = "—"

  struct Column: Sendable {
    var title: String
    var isNumber = false
    /// To how many terminal columns a long text may be shortened; nil for never.
    var shrinksTo: Int?
    /// Whether it may be left out: where no row knows it, and where the line has no room.
    var isOptional = false
    /// Whether it says more of the column before: where that has no room, neither has this.
    var isMore = false
    /// Whether others have no room before it has none.
    var isLast = false

    static func text(
      _ title: String, shrinksTo: Int? = nil, isOptional: Bool = false, isLast: Bool = false
    ) -> Column {
      Column(title: title, shrinksTo: shrinksTo, isOptional: isOptional, isLast: isLast)
    }

    /// A column of ids, which somebody may search for: ours are never shortened, only what is far longer.
    static func id(_ title: String) -> Column { text(title, shrinksTo: longestID) }

    /// A name of more columns is cut in its middle: in 80 nothing else would have room.
    static let longestID = 40

    /// A column of figures, set to the right.
    static func number(
      _ title: String, isOptional: Bool = false, isMore: Bool = false
    ) -> Column {
      Column(title: title, isNumber: true, isOptional: isOptional, isMore: isMore)
    }
  }

  struct Cell: Sendable, ExpressibleByStringLiteral {
    var text: String
    /// By what a page sorts it, and what reads it back; nil of words and of what is unknown.
    var value: Double?
    /// What a page may know a place for, such as a chart, to which the cell then leads.
    var link: String?
    /// How a terminal paints it.
    var tone: Tone?
    /// Whether it is drawn with characters, whose names read aloud would tell nothing.
    var isDrawn = false

    /// A text, unknown where nil, and its value.
    init(_ text: String?, _ value: Double? = nil, link: String? = nil, tone: Tone? = nil) {
      self.text = text ?? Table.unknown
      self.value = text == nil ? nil : value
      (self.link, self.tone) = (link, tone)
    }

    init(stringLiteral text: String) { self.init(text) }

    static var unknown: Cell { Cell(nil) }

    /// A metric's value, scaled; of one below what can be told, only that.
    static func value(_ value: Double?, _ unit: Unit, least: Double? = nil) -> Cell {
      Cell(value.map { Wording.value($0, unit, leastTellable: least) }, value)
    }

    static func multiple(_ ratio: Double?) -> Cell { Cell(ratio.map(Wording.multiple), ratio) }

    static func percent(_ share: Double?) -> Cell { Cell(share.map(Wording.percent), share) }

    static func count(_ number: Double) -> Cell { Cell(Wording.count(number), number) }
  }

  var columns: [Column]
  var titles: [String] { columns.map(\.title) }
  /// The rows, each with one cell a column.
  var rows: [[Cell]]
  /// Whether rows that follow each other with one name in the first column belong together: a
  /// terminal shows the name once and a blank line before the next.
  var isGrouped: Bool
  /// How many rows at the head are of no thing that compares with the others, such as weights: no sorting moves them.
  var pinned: Int
  /// What has the columns for which a terminal has no room; nil of a table whose first column tells its rows apart, which
  /// goes on below with them.
  var whole: String?
  /// A bar at the end of each row, as a part of the longest, and what bars are of; nil of a table without.
  /// Drawn where lines have room for them, and nowhere but on a terminal.
  var bars: (title: String, parts: [Double])?

  /// Makes a table, leaving out optional columns that no row knows.
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

  /// Makes a table in which a column with any value behind its first cell is one of numbers.
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

  /// Lines of at most so many terminal columns, and a note of what had no room.
  ///
  /// Where they do not fit with their names shortened, words that are the same in every row are said once, below; then
  /// optional columns are left out, the last one first, and at last the others: a figure cut in its middle would be
  /// another one.
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
      var place =
        kept.lastIndex { columns[$0].isOptional && !columns[$0].isLast }
        ?? kept.lastIndex { columns[$0].isOptional } ?? kept.count - 1
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
      (rest.bars, rest.whole) = (nil, kept.count > 1 ? nil : "csv")
      return lines + [""] + rest.text(on: terminal)
    }
    let titles = dropped.map { columns[$0].title }.joined(separator: ", ")
    return lines + "(no room for: \(titles); \(whole) has all)".wrapped(to: width)
  }

  /// Whether all of some rows have the same words there.
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

  private func laidOut(on terminal: Terminal) -> [String] {
    var (columns, rows, widths) = (columns, spaced, widths)
    while Self.total(widths) > terminal.width, let index = widest(widths) { widths[index] -= 1 }
    // One column alone may still be wider than the line.
    widths = widths.map { min($0, terminal.width) }
    let room = terminal.width - Self.total(widths) - Self.gap
    if terminal.hasBars, let bars, bars.parts.count == rows.count, !isGrouped,
      room >= max(Self.leastBar, bars.title.displayWidth)
    {
      let longest = min(room, max(Self.longestBar, bars.title.displayWidth))
      columns.append(.text(bars.title))
      widths.append(longest)
      for (row, part) in bars.parts.enumerated() {
        rows[row].append(Cell(Self.bar(part, width: longest)))
      }
    }
    let rule = widths.map { Cell(String(repeating: "─", count: $0)) }
    return ([columns.map { Cell($0.title) }, rule] + rows).map { row in
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

  /// From here on a bar tells something, and no longer one tells more.
  private static let (leastBar, longestBar) = (6, 16)

  /// A part of so many columns, in eighths of one; the smallest is seen.
  private static func bar(_ part: Double, width: Int) -> String {
    let eighths = max(1, Int((min(max(part, 0), 1) * Double(width * 8)).rounded()))
    let rest = eighths % 8
    let last = rest == 0 ? "" : String(["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1])
    return String(repeating: "█", count: eighths / 8) + last
  }

  /// The rows, where they are grouped with each name once and an empty row between the groups.
  private var spaced: [[Cell]] {
    let repeats = rows.indices.map { $0 > 0 && rows[$0].first?.text == rows[$0 - 1].first?.text }
    guard isGrouped, repeats.contains(true) else { return rows }
    return rows.indices.flatMap { index -> [[Cell]] in
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
}

extension Table {
  var markdown: [String] {
    let rule = columns.map { $0.isNumber ? "---:" : "---" }
    let texts = [titles.map(\.markdownEscaped), rule] + rows.map { $0.map(\.text.markdownEscaped) }
    return texts.map { "| " + $0.joined(separator: " | ") + " |" }
  }
}
