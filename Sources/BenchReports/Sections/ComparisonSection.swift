import Basics
import BenchAnalysis
import BenchResults

enum ComparisonSection {
  /// Returns a table of rows with a telling verdict and of all wall times. Other rows are only counted.
  static func parts(_ group: ReportGroup) -> [Part] {
    let compared = group.rows.filter { $0.comparison != nil && $0.verdict != nil }
    guard !compared.isEmpty else { return [] }
    let shown = compared.filter { $0.metric.id == Metric.wall.id || isTelling($0.verdict) }
    let words = ["against the baseline: \(tally(compared))", legend(shown)].filter { !$0.isEmpty }
    return (shown.isEmpty ? [] : [.table(table(shown))])
      + [.paragraph(words.joined(separator: "; "))]
  }

  /// Explains the smallest detectable change, if any of the rows has one.
  static func legend(_ rows: [ReportRow]) -> String {
    let isUnsure = rows.contains {
      if case .inconclusive(.wide) = $0.verdict { true } else { false }
    }
    return isUnsure ? "shows ≥: the smallest change that this data could have shown" : ""
  }

  /// Returns a table of rows next to the baseline's. If space is short, it keeps reasons rather
  /// than intervals, and columns that tell rows apart rather than the baseline. A compact table
  /// names no metric that all rows share.
  static func table(_ rows: [ReportRow], isCompact: Bool = false) -> Table {
    let isOfSeveral = Set(rows.map(\.metric.id)).count > 1
    let namesMetric = !isCompact || isOfSeveral
    let reasons = rows.map(\.reason)
    let hasReasons = reasons.contains { !$0.isEmpty }
    return Table(
      columns: [
        .id("backend"), .id("phase"),
        .text("metric", isOptional: !isOfSeveral), .number("baseline", isOptional: true),
        .number("now"), .text("change", isOptional: true, isLast: true),
        .text("interval", isOptional: true), .text("verdict"),
      ] + (hasReasons ? [.text("reason", shrinksTo: 14)] : []),
      rows: zip(rows, reasons).map { row, reason in
        let comparison = row.comparison
        let paired = comparison?.paired
        return [
          Table.Cell(row.cell.backend, link: "phases"), Table.Cell(row.phase),
          Table.Cell(namesMetric ? row.metric.title : ""),
          Table.Cell(row.baselineText, paired?.baseline ?? comparison?.baselineP50),
          Table.Cell(row.nowText, paired?.now ?? row.summary?.p50),
          Table.Cell(row.changeText, comparison?.ratio),
          Table.Cell(row.intervalText, comparison?.interval?.low),
          Table.Cell(row.verdict?.id, tone: row.verdict?.tone),
        ] + (hasReasons ? [Table.Cell(reason)] : [])
      }, isGrouped: true)
  }

  /// Counts the rows of each verdict: `2 regressed, 30 unchanged`.
  static func tally(_ rows: [ReportRow]) -> String {
    let verdicts = rows.compactMap(\.verdict?.id)
    let order = [
      "regressed", "below-floor", "missing", "improved", "unchanged", "inconclusive", "new",
    ]
    return order.compactMap { id in
      let count = verdicts.count { $0 == id }
      return count > 0 ? "\(Wording.count(count)) \(id)" : nil
    }.joined(separator: ", ")
  }

  private static func isTelling(_ verdict: Verdict?) -> Bool {
    switch verdict {
    case .regressed, .improved, .inconclusive(.notExact), .inconclusive(.unconfirmed): true
    default: false
    }
  }
}

/// The verdict of a comparison, before any table: the headline, the changes, the undecided rows,
/// and what to know before trusting it.
struct VerdictSection {
  let report: Report
  let medium: Medium
  /// Whether no table follows that has the regressions that a list leaves out.
  var isAlone = false

  /// The parts; without a baseline only doubts.
  var parts: [Part] {
    let worse = report.regressions
    let better = report.rows.filter { $0.verdict == .improved }.sorted { gain($0) > gain($1) }
    // Rows that say where to look come first, so that a short list does not hide them.
    let open = report.inconclusive
      .map { row in (row, report.pointer(from: row) == nil ? 0.0 : 1, smallest(row)) }
      .sorted { ($0.1, $0.2) > ($1.1, $1.2) }.map(\.0)
    let legend = ComparisonSection.legend(open)
    return (headline.map { [.headline($0)] } ?? [])
      + list(
        "\(Wording.plural(worse.count, "regression")), worst first", worse.map(statement),
        "regression", most: isAlone ? .max : 20)
      + list(
        report.lost.contains { $0.summary != nil }
          ? "Measured on only one side" : "In the baseline, but not measured now",
        byCell(.missing, report.lost), "cell")
      + list(
        "\(Wording.plural(better.count, "improvement")), best first", better.map(statement),
        "improvement")
      + list("\(Wording.count(open.count)) inconclusive", open.map(statement), "inconclusive row")
      + (legend.isEmpty ? [] : [.paragraph(legend)])
      + list("Not in the baseline", byCell(.new, report.rows.filter { $0.verdict == .new }), "cell")
      + ConclusionSection.warnings(report, on: medium)
  }

