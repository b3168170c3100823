import ArgumentParser
import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchReports
import BenchResults
import Foundation
import RevisionBuild

struct RunCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run", abstract: "Measures how backends store menus, and reports the costs.",
      discussion: "Example: bench run --backend json,sqlite --menu small,large")
  }

  @OptionGroup var measuring: MeasuringOptions
  @OptionGroup(title: "Selection") var shards: ShardOptions
  @OptionGroup(title: "Limits") var limits: Limits
  @OptionGroup(title: "Comparison") var against: BaselineOptions
  @OptionGroup(title: "Comparison") var beside: ReferenceOptions

  func run() async throws {
    try Build.refuseDebug(unless: limits.workers.allowDebug)
    try limits.check()
    try measuring.output.check()
    let saving = try measuring.saving()
    let shard = try shards.chosen(saving: saving)
    let show = try measuring.show.chosen()
    let stored = try against.baseline.map { try StoredRun.baseline($0, against.comparing) }
    Console.noteIfSilent("preparing menus")
    let whole = try measuring.selection.resolve(in: App.suite)
    let reference = try beside.chosen(among: whole.cells.map(\.cell.backend))
    let runs = [against.baseline, shards.costs].compactMap(\.self)
    try show.refuse(losing: whole.cells.map(\.documentName) + runs)
    let split = shard?.split(whole)
    let chosen = whole.limited(to: split)
    // A shard without cells has nothing to compare, and does not miss the cells of others.
    let hasCells = !chosen.cells.isEmpty
    let others = Set(whole.cells.map(\.cell)).subtracting(chosen.cells.map(\.cell))
    var judgement = try against.comparing.judgement(in: App.suite, of: whole.rows)
    // A shard need not have the rows of the others.
    let rows = chosen.rows
    judgement.limits.rules.removeAll { !rows.contains(where: $0.rows.matches) }
    let baseline = try stored.flatMap { stored in
      try hasCells
        ? stored.limited(
          toRunOf: whole.cells.map(\.cell), takingAll: whole.takesAll, without: others) : nil
    }
    if let saving {
      try BaselineStore().check(
        saving, isOpenTo: Set(chosen.cells.map(\.cell)), chosen.metrics)
    }
    let session = try Session(
      measuring.output, of: "run", limits.workers, chosen.cells, losing: runs)
    defer { session.storage.remove() }
    let plan = RunPlan(
      chosen, limits, budget: limits.seconds(for: chosen.cells), in: session.storage)
    var asked = try await chosen.record(plan, limits, in: session.storage, measuring.output)
    asked.split = split
    if let split { Console.note(split.words) }
    let record =
      hasCells ? try await session.measure(plan, asked, precision: limits.precision) : asked
    let report = Report(
      record, against: baseline?.limited(toMetricsOf: record), judgement, reference)
    try session.folder.finish(report) { try show(report) }
    session.end()
    try BaselineStore().keep(report, as: saving, judgement)
  }
}

extension ChosenCells {
  /// Makes the record before the first block: the program, the machine and what was asked for.
  func record(
    _ plan: RunPlan, _ limits: Limits, in storage: ScratchFolder, _ output: OutputOptions
  ) async throws -> RunRecord {
    var machine = Machine.this()
    await machine.findCountingAllocator(of: .own(), for: metrics)
    if metrics?.contains(Metric.instructions.id) == true {
      await machine.findInstructionCounter()
    }
    let tool = ToolInfo.tool(revision: await GitRepository.currentRevision())
    var record = record(by: tool, on: machine, plan, in: storage.stores, tags: try output.tags())
    record.settings.targetPrecision = limits.precision
    return record
  }
}
