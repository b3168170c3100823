import ArgumentParser
import BenchAnalysis
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

  @OptionGroup(title: "Selection") var selection: SideBySideSelection
  @OptionGroup(title: "Recommendation") var recommendation: RecommendationOptions
  @OptionGroup var sideBySide: SideBySideOptions

  func run() async throws {
    let questions = try recommendation.questions(in: App.suite)
    let report = try await sideBySide.report("compare", unless: selection.given) {
      () throws -> SideBySideOptions.Plan in
      let chosen = try selection.planned(for: questions, in: App.suite)
      // With the reports, it then ends within ten minutes.
      return (chosen, sideBySide.limits.seconds(unlessTold: 540))
    } analyse: { record -> RecommendationReport in
      let additions = record.backends.reduce(into: [String: String]()) { known, backend in
        known[backend.id] = App.suite.backend(named: backend.id).flatMap(BackendPage.additions(of:))
      }
      return RecommendationReport(record: record, questions: questions, additions: additions)
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
