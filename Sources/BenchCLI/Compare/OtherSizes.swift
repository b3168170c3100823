import BenchAnalysis
import BenchHarness
import BenchResults
import MenuModel

/// The smaller and the larger menu with which a recommendation is tried again.
struct OtherSizes<Document: BenchDocument> {
  /// The cells and menus to measure beside those asked for.
  private(set) var cells: [PlannedCell] = []
  private(set) var menus: [MenuInfo] = []
  /// Why there are none, in words; nil where there are.
  private(set) var note: String?

  /// A quarter and four times as large: far enough apart to see a trend, near enough to have one.
  private static var factors: [Double] { [0.25, 4] }

  /// Plans them for what counts alone, on the backends that could be recommended.
  init(
    of selection: Selection, chosen: Selection.Chosen<Document>, for question: ChoiceQuestion,
    in suite: Suite<Document>
  ) throws {
    guard chosen.menus.count == 1 else { return }
    let names = Self.factors.compactMap { suite.source.scaled(selection.menu, by: $0) }
    guard !names.isEmpty else {
      note = "\(selection.menu) cannot be had in another size; give other menus with --menu"
      return
    }
    var other = selection
    let workloads = Self.workloads(of: question, among: chosen.cells.map(\.cell.workload))
    let backends = chosen.backends.filter { Self.mayBeRecommended($0, question) }
    guard !workloads.isEmpty else {
      note = "nothing that counts was chosen"
      return
    }
    guard !backends.isEmpty else {
      note = "no storage that could be recommended was chosen"
      return
    }
    other.workload = workloads.joined(separator: ",")
    other.backend = backends.map(\.id).joined(separator: ",")
    let more = try other.resolve(menus: names, in: suite)
    (cells, menus) = (more.cells, more.menus)
  }

  /// The workloads, of those chosen, that any weight is on.
  static func workloads(of question: ChoiceQuestion, among chosen: [String]) -> [String] {
    var seen: Set<String> = []
    let ids = chosen.filter { seen.insert($0).inserted }
    let counted = question.weights.flatMap { weight -> [String] in
      if case .metric(let metric) = weight.key {
        return [Self.workload(having: metric, among: ids)].compactMap { $0 }
      }
      guard let workload = weight.key.workload else { return [] }
      return ids.contains(workload)
        ? [workload] : ids.filter { DecidingCost.name(of: $0) == workload }
    }
    return ids.filter(counted.contains)
  }

  /// The workload that a metric alone counts on: `roundtrip`, else the first that has it, which of
  /// sizes is `replace`.
  private static func workload(having metric: String, among ids: [String]) -> String? {
    if ids.contains("roundtrip") { return "roundtrip" }
    let isSize = [Metric.storedBytes.id, Metric.payloadBytes.id].contains(metric)
    return (isSize ? ids.first { DecidingCost.name(of: $0) == "replace" } : nil) ?? ids.first
  }

  private static func mayBeRecommended(_ backend: BackendInfo, _ question: ChoiceQuestion) -> Bool {
    let keeps = question.takesVolatile || backend.survivesRestart == true
    return keeps && question.required.allSatisfy { backend.promises?.contains($0) ?? false }
  }
}
