import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation

/// One gate between two programs under way.
struct PairedGate: Sendable {
  private var plan: RunPlan
  private let metrics: GateMetrics
  /// Decides from all that was measured how many pairs each cell is to have next.
  private let nextPairs: Runner.NextPairs
  private let sides: Sides<GateSide>
  private var records: Sides<RunRecord>

  /// Asks both programs what they are, and plans what to measure of them.
  init<App: BenchApp>(
    _ setup: GateSetup<App>, _ baseline: GateProgram, _ candidate: GateProgram,
    in storage: ScratchFolder
  ) async throws {
    sides = try Sides(
      baseline: GateSide(.baseline, baseline, in: storage),
      candidate: GateSide(.candidate, candidate, in: storage))
    let chosen = setup.chosen
    let (traced, menus) = try chosen.traced(in: App.suite)
    let hellos = Sides(
      baseline: try await sides.baseline.hello(of: chosen.cells + traced),
      candidate: try await sides.candidate.hello(of: chosen.cells + traced))
    try hellos.checkDocuments()
    metrics = try setup.metrics(of: hellos.candidate)
    let gone = hellos.gone(like: chosen.cells, chosen.takesAll ?? [])
    // What the baseline never had under another name is not gone.
    let cells =
      hellos.settled(chosen.cells) + gone.filter { !hellos.owners(of: $0).isEmpty }
    if let orphan = chosen.cells.first(where: { hellos.owners(of: $0).isEmpty }) {
      throw CLIError(
        "neither program can measure \(orphan.cell)", help: "bench list says what there is",
        status: .unmeasured)
    }
    plan = setup.plan(cells.filter { hellos.owners(of: $0).count == 2 }, metrics, in: storage)
    for side in Pairing.Side.allCases {
      plan.lonely[side] = cells.filter { hellos.owners(of: $0) == [side] }
    }
    plan.traced =
      metrics.tracesInstructions
      ? hellos.settled(traced).filter { hellos.owners(of: $0).count == 2 } : []
    plan.budgetSeconds = setup.limits.budget
    plan.sampling = .pairs
    plan.width = min(ProcessInfo.processInfo.activeProcessorCount, 4)
    nextPairs = Self.nextPairs(within: setup.tolerances, budget: setup.limits.budget)
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    records = Sides(
      baseline: await setup.record(of: sides.baseline, hellos.baseline, metrics, plan, in: storage),
      candidate: await setup.record(
        of: sides.candidate, hellos.candidate, metrics, plan, in: storage))
    for side in Pairing.Side.allCases {
      if metrics.tracesInstructions { records[side].menus += menus }
      records[side].pairing = Pairing(
        id: id, side: side, executable: sides[side].program.file,
        revision: sides[side].program.revision, looks: LookPlan()
      ).with(\.injection, side == .candidate ? setup.injection?.description : nil)
    }
    try refuseOthers()
  }

  /// Adds to a report what explains the rows that got worse.
  func explain(_ report: inout Report) async {
    await RowExplainer(candidate: sides.candidate, baseline: sides.baseline, plan: plan)
      .explain(&report)
  }

  private static func nextPairs(
    within tolerances: Tolerances, budget: Double
  ) -> Runner.NextPairs {
    let outlook = Outlook(budget: budget)
    return { records in
      let test = SequentialTest(
        candidate: records.candidate, baseline: records.baseline, tolerances: tolerances)
      guard let test else { return [:] }
      if let plan = test.raisedPlan { return Runner.NextLook(plan: plan) }
      outlook.note(test)
      return switch test.nextStep {
      case .screening(let pairs), .confirmation(let pairs): Runner.NextLook(pairs)
      case .done: [:]
      }
    }
  }

  /// Measures to the end, or until the task is cancelled.
  func measure() async throws -> Sides<RunRecord> {
    let display = ProgressDisplay(folder: nil)
    Console.note(plan.gateLine)
    for side in Pairing.Side.allCases {
      Console.detail(
        "\(side.rawValue): \(sides[side].worker.command), a link to \(sides[side].program.file)")
    }
    let measured = await Runner.measure(
      plan, records: records, workers: sides.map { $0.worker as any Worker },
      clock: MonotonicClock(), nextPairs: nextPairs, observer: display)
    display.finish(measured.candidate)
    for side in Pairing.Side.allCases { try sides[side].checkUnchanged() }
    return measured
  }

