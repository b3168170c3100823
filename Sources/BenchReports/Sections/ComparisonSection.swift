import BenchAnalysis
import BenchResults

/// A group set against the baseline.
enum ComparisonSection {
  /// Every row that got better or worse, and the wall times whatever they did; the rest is counted.
  static func parts(_ group: ReportGroup) -> [Part] {
    let compared = group.rows.filter { $0.verdict != nil }
    guard !compared.isEmpty else { return [] }
    let shown = compared.filter { $0.metric.id == Metric.wall.id || isTelling($0.verdict) }
    let legend = legend(shown)
    return (shown.isEmpty ? [] : [.table(table(shown))])
      + [
        .paragraph(
          "against the baseline: \(tally(compared))\(legend.isEmpty ? "" : "; \(legend)")")
      ]
  }

  /// What is said of rows with a smallest change; empty of rows without.
  static func legend(_ rows: [ReportRow]) -> String {
    let isUnsure = rows.contains {
      if case .inconclusive(.wide) = $0.verdict { true } else { false }
    }
    return isUnsure ? "shows ≥: the smallest change that this data could have shown" : ""
  }

  /// A table of rows beside the baseline's. Where there is no room for both, the reason for a doubt
  /// is worth more than the interval. A compact one names no metric where all rows have the same.
  static func table(_ rows: [ReportRow], isCompact: Bool = false) -> TextTable {
    let namesMetric = !isCompact || Set(rows.map(\.metric.id)).count > 1
    let reasons = rows.map { reason($0.verdict) }
    let hasReasons = reasons.contains { !$0.isEmpty }
    let columns = ReportColumn.all.compactMap(\.changes)
    return TextTable(
      columns: [
        .text("backend", shrinksTo: 8), .text("phase", shrinksTo: 8),
        .text("metric", isOptional: true),
      ] + columns.map(\.column) + (hasReasons ? [.text("", shrinksTo: 13)] : []),
      rows: zip(rows, reasons).map { row, reason in
        [row.cell.backend, row.phase, namesMetric ? row.metric.title : ""]
          + columns.map { $0.text(row) ?? TextTable.unknown } + (hasReasons ? [reason] : [])
      }, isGrouped: true)
  }

  /// `2 regressed, 30 unchanged`.
  static func tally(_ rows: [ReportRow]) -> String {
    let verdicts = rows.compactMap(\.verdict?.id)
    let order = ["regressed", "missing", "improved", "unchanged", "inconclusive", "new"]
    return order.compactMap { id in
      let count = verdicts.count { $0 == id }
      return count > 0 ? "\(Wording.count(Double(count))) \(id)" : nil
    }.joined(separator: ", ")
  }

  private static func isTelling(_ verdict: Verdict?) -> Bool {
    switch verdict {
    case .regressed, .improved, .inconclusive(.notExact), .inconclusive(.unconfirmed): true
    default: false
    }
  }

  /// Why the verdict is none; empty of one that is.
  static func reason(_ verdict: Verdict?) -> String {
    guard case .inconclusive(let doubt) = verdict else { return "" }
    return Wording.doubt(doubt)
  }
}

/// The verdict of a comparison, before any table: the headline, what changed, what could not be
/// decided, what to know before trusting it.
enum VerdictSection {
  /// How many lines each kind of item may take.
  struct Limits {
    var regressions: Int
    var others: Int
    var conclusions: Int

    /// Little, and the tables have the rest.
    static let terminal = Limits(regressions: FlagSection.most, others: 6, conclusions: 6)
    /// More, and the tables have the rest.
    static let page = Limits(
      regressions: FlagSection.most, others: FlagSection.most, conclusions: .max)
    /// Every regression, since no table may follow.
    static let summary = Limits(
      regressions: .max, others: FlagSection.most, conclusions: .max)
  }

  /// The parts, each with what its lines are called when they are counted; without a baseline none
  /// but doubts.
  static func entries(_ report: Report, _ limits: Limits) -> [LimitedDocument.Entry] {
    let others = limits.others
    let parts: [([Part], String)] = [
      (HeadlineSection.parts(report), "headline"),
      (FlagSection.regressions(report, most: limits.regressions), "regression"),
      (AbsenceSection.missing(report, most: others), "missing cell"),
      (FlagSection.improvements(report, most: others), "improvement"),
      (DoubtSection.parts(report, most: others), "inconclusive row"),
      (AbsenceSection.new(report, most: others), "new cell"),
      (ConclusionSection.warnings(report, most: limits.conclusions), "conclusion"),
    ]
    return parts.flatMap { parts, noun in
      parts.map { LimitedDocument.Entry(part: $0, noun: noun) }
    }
  }
}

