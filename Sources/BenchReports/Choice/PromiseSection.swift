import BenchAnalysis
import BenchResults

/// What storages take and what they promise.
enum PromiseSection {
  static func parts(_ sheet: CostSheet) -> [Part] {
    guard !sheet.backends.isEmpty else { return [] }
    let places = sheet.sizes.map { "\($0.title) of \($0.workload)" }
    let legend = PromiseMarks.legend + (places.isEmpty ? "" : "; \(places.joined(separator: ", "))")
    return [
      .heading("\(sheet.menu) · sizes and promises"),
      .table(CostTable.table(sheet, sheet.sizes, endingIn: .promises)), .paragraph(legend),
    ]
  }
}

/// A storage's promises in a few columns, one letter each.
package enum PromiseMarks {
  /// The promises that have a letter, in order.
  package static let letters: [(id: String, letter: Character)] = [
    ("atomic", "a"), ("durable", "d"), ("partial-read", "p"), ("query", "q"),
    ("concurrent-reader", "c"), ("schema-change", "s"),
  ]

  /// What the letters mean.
  static var legend: String {
    "promises: " + letters.map { "\($0.letter) \($0.id)" }.joined(separator: ", ")
      + "; · not promised, ? unknown"
  }

  /// `ad·q··`; `keeps nothing` of what does not survive a restart, `?` where nobody said.
  static func text(_ sheet: CostSheet, _ backend: String) -> String {
    let info = sheet.backend(backend)
    if info?.survivesRestart == false { return "keeps nothing" }
    guard let promises = info?.promises else { return "?" }
    let others = promises.filter { id in !letters.contains { $0.id == id } }
    return ([String(letters.map { promises.contains($0.id) ? $0.letter : "·" })] + others)
      .joined(separator: " ")
  }
}
