import Basics
import BenchAnalysis
import BenchResults

enum ComparisonSection {
  /// Returns a table of a group's costs, of the phases that explain them, and of counts that are not the same.
  static func parts(_ group: ReportGroup, of report: Report) -> [Part] {
    let rows = rows(group, of: report)
    return rows.isEmpty ? [] : [.table(table(rows))]
  }

  /// Returns the costs of each backend, its phases by the metrics that decided a cost, and what else has a telling
  /// verdict. In short only times, and phases only of backends with a cost that changed.
  static func rows(_ group: ReportGroup, of report: Report, isShort: Bool = false) -> [ReportRow] {
    let (cells, judged) = (Set(group.rows.map(\.cell)), Set(report.judgedCosts.map(\.series.key)))
    let costs = report.costRows.filter { row in
      guard cells.contains(row.cell), row.comparison?.ratio != nil else { return false }
      // A cost that is not judged is shown as well.
      let isShown = !judged.contains { $0.cell == row.cell && $0.phase == row.phase }
      return judged.contains(row.series.key) || isShown && row.metric.id == Metric.wall.id
    }
    func view(_ row: ReportRow) -> [String] { ["\(row.cell)", row.metric.id] }
    let explained = Set(costs.filter { !isShort || $0.isProven }.map(view))
    let others = group.rows.filter { row in
      judged.contains(row.series.key) || !isShort && isTelling(row)
        || explained.contains(view(row)) && row.series.isJudged && row.comparison?.ratio != nil
    }
    return group.overview.flatMap { line in
      (costs + others).filter { $0.cell.backend == line.backend }
    }
  }

  private static func isTelling(_ row: ReportRow) -> Bool {
    switch row.verdict {
    case .regressed, .improved, .inconclusive(.notExact): !row.metric.isTime
    case .overLimit: true
    default: false
    }
  }

  /// Returns a table of rows next to the baseline's. If space is short, it keeps verdicts rather
  /// than intervals, and columns that tell rows apart rather than the baseline.
  static func table(_ rows: [ReportRow]) -> Table {
    let isOfSeveral = Set(rows.map(\.metric.id)).count > 1
    return Table(
      columns: [
        .id("backend"), .id("phase"), .text("metric", isOptional: true),
        .number("baseline", isOptional: true), .number("now"), .text("change", isOptional: true),
        .text("interval", isOptional: true), .text("verdict"),
      ],
      rows: rows.map { row in
        let (comparison, paired) = (row.comparison, row.comparison?.paired)
        return [
          Table.Cell(row.cell.backend, link: "phases"), Table.Cell(row.phase),
          Table.Cell(isOfSeveral ? row.metric.title : ""),
          Table.Cell(row.baselineText, paired?.baseline ?? comparison?.baselineP50),
          Table.Cell(row.nowText, paired?.now ?? row.summary?.p50),
          Table.Cell(row.changeText, comparison?.ratio),
          Table.Cell(row.intervalText, comparison?.interval?.low),
          Table.Cell(row.word, tone: row.verdict?.tone),
        ]
      }, isGrouped: true)
  }
}

/// The verdict of a comparison, before any table: the headline, the picture of the costs, the changes, and what to know
/// before trusting it.
struct VerdictSection {
  let report: Report
  let medium: Medium
  /// Whether no table follows that has the changes that a list leaves out.
  var isAlone = false

  /// The parts; without a baseline only doubts.
  var parts: [Part] {
    guard let baseline = report.baseline else {
      return ConclusionSection.warnings(report, on: medium)
    }
    let names = SideNames(report.record, baseline)
    let worse = report.once(report.regressions)
    let better = report.once(report.allRows.filter { $0.verdict == .improved })
      .sorted { $0.comparison?.ratio ?? 0 < $1.comparison?.ratio ?? 0 }
    var parts: [Part] = [
      .paragraph("\(names.candidate) against \(names.baseline)"),
      .headline(Headline(report: report).text),
    ]
    if let chart = RatioChart(report.judgedCosts) { parts.append(.picture(chart.picture)) }
    parts += GateFacts(report: report).parts
    parts += list(
      "\(Wording.count(worse.count)) got worse, worst first", worse.map(statement),
      most: isAlone ? .max : 20)
    parts += list("Measured on only one side", byCell(.missing, report.lost))
    parts += list("\(Wording.count(better.count)) got better, best first", better.map(statement))
    let new = report.rows.filter { $0.verdict == .new }
    return parts + list("Not in the baseline", byCell(.new, new))
      + ConclusionSection.warnings(report, on: medium)
  }

  /// Lists what one side lacks, one line per cell: `…: all 26 figures (time, cpu, allocs and 5 more)`.
  private func byCell(_ verdict: Verdict, _ rows: [ReportRow]) -> [Part.Statement] {
    rows.grouped(by: \.cell).map { cell, rows in
      let isGone = !report.rows.contains { $0.cell == cell && $0.summary != nil }
      let all = isGone && rows.count > 1 ? "all " : ""
      let metrics = Wording.list(rows.map(\.metric.title).distinct)
      let figures = Wording.plural(rows.count, "figure")
      return Part.Statement(
        verdict: verdict.id, tone: verdict.tone, words: "\(cell): \(all)\(figures) (\(metrics))")
    }
  }

  /// Returns a heading, the first items and the number of the rest, or empty if there are no items.
  private func list(_ title: String, _ items: [Part.Statement], most: Int? = nil) -> [Part] {
    guard !items.isEmpty else { return [] }
    let shown = items.prefix(most ?? (medium == .terminal ? 6 : 20))
    let rest = items.count - shown.count
    let more = Part.Statement(words: "and \(Wording.count(rest)) more")
    return [.heading(title), .statements(shown + (rest > 0 ? [more] : []))]
  }

  private func statement(_ row: ReportRow) -> Part.Statement {
    let pairs = row.comparison?.pairs.map { ", \(Wording.plural($0, "pair"))" } ?? ""
    let why = report.explanation(of: row).map { "; \($0.words)" } ?? ""
    return Part.Statement(
      verdict: row.word, tone: row.verdict?.tone,
      words: "\(row.name): \(row.movement)\(pairs)\(why)")
  }
}

/// The figures of a gate for a terminal: a table for each group, of costs and of the phases of those that changed.
enum GateSection {
  static func parts(_ report: Report) -> [Part] {
    report.groups.flatMap { group -> [Part] in
      let rows = ComparisonSection.rows(group, of: report, isShort: true)
      guard !rows.isEmpty else { return [] }
      return [.heading(ReportDocument.title(group)), .table(ComparisonSection.table(rows))]
    } + [.paragraph("The format csv shows every figure.")]
  }
}
