import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// What somebody reads who must choose a backend: the answer, how to work it out by hand, what it
/// leaves out, where it changes; then every figure, and how far to trust it.
enum RecommendationDocument {
  /// The parts, in order.
  static func parts(of report: RecommendationReport, on medium: Medium) -> [Part] {
    answer(report, medium) + growth(report, medium) + figures(report, medium)
      + ConclusionSection.parts(report.run, on: medium) + FactSection(report: report.run).parts
  }

  /// What to take, and how it comes about.
  static func answer(_ report: RecommendationReport, _ medium: Medium) -> [Part] {
    guard report.isOneQuestion, let only = report.answers.first,
      let section = AnswerSection(only, of: report)
    else { return SeveralAnswers(report: report).parts(on: medium) }
    return section.parts + details(only) + TrendSection.parts(only)
  }

  /// How costs grow, of a run of menus of several sizes: a terminal shows what is worse than linear.
  static func growth(_ report: RecommendationReport, _ medium: Medium) -> [Part] {
    guard report.sheets.count >= GrowthCurve.fewestSizes else { return [] }
    let document = ScaleDocument(scale: ScaleReport(of: report.run))
    return [.heading("How costs grow"), .paragraph(document.headline)] + document.conclusions
      + (medium == .page ? document.growth : [])
  }

  /// How an answer comes about.
  static func details(_ answer: Answer) -> [Part] {
    guard let here = answer.here else { return [] }
    return ScoreSection.parts(here, answer.criteria.goodEnough) + refusals(here)
  }

  /// The backends that are not ranked, and why: so many reasons of each, since a page of them says no
  /// more.
  private static func refusals(_ answer: Recommendation) -> [Part] {
    guard !answer.refused.isEmpty else { return [] }
    let items = answer.refused.map { refused in
      let rest = refused.reasons.count - 3
      let shown = refused.reasons.prefix(3) + (rest > 0 ? ["and \(rest) more"] : [])
      return "\(refused.backend): \(shown.joined(separator: "; "))"
    }
    return [.heading("Not ranked"), .list(items)]
  }

  /// A terminal shows the figures behind the answer; those of the other sizes are on the page.
  static func figures(_ report: RecommendationReport, _ medium: Medium) -> [Part] {
    let shown = medium == .terminal ? Array(report.sheets.prefix(1)) : report.sheets
    let rest = report.sheets.dropFirst(shown.count).map(\.menu)
    let tables = shown.indices.flatMap { index in
      CostSection.parts(shown[index]) + others(shown[index], report.answers, index)
        + PromiseSection.parts(shown[index])
    }
    let pointer = Part.paragraph(
      "figures with \(Wording.list(rest, most: 8)) come with --format markdown")
    return tables + ReachNote(report.record).parts + (rest.isEmpty ? [] : [pointer])
  }

  /// What counts and is no workload's deciding cost nor a size: no score rests on a figure that is not
  /// shown.
  private static func others(_ sheet: CostTable, _ answers: [Answer], _ index: Int) -> [Part] {
    let shown = Set(sheet.columns + sheet.sizes)
    let more = answers.flatMap { $0.recommendations[index].weighted }.map(\.column).distinct
      .filter { !shown.contains($0) }
    guard !more.isEmpty else { return [] }
    return [
      .heading("\(sheet.menu) · what else counts"), .table(CostTableText.table(sheet, more)),
    ]
  }
}

/// A format that backends set side by side can be had in.
package enum DocumentFormat: String, CaseIterable, Sendable {
  /// For a terminal.
  case table
  /// For a page.
  case markdown
  /// For a browser, with charts, in one file.
  case html
  /// One line a menu, backend and cost.
  case csv
  /// Everything that it takes to redo it, for scripts.
  case json

  /// The name of a page's file: `compare.html`.
  package func fileName(_ name: String) -> String { name + (self == .markdown ? ".md" : ".html") }

  /// The whole text, ending in a line break; `width` is the terminal's, in columns.
  ///
  /// - Throws: `EncodingError`, of JSON alone.
  package func render(
    _ report: RecommendationReport, width: Int = TableReporter.width
  ) throws -> String {
    switch self {
    case .table: RecommendationDocument.parts(of: report, on: .terminal).text(width: width)
    case .markdown: RecommendationDocument.parts(of: report, on: .page).markdown
    case .html: RecommendationPage(report: report).text
    case .csv: RecommendationCSV.render(report)
    case .json: try RecommendationJSON.text(report)
    }
  }

  /// The same of how costs grow.
  package func render(_ scale: ScaleReport, width: Int = TableReporter.width) throws -> String {
    switch self {
    case .table: ScaleDocument(scale: scale).parts(on: .terminal).text(width: width)
    case .markdown: ScaleDocument(scale: scale).parts(on: .page).markdown
    case .html: ScalePage(scale: scale).text
    case .csv: ScaleCSV.render(scale)
    case .json: try ScaleJSON.text(scale)
    }
  }
}