  /// The two sides and the result, or nil without a baseline.
  private var headline: String? {
    guard let baseline = report.baseline else { return nil }
    let names = SideNames(report.record, baseline)
    let tally = ComparisonSection.tally(report.rows)
    // Cells without figures, on either side: a comparison that lacks them has not passed.
    let lacking = report.record.failures + report.record.emptyCells + baseline.failures
    let unmeasured = Set(lacking.map(\.cell)).count
    let outcome = report.outcome()
    let isPass = if case .passed(let decided, _) = outcome { decided > 0 } else { false }
    // A cell that is gone although no row shows it.
    let isGone = if case .gone = outcome { true } else { false }
    let texts = [
      unmeasured > 0 ? "\(Wording.plural(unmeasured, "cell")) not measured" : nil,
      isGone ? outcome.words : nil, isPass ? "no regression" : nil,
      tally.isEmpty ? "nothing could be compared" : tally,
    ].compactMap { $0 }
    return "\(names.candidate) against \(names.baseline): \(texts.joined(separator: ", "))"
  }

  /// Lists what one side lacks, one line per cell: `…: all 26 figures (time, cpu, allocs and 5 more)`.
  private func byCell(_ verdict: Verdict, _ rows: [ReportRow]) -> [Part.Statement] {
    rows.grouped(by: \.cell).map { cell, rows in
      let isGone = !report.rows.contains { $0.cell == cell && $0.summary != nil }
      let all = isGone && rows.count > 1 ? "all " : ""
      let metrics = Wording.list(rows.map(\.metric.title).distinct)
      let figures = Wording.plural(rows.count, "figure")
      return Part.Statement(verdict: verdict, words: "\(cell): \(all)\(figures) (\(metrics))")
    }
  }

  /// Returns a heading, the first items and the number of the rest, or empty if there are no items.
  private func list(
    _ title: String, _ items: [Part.Statement], _ noun: String, most: Int? = nil
  ) -> [Part] {
    guard !items.isEmpty else { return [] }
    let shown = items.prefix(most ?? (medium == .terminal ? 6 : 20))
    let rest = items.count - shown.count
    let more = Part.Statement(words: "and \(Wording.plural(rest, "more \(noun)"))")
    return [.heading(title), .statements(shown + (rest > 0 ? [more] : []))]
  }

  private func statement(_ row: ReportRow) -> Part.Statement {
    let pairs = report.pairs(of: row).map { ", \($0)" } ?? ""
    let more = [row.reason, report.explanation(of: row)?.words ?? report.pointer(from: row) ?? ""]
      .filter { !$0.isEmpty }.map { "; \($0)" }.joined()
    return Part.Statement(
      verdict: row.verdict, words: "\(row.name): \(row.movement)\(pairs)\(more)")
  }

  /// Returns how many times better a row got, 1 or more.
  private func gain(_ row: ReportRow) -> Double {
    guard let ratio = row.comparison?.ratio else { return .infinity }
    return row.metric.better == .lower ? 1 / ratio : ratio
  }

  /// Returns the smallest change that a row could have shown; infinity for rows with other reasons.
  private func smallest(_ row: ReportRow) -> Double {
    guard case .inconclusive(.wide(let smallest)) = row.verdict else { return .infinity }
    return smallest
  }
}

/// The figures of a gate for a terminal: each time next to the baseline's, and how many figures are
/// unchanged.
enum GateSection {
  /// Returns a table of judged times per group, and a line on the exact figures.
  static func parts(_ report: Report) -> [Part] {
    let times = report.groups.flatMap { group -> [Part] in
      let rows = group.rows.filter { $0.metric.isTime && $0.summary != nil && $0.isCompared }
      let table = ComparisonSection.table(rows, isCompact: true)
      return rows.isEmpty ? [] : [.heading(ReportDocument.title(group)), .table(table)]
    }
    let exact = report.rows.filter { $0.comparison?.difference != nil && $0.isCompared }
    guard !exact.isEmpty else { return times }
    let tally =
      exact.allSatisfy { $0.verdict == .unchanged }
      ? "\(Wording.plural(exact.count, "count")) unchanged"
      : "counts: \(ComparisonSection.tally(exact))"
    return times + [.paragraph("\(tally). The formats markdown and csv show every figure.")]
  }
}

extension Report {
  /// Whether the run was measured for a comparison: readers then want that, not the figures.
  var isGate: Bool { comparison.map { $0.isPaired || !$0.gatesTimes } ?? false }

  /// Returns how many pairs of blocks decide a gate's verdict on a time, or nil for every other row.
  ///
  /// For a flagged row these are the fresh pairs that confirmed it, for an open row those of its last interim analysis.
  func pairs(of row: ReportRow) -> String? {
    guard comparison?.isPaired == true, row.metric.isTime, let looks = record.pairing?.looks
    else { return nil }
    let measured = row.series.blocks.count
    return switch row.verdict {
    case .regressed, .improved: Wording.plural(min(measured, looks.confirmation), "fresh pair")
    case .inconclusive(.wide), .inconclusive(.drift), .inconclusive(.noRatio):
      Wording.plural(min(measured, looks.screening.max() ?? measured), "pair")
    case .inconclusive, .unchanged, .new, .missing, .belowFloor, nil: nil
    }
  }
}
