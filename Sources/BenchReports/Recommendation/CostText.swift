import BenchAnalysis
import BenchResults
import Foundation

/// How weights, columns and backends read in a comparison.
enum CostText {
  /// A weight without idle decimals: `6`, `3.5`, `1.33`.
  static func weight(_ weight: Double) -> String {
    ((weight * 100).rounded() / 100).digits
  }

  /// Where a weight flips the answer: three digits, since two of a small one are none.
  static func threshold(_ weight: Double) -> String {
    weight >= 1 || weight == 0 ? Self.weight(weight) : String(format: "%.3g", weight)
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

  /// A multiple of the best: `best` of the best itself, `≈ best` of what is too close to it to call,
  /// and unknown where there is none.
  static func multiple(_ figure: CostFigure) -> Table.Cell {
    Table.Cell(
      figure.multiple.map {
        Wording.multipleOfBest($0, isClose: figure.isClose, isAtLeast: figure.isAtLeast)
      }, figure.isClose ? 1 : figure.multiple)
  }

  /// How far a figure may be off, in a column within a column; unknown of too few blocks, of what is exact, and of
  /// what cannot be told from what measuring costs.
  static func precision(of figure: CostFigure) -> String {
    let width = figure.isTiny ? nil : figure.relativeWidth
    return padded(width.map(Wording.precision) ?? Table.unknown)
  }

  /// A text set to the right of the six columns that precisions and multiples take.
  static func padded(_ text: String) -> String {
    String(repeating: " ", count: max(0, 6 - text.displayWidth)) + text
  }

  /// What a cost is made of; nil where its name says it.
  static func legend(_ name: String, _ phases: [String]) -> String? {
    phases == [name] ? nil : "\(name): \(phases.joined(separator: " + "))"
  }

  /// What the signs beside figures mean, of those that a table has; `hasFew` where a figure has too few
  /// blocks for an interval.
  static func signs(in table: Table, hasFew: Bool) -> [String] {
    let texts = table.rows.joined().map(\.text)
    func has(_ sign: String) -> Bool { texts.contains { $0.contains(sign) } }
    let fewest = Statistics.fewestForMedianInterval
    return (has("±") || has("<0.1 %") ? ["±: the longer arm of the median's 95 % interval"] : [])
      + (hasFew ? ["no ± from fewer than \(fewest) blocks\(has("n = ") ? " (n)" : "")"] : [])
      + (has("best") ? ["× best: multiple of the best that keeps anything"] : [])
      + (has("≈ best") ? ["≈ best: too close to the best to call, since intervals overlap"] : [])
      + (texts.contains(where: Self.isBound) ? [bound] : [])
  }

  /// What `< 410 ns` means.
  static let bound = "<: less than ten empty samples, too much of which would be the clock"

  static func isBound(_ text: String) -> Bool { text.hasPrefix("< ") }

  /// A size between two that were measured, in two digits: a line between them knows no more.
  static func about(_ size: Double) -> String {
    var scale = 1.0
    while size / scale >= 100 { scale *= 10 }
    return Wording.count((size / scale).rounded() * scale)
  }
}
