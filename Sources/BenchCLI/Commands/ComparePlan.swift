import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults

/// What a comparison measures, and for how long.
struct ComparePlan<Document: BenchDocument> {
  /// Everything to measure; the menus asked for come first.
  let chosen: Selection.Chosen<Document>
  /// Why one size alone is measured, in words; nil where that needs none.
  let sizeNote: String?

  /// Seconds that a comparison takes unless told: with reports it then ends within ten minutes.
  private static var usualBudget: Double { 540 }

  /// Plans it. The time goes to what counts for any question: all else is timed once. Counts are taken
  /// of what is weighed, and of the two workloads that tell sizes.
  init(
    _ typed: CompareSelection, _ questions: [Criteria], in suite: Suite<Document>
  ) throws {
    let selection = typed.selection
    var chosen = try selection.resolve(in: suite)
    let workloads = chosen.cells.map(\.cell.workload)
    let weighed = Set(
      questions.flatMap { OtherSizes<Document>.workloads(of: $0, among: workloads) })
    chosen.cells = chosen.cells.map {
      weighed.contains($0.cell.workload) ? $0 : $0.lean.with(mostBlocks: 1)
    }
    if typed.oneSize {
      sizeNote = "--one-size was given"
    } else if questions.count > 1 {
      // All needs take the whole time with the one menu.
      sizeNote = "name one need with --for, and a smaller and a larger menu are measured too"
    } else if let criteria = questions.first {
      let others = try OtherSizes(of: selection, chosen: chosen, for: criteria, in: suite)
      chosen.cells += others.cells.map { $0.lean.with(mostBlocks: ScoreRatio.fewestBlocks).last }
      chosen.menus += others.menus
      sizeNote = others.note
    } else {
      sizeNote = nil
    }
    self.chosen = chosen
  }

  /// Seconds that measuring may take; nil for no end.
  func budget(_ limits: Limits) -> Double? {
    limits.budget ?? (limits.blocks == nil ? Self.usualBudget : nil)
  }
}

extension PlannedCell {
  /// The cell with counts of nothing but sizes: of a whole menu stored, and of one stored often.
  fileprivate var lean: PlannedCell {
    var cell = self
    cell.isTimedOnly = !["roundtrip", "replace"].contains(WorkloadInfo.name(of: cell.cell.workload))
    return cell
  }

  /// The cell of another size, which goes on once the one that was asked about has an interval.
  fileprivate var last: PlannedCell {
    var cell = self
    cell.waits = Statistics.fewestForMedianInterval
    return cell
  }

  /// The cell with so many timed blocks at most.
  fileprivate func with(mostBlocks: Int) -> PlannedCell {
    var cell = self
    cell.mostBlocks = mostBlocks
    return cell
  }
}

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
    of selection: Selection, chosen: Selection.Chosen<Document>, for criteria: Criteria,
    in suite: Suite<Document>
  ) throws {
    guard chosen.menus.count == 1 else { return }
    let names = Self.factors.compactMap { suite.source.scaled(selection.menu, by: $0) }
    guard !names.isEmpty else {
      note = "\(selection.menu) cannot be had in another size; give other menus with --menu"
      return
    }
    var other = selection
    let workloads = Self.workloads(of: criteria, among: chosen.cells.map(\.cell.workload))
    let backends = chosen.backends.filter { Self.mayBeRecommended($0, criteria) }
    guard !workloads.isEmpty else {
      note = "nothing that counts was chosen"
      return
    }
    guard !backends.isEmpty else {
      note = "no backend that could be recommended was chosen"
      return
    }
    other.workload = workloads.joined(separator: ",")
    other.backend = backends.map(\.id).joined(separator: ",")
    let more = try other.resolve(menus: names, in: suite)
    (cells, menus) = (more.cells, more.menus)
  }

  /// The workloads, of those chosen, that any weight is on.
  static func workloads(of criteria: Criteria, among chosen: [String]) -> [String] {
    let ids = chosen.distinct
    let counted = criteria.weights.flatMap { weight -> [String] in
      if case .metric(let metric) = weight.key {
        return [Self.workload(having: metric, among: ids)].compactMap { $0 }
      }
      guard let workload = weight.key.workload else { return [] }
      return ids.contains(workload)
        ? [workload] : ids.filter { WorkloadInfo.name(of: $0) == workload }
    }
    return ids.filter(counted.contains)
  }

  /// The workload that a metric alone counts on: `roundtrip`, else the first that has it, which of
  /// sizes is `replace`.
  private static func workload(having metric: String, among ids: [String]) -> String? {
    if ids.contains("roundtrip") { return "roundtrip" }
    let isSize = [Metric.storedBytes, .storedPeakBytes, .payloadBytes].map(\.id).contains(metric)
    return (isSize ? ids.first { WorkloadInfo.name(of: $0) == "replace" } : nil) ?? ids.first
  }

  private static func mayBeRecommended(_ backend: BackendInfo, _ criteria: Criteria) -> Bool {
    let keeps = criteria.takesVolatile || backend.survivesRestart == true
    return keeps && criteria.required.allSatisfy { backend.promises?.contains($0) ?? false }
  }
}
