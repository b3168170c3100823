import Basics
import BenchAnalysis
import BenchEngine
import MenuWorkloads
import RevisionBuild
import BenchResults
import MenuModel

/// Stored runs as one: what they measured apart is set side by side.
enum StoredComparison {
  /// Reads runs by their paths, separated by commas.
  ///
  /// - Throws: a ``CLIError`` where they may not be compared: other machines, other menus of one name,
  ///   one cell measured twice, or no figure at all.
  static func read(_ paths: String) throws -> RunRecord {
    let names = paths.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var whole = try StoredRun.read(names[0])
    for name in names.dropFirst() { try add(try StoredRun.read(name), name, to: &whole, names[0]) }
    guard whole.hasFigures else {
      throw CLIError(
        "\(paths) holds no figure to compare", help: "give a run that measured something",
        status: .unmeasured)
    }
    return whole
  }

  /// Refuses options that only make sense for measuring: a stored run is shown as it is, and what
  /// would be measured otherwise must not be dropped in silence.
  static func refuseMeasuring(_ given: [String], _ limits: Limits) throws {
    let times = [("--blocks", limits.blocks != nil), ("--budget", limits.budget != nil)]
    guard let option = (given + times.filter(\.1).map(\.0)).first else { return }
    throw CLIError(
      "\(option) is for measuring, and --run shows what was measured",
      help: "leave out one of them", status: .usage)
  }

  private static func add(
    _ more: RunRecord, _ name: String, to whole: inout RunRecord, _ first: String
  ) throws {
    let found = Comparability(candidate: more, baseline: whole)
    guard found.comparesTimes else {
      throw refused(
        "\(name) and \(first) were not measured alike: "
          + found.machineDifferences.joined(separator: "; ")
          .replacing("baseline", with: first))
    }
    let prints = Dictionary(whole.menus.map { ($0.name, $0.fingerprint) }) { one, _ in one }
    let unlike = more.menus.first { prints[$0.name] != nil && prints[$0.name] != $0.fingerprint }
    if let menu = unlike {
      throw refused("\(name) and \(first) mean different menus by '\(menu.name)'")
    }
    let cells = Set(whole.outcomes.map(\.cell) + whole.cells.map(\.cell))
    if let twice = more.cells.first(where: { cells.contains($0.cell) })?.cell {
      throw refused("\(name) and \(first) both measured \(twice)")
    }
    whole.menus += more.menus.filter { prints[$0.name] == nil }
    let ids = Set(whole.backends.map(\.id))
    whole.backends += more.backends.filter { !ids.contains($0.id) }
    // Before their cells are one: an older record does not say what decides.
    let workloads = [whole, more].flatMap { record in
      record.cells.map(\.cell.workload).distinct.map(record.workload)
    }
    whole.workloads = workloads.grouped(by: \.id).map { $0.elements[0] }
    whole.cells += more.cells
    whole.outcomes += more.outcomes
    whole.failures += more.failures
    let warning = "what was measured in runs of its own differs by the machine's moods, too"
    whole.warnings += more.warnings + (whole.warnings.contains(warning) ? [] : [warning])
  }

  private static func refused(_ reason: String) -> CLIError {
    CLIError(
      reason, help: "measure them side by side: bench compare --backend A,B", status: .failed)
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
    let isSize = [Metric.storedBytes.id, Metric.payloadBytes.id].contains(metric)
    return (isSize ? ids.first { WorkloadInfo.name(of: $0) == "replace" } : nil) ?? ids.first
  }

  private static func mayBeRecommended(_ backend: BackendInfo, _ criteria: Criteria) -> Bool {
    let keeps = criteria.takesVolatile || backend.survivesRestart == true
    return keeps && criteria.required.allSatisfy { backend.promises?.contains($0) ?? false }
  }
}