/// What changed, before anything else.
enum FlagSection {
  /// How many flagged rows are listed where the tables further down and the CSV have all.
  static let most = 20

  /// The regressions, the worst first.
  static func regressions(_ report: Report, most: Int = most) -> [Part] {
    let worst = report.regressions
    return parts(
      "\(Wording.plural(worst.count, "regression")), worst first",
      worst.map { flag($0, report) }, noun: "regression", most)
  }

  /// The improvements, the best first.
  static func improvements(_ report: Report, most: Int = most) -> [Part] {
    let best = report.rows.filter { $0.verdict == .improved }.sorted { gain($0) > gain($1) }
    return parts(
      "\(Wording.plural(best.count, "improvement")), best first",
      best.map { flag($0, report) }, noun: "improvement", most)
  }

  /// So many of the items below their heading, and how many more there are; nothing of none.
  static func parts(_ title: String, _ items: [String], noun: String, _ most: Int) -> [Part] {
    guard !items.isEmpty else { return [] }
    let rest = items.count - most
    let more = rest > 0 ? ["and \(Wording.plural(rest, "more \(noun)"))"] : []
    return [.heading(title), .list(items.prefix(most) + more)]
  }

  private static func flag(_ row: ReportRow, _ report: Report) -> String {
    let pairs = report.pairs(of: row).map { ", \($0)" } ?? ""
    return "\(row.verdict?.id ?? ""): \(name(row)): \(change(row))\(pairs)"
  }

  /// What a row is called in a list.
  static func name(_ row: ReportRow) -> String {
    "\(row.cell) \(row.phase) \(row.metric.title)"
  }

  /// How many times better the row got, 1 or more.
  private static func gain(_ row: ReportRow) -> Double {
    guard let ratio = row.comparison?.ratio else { return .infinity }
    return row.metric.better == .lower ? 1 / ratio : ratio
  }

  /// How much a row moved, where that has a ratio, and from where to where:
  /// `1.25× slower (1.24–1.26×), 51.0 ms → 63.7 ms`.
  static func change(_ row: ReportRow) -> String {
    let interval = row.intervalText.map { " (\($0))" } ?? ""
    let ratio = row.comparison?.ratio == nil ? "" : "\(row.changeText ?? "")\(interval), "
    return "\(ratio)\(row.baselineText ?? TextTable.unknown) → \(row.nowText ?? TextTable.unknown)"
  }
}

/// What a gate's reader wants of its figures on a terminal: each time beside the baseline's, and how
/// many figures are as they were.
enum GateSection {
  /// A table of judged times a group, and a line on the exact figures.
  static func parts(_ report: Report) -> [Part] {
    report.groups.flatMap(times) + exact(report)
  }

  private static func times(_ group: ReportGroup) -> [Part] {
    let rows = group.rows.filter { $0.metric.isTime && $0.summary != nil && $0.isDecided }
    guard !rows.isEmpty else { return [] }
    return [
      .heading(ReportDocument.title(group)), .table(ComparisonSection.table(rows, isCompact: true)),
    ]
  }

  /// `118 exact figures unchanged`.
  private static func exact(_ report: Report) -> [Part] {
    let rows = report.rows.filter { $0.comparison?.difference != nil && $0.isDecided }
    guard !rows.isEmpty else { return [] }
    let tally =
      rows.allSatisfy { $0.verdict == .unchanged }
      ? "\(Wording.plural(rows.count, "exact figure")) unchanged"
      : "exact figures: \(ComparisonSection.tally(rows))"
    return [.paragraph("\(tally); the formats markdown and csv show every figure")]
  }
}

extension Report {
  /// Whether the run was measured to be compared: its reader wants the comparison, not the figures.
  var isGate: Bool { comparison.map { $0.isPaired || !$0.gatesTimes } ?? false }

  /// Whether any time was measured.
  var hasTimes: Bool { record.cells.contains { $0.metric.isTime && !$0.blocks.isEmpty } }

  /// On how many pairs of blocks a gate's verdict on a time rests; nil of every other row.
  ///
  /// A flagged row's are the fresh ones that confirmed it, an open row's those of its last look.
  func pairs(of row: ReportRow) -> String? {
    guard comparison?.isPaired == true, row.metric.isTime, let looks = record.pairing?.looks
    else { return nil }
    let measured = row.series.blocks.count
    return switch row.verdict {
    case .regressed, .improved: Wording.plural(min(measured, looks.confirmation), "fresh pair")
    case .inconclusive(.wide), .inconclusive(.drift), .inconclusive(.noRatio):
      Wording.plural(min(measured, looks.screening.max() ?? measured), "pair")
    case .inconclusive, .unchanged, .new, .missing, nil: nil
    }
  }
}
