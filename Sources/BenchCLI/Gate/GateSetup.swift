import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation

/// A gate's options, resolved in the suite. Built by `GateCommand`.
struct GateSetup<App: BenchApp>: Sendable {
  var reference: Reference
  var chosen: ChosenCells
  var limits: GateLimits
  var tier: GateTier
  var judgement: Judgement
  var injection: Injection?
  var output: OutputOptions
}

/// A gate's report, and the folder for it.
typealias MeasuredGate = (report: Report, folder: OutputFolder)

extension GateSetup {
  /// Measures this program and compares it with the other side.
  ///
  /// - Throws: a ``CLIError`` if there is nothing to compare with, or `CancellationError`.
  func compare() async throws -> MeasuredGate {
    switch reference {
    case .program(let name, let product): try await compare(withProgram: name, product)
    case .storedRun(let name, _): try await compare(withStored: name)
    }
  }

  /// Compares this program with another one, in pairs of blocks.
  private func compare(withProgram name: String, _ product: String?) async throws -> MeasuredGate {
    let folder = try OutputFolder(output, of: "gate")
    let program = try await GateProgram.named(name, product: product)
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? folder.storage, for: chosen.cells)
    defer { storage.remove() }
    let gate = try await PairedGate(self, program, await .own(), in: storage)
    let records = try await gate.measure()
    var report = Report(records.candidate, against: records.baseline, judgement)
    if limits.explain { await gate.explain(&report) }
    return (report, folder)
  }

  /// Compares this program with a stored run. Measures block by block, like `bench run`.
  ///
  /// Compares only counters unless times are asked for. The machine's speed differs between
  /// separate runs, but the two blocks of a pair share it.
  private func compare(withStored name: String) async throws -> MeasuredGate {
    let stored = try StoredRun.baseline(name)
    var baseline = try stored.limited(
      toRunOf: chosen.cells.map(\.cell), takingAll: chosen.takesAll)
    if case .storedRun(_, judgesTimes: true) = reference,
      !baseline.judged.contains(where: \.metric.isTime)
    {
      throw CLIError(
        "the baseline \(name) holds no times to compare with",
        help: "leave out --times, or save a baseline with times", status: .noBaseline)
    }
    let folder = try OutputFolder(output, of: "gate")
    try folder.refuse(losing: [name])
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? folder.storage, for: chosen.cells)
    defer { storage.remove() }
    let side = try GateSide(.candidate, await .own(), in: storage)
    let hello = try await side.hello(of: chosen.cells)
    let metrics = try metrics(of: hello)
    // Metrics that are not measured now do not count as missing.
    baseline.cells.removeAll { $0.isJudged && !metrics.all.contains($0.metric.id) }
    var plan = plan(chosen.cells, metrics, in: storage)
    let asked = await record(of: side, hello, metrics, plan, in: storage)
    // As many timed blocks as there are pairs before a gate's first interim analysis.
    plan.blocks = metrics.times.isEmpty ? nil : InterimPlan().screening[0]
    Console.note(plan.gateLine)
    let record = await plan.measure(asked, by: side.worker, into: folder) { _ in false }
    var report = Report(record, against: baseline, judgement)
    if limits.explain {
      await RowExplainer(candidate: side, baseline: nil, plan: plan).explain(&report)
    }
    return (report, folder)
  }

  /// Chooses the metrics for a program by its description of the machine.
  func metrics(of hello: WorkerHello) throws -> GateMetrics {
    try GateMetrics(
      against: reference, tier: tier, named: chosen.metrics,
      instructionCounter: hello.machine.instructionCounter)
  }

  /// Plans the measurement of some cells, without a time limit.
  func plan(_ cells: [PlannedCell], _ metrics: GateMetrics, in storage: ScratchFolder) -> RunPlan {
    var plan = RunPlan(cells, metrics.all, limits.workers, in: storage)
    plan.injection = injection
    return plan
  }

  /// Makes the record of one side before anything is measured.
  func record(
    of side: GateSide, _ hello: WorkerHello, _ metrics: GateMetrics, _ plan: RunPlan,
    in storage: ScratchFolder
  ) async -> RunRecord {
    var tool = hello.tool
    tool.revision = side.program.revision
    var machine = hello.machine
    await machine.findCountingAllocator(of: side.worker, for: metrics.counters)
    if metrics.tracesInstructions { await machine.findInstructionCounter() }
    var record = chosen.record(
      by: tool, on: machine, plan, in: storage.stores, tags: try? output.tags())
    record.settings.budgetSeconds = limits.budget
    // A gate takes only the metrics of its tier, never all.
    record.settings.takesAll?.removeAll { $0 == .metrics }
    record.warnings = injection.map { ["injected into the candidate to try the gate: \($0)"] } ?? []
    return record
  }
}

