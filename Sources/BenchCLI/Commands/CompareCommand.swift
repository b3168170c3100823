import ArgumentParser
import BenchAnalysis
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
    } analyse: { record in
      RecommendationReport(record: record, questions: questions)
    }
    try checkIsAnswered(report)
  }

  /// Fails if the user asked a question but nothing that counts for it was measured.
  private func checkIsAnswered(_ report: RecommendationReport) throws {
    guard recommendation.namesOne, let answer = report.answers.first?.here, answer.weighted.isEmpty
    else { return }
    let keys = answer.uncounted.map(\.weight.key.description).joined(separator: ", ")
    throw CLIError(
      "nothing that has a weight was measured: \(keys)",
      help: "measure it with --workload: see bench list workloads",
      status: .unmeasured)
  }
}
