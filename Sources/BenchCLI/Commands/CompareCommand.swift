import ArgumentParser
import BenchAnalysis
import BenchProbes
import BenchReports
import BenchResults

/// `bench compare`: storages side by side, and which to take.
struct CompareCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compare",
      abstract: "Sets storages side by side, and recommends one for what you need.",
      discussion: "Example: bench compare --menu medium --for launch --require durable")
  }

  @OptionGroup(title: "What to measure") var selection: CompareSelection
  @OptionGroup(title: "What to recommend") var choice: ChoiceOptions
  @OptionGroup(title: "How long and where") var limits: Limits

  @Option(
    name: .customLong("run"),
    help: "Stored runs to set side by side instead of measuring: RUN.json[,RUN.json].")
  var storedRuns: String?

  @Option(help: "table, markdown or csv.")
  var format = ChoiceFormat.table.rawValue

  @Option(help: "The folder for run.json, compare.md, report.csv and report.md.")
  var out = "Reports/latest"

  @Flag(help: "Measure a debug build all the same; its figures say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    let id = try Choice(kind: "format", ids: ChoiceFormat.allCases.map(\.rawValue)).one(format)
    let format = ChoiceFormat(rawValue: id) ?? .table
    let question = try choice.question(in: App.suite)
    if let storedRuns {
      try StoredComparison.refuseMeasuring(selection.given, limits)
      let record = try StoredComparison.read(storedRuns)
      let choice = ChoiceReport(record: record, question: question)
      try show(choice, as: format)
      return try checkIsAnswered(choice)
    }
    try Build.refuseDebug(unless: allowDebug)
    try limits.check()
    try await measure(ComparePlan(selection, question, in: App.suite), question, as: format)
  }

  private func measure(
    _ plan: ComparePlan<App.Document>, _ question: ChoiceQuestion?, as format: ChoiceFormat
  ) async throws {
    let measuring = SideBySide(
      chosen: plan.chosen, limits: limits, budget: plan.budget(limits), out: out)
    let choice = try await measuring.measure { record, folder in
      let choice = ChoiceReport(record: record, question: question, sizeNote: plan.sizeNote)
      // Files first: a terminal or pipe that fails must not cost what was measured.
      let page = (name: "compare.md", text: ChoiceFormat.markdown.render(choice))
      let saved = Result { try folder.keep(choice.report, as: App.reporters, and: [page]) }
      try show(choice, as: format)
      Console.note(try saved.get())
      return choice
    }
    try checkIsAnswered(choice)
  }

  private func show(_ choice: ChoiceReport, as format: ChoiceFormat) throws {
    try Console.output(format.render(choice, width: Console.outputWidth))
  }

  /// A question of which nothing was measured has no answer.
  private func checkIsAnswered(_ choice: ChoiceReport) throws {
    guard let answer = choice.answer, answer.weighted.isEmpty else { return }
    let keys = answer.uncounted.map(\.weight.key.description).joined(separator: ", ")
    throw CLIError(
      "nothing that counts was measured: \(keys)",
      help: "see bench list workloads, and measure what counts with --workload",
      status: .unmeasured)
  }
}
