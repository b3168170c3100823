import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchReports
import BenchResults

struct CompareCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compare",
      abstract: "Compares backends, and recommends one for each need or for yours.",
      discussion: "Example: bench compare --menu medium --for launch --require durable")
  }

  @OptionGroup(title: "Selection") var selection: CellOptions
  @OptionGroup(title: "Recommendation") var recommendation: RecommendationOptions
  @OptionGroup(title: "Recommendation") var beside: ReferenceOptions
  @OptionGroup var sideBySide: SideBySideOptions

  func run() async throws {
    let questions = try recommendation.questions(in: App.suite)
    let report = try await sideBySide.report("compare", unless: selection.given) {
      () throws -> SideBySideOptions.Plan in
      let chosen = try selection.planned(for: questions, in: App.suite)
      _ = try beside.chosen(among: chosen.cells.map(\.cell.backend))
      // With the reports, it then ends within ten minutes.
      return (chosen, sideBySide.limits.seconds(unlessTold: 540))
    } analyse: { record -> RecommendationReport in
      let additions = record.backends.reduce(into: [String: String]()) { known, backend in
        known[backend.id] = App.suite.backend(named: backend.id).flatMap(BackendPage.additions(of:))
      }
      // A backend that was to be measured may have failed, which must not lose the report.
      let reference =
        try sideBySide.storedRun == nil
        ? beside.reference : beside.chosen(among: record.cells.map(\.cell.backend))
      return RecommendationReport(
        record: record, questions: questions, additions: additions, reference: reference)
    }
    try checkIsAnswered(report)
  }

  /// Fails if the user asked a question but none of its weights counts.
  private func checkIsAnswered(_ report: RecommendationReport) throws {
    guard recommendation.namesOne, let answer = report.answers.first?.here, answer.weighted.isEmpty
    else { return }
    let reasons = answer.uncounted.map { "\($0.weight.key) \($0.reason)" }.joined(separator: "; ")
    throw CLIError(
      "no weight counts: \(reasons)",
      help: sideBySide.storedRun == nil && selection.workload == nil
        ? nil : "without --run and --workload, compare measures what its weights need",
      status: .unmeasured)
  }
}

extension CellOptions {
  /// Plans a comparison of the workloads typed, otherwise of those that count for a question. A metric of a
  /// whole pass counts on the round trip. Without a question, plans all workloads.
  func planned<Document>(
    for questions: [Criteria], in suite: Suite<Document>
  ) throws -> ChosenCells {
    let names = suite.workloads.map(\.name)
    let whole = names.first { $0 == "roundtrip" } ?? names.first
    let weighed = questions.flatMap(\.weights).compactMap { $0.key.workload ?? whole }.distinct
      .filter { names.contains(WorkloadInfo.name(of: $0)) }
    var cells = self
    cells.backend = backend ?? "all"
    cells.workload = workload ?? (weighed.isEmpty ? "all" : weighed.joined(separator: ","))
    return try Selection(cells).resolve(in: suite)
  }
}
