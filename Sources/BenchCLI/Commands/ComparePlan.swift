import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults

extension SideBySideSelection {
  /// Plans a comparison of the workloads typed, otherwise of those that count for a question. A metric of a
  /// whole pass counts on the round trip. Without a question, plans all workloads.
  func planned<Document>(
    for questions: [Criteria], in suite: Suite<Document>
  ) throws -> ChosenCells {
    let names = suite.workloads.map(\.name)
    let whole = names.first { $0 == "roundtrip" } ?? names.first
    let weighed = questions.flatMap(\.weights).compactMap { $0.key.workload ?? whole }.distinct
      .filter { names.contains(WorkloadInfo.name(of: $0)) }
    return try selection(workload: weighed.isEmpty ? "all" : weighed.joined(separator: ","))
      .resolve(in: suite)
  }
}
