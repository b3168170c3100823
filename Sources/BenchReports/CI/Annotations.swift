import Basics
import BenchAnalysis
import BenchResults

/// GitHub's workflow commands, which put what matters on a run's summary page.
///
/// Source: GitHub's "Workflow commands for GitHub Actions", and `actions/toolkit`'s
/// `core/src/command.ts` for the escaping.
package enum Annotations {
  /// How many annotations of one kind GitHub shows of a step.
  package static let shown = 10

  /// A line an annotation, to be written to standard output: errors for regressions, the worst first,
  /// for phases below their floors, for cells that could not be measured and for those with rows missing;
  /// warnings for inconclusive rows, first those whose instructions say more.
  ///
  /// Of more than `most` of a kind the last line counts those left out.
  package static func lines(for report: Report, most: Int = shown) -> [String] {
    func doubt(_ row: ReportRow, _ pointer: String?) -> Annotation {
      Annotation(
        title: "inconclusive: \(row.name)",
        message: "\(row.reason): \(row.movement)\(pointer.map { "; \($0)" } ?? "")")
    }
    // What says where to look is not among those left out.
    let open = report.inconclusive.map { ($0, report.pointer(from: $0)) }
    let doubts = open.filter { $0.1 != nil } + open.filter { $0.1 == nil }
    return limited(errors(report), kind: "error", most)
      + limited(doubts.map(doubt), kind: "warning", most)
  }

  private struct Annotation {
    var title: String
    var message: String
  }

  private static func errors(_ report: Report) -> [Annotation] {
    let regressed = report.regressions.map { row in
      let why = report.explanation(of: row).map { "; \($0.words)" } ?? ""
      return Annotation(title: "regressed: \(row.name)", message: row.movement + why)
    }
    let failed = report.record.failures.map { failure in
      let stage = failure.stage.map { " (\($0))" } ?? ""
      return Annotation(title: "not measured: \(failure.cell)\(stage)", message: failure.reason)
    }
    let below = report.belowFloor.map {
      Annotation(title: "below-floor: \($0.name)", message: $0.belowFloorReason ?? "")
    }
    let lost = report.rule.needsRows ? missing(report) : []
    let all = regressed + below + failed + lost
    return all.isEmpty ? whole(report) : all
  }

  /// What the whole comes to, where that is no pass and no row or cell says so; inconclusive rows have warnings.
  private static func whole(_ report: Report) -> [Annotation] {
    let outcome = report.outcome()
    switch outcome {
    case .passed, .inconclusive: return []
    default: return [Annotation(title: outcome.id, message: outcome.words)]
    }
  }

  /// One annotation a cell, but for those whose failure says it already.
  private static func missing(_ report: Report) -> [Annotation] {
    report.lost.grouped(by: \.cell).sorted { "\($0.key)" < "\($1.key)" }.map { cell, rows in
      let isOfOneSide = rows.contains { $0.summary != nil }
      return Annotation(
        title: "missing: \(cell)",
        message: Wording.plural(rows.count, "row")
          + (isOfOneSide ? " measured on one side alone" : " of the baseline not measured now"))
    }
  }

  private static func limited(_ all: [Annotation], kind: String, _ most: Int) -> [String] {
    guard all.count > most else { return all.map { command(kind, $0) } }
    guard most > 0 else { return [] }
    let rest = Annotation(
      title: "and \(Wording.plural(all.count - most + 1, "more \(kind)"))",
      message: "all are in report.md")
    return (all.prefix(most - 1) + [rest]).map { command(kind, $0) }
  }

  private static func command(_ kind: String, _ annotation: Annotation) -> String {
    "::\(kind) title=\(escaped(annotation.title, also: [":", ","]))"
      + "::\(escaped(annotation.message, also: []))"
  }

  /// `%`, CR and LF as GitHub asks; in properties what ends a property, too.
  private static func escaped(_ text: String, also special: Set<Unicode.Scalar>) -> String {
    text.unicodeScalars.map { scalar in
      let isEscaped = ["%", "\r", "\n"].contains(scalar) || special.contains(scalar)
      return isEscaped ? "%" + UInt8(ascii: scalar).hexadecimal : String(scalar)
    }.joined()
  }
}
