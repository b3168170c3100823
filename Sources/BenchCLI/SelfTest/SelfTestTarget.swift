import BenchHarness
import BenchResults
import MenuModel

/// A cell and a phase that costs are injected into.
struct SelfTestTarget: Sendable {
  /// The cell.
  let planned: PlannedCell
  /// The phase's id.
  let phase: String

  /// Finds what was typed, as `json/decode`.
  ///
  /// - Throws: a ``CLIError`` for an unknown name.
  init<Document: BenchDocument>(
    _ typed: String, among cells: [PlannedCell], in suite: Suite<Document>
  ) throws {
    let parts = typed.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, let cell = cells.first(where: { $0.cell.backend == parts[0] }) else {
      throw CLIError(
        "--target \(typed) is no backend and phase of this self-test",
        help: "backends: \(cells.map(\.cell.backend).joined(separator: ", "))", status: .usage)
    }
    let phases = (try? suite.workload(cell.cell.workload))?.phases.map(\.id) ?? []
    (planned, phase) = (cell, try Choice(kind: "phase", ids: phases).one(parts[1]))
  }

  /// A cost added to it.
  func injection(_ cost: Injection.Cost) -> Injection {
    Injection(backend: planned.cell.backend, phase: phase, cost: cost)
  }

  /// Its row of a metric.
  func key(_ metric: Metric) -> Series.Key {
    Series.Key(cell: planned.cell, phase: phase, metric: metric.id)
  }

  /// The cell and the phase, in words.
  var words: String { "\(planned.cell) \(phase)" }
}
