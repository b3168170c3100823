import Basics
import BenchAnalysis
import BenchResults

/// The contents of a history, as tables.
package enum HistoryList {
  /// Returns the series with their names and numbers of runs. Names are never shortened, because users type them.
  package static func series(_ figures: [(key: HistoryKey, figures: Int)]) -> String {
    let rows = figures.grouped(by: \.key.ids).map { _, alike in
      [Table.Cell(alike[0].key.name), .count(Double(alike.reduce(0) { $0 + $1.figures }))]
    }
    return [
      Part.heading("series"),
      .table(Table(columns: [.text("name"), .number("runs")], rows: rows)),
    ].text(on: Terminal(width: Terminal.unlimitedWidth))
  }

  package static func runs(_ runs: [StoredHistoryRun], of all: Int, width: Int) -> String {
    let table = Table(
      columns: [
        .text("began"), .text("run"), .text("revision"), .number("figures"),
        .text("measured", shrinksTo: 12, isOptional: true),
        .text("tags", shrinksTo: 12, isOptional: true),
      ],
      rows: runs.map { stored in
        [
          Table.Cell(HistoryDocument.moment(stored.run)), Table.Cell(stored.run.id),
          Table.Cell(stored.run.revision.map(short)), .count(Double(stored.figures)),
          Table.Cell(words(stored.context)),
          Table.Cell(stored.run.tags.assignments.joined(separator: " ")),
        ]
      }, whole: "bench history export")
    let rest = all - runs.count
    let more: [Part] = rest > 0 ? [.paragraph("and \(Wording.count(rest)) older ones")] : []
    return ([.heading("runs"), .table(table)] + more).text(on: Terminal(width: width))
  }

  /// Shortens a whole id to its first digits, which git knows as well. Returns anything else as it is.
  private static func short(_ revision: String) -> String {
    let isID = revision.count == 40 && revision.allSatisfy(\.isHexDigit)
    return isID ? String(revision.prefix(12)) : revision
  }

  private static func words(_ context: HistoryContext) -> String {
    let machine = context.machine
    let facts = [
      machine.cpu, machine.cores.map { Wording.plural($0, "core") },
      machine.swift.map { "Swift \($0)" }, machine.build == "release" ? nil : machine.build,
      context.oneProcess ? "one process" : nil, context.side.map { "\($0.rawValue) of a gate" },
      context.method == Tool.currentMethod ? nil : "method \(context.method)",
    ]
    return facts.compactMap { $0 }.joined(separator: ", ")
  }
}
