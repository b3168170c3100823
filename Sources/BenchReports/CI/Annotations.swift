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

  /// Returns one line per annotation, for standard output. Errors are regressions, the worst first, figures over limits
  /// or below floors, and cells that could not be measured or lack rows. Warnings are rows that cannot say.
  ///
  /// If there are more of one kind than GitHub shows, the last line counts the rest.
  package static func lines(for report: Report) -> [String] {
    let open = report.inconclusive.sorted { $0.upperEnd > $1.upperEnd }
    return commands("error", errors(report)) + commands("warning", open.map { told($0) })
  }

  private typealias Annotation = (title: String, message: String)

  private static func told(_ row: ReportRow, because reason: Explanation? = nil) -> Annotation {
    let why = reason.map { "; \($0.words)" } ?? ""
    return ("\(row.verdict?.id ?? ""): \(row.name)", "\(row.word): \(row.movement)\(why)")
  }

  private static func errors(_ report: Report) -> [Annotation] {
    let regressed = report.once(report.regressions).map {
      told($0, because: report.explanation(of: $0))
    }
    let over: [Annotation] = report.overLimit.map { ("over-limit: \($0.name)", $0.besideLimit) }
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
        ("missing: \(cell)", "\(Wording.plural(rows.count, "row")) measured on only one side")
      }
    let all = regressed + over + below + failed + lost
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
