import Basics
import BenchAnalysis
import BenchResults

/// What people read, in the order in which they need it: of a comparison its verdict, then what each
/// backend costs, where the cost lies, how far to trust it.
enum ReportDocument {
  /// The parts, in order.
  static func parts(of report: Report, on medium: Medium) -> [Part] {
    guard report.comparison != nil else {
      return report.groups.flatMap { group(report, $0, medium) }
        + ConclusionSection.parts(report, on: medium) + FactSection.parts(report)
    }
    let limits = medium == .terminal ? VerdictSection.Limits.terminal : .page
    let isShort = medium == .terminal && report.isGate
    return VerdictSection.entries(report, limits).map(\.part)
      + (isShort
        ? GateSection.parts(report) : report.groups.flatMap { group(report, $0, medium) })
      + ConclusionSection.hints(report, on: medium) + FactSection.parts(report)
  }

  private static func group(_ report: Report, _ group: ReportGroup, _ medium: Medium) -> [Part] {
    let notes = NoteSection(notes: group.info?.notes ?? [], medium: medium)
    return [.heading(title(group))]
      + counts(group.info) + notes.above
      + ComparisonSection.parts(group)
      + GlanceSection.parts(group, failures: report.record.failures)
      + DetailSection.parts(group) + GrowthSection.parts(group)
      + FloorSection.parts(group) + notes.below
  }

  /// What a group's figures are of.
  static func title(_ group: ReportGroup) -> String {
    "\(group.menu) · \(group.workload) at durability \(group.durability)"
  }

  private static func counts(_ info: MenuInfo?) -> [Part] {
    let counts = (info?.counts ?? []).map { "\(Wording.count(Double($0.count))) \($0.of)" }
    return counts.isEmpty ? [] : [.paragraph(counts.joined(separator: ", "))]
  }
}

/// The first sentence of a comparison: what was compared with what, and what it came to.
enum HeadlineSection {
  /// The sentence; nothing without a baseline.
  static func parts(_ report: Report) -> [Part] {
    guard let baseline = report.baseline else { return [] }
    let names = SideNames(report.record, baseline)
    return [.headline("\(names.candidate) against \(names.baseline): \(outcome(report))")]
  }

  private static func outcome(_ report: Report) -> String {
    let tally = ComparisonSection.tally(report.rows)
    let gap = gap(report)
    let isWhole = gap == nil && !report.rows.contains { $0.verdict == .missing }
    let isPass = isWhole && report.regressions.isEmpty && report.rows.contains(where: \.isDecided)
    let texts = [
      gap, isPass ? "no regression" : nil, tally.isEmpty ? "nothing could be compared" : tally,
    ]
    return texts.compactMap { $0 }.joined(separator: ", ")
  }

  /// Cells without figures, on whichever side: no comparison that lacks them has passed.
  private static func gap(_ report: Report) -> String? {
    let failures = report.record.failures + (report.baseline?.failures ?? [])
    let cells = Set(failures.map(\.cell))
    return cells.isEmpty ? nil : "\(Wording.plural(cells.count, "cell")) not measured"
  }
}

/// How far to trust the figures.
enum ConclusionSection {
  /// How many a terminal shows.
  private static let most = 6
  /// How many hints a terminal shows apart from warnings.
  private static let mostHints = 3

  /// The conclusions, worst first.
  static func parts(_ report: Report, on medium: Medium) -> [Part] {
    parts("Before you trust it", report.conclusions, most: medium == .terminal ? most : .max)
  }

  /// Errors and warnings alone.
  static func warnings(_ report: Report, most: Int) -> [Part] {
    parts("Before you trust it", report.conclusions.filter { $0.severity >= .warning }, most: most)
  }

  /// Hints alone.
  static func hints(_ report: Report, on medium: Medium) -> [Part] {
    parts(
      "Good to know", report.conclusions.filter { $0.severity < .warning },
      most: medium == .terminal ? mostHints : .max)
  }

