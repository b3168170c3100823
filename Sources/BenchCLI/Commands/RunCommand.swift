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

/// `bench run`: measure and report.
struct RunCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run", abstract: "Measures backends storing menus, and reports.",
      discussion: "Example: bench run --backend json,sqlite --menu small,large")
  }

  @OptionGroup var measuring: MeasuringOptions
  @OptionGroup(title: "What to measure") var shards: ShardOptions
  @OptionGroup(title: "How long and where") var limits: Limits
  @OptionGroup(title: "What to show") var against: BaselineOptions

  func run() async throws {
    try Build.refuseDebug(unless: limits.workers.allowDebug)
    try limits.check()
    try measuring.output.check()
    let saving = try measuring.saving()
    let shard = try shards.chosen(saving: saving)
    let show = try measuring.show.chosen()
    let stored = try against.baseline.map { try StoredRun.baseline($0, against.comparing) }
    Console.noteUnlessHeard("preparing menus")
    let whole = try measuring.selection.resolve(in: App.suite)
    let split = shard?.split(whole)
    let chosen = whole.limited(to: split)
    // A shard without a cell has nothing to compare either, and what is another's is not missing.
    let hasCells = !chosen.cells.isEmpty
    let others = Set(whole.cells.map(\.cell)).subtracting(chosen.cells.map(\.cell))
    let baseline = try stored.flatMap { stored in
      try hasCells ? stored.limited(to: whole.cells(of: stored).subtracting(others)) : nil
    }
    if let saving {
      try BaselineStore().check(
        saving, isOpenTo: Set(chosen.cells.map(\.cell)), chosen.metrics)
    }
    let folder = try OutputFolder(measuring.output, of: "run")
    try folder.refuse(losing: against.baseline)
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? folder.storage, durabilities: chosen.durabilities)
    defer { storage.remove() }

    let plan = RunPlan(
      chosen, limits, budget: limits.seconds(for: chosen.cells.count), in: storage)
    var asked = try await RunRecord.empty(
      for: chosen, limits, budget: plan.budgetSeconds, storage, tags: measuring.output.tags())
    asked.split = split
    let session = Session(
      plan: plan, record: asked, folder: folder, precision: limits.precision)
    if let split { Console.note(split.words) }
    let record = try await hasCells ? session.measure() : asked
    let report = Report(record, against: baseline, against.comparing)
    try folder.finish(report) { try show(report) }
    storage.remove()
    session.reraiseInterruption()
    try BaselineStore().keep(record, as: saving) {
      try RunVerdict(report: report).enforce()
    }
  }
}

extension RunRecord {
  /// What is known before the first block: the program, the machine, what was asked.
  static func empty<Document>(
    for chosen: Selection.Chosen<Document>, _ limits: Limits, budget: Double?,
    _ storage: ScratchFolder, tags: [String: String]?
  ) async -> RunRecord {
    var machine = Machine.this()
    await machine.findCountingAllocator(of: .own(), for: chosen.metrics)
    if chosen.metrics?.contains(Metric.instructions.id) == true {
      await machine.findInstructionCounter()
    }
    return RunRecord(
      tool: ToolInfo.tool(revision: await GitRepository.currentRevision()),
      machine: machine,
      settings: Settings(
        started: Date().formatted(.iso8601), blocks: limits.blocks, budgetSeconds: budget,
        targetPrecision: limits.precision, scheduleSeed: 0, storage: storage.parent,
        fileSystem: storage.fileSystem, tags: tags, takesAll: chosen.takesAll),
      backends: chosen.backends, menus: chosen.menus, workloads: chosen.workloads,
      needs: chosen.needs)
  }
}
