import BenchAnalysis
import BenchResults
import Foundation

/// How weights, columns and storages read in a comparison.
enum ChoiceText {
  /// A weight without idle decimals: `6`, `3.5`, `1.33`.
  static func weight(_ weight: Double) -> String {
    let text = String(format: "%.2f", weight)
    return text.contains(".")
      ? String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) : text
  }

  /// Names in words: `a`, `a or b`, `a, b or c`.
  static func either(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Titles for columns: the name alone, with the workload where two have one name, with the
  /// durability where the same was measured at several.
  static func titles(_ columns: [CostColumn]) -> [String] {
    columns.map { column in
      if columns.count(where: { $0.name == column.name }) == 1 { return column.name }
      if columns.count(where: { $0.title == column.title }) == 1 { return column.title }
      return "\(column.title) at \(column.durability)"
    }
  }

  /// A figure for people; of what cannot be told from what measuring costs, only that it is less.
  static func value(_ figure: CostFigure, _ column: CostColumn) -> String {
    Wording.value(figure.value, column.metric.unit, leastTellable: figure.least)
  }

  /// A multiple of the best: `best` of the best itself, and unknown where there is none.
  static func multiple(_ multiple: Double?) -> String {
    multiple.map { $0 == 1 ? "best" : Wording.multiple($0) } ?? TextTable.unknown
  }

  /// Columns in as many groups as it takes for each to fit a terminal of 80 columns beside the names
  /// and what follows; every figure takes at least so many columns.
  static func fitting(_ columns: [CostColumn], figure least: Int, room: Int) -> [[CostColumn]] {
    fitting(columns, titles: titles(columns), figure: least, room: room)
  }

  /// The same of whatever stands in columns with these titles.
  static func fitting<Item>(
    _ items: [Item], titles: [String], figure least: Int, room: Int
  ) -> [[Item]] {
    let widths = zip(items, titles).map { ($0, max(least, $1.displayWidth) + 2) }
    var groups: [[Item]] = []
    var used = room
    for (item, width) in widths {
      if used + width > room {
        groups.append([])
        used = 0
      }
      groups[groups.count - 1].append(item)
      used += width
    }
    return groups
  }

  /// A size between two that were measured, in two digits: a line between them knows no more.
  static func about(_ size: Double) -> String {
    var scale = 1.0
    while size / scale >= 100 { scale *= 10 }
    return Wording.count((size / scale).rounded() * scale)
  }
}
