import Basics
import BenchResults
import Foundation

/// One failing row: what failed, by how much, because of which functions, and which two programs to
/// profile against each other.
package struct Attribution: Equatable, Codable, Sendable {
  package var cell: Cell
  package var phase: String
  package var metric: String
  package var unit: BenchResults.Unit
  /// The verdict's word: `regressed` or `missing`.
  package var verdict: String
  /// Now over then; nil where there is none.
  package var ratio: Double?
  /// Now less then, in the metric's unit; nil outside the hard tier.
  package var difference: Double?
  /// Because of which functions; nil where that was not looked into.
  package var explanation: Explanation?
  package var candidate: Side
  package var baseline: Side

  package struct Side: Equatable, Codable, Sendable {
    /// The executable; nil of a run that was no part of a gate.
    package var executable: String?
    package var revision: String?
    /// The id of the gate; nil of a run that was no part of one.
    package var pairing: String?
    package var started: String

    /// What measured a record; the program's own revision stands in for that of a gate.
    init(_ record: RunRecord) {
      executable = record.pairing?.executable
      revision = record.pairing.map(\.revision) ?? record.tool.revision
      pairing = record.pairing?.id
      started = record.settings.started
    }
  }

  /// The failing rows of a report in its order, the worst first; none without a baseline.
  package static func all(_ report: Report) -> [Attribution] {
    guard let baseline = report.baseline else { return [] }
    let sides = (Side(report.record), Side(baseline))
    return (report.rule.needsRows ? report.failing : report.regressions).map { row in
      // JSON has no infinity.
      Attribution(
        cell: row.cell, phase: row.phase, metric: row.metric.id, unit: row.metric.unit,
        verdict: row.verdict?.id ?? "", ratio: row.comparison?.ratio?.finite,
        difference: row.comparison?.difference?.finite, explanation: report.explanation(of: row),
        candidate: sides.0, baseline: sides.1)
    }
  }
}

/// The content of `gate.json`: what a gate came to, and which rows failed.
package struct GateFile: Equatable, Codable, Sendable {
  package static let currentSchema = 1

  package var schema: Int
  /// What the gate came to, by its word: `passed`, or why it did not, which may be in no row.
  package var outcome: String
  /// The failing rows, the worst first; none of a gate that passed.
  package var failing: [Attribution]

  package init(_ report: Report) {
    schema = Self.currentSchema
    outcome = report.outcome().id
    failing = Attribution.all(report)
  }

  /// The file as JSON with sorted keys, so that equal results are equal files.
  package func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