/// How weights, columns and backends read in a comparison.
enum CostText {
  /// A weight without idle decimals: `6`, `3.5`, `1.33`.
  static func weight(_ weight: Double) -> String {
    let text = String(format: "%.2f", weight)
    return text.contains(".")
      ? String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) : text
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
  static func multiple(_ figure: CostFigure) -> String {
    figure.multiple.map {
      Wording.multipleOfBest($0, isClose: figure.isClose, isAtLeast: figure.isAtLeast)
    } ?? TextTable.unknown
  }

  /// How far a figure may be off; nil of too few blocks, of what is exact, and of what cannot be told
  /// from what measuring costs.
  static func precision(of figure: CostFigure) -> String? {
    figure.value < figure.least ? nil : figure.relativeWidth.map(Wording.precision)
  }

  /// How far a figure may be off, in a column within a column; unknown of too few blocks.
  static func precision(_ text: String?) -> String { padded(text ?? TextTable.unknown) }

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
  static func signs(in table: TextTable, hasFew: Bool) -> [String] {
    let texts = table.rows.joined()
    func has(_ sign: String) -> Bool { texts.contains { $0.contains(sign) } }
    let fewest = Statistics.fewestForMedianInterval
    return (has("±") || has("<0.1 %") ? ["±: the longer arm of the median's 95 % interval"] : [])
      + (hasFew ? ["no ± from fewer than \(fewest) blocks\(has("n = ") ? " (n)" : "")"] : [])
      + (has("best") ? ["× best: multiple of the best that keeps anything"] : [])
      + (has("≈ best") ? ["≈ best: too close to the best to call, since intervals overlap"] : [])
  }

  /// A size between two that were measured, in two digits: a line between them knows no more.
  static func about(_ size: Double) -> String {
    var scale = 1.0
    while size / scale >= 100 { scale *= 10 }
    return Wording.count((size / scale).rounded() * scale)
  }
}

/// One line a menu, backend and cost: what is shown and, for each answer, what counts and what it comes
/// to.
///
/// As the CSV of a run: fields quoted as RFC 4180 says, all digits, unknowns empty. What an answer
/// weighs has a line of each answer, with its `need`; what none weighs has one without.
enum RecommendationCSV {
  static let header = [
    "backend", "menu", "workload", "durability", "cost", "metric", "unit", "value", "ci_low",
    "ci_high", "multiple", "need", "weight", "counts", "score", "score_low", "score_high", "rank",
    "reason",
  ]

  static func render(_ report: RecommendationReport) -> String {
    let lines = report.sheets.indices.flatMap { index in
      rows(
        report.sheets[index],
        report.answers.map { ($0.criteria.need ?? "", $0.recommendations[index]) })
    }
    return CSVReporter.text([header] + lines)
  }

  private static func rows(
    _ sheet: CostTable, _ answers: [(need: String, answer: Recommendation)]
  ) -> [[String]] {
    let weighed = answers.flatMap(\.answer.weighted).map(\.column)
    let columns = (sheet.columns + sheet.sizes + weighed).distinct
    return sheet.backends.flatMap { backend in
      columns.flatMap { column in
        let own = figure(backend, column, sheet)
        let counts = answers.compactMap { judged(backend, column, $0.need, $0.answer) }
        return (counts.isEmpty ? [Array(repeating: "", count: 7)] : counts).map {
          own.fields + $0 + [own.reason]
        }
      }
    }
  }

  private static func figure(
    _ backend: String, _ column: CostColumn, _ sheet: CostTable
  ) -> (fields: [String], reason: String) {
    let entry = sheet.entry(backend, column)
    let figure = entry.figure
    let fields = [
      backend, sheet.menu, column.workload, column.durability, column.name, column.metric.id,
      column.metric.unit.rawValue, number(figure?.value), number(figure?.interval?.low),
      number(figure?.interval?.high), number(figure?.multiple),
    ]
    return (fields, entry.reason ?? "")
  }

  /// What one answer makes of a column; nil where it has no weight. `counts` is the multiple in the sum.
  private static func judged(
    _ backend: String, _ column: CostColumn, _ need: String, _ answer: Recommendation
  ) -> [String]? {
    guard let weighted = answer.weighted.first(where: { $0.column == column }) else { return nil }
    let rank = answer.ranked.firstIndex { $0.backend == backend }
    let ranked = rank.map { answer.ranked[$0] }
    let term = ranked?.terms.first { $0.weighted.column == column }
    return [
      need, number(weighted.weight), number(term?.multiple), number(ranked?.score),
      number(ranked?.standing.interval?.low), number(ranked?.standing.interval?.high),
      rank.map { String($0 + 1) } ?? "",
    ]
  }

  private static func number(_ value: Double?) -> String { value.map(\.digits) ?? "" }
}
