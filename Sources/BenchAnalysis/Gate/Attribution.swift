import BenchResults
import Foundation

/// One failing row with what it takes to explain it later: what failed, by how much, and which two
/// programs to profile against each other.
public struct Attribution: Hashable, Codable, Sendable {
  /// The cell that was measured.
  public var cell: Cell
  /// The phase's id.
  public var phase: String
  /// The metric's id.
  public var metric: String
  /// The metric's unit.
  public var unit: BenchResults.Unit
  /// The verdict's word: `regressed` or `missing`.
  public var verdict: String
  /// Now over then; nil where there is none.
  public var ratio: Double?
  /// Now less then, in the metric's unit; nil outside the hard tier.
  public var difference: Double?
  /// What was judged.
  public var candidate: Side
  /// What it was judged against.
  public var baseline: Side

  /// What measured one side.
  public struct Side: Hashable, Codable, Sendable {
    /// The executable; nil of a run that was no part of a gate.
    public var executable: String?
    /// The git revision that it was built from; nil if unknown.
    public var revision: String?
    /// The id of the gate; nil of a run that was no part of one.
    public var pairing: String?
    /// When the run began, ISO 8601 in UTC.
    public var started: String

    /// What measured a record; the program's own revision stands in for that of a gate.
    init(_ record: RunRecord) {
      executable = record.pairing?.executable
      revision = record.pairing.map(\.revision) ?? record.tool.revision
      pairing = record.pairing?.id
      started = record.settings.started
    }
  }

  /// The failing rows of a report in its order, the worst first; none without a baseline.
  public static func all(_ report: Report) -> [Attribution] {
    guard let baseline = report.baseline else { return [] }
    let sides = (Side(report.record), Side(baseline))
    return report.failing.map { Attribution($0, candidate: sides.0, baseline: sides.1) }
  }

  private init(_ row: ReportRow, candidate: Side, baseline: Side) {
    (cell, phase, metric, unit) = (row.cell, row.phase, row.metric.id, row.metric.unit)
    verdict = row.verdict?.id ?? ""
    // JSON has no infinity.
    ratio = row.comparison?.ratio.flatMap { $0.isFinite ? $0 : nil }
    difference = row.comparison?.difference.flatMap { $0.isFinite ? $0 : nil }
    (self.candidate, self.baseline) = (candidate, baseline)
  }
}

/// The content of `gate.json`: what failed in a gate.
public struct GateFile: Hashable, Codable, Sendable {
  /// The schema that this program writes.
  public static let currentSchema = 1

  /// The file's schema version.
  public var schema: Int
  /// The failing rows, the worst first; none of a gate that passed.
  public var failing: [Attribution]

  /// Gathers the failing rows of a report.
  public init(_ report: Report) {
    schema = Self.currentSchema
    failing = Attribution.all(report)
  }

  /// The file as JSON with sorted keys, so that equal results are equal files.
  public func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
