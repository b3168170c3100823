import BenchAnalysis
import BenchResults

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
    let cells = Dictionary(grouping: rows, by: \.cell)
    return rows.map(\.cell).distinct.map { cell in
      let rows = cells[cell] ?? []
      return "\(text(cell, rows.count)) (\(Wording.list(rows.map(\.metric.title).distinct)))"
    }
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, in order of first occurrence.
  var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
