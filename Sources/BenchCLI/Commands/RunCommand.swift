import ArgumentParser
import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchReports
import BenchResults
import Foundation

/// `bench run`: measure and report.
struct RunCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run", abstract: "Measures backends storing menus, and reports.",
      discussion: "Example: bench run --backend json,sqlite --menu small,large")
  }

  @OptionGroup(title: "What to measure") var selection: Selection
  @OptionGroup(title: "How long and where") var limits: Limits
  @OptionGroup(title: "What to show") var report: ReportOptions

  @Option(help: "The folder for run.json, report.csv and report.md.")
  var out = "Reports/latest"

  @Option(help: "Keep the run as the baseline of this name, if it is no worse and no less than it.")
  var saveBaseline: String?

  @Flag(help: "Measure a debug build all the same; its figures say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    try Build.refuseDebug(unless: allowDebug)
    try limits.check()
    let saving = try saveBaseline.map(BaselineName.init(typed:))
    let reporter = try report.reporter(among: App.reporters)
    let stored = try report.baseline.map(StoredRun.baseline)
    let chosen = try selection.resolve(in: App.suite)
    let baseline = try stored?.limited(to: Set(chosen.cells.map(\.cell)))
    if let saving {
      try BaselineStore().check(
        saving, isOpenTo: Set(chosen.cells.map(\.cell)), chosen.metrics)
    }
    let folder = try OutputFolder(out)
    let storage = try Storage(
      in: limits.workers.storage ?? out, durabilities: chosen.durabilities)
    defer { storage.remove() }

    let plan = plan(for: chosen, in: storage)
    let session = Session(
      plan: plan, record: await .empty(for: chosen, limits, budget: plan.budgetSeconds, storage),
      folder: folder, precision: limits.precision)
    let record = await session.measure()
    try finish(record, baseline, reporter, folder)
    storage.remove()
    session.reraiseInterruption()
    try judge(record, baseline, saving: saving)
  }

  /// Keeps the run by name where it passed all else.
  private func judge(
    _ record: RunRecord, _ baseline: RunRecord?, saving name: BaselineName?
  ) throws {
    guard let name else { return try judge(record, baseline) }
    do {
      try judge(record, baseline)
    } catch {
      Console.note("note: the run is not kept as baseline '\(name)'")
      throw error
    }
    let store = BaselineStore()
    try store.save(record, as: name)
    Console.note("baseline '\(name)': \(store.path(of: name))")
  }

  private func plan(for chosen: Selection.Chosen<App.Document>, in storage: Storage) -> RunPlan {
    let cells = chosen.cells
    return RunPlan(
      cells: cells, blocks: limits.blocks, budgetSeconds: limits.seconds(for: cells.count),
      metrics: chosen.metrics, memoryLimit: limits.workers.memoryBytes,
      timeout: limits.workers.timeout,
      storage: storage.path, seed: limits.workers.anySeed)
  }

  private func finish(
    _ record: RunRecord, _ baseline: RunRecord?, _ reporter: any Reporter, _ folder: OutputFolder
  ) throws {
    let shown = Report(record: record, baseline: baseline)
    // Files first: a terminal or pipe that fails must not cost what was measured.
    let saved = Result { try folder.keep(shown, as: App.reporters) }
    try Console.output(try reporter.render(shown))
    Console.note(try saved.get())
  }

  private func judge(_ record: RunRecord, _ baseline: RunRecord?) throws {
    try Report(record: record, baseline: baseline).judge()
    try record.checkIsMeasured()
  }
}