/// The metrics that a gate measures, grouped by how they are measured.
struct GateMetrics: Equatable {
  /// Metrics that are equal in all runs of a build. Includes instructions if the processor counts them.
  var counters: Set<String>
  /// Times, measured in pairs of blocks.
  var times: Set<String>
  /// Whether instructions are counted under Callgrind.
  var tracesInstructions: Bool

  var all: Set<String> {
    counters.union(times).union(tracesInstructions ? [Metric.instructions.id] : [])
  }

  /// Chooses metrics by tier and by name. The mean of a time is computed from its samples. Against a stored
  /// run, times are left out unless they are to be judged, and instructions under Callgrind unless
  /// metrics are named.
  init(
    against reference: Reference, tier: GateTier, named: Set<String>?, instructionCounter: String?
  ) throws {
    var (tier, tracesUnasked) = (tier, true)
    if case .storedRun(_, let judgesTimes) = reference {
      tracesUnasked = false
      if !judgesTimes { tier = .exact }
    }
    let wanted = named ?? Set(Metric.all.map(\.id))
    let instructions = Metric.instructions.id
    let exact = Set(Metric.all.filter { $0.isDeterministic && $0.id != instructions }.map(\.id))
    let counts = tier != .time
    let isCounted = instructionCounter == Instructions.source
    counters = counts ? exact.union(isCounted ? [instructions] : []).intersection(wanted) : []
    tracesInstructions =
      counts && !isCounted && wanted.contains(instructions) && (tracesUnasked || named != nil)
    times =
      tier == .exact
      ? []
      : Set([Metric.wall, .cpu].map(\.id)).intersection(wanted)
        .union(wanted.contains(Metric.meanWall.id) ? [Metric.wall.id] : [])
    guard !all.isEmpty else {
      throw CLIError(
        "tier '\(tier.rawValue)' has none of the metrics asked for",
        help: "exact: \(exact.union([instructions]).sorted().joined(separator: ", ")); "
          + "time: wall, cpu", status: .usage)
    }
  }
}

extension ChosenCells {
  /// Returns every row that a gate with these metrics can judge.
  func rows<Document>(
    in suite: Suite<Document>, measuring metrics: GateMetrics
  ) throws -> [Series.Key] {
    var measured = self
    measured.metrics = metrics.all
    let rows = measured.rows
    guard metrics.tracesInstructions else { return rows }
    measured.cells = try traced(in: suite).cells
    measured.metrics = [Metric.instructions.id]
    return rows.filter { $0.metric != Metric.instructions.id } + measured.rows
  }

  /// Returns the cells to count instructions of under Callgrind, where a large menu takes minutes.
  /// Unless metrics were named, cells of larger menus use a preset, which takes the same paths
  /// through the code. Also returns the preset's menu if it is not among those chosen.
  func traced<Document>(
    in suite: Suite<Document>
  ) throws -> (cells: [PlannedCell], menus: [MenuInfo]) {
    guard metrics == nil, let name = suite.source.quickPreset else { return (cells, []) }
    let preset = try suite.source.load(name).info
    let larger = Set(menus.filter { $0.size > preset.size }.map(\.name))
    guard !larger.isEmpty else { return (cells, []) }
    let traced = cells.map { planned in
      guard larger.contains(planned.cell.menu), planned.refusal == nil else { return planned }
      var cell = planned.cell
      cell.menu = preset.name
      return PlannedCell(cell: cell, documentName: name, fingerprint: preset.fingerprint)
    }
    let isKnown = menus.contains { $0.name == preset.name }
    return (traced.distinct, isKnown ? [] : [preset])
  }
}

extension MenuInfo {
  fileprivate var size: Int { counts.reduce(0) { $0 + $1.count } }
}
