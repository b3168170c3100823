import Basics
import BenchAnalysis
import BenchResults

/// GitHub's workflow commands, which put messages on a run's summary page.
///
/// Source: GitHub's "Workflow commands for GitHub Actions", and `actions/toolkit`'s
/// `core/src/command.ts` for the escaping.
package enum Annotations {
  /// The number of annotations of one kind that GitHub shows per step.
  private static let most = 10

  /// Returns one line per annotation, for standard output. Errors are regressions, the worst first,
  /// phases below their floors, cells that could not be measured, and cells with missing rows.
  /// Warnings are inconclusive rows, first those whose instructions say more.
  ///
  /// If there are more of one kind than GitHub shows, the last line counts the rest.
  package static func lines(for report: Report) -> [String] {
    // Rows that say where to look come first, so that they are not left out.
    let open = report.inconclusive.map { ($0, report.pointer(from: $0)) }
    let doubts = open.filter { $0.1 != nil } + open.filter { $0.1 == nil }
    let warnings: [Annotation] = doubts.map { row, pointer in
      let more = pointer.map { "; \($0)" } ?? ""
      return ("inconclusive: \(row.name)", "\(row.reason): \(row.movement)\(more)")
    }
    return commands("error", errors(report)) + commands("warning", warnings)
  }

  private typealias Annotation = (title: String, message: String)

  private static func errors(_ report: Report) -> [Annotation] {
    let regressed: [Annotation] = report.regressions.map { row in
      let why = report.explanation(of: row).map { "; \($0.words)" } ?? ""
      return ("regressed: \(row.name)", row.movement + why)
    }
    let failed: [Annotation] = report.record.failures.map { failure in
      let stage = failure.stage.map { " (\($0))" } ?? ""
      return ("not measured: \(failure.cell)\(stage)", failure.reason)
    }
    let below: [Annotation] = report.belowFloor.map {
      ("below-floor: \($0.name)", $0.belowFloorReason ?? "")
    }
    // One line per cell, except for cells with a recorded failure.
    let lost: [Annotation] = (report.rule.needsRows ? report.lost : []).grouped(by: \.cell)
      .sorted { "\($0.key)" < "\($1.key)" }.map { cell, rows in
        let isOfOneSide = rows.contains { $0.summary != nil }
        let reason =
          isOfOneSide ? "measured on only one side" : "of the baseline not measured now"
        return ("missing: \(cell)", "\(Wording.plural(rows.count, "row")) \(reason)")
      }
    let all = regressed + below + failed + lost
    let outcome = report.outcome()
    switch outcome {
    // Inconclusive rows have warnings.
    case .passed, .inconclusive: return all
    // The overall outcome, if no row or cell shows it.
    default: return all.isEmpty ? [(outcome.id, outcome.words)] : all
    }
  }

  private static func commands(_ kind: String, _ all: [Annotation]) -> [String] {
    let left = all.count - most + 1
    let rest: Annotation = (
      "and \(Wording.plural(left, "more \(kind)"))", "all are in report.md"
    )
    let special: Set<Unicode.Scalar> = ["%", "\r", "\n"]
    return (left > 1 ? all.prefix(most - 1) + [rest] : all).map { annotation in
      // In a property, the characters that end it are special, too.
      let title = annotation.title.percentEncoded { special.union([":", ","]).contains($0) }
      let message = annotation.message.percentEncoded(where: special.contains)
      return "::\(kind) title=\(title)::\(message)"
    }
  }
}
