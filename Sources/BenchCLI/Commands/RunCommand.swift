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

  @OptionGroup(title: "What to measure") var selection: Selection
  @OptionGroup(title: "What to measure") var shards: ShardOptions
  @OptionGroup(title: "How long and where") var limits: Limits
  @OptionGroup(title: "What to show") var options: ShowOptions
  @OptionGroup(title: "What to show") var against: BaselineOptions

  @OptionGroup(title: "What to show") var output: OutputOptions

  @Option(help: "Keep the run as the baseline of this name, if it is no worse and no less than it.")
  var saveBaseline: String?

  @Flag(help: "Measure a debug build all the same; its figures say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    try Build.refuseDebug(unless: allowDebug)
    try limits.check()
    try output.check()
    let saving = try saveBaseline.map(BaselineName.init(typed:))
    let shard = try shards.chosen(saving: saving)
    let show = try options.chosen()
    let stored = try against.baseline.map { try StoredRun.baseline($0, against.processes) }
    Console.noteUnlessHeard("preparing menus")
    let whole = try selection.resolve(in: App.suite)
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
    let folder = try OutputFolder(output, of: "run")
    try folder.refuse(losing: against.baseline)
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? folder.storage, durabilities: chosen.durabilities)
    defer { storage.remove() }

    let plan = plan(for: chosen, in: storage)
    var asked = try await RunRecord.empty(
      for: chosen, limits, budget: plan.budgetSeconds, storage, tags: output.tags())
    asked.split = split
    let session = Session(
      plan: plan, record: asked, folder: folder, precision: limits.precision)
    if let split { Console.note(split.words) }
    let record = try await hasCells ? session.measure() : asked
    let report = Report(record, against: baseline, against.processes, against.missing)
    try folder.finish(report, show)
    storage.remove()
    session.reraiseInterruption()
    try BaselineStore().keep(record, as: saving) {
      try RunVerdict(report: report).enforce()
      try record.checkIsMeasured()
    }
  }

  private func plan(for chosen: Selection.Chosen<App.Document>, in storage: ScratchFolder)
    -> RunPlan
  {
    let cells = chosen.cells
    return RunPlan(
      cells: cells, blocks: limits.blocks, budgetSeconds: limits.seconds(for: cells.count),
      metrics: chosen.metrics, sampling: .short, memoryLimit: limits.workers.memoryBytes,
      timeout: limits.workers.timeout,
      storage: storage.path, seed: limits.workers.anySeed)
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
      backends: chosen.backends, menus: chosen.menus, workloads: chosen.workloads)
  }

  /// Refuses a run of which a cell could not be measured, or has nothing of what was asked for: it has
  /// not passed.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured`.
  func checkIsMeasured() throws {
    if let empty = emptyCells.first {
      throw CLIError(
        "\(empty.cell) \(empty.reason)",
        help: "see bench doctor for what this machine can measure", status: .unmeasured)
    }
    guard let first = failures.first else { return }
    throw CLIError(
      "\(failures.count) of \(outcomes.count) cells could not be measured; first \(first.cell)"
        + (first.stage.map { " in \($0)" } ?? "") + ": \(first.reason)", status: .unmeasured)
  }
}

/// One run of this program under way, and Ctrl-C.
struct Session {
  private let plan: RunPlan
  private let record: RunRecord
  private let folder: OutputFolder
  private let precision: Double
  private let interruption = Interruption()

  init(plan: RunPlan, record: RunRecord, folder: OutputFolder, precision: Double) {
    self.plan = plan
    self.folder = folder
    self.precision = precision
    var record = record
    record.settings.scheduleSeed = plan.seed
    self.record = record
  }

  /// Measures to the end, or to the first Ctrl-C.
  func measure() async throws -> RunRecord {
    let rule = PrecisionRule(
      relativeHalfWidth: precision, emptySample: record.machine.emptySample)
    let worker = SubprocessWorker.own(scratch: plan.storage + "/callgrind")
    Console.note(plan.startLine)
    Console.detail("worker of each block: \(worker.command)")
    return try await interruption.cancelling { [plan, record, folder] in
      await plan.measure(record, by: worker, into: folder) { rule.isSettled($0) }
    }
  }

  /// Ends the process by the signal that interrupted it, as its caller expects.
  func reraiseInterruption() { interruption.reraise() }
}

extension RunPlan {
  /// What will be measured and how long it takes, as far as that is known: `measuring json, plist on large:
  /// roundtrip at atomic; 2 cells, at most 40 s or each once`: however small the budget, every cell has its turn.
  var startLine: String {
    let time =
      budgetSeconds.map { "at most \(Self.seconds($0)) or each once" }
      ?? blocks.map { "\(Wording.plural($0, "block")) each" } ?? "until all say enough"
    return "\(what), \(time)"
  }

  /// The same of a gate: `…; 4 cells, counts first, then times, no further look after 300 s`. What is counted, the
  /// first look and one that began end whatever the budget.
  var gateLine: String {
    let times = metrics?.contains { id in Metric.all.contains { $0.id == id && $0.isTime } } ?? true
    let limit = budgetSeconds.map { ", no further look after \(Self.seconds($0))" } ?? ""
    return "\(what), " + (times ? "counts first, then times\(limit)" : "counts alone")
  }

  /// Less than a second is not none.
  private static func seconds(_ budget: Double) -> String {
    budget < 1 ? "1 s" : "\(Int(budget.rounded())) s"
  }

  /// `measuring json, plist on large: roundtrip at atomic; 2 cells`.
  private var what: String {
    func names(_ id: KeyPath<Cell, String>) -> String {
      Wording.list(cells.map { $0.cell[keyPath: id] }.distinct)
    }
    return "measuring \(names(\.backend)) on \(names(\.menu)): \(names(\.workload)) at "
      + "\(names(\.durability)); \(Wording.plural(cells.count, "cell"))"
  }

  /// Measures one program; shows how far it is, and saves the record after every block.
  func measure(
    _ record: RunRecord, by worker: SubprocessWorker, into folder: OutputFolder,
    isSettled: @escaping @Sendable ([Series]) -> Bool
  ) async -> RunRecord {
    let display = ProgressDisplay(folder: folder, blocks: blocks)
    let measured = await Runner.measure(
      self, record: record, worker: worker, clock: MonotonicClock(), isSettled: isSettled,
      observer: display)
    display.finish(measured)
    return measured
  }
}

extension SubprocessWorker {
  /// What it starts.
  var command: String { ([executable] + arguments).joined(separator: " ") }

  /// Starts this very program.
  static func own(scratch: String? = nil) -> SubprocessWorker {
    SubprocessWorker(executable: OwnExecutable.path, arguments: ["worker"], scratch: scratch)
  }
}

/// The path of this program, by which it can start itself.
enum OwnExecutable {
  static var path: String {
    #if os(Linux)
      // Stays this very program even when a build replaces the file meanwhile.
      "/proc/\(getpid())/exe"
    #else
      Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }
}
