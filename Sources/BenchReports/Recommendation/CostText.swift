import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// The wording of weights, columns and backends in a comparison.
enum CostText {
  /// Formats a weight without needless decimals: `6`, `3.5`, `1.33`.
  static func weight(_ weight: Double) -> String {
    ((weight * 100).rounded() / 100).digits
  }

  /// Formats the weight that changes the answer in three digits, because two decimals of a small one may be 0.
  static func threshold(_ weight: Double) -> String {
    weight >= 1 || weight == 0 ? Self.weight(weight) : String(format: "%.3g", weight)
  }

  /// Joins names: `a`, `a or b`, `a, b or c`.
  static func either(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Returns column titles: the name alone if it is unique. Otherwise the workload is added, and
  /// the durability if the same cost was measured at several.
  static func titles(_ columns: [CostColumn]) -> [String] {
    columns.map { column in
      if columns.count(where: { $0.name == column.name }) == 1 { return column.name }
      if columns.count(where: { $0.title == column.title }) == 1 { return column.title }
      return "\(column.title) at \(column.durability)"
    }
  }

  /// Formats a figure for people. A value too small to tell from the cost of measuring becomes an upper bound.
  static func value(_ figure: CostFigure, _ unit: BenchResults.Unit) -> String {
    Wording.value(figure.value, unit, resolutionLimit: figure.least)
      + (figure.isUnflushed ? unflushed : "")
  }

  /// Marks a save that is not flushed, among others that are.
  private static let unflushed = "°"

  /// Returns a multiple of the best, or of the reference if there is one, and unknown without a multiple.
  static func multiple(_ figure: CostFigure, of reference: String? = nil) -> Table.Cell {
    let shown = reference == nil ? figure.best : figure.reference
    let text = shown.map {
      Wording.multipleOfBest(
        $0.value, isClose: $0.isClose, isAtLeast: $0.isAtLeast, reference: reference)
    }
    return Table.Cell(text, shown.map { $0.isClose ? 1 : $0.value })
  }

  /// Returns how far a figure may be off, padded to a column within a column. Unknown with too few
  /// blocks, for exact figures, and for those too small to tell from the cost of measuring.
  static func precision(of figure: CostFigure) -> String {
    let width = figure.isUnresolved ? nil : figure.relativeWidth
    return padded(width.map(Wording.precision) ?? Table.unknown)
  }

  /// Aligns a text right in the six columns that precisions and multiples take.
  static func padded(_ text: String, to width: Int = 6) -> String {
    String(repeating: " ", count: max(0, width - text.displayWidth)) + text
  }

  /// Returns the phases that a cost adds up, or nil if its name says so.
  static func legend(_ name: String, _ phases: [String]) -> String? {
    phases == [name] ? nil : "\(name): \(phases.joined(separator: " + "))"
  }

  /// Explains names, and the signs that a table's figures have. `hasFew` says whether a figure has too few
  /// blocks for an interval.
  static func legend(
    _ names: [String], of table: Table, hasFew: Bool, reference: String? = nil
  ) -> [Part] {
    let texts = table.rows.joined().map(\.text)
    func has(_ sign: String) -> Bool { texts.contains { $0.contains(sign) } }
    let fewest = MeanSum.fewest
    let other = reference ?? "best"
    let multiples: [String] =
      (has("best") ? ["× best: multiple of the best that keeps its data"] : [])
      + (reference != nil && has("×") ? ["× \(other): multiple of \(other), less is better"] : [])
      + (has("≈ \(other)")
        ? ["≈ \(other): too close to call, because the multiple's 95 % interval includes 1"] : [])
    let signs: [String] =
      (has("±") || has("<0.1 %") ? ["±: longer half-width of the median's 95 % interval"] : [])
      + (hasFew ? ["no ± with fewer than \(fewest) blocks\(has("n = ") ? " (n)" : "")"] : [])
      + multiples + (texts.contains(where: Self.isBound) ? [bound] : [])
    let power =
      "\(unflushed): not flushed to the drive, so a power cut may lose the last saves. Saves marked so"
      + " have a best of their own"
    let lines = [(names + signs).joined(separator: "; "), has(unflushed) ? power : ""]
    return lines.filter { !$0.isEmpty }.map { .paragraph($0) }
  }

  /// Says of backends what their figures do not stand for: one line for each note.
  static func notes(_ backends: [BackendInfo?]) -> [Part] {
    let noted = backends.compactMap(\.self).grouped(by: \.note).compactMap { note, alike in
      note.map { "\(alike.map(\.id).joined(separator: ", ")): \($0)" }
    }
    return noted.isEmpty ? [] : [.list(noted)]
  }

  /// Explains `< 410 ns`.
  static let bound = "<: less than ten empty samples, too short for the clock"

  static func isBound(_ text: String) -> Bool { text.hasPrefix("< ") }

  /// Formats an interpolated size in two digits: a line between two measured sizes is no more precise.
  static func about(_ size: Double) -> String {
    var scale = 1.0
    while size / scale >= 100 { scale *= 10 }
    return Wording.count((size / scale).rounded() * scale)
  }
}
