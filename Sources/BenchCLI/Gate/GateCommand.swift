import ArgumentParser
import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchReports
import BenchResults
import Foundation

/// `bench gate`: measure, compare, and say it to CI.
struct GateCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "gate",
      abstract: "Fails where a change made storing the menu slower or hungrier.",
      discussion: """
        Example: bench gate --against main --backend json,sqlite
        Exit status: 0 nothing regressed, 2 something did, 3 a cell could not be measured, 5 no such
        baseline or revision, 7 inconclusive (with --strict).
        """)
  }

  @OptionGroup(title: "What to measure") var selection: Selection
  @OptionGroup(title: "What to compare with") var reference: GateReference
  @OptionGroup(title: "When to fail") var strictness: GateStrictness
  @OptionGroup(title: "When to fail") var tolerances: ToleranceOptions
  @OptionGroup(title: "How long and where") var limits: GateLimits

  @Option(help: "How to show it: see bench list formats.")
  var format = "table"

  @Option(help: "The folder for run.json, baseline.json, gate.json, report.csv and report.md.")
  var out = "Reports/latest"

  @Option(help: "Keep this run as a baseline of this name, unless the gate fails.")
  var saveBaseline: String?

  @Flag(help: "Measure a debug build all the same; its times say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    try Build.refuseDebug(unless: allowDebug)
    let reference = try reference.chosen()
    let reporter = try ReportOptions(format: format).reporter(among: App.reporters)
    let saving = try saveBaseline.map(BaselineName.init(typed:))
    try refuseContradictions(reference)
    let setup = try setup()
    if let saving {
      try BaselineStore().check(
        saving, isOpenTo: Set(setup.chosen.cells.map(\.cell)), setup.chosen.metrics)
    }
    let interruption = Interruption()
    let measuring = Task { try await setup.compare(with: reference) }
    interruption.watch { measuring.cancel() }
    do {
      let gate = try await measuring.value
      try show(gate, reporter)
      interruption.reraise()
      try judge(gate.report, saving: saving)
    } catch is CancellationError {
      interruption.reraise()
      throw CLIError("the gate was interrupted", status: .failed)
    }
  }

  /// Keeps the run by name where nothing failed.
  private func judge(_ report: Report, saving name: BaselineName?) throws {
    let verdict = GateVerdict(report, strictness)
    guard let name else { return try verdict.enforce() }
    do {
      try verdict.enforce()
    } catch {
      Console.note("note: the run is not kept as baseline '\(name)'")
      throw error
    }
    let store = BaselineStore()
    try store.save(report.record, as: name)
    Console.note("baseline '\(name)': \(store.path(of: name))")
  }

  private func refuseContradictions(_ reference: Reference) throws {
    if strictness.inject != nil, saveBaseline != nil {
      throw CLIError(
        "a run with something injected is no baseline",
        help: "give --inject or --save-baseline, not both", status: .usage)
    }
    if case .storedRun(_, judgesTimes: false) = reference, try limits.chosenTier() == .time {
      throw CLIError(
        "the time tier of a stored run is judged only with --times",
        help: "add --times, or compare with a program: --against", status: .usage)
    }
  }

  private func setup() throws -> GateSetup<App> {
    try limits.check()
    let chosen = try selection.resolve(in: App.suite)
    return GateSetup(
      chosen: chosen, takesAllBackends: selection.backend == "all",
      limits: limits, tier: try limits.chosenTier(),
      tolerances: try tolerances.resolve(in: App.suite, rows: chosen.rows(in: App.suite)),
      injection: try strictness.injection(into: chosen.backends.map(\.id)), out: out,
      seed: limits.workers.anySeed)
  }

  private func show(_ gate: MeasuredGate, _ reporter: any Reporter) throws {
    // Files first: a terminal or pipe that fails must not cost what was measured.
    let saved = Result { try gate.folder.write(gate: gate.report, as: App.reporters) }
    try Console.output(try reporter.render(gate.report))
    GitHubStep.current?.write(gate.report)
    try saved.get()
    Console.note("reports: \(gate.folder.path)")
  }
}