  /// Times of other builds or allocators are another question than what a change of the code costs, and
  /// any figures of programs that measure in different ways.
  private func refuseOthers() throws {
    let found = Comparability(candidate: records.candidate, baseline: records.baseline)
    if let difference = found.methodDifference {
      throw CLIError(
        "the two cannot be compared: \(difference)", help: "compare with a newer revision",
        status: .noBaseline)
    }
    let differences = found.machineDifferences
    guard !metrics.times.isEmpty, !differences.isEmpty else { return }
    throw CLIError(
      "the times of the two cannot be compared, since they differ in "
        + differences.joined(separator: "; "),
      help: "--tier exact compares what they count", status: .noBaseline)
  }
}

extension Sides<WorkerHello> {
  /// The programs that can measure a cell: not one to which it makes no sense while it does to the other.
  fileprivate func owners(of planned: PlannedCell) -> [Pairing.Side] {
    let side = loneRefuser(of: planned)
    return havers(of: planned).filter { $0 != side }
  }

  /// The cells as the two programs take them together: what one alone refuses is the other's to measure, so that
  /// its figures are new or missing and no silence.
  fileprivate func settled(_ cells: [PlannedCell]) -> [PlannedCell] {
    cells.map { planned in
      var settled = planned
      if loneRefuser(of: planned) != nil { settled.refusal = nil }
      return settled
    }
  }

  /// The one of the two to which a cell makes no sense; nil where none does, both do, one does not have it or
  /// does not say.
  private func loneRefuser(of planned: PlannedCell) -> Pairing.Side? {
    guard let old = baseline.refused, let new = candidate.refused,
      havers(of: planned).count == 2
    else { return nil }
    let cell = AskedCell(planned)
    return old.contains(cell) == new.contains(cell)
      ? nil : old.contains(cell) ? .baseline : .candidate
  }

  /// The programs that have what a cell takes. Settings that a backend or a workload does not know fail when they
  /// are asked for.
  private func havers(of planned: PlannedCell) -> [Pairing.Side] {
    Pairing.Side.allCases.filter { side in
      let workload = WorkloadInfo.name(of: planned.cell.workload)
      let backend = WorkloadInfo.name(of: planned.cell.backend)
      return self[side].backends.contains(backend)
        && self[side].workloads.contains(workload)
        && self[side].documents[planned.documentName] != nil
    }
  }

  /// The cells of backends and workloads that are gone by now, where all were asked for: of each with all else that
  /// there is of some.
  fileprivate func gone(
    like cells: [PlannedCell], _ takesAll: [Settings.Part]
  ) -> [PlannedCell] {
    func each(_ part: WritableKeyPath<Cell, String>, _ names: [String]) -> [PlannedCell] {
      names.flatMap { name in
        cells.map { planned in
          var planned = planned
          planned.cell[keyPath: part] = name
          planned.refusal = nil
          return planned
        }
      }
    }
    // `all` are those with names of their own, on either side.
    let backends = baseline.backends.filter {
      !candidate.backends.contains($0) && !$0.contains("@")
    }
    let workloads = baseline.workloads.filter { !candidate.workloads.contains($0) }
    return
      ((takesAll.contains(.backends) ? each(\.backend, backends) : [])
      + (takesAll.contains(.workloads) ? each(\.workload, workloads) : [])).distinct
  }

  /// Refuses a menu of one name that is another menu there: what was measured could not be compared.
  fileprivate func checkDocuments() throws {
    for (name, fingerprint) in candidate.documents {
      guard let other = baseline.documents[name], other != fingerprint else { continue }
      throw CLIError(
        "the menu '\(name)' is not the same menu there: fingerprint \(fingerprint), baseline "
          + other,
        help: "make it a file with 'bench generate' and give that: both then read the same",
        status: .noBaseline)
    }
  }
}
