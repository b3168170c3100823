import Basics
import BenchAnalysis
import BenchResults

/// The history for scripts: one line per run, cell, phase and metric, with the program and machine.
///
/// It has the format of a run's CSV. Figures of one metric and menu compare if their contexts are
/// the same. Exact metrics often compare across contexts, which `bench history show` sorts out.
package enum HistoryCSV {
  private typealias Entry = (line: HistoryLine, context: HistoryContext, point: HistoryPoint)

  private static let columns: [(id: String, field: @Sendable (Entry) -> String?)] = [
    ("run", { $0.point.run.id }),
    ("began", { $0.point.run.began }),
    ("revision", { $0.point.run.revision }),
    ("tags", { HistoryCSV.words($0.point.run.tags) }),
    ("backend", { $0.line.key.cell.backend }),
    ("menu", { $0.line.key.cell.menu }),
    ("fingerprint", { $0.line.key.menu }),
    ("workload", { $0.line.key.cell.workload }),
    ("durability", { $0.line.key.cell.durability }),
    ("phase", { $0.line.key.phase }),
    ("metric", { $0.line.key.metric.id }),
    ("unit", { $0.line.key.metric.unit.rawValue }),
    ("better", { $0.line.key.metric.better.rawValue }),
    ("exact", { "\($0.line.key.metric.isExact)" }),
    ("samples", { "\($0.point.figure.samples)" }),
    ("blocks", { "\($0.point.figure.blocks)" }),
    ("p50", { $0.point.figure.p50.finite?.digits }),
    ("ci_low", { $0.point.figure.interval?.low.finite?.digits }),
    ("ci_high", { $0.point.figure.interval?.high.finite?.digits }),
    ("context", { $0.line.context }),
    ("method", { "\($0.context.method)" }),
    ("processes", { $0.context.oneProcess ? "one" : "fresh" }),
    ("side", { $0.context.side?.rawValue }),
    ("cpu", { $0.context.machine.cpu }),
    ("cores", { $0.context.machine.cores.map(String.init) }),
    ("system", { $0.context.machine.system }),
    ("file_system", { $0.context.fileSystem }),
    ("swift", { $0.context.machine.swift }),
    ("build", { $0.context.machine.build }),
    ("sqlite", { $0.context.machine.sqlite }),
    ("allocator", { $0.context.machine.allocator }),
    ("counting_allocator", { $0.context.machine.countingAllocator }),
    ("instruction_counter", { $0.context.machine.instructionCounter }),
    ("environment", { $0.context.machine.environment.map(HistoryCSV.words) }),
    ("kernel", { $0.context.machine.kernel }),
  ]

  package static let header = CSVReporter.text([columns.map(\.id)])

  /// Returns the lines of a series, older runs first.
  package static func text(_ line: HistoryLine, _ context: HistoryContext) -> String {
    CSVReporter.text(
      line.points.map { point in
        columns.map { $0.field((line, context, point)) ?? "" }
      })
  }

  /// Returns `pr=12 team=menu`, which can be split again: a space within a word is `%20`.
  private static func words(_ pairs: [String: String]) -> String {
    pairs.sorted { $0.key < $1.key }
      .map { "\($0.key.percentEncoded(also: ["="]))=\($0.value.percentEncoded(also: []))" }
      .joined(separator: " ")
  }
}