  /// So many of the conclusions, and how many more there are.
  private static func parts(_ title: String, _ conclusions: [Conclusion], most: Int) -> [Part] {
    guard !conclusions.isEmpty else { return [] }
    let shown = conclusions.prefix(most).map { "\($0.severity.rawValue): \($0.text)" }
    let rest = conclusions.count - shown.count
    let more = rest > 0 ? ["and \(Wording.count(Double(rest))) more in report.md"] : []
    return [.heading(title), .list(shown + more)]
  }
}

/// What one side alone has, a line a cell.
enum AbsenceSection {
  /// What the baseline has and this run lacks, but for cells whose failure says it already.
  static func missing(_ report: Report, most: Int) -> [Part] {
    let failed = Set(report.record.failures.map(\.cell))
    let rows = report.rows.filter { $0.verdict == .missing && !failed.contains($0.cell) }
    let items = lines(rows) { cell, count in
      let isGone = !report.rows.contains { $0.cell == cell && $0.summary != nil }
      return "missing: \(cell): \(isGone ? "all " : "")\(Wording.plural(count, "figure"))"
    }
    return FlagSection.parts(
      "In the baseline, and not measured now", items, noun: "cell", most)
  }

  /// What there is nothing to compare with.
  static func new(_ report: Report, most: Int) -> [Part] {
    let items = lines(report.rows.filter { $0.verdict == .new }) { cell, count in
      "new: \(cell): \(Wording.plural(count, "figure"))"
    }
    return FlagSection.parts("Not in the baseline", items, noun: "cell", most)
  }

  /// `…: 26 figures (time, cpu, allocs and 5 more)`, in order of first occurrence.
  private static func lines(_ rows: [ReportRow], _ text: (Cell, Int) -> String) -> [String] {
    rows.grouped(by: \.cell).map { cell, rows in
      "\(text(cell, rows.count)) (\(Wording.list(rows.map(\.metric.title).distinct)))"
    }
  }
}

/// The rows that the data could not decide.
enum DoubtSection {
  /// Each with the smallest change that it could have shown, the widest first, or another reason.
  static func parts(_ report: Report, most: Int) -> [Part] {
    let rows = report.rows.filter { $0.verdict?.isInconclusive ?? false }
      .sorted { smallest($0) > smallest($1) }
    let items = rows.map { item($0, report) }
    let legend = ComparisonSection.legend(rows)
    return FlagSection.parts(
      "\(Wording.count(Double(rows.count))) inconclusive", items, noun: "inconclusive row", most)
      + (legend.isEmpty ? [] : [.paragraph(legend)])
  }

  private static func item(_ row: ReportRow, _ report: Report) -> String {
    let pairs = report.pairs(of: row).map { ", \($0)" } ?? ""
    let reason = ComparisonSection.reason(row.verdict)
    return "inconclusive: \(FlagSection.name(row)): \(reason): \(FlagSection.change(row))\(pairs)"
  }

  private static func smallest(_ row: ReportRow) -> Double {
    guard case .inconclusive(.wide(let smallest)) = row.verdict else { return .infinity }
    return smallest
  }
}

/// What to know of a menu: few notes are shown above its figures, many folded away.
struct NoteSection {
  /// How many lines of a terminal the notes of one menu may take.
  private static let most = 3

  let notes: [String]
  let medium: Medium

  /// The notes where they are few; on a terminal one sentence where they are many.
  var above: [Part] {
    if notes.isEmpty { return [] }
    if areFew { return [.list(notes.map { "note: \($0)" })] }
    return medium == .terminal ? [.paragraph(sentence)] : []
  }

  /// Many notes, on a page.
  var below: [Part] {
    areFew || medium == .terminal ? [] : [.details(title: title, items: notes)]
  }

  private var areFew: Bool {
    guard notes.count <= Self.most else { return false }
    let list = Part.list(notes.map { "note: \($0)" }).text(width: TableReporter.width)
    return list.count { $0 == "\n" } <= Self.most
  }

  private var title: String {
    "\(Wording.plural(notes.count, "note")) on what the importer adapted or could not place"
  }

  private var sentence: String {
    // Shortened so that the whole takes three lines even where it cannot be broken.
    let first = (notes.first ?? "").shortened(to: TableReporter.width)
    return "\(title); the first: \(first); all are in report.md"
  }
}
