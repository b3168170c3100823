import Basics
import BenchResults
import Foundation

/// One failing row of a report: what failed, by how much, because of which functions, and which two
/// programs to profile against each other.
package struct Attribution: Equatable, Codable, Sendable {
  package var cell: Cell
  package var phase: String
  package var metric: String
  package var unit: BenchResults.Unit
  /// The verdict's id: `regressed`, `over-limit` or `missing`.
  package var verdict: String
  /// Candidate / baseline, or nil if it is undefined or infinite.
  package var ratio: Double?
  /// Candidate minus baseline, in the metric's unit, or nil unless the metric is hard (`isDeterministic`).
  package var difference: Double?
  /// The functions that explain the change, or nil if they were not looked for.
  package var explanation: Explanation?
  package var candidate: Side
  package var baseline: Side

  package struct Side: Equatable, Codable, Sendable {
    /// The executable, or nil unless the run was one side of a gate.
    package var executable: String?
    package var revision: String?
    /// The id of the gate, or nil unless the run was one side of one.
    package var pairing: String?
    package var started: String

    /// Names the program that measured a record. Outside a gate, the revision is that of the tool.
    init(_ record: RunRecord) {
      executable = record.pairing?.executable
      revision = record.pairing.map(\.revision) ?? record.tool.revision
      pairing = record.pairing?.id
      started = record.settings.started
    }
  }

  /// Returns the failing rows of a report: regressions, worst first, then missing rows if its rule
  /// needs them. Empty without a baseline.
  package static func all(_ report: Report) -> [Attribution] {
    guard let baseline = report.baseline else { return [] }
    let sides = (Side(report.record), Side(baseline))
    let failing = report.failing.filter { report.rule.needsRows || $0.verdict != .missing }
    return report.once(failing).map { row in
      // JSON has no infinity.
      Attribution(
        cell: row.cell, phase: row.phase, metric: row.metric.id, unit: row.metric.unit,
        verdict: row.verdict?.id ?? "", ratio: row.comparison?.ratio?.finite,
        difference: row.comparison?.difference?.finite, explanation: report.explanation(of: row),
        candidate: sides.0, baseline: sides.1)
    }
  }
}

/// The content of `gate.json`: the outcome of a gate and the rows that failed.
package struct GateFile: Equatable, Codable, Sendable {
  package static let currentSchema = 1

  package var schema: Int
  /// The outcome's id: `passed`, or the reason for the failure, which need not be in a row.
  package var outcome: String
  /// The failing rows, worst first, or empty if the gate passed.
  package var failing: [Attribution]

  package init(_ report: Report) {
    schema = Self.currentSchema
    outcome = report.outcome().id
    failing = Attribution.all(report)
  }

  /// Encodes the file as JSON with sorted keys, so that equal results give equal files.
  package func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
