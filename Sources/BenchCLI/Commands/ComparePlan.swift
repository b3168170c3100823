import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults

extension SideBySideSelection {
  /// Plans a comparison. Workloads that count for a question get the time, and all others are timed
  /// once. Counts are taken of the weighed workloads, and of the two that show sizes.
  func planned<Document>(
    for questions: [Criteria], in suite: Suite<Document>
  ) throws -> ChosenCells {
    var chosen = try selection().resolve(in: suite)
    let workloads = chosen.cells.map(\.cell.workload)
    let weighed = Set(questions.flatMap { $0.workloads(among: workloads) })
    for index in chosen.cells.indices where !weighed.contains(workloads[index]) {
      let name = WorkloadInfo.name(of: workloads[index])
      chosen.cells[index].isTimedOnly = !["roundtrip", "replace"].contains(name)
      chosen.cells[index].mostBlocks = 1
    }
    return chosen
  }
}

extension Criteria {
  /// Returns the chosen workloads that have any weight.
  func workloads(among chosen: [String]) -> [String] {
    let ids = chosen.distinct
    let counted = weights.flatMap { weight -> [String] in
      if case .metric(let metric) = weight.key {
        return [Self.workload(having: metric, among: ids)].compactMap(\.self)
      }
      guard let workload = weight.key.workload else { return [] }
      return ids.contains(workload)
        ? [workload] : ids.filter { WorkloadInfo.name(of: $0) == workload }
    }
    return ids.filter(counted.contains)
  }

  /// Returns the workload that a metric alone counts on: `roundtrip`, otherwise the first one. For
  /// sizes, `replace` comes before the first one.
  private static func workload(having metric: String, among ids: [String]) -> String? {
    if ids.contains("roundtrip") { return "roundtrip" }
    let isSize = [Metric.storedBytes, .storedPeakBytes, .payloadBytes].map(\.id).contains(metric)
    return (isSize ? ids.first { WorkloadInfo.name(of: $0) == "replace" } : nil) ?? ids.first
  }
}
