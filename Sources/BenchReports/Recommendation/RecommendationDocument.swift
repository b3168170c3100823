import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// What somebody reads who must choose a backend: the answer, how to work it out by hand, what it
/// leaves out, where it changes; then every figure, and how far to trust it.
enum RecommendationDocument {
  /// The parts, in order.
  static func parts(of report: RecommendationReport, on medium: Medium) -> [Part] {
    answer(report) + figures(report, medium)
      + ConclusionSection.parts(report.run, on: medium) + FactSection(report: report.run).parts
  }

  private static func answer(_ report: RecommendationReport) -> [Part] {
    guard let criteria = report.criteria, let answer = report.answer,
      let sheet = report.sheets.first
    else { return asking(report) }
    return AnswerSection(criteria: criteria, answer: answer, sheet: sheet).parts
      + ScoreSection.parts(answer)
      + refusals(answer) + TrendSection.parts(report)
  }

  /// What to type for a recommendation, where nobody asked for one.
  private static func asking(_ report: RecommendationReport) -> [Part] {
    let backends = report.sheets.first?.backends.count ?? 0
    let needs = report.needs.map { "--for \($0.id): \($0.summary)" }
    return [
      .headline("\(Wording.plural(backends, "backend")) side by side, none recommended"),
      .paragraph("Which is best depends on what you need. Say it, and one is recommended:"),
      .list(needs + ["--weight first-menu=3,patch=1,stored_bytes=1: what counts, and how much"]),
    ]
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
  private static func figures(_ report: RecommendationReport, _ medium: Medium) -> [Part] {
    let isShort = medium == .terminal && report.criteria != nil
    let shown = isShort ? Array(report.sheets.prefix(1)) : report.sheets
    let rest = report.sheets.dropFirst(shown.count).map(\.menu)
    let tables = shown.indices.flatMap { index in
      CostSection.parts(shown[index]) + others(shown[index], report.recommendations, index)
        + PromiseSection.parts(shown[index])
    }
    let pointer = Part.paragraph("figures with \(Wording.list(rest, most: 8)) are in compare.md")
    return tables + ReachNote(report.record).parts + (rest.isEmpty ? [] : [pointer])
  }

  /// What counts and is no workload's deciding cost nor a size: no score rests on a figure that is not
  /// shown.
  private static func others(
    _ sheet: CostSheet, _ answers: [Recommendation], _ index: Int
  ) -> [Part] {
    guard index < answers.count else { return [] }
    let shown = Set(sheet.columns + sheet.sizes)
    let more = answers[index].weighted.map(\.column).filter { !shown.contains($0) }
    let tables = CostText.fitting(more, figure: CostTable.figureWidth, room: 56).map {
      Part.table(CostTable.table(sheet, $0))
    }
    return tables.isEmpty ? [] : [.heading("\(sheet.menu) · what else counts")] + tables
  }
}

/// A format that backends set side by side can be had in.
package enum DocumentFormat: String, CaseIterable, Sendable {
  /// For a terminal.
  case table
  /// For a page.
  case markdown
  /// One line a menu, backend and cost.
  case csv

  /// The whole text, ending in a line break; `width` is the terminal's, in columns.
  package func render(_ report: RecommendationReport, width: Int = TableReporter.width) -> String {
    switch self {
    case .table: RecommendationDocument.parts(of: report, on: .terminal).text(width: width)
    case .markdown: RecommendationDocument.parts(of: report, on: .page).markdown
    case .csv: RecommendationCSV.render(report)
    }
  }

  /// The same of how costs grow.
  package func render(_ scale: ScaleReport, width: Int = TableReporter.width) -> String {
    switch self {
    case .table: ScaleDocument(scale: scale).parts(on: .terminal).text(width: width)
    case .markdown: ScaleDocument(scale: scale).parts(on: .page).markdown
    case .csv: ScaleCSV.render(scale)
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
  static func multiple(_ multiple: Double?, isClose: Bool = false) -> String {
    multiple.map { Wording.multipleOfBest($0, isClose: isClose) } ?? TextTable.unknown
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

  /// What the signs beside figures mean, of those that tables have; `hasFew` where a figure has too few
  /// blocks for an interval.
  static func signs(in tables: [TextTable], hasFew: Bool) -> [String] {
    let texts = tables.flatMap(\.rows).joined()
    func has(_ sign: String) -> Bool { texts.contains { $0.contains(sign) } }
    let fewest = Statistics.fewestForMedianInterval
    return (has("±") || has("<0.1 %") ? ["±: the longer arm of the median's 95 % interval"] : [])
      + (hasFew ? ["no ± from fewer than \(fewest) blocks (n)"] : [])
      + (has("best") ? ["× best: multiple of the best that keeps anything"] : [])
      + (has("≈ best") ? ["≈ best: too close to the best to call, since intervals overlap"] : [])
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

/// One line a menu, backend and cost: what is shown, what counts, and what it comes to.
///
/// As the CSV of a run: fields quoted as RFC 4180 says, all digits, unknowns empty.
enum RecommendationCSV {
  static let header = [
    "backend", "menu", "workload", "durability", "cost", "metric", "unit", "value", "ci_low",
    "ci_high", "multiple", "weight", "score", "rank", "reason",
  ]

  static func render(_ report: RecommendationReport) -> String {
    let lines = report.sheets.indices.flatMap { index in
      let answer = index < report.recommendations.count ? report.recommendations[index] : nil
      return rows(report.sheets[index], answer)
    }
    return CSVReporter.text([header] + lines)
  }

  private static func rows(_ sheet: CostSheet, _ answer: Recommendation?) -> [[String]] {
    let weights = Dictionary(
      (answer?.weighted ?? []).map { ($0.column, $0.weight) }, uniquingKeysWith: +)
    let columns = (sheet.columns + sheet.sizes + (answer?.weighted ?? []).map(\.column)).distinct
    return sheet.backends.flatMap { backend in
      let rank = answer?.ranked.firstIndex { $0.backend == backend }
      let score = rank.flatMap { answer?.ranked[$0].score }
      return columns.map { column in
        let (figure, multiple, reason): (CostFigure?, Double?, String) =
          switch sheet.entry(backend, column) {
          case .figure(let figure, let multiple): (figure, multiple, "")
          case .absent(let lack): (nil, nil, lack.reason)
          }
        let interval = figure?.interval
        return [
          backend, sheet.menu, column.workload, column.durability, column.name, column.metric.id,
          column.metric.unit.rawValue, number(figure?.value), number(interval?.low),
          number(interval?.high), number(multiple), number(weights[column]), number(score),
          rank.map { String($0 + 1) } ?? "", reason,
        ]
      }
    }
  }

  private static func number(_ value: Double?) -> String { value.map(\.digits) ?? "" }
}
