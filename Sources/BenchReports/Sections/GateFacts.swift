import Basics
import BenchAnalysis
import BenchResults

/// What lets a reader check a gate: how often gates are wrong, what this one would have found, and how to repeat it.
struct GateFacts {
  let report: Report

  /// A list for the pairs of a gate, and empty for other comparisons.
  var parts: [Part] {
    guard let comparison = report.comparison, comparison.isPaired else { return [] }
    let (red, gates) = SequentialTest.selfTest
    var facts = ["In the self-test, \(red) of \(gates) gates of unchanged code were red."]
    if let planted = comparison.planted, planted.of > 0 {
      facts.append(
        "\(planted.found) of \(planted.of) costs that are not proven to differ would have been called"
          + " slower if they had been 5 % slower than measured.")
    }
    return [.list(facts + ["To measure again: \(command)"])]
  }

  /// The command with the options that are not its defaults.
  var command: String {
    let (record, other) = (report.record, report.baseline?.pairing)
    // Instructions may have been counted with a smaller menu.
    let counted = record.cells.filter { $0.metric.id != Metric.instructions.id }
    let cells = (counted.isEmpty ? record.cells : counted).map(\.cell)
    func names(_ part: KeyPath<Cell, String>, _ all: Settings.Part? = nil) -> String {
      if let all, record.settings.takesAll?.contains(all) == true { return "all" }
      return cells.map { $0[keyPath: part] }.distinct.joined(separator: ",")
    }
    // Workloads that each have a durability of their own need no option.
    let durabilities = Set(cells.grouped(by: \.workload).map { Set($0.elements.map(\.durability)) })
    let isTimed = record.cells.contains { $0.metric.isTime }
    let isCounted = record.cells.contains { !$0.metric.isTime }
    let tier = isTimed ? isCounted ? "all" : "time" : "exact"
    let against = other?.revision.map(SideNames.short) ?? other?.executable ?? ""
    let budget = record.settings.budgetSeconds.map { "\($0)".replacing(/\.0$/, with: "") } ?? ""
    let options: [(String, String, usual: String)] = [
      ("against", against, ""),
      ("backend", names(\.backend, .backends), "json"), ("menu", names(\.menu), "large"),
      ("workload", names(\.workload, .workloads), "roundtrip"),
      ("durability", durabilities.count == 1 ? names(\.durability) : "", "atomic"),
      ("tier", tier, "all"), ("budget", budget, "180"),
      ("inject", record.pairing?.injection ?? "", ""),
    ]
    let typed = options.filter { !$0.1.isEmpty && $0.1 != $0.usual }
      .map { "--\($0.0) \(Self.quoted($0.1))" }
    let program = record.tool.name == "MenuBench" ? "bench" : record.tool.name
    return (["\(program) gate"] + typed).joined(separator: " ")
  }

  /// Quotes a word that a shell would take apart.
  private static func quoted(_ word: String) -> String {
    guard word.wholeMatch(of: /[\w@:=,.%\/+-]+/) == nil else { return word }
    return "'\(word.replacing("'", with: "'\\''"))'"
  }
}
