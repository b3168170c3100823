import Basics
import BenchAnalysis
import BenchResults

/// The history for scripts, tidy: a line a run, cell, phase and metric, with what it was measured on and by.
///
/// As the CSV of a run: fields quoted as RFC 4180 says, unknowns empty, all digits. Figures of one metric and menu
/// compare where their contexts are one; of exact metrics often where they are not, which `bench history show` sorts out.
package enum HistoryCSV {
  private struct Entry {
    let line: HistoryLine
    let context: HistoryContext
    let point: HistoryPoint

    var machine: Machine { context.machine }
    var cell: Cell { line.key.cell }
    var metric: Metric { line.key.metric }
    var figure: HistoryFigure { point.figure }
  }

  private struct Column: Sendable {
    let id: String
    let field: @Sendable (Entry) -> String?

    init(_ id: String, _ field: @escaping @Sendable (Entry) -> String?) {
      (self.id, self.field) = (id, field)
    }
  }

  private static let columns = [
    Column("run") { $0.point.run.id },
    Column("began") { $0.point.run.began },
    Column("revision") { $0.point.run.revision },
    Column("tags") { HistoryCSV.words($0.point.run.tags) },
    Column("backend") { $0.cell.backend },
    Column("menu") { $0.cell.menu },
    Column("fingerprint") { $0.line.key.menu },
    Column("workload") { $0.cell.workload },
    Column("durability") { $0.cell.durability },
    Column("phase") { $0.line.key.phase },
    Column("metric") { $0.metric.id },
    Column("unit") { $0.metric.unit.rawValue },
    Column("better") { $0.metric.better.rawValue },
    Column("exact") { "\($0.metric.isExact)" },
    Column("samples") { "\($0.figure.samples)" },
    Column("blocks") { "\($0.figure.blocks)" },
    Column("p50") { $0.figure.p50.finite?.digits },
    Column("ci_low") { $0.figure.interval?.low.finite?.digits },
    Column("ci_high") { $0.figure.interval?.high.finite?.digits },
    Column("context") { $0.line.context },
    Column("method") { "\($0.context.method)" },
    Column("processes") { $0.context.oneProcess ? "one" : "fresh" },
    Column("side") { $0.context.side?.rawValue },
    Column("cpu") { $0.machine.cpu },
    Column("cores") { $0.machine.cores.map(String.init) },
    Column("system") { $0.machine.system },
    Column("file_system") { $0.context.fileSystem },
    Column("swift") { $0.machine.swift },
    Column("build") { $0.machine.build },
    Column("sqlite") { $0.machine.sqlite },
    Column("allocator") { $0.machine.allocator },
    Column("counting_allocator") { $0.machine.countingAllocator },
    Column("instruction_counter") { $0.machine.instructionCounter },
    Column("environment") { $0.machine.environment.map(HistoryCSV.words) },
  ]

  package static let header = CSVReporter.text([columns.map(\.id)])

  /// The lines of a series, older runs first.
  package static func text(_ line: HistoryLine, _ context: HistoryContext) -> String {
    CSVReporter.text(
      line.points.map { point in
        let entry = Entry(line: line, context: context, point: point)
        return columns.map { $0.field(entry) ?? "" }
      })
  }

  /// `pr=12 team=menu`, which comes apart again: a space within one is `%20`.
  private static func words(_ pairs: [String: String]) -> String {
    pairs.sorted { $0.key < $1.key }
      .map { "\($0.key.percentEncoded(also: ["="]))=\($0.value.percentEncoded(also: []))" }
      .joined(separator: " ")
  }
}
