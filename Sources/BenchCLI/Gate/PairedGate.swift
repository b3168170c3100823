import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation

/// A gate between two programs, while it runs.
struct PairedGate: Sendable {
  private var plan: RunPlan
  private let metrics: GateMetrics
  /// Decides from all results so far how many pairs each cell needs next.
  private let nextPairs: Runner.NextPairs
  private let sides: Sides<GateSide>
  private var records: Sides<RunRecord>

  /// Asks both programs to describe themselves, and plans what to measure.
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
    // The combinations in `gone` include cells that the baseline never had.
    let cells =
      hellos.settled(chosen.cells) + gone.filter { !hellos.owners(of: $0).isEmpty }
    if let orphan = chosen.cells.first(where: { hellos.owners(of: $0).isEmpty }) {
      throw CLIError(
        "neither program can measure \(orphan.cell)", help: "see bench list for valid names",
        status: .unmeasured)
    }
    plan = setup.plan(cells.filter { hellos.owners(of: $0).count == 2 }, metrics, in: storage)
    for side in Pairing.Side.allCases {
      plan.unpaired[side] = cells.filter { hellos.owners(of: $0) == [side] }
    }
    plan.traced =
      metrics.tracesInstructions
      ? hellos.settled(traced).filter { hellos.owners(of: $0).count == 2 } : []
    plan.budgetSeconds = setup.limits.budget
    plan.sampling = .pairs
    let tolerances = setup.judgement.tolerances
    nextPairs = { records in
      let test = SequentialTest(
        candidate: records.candidate, baseline: records.baseline, tolerances: tolerances)
      return switch test?.nextStep {
      case .screening(let pairs), .confirmation(let pairs): pairs
      case .done, nil: [:]
      }
    }
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    records = Sides(
      baseline: await setup.record(of: sides.baseline, hellos.baseline, metrics, plan, in: storage),
      candidate: await setup.record(
        of: sides.candidate, hellos.candidate, metrics, plan, in: storage))
    for side in Pairing.Side.allCases {
      if metrics.tracesInstructions { records[side].menus += menus }
      records[side].pairing = Pairing(
        id: id, side: side, executable: sides[side].program.file,
        revision: sides[side].program.revision, looks: InterimPlan()
      ).with(\.injection, side == .candidate ? setup.injection?.description : nil)
    }
    try refuseOthers()
  }

  /// Explains the rows of a report that got worse.
  func explain(_ report: inout Report) async {
    await RowExplainer(candidate: sides.candidate, baseline: sides.baseline, plan: plan)
      .explain(&report)
  }

  /// Measures to the end, or until the task is cancelled.
  func measure() async throws -> Sides<RunRecord> {
    Console.note(plan.gateLine)
    let display = plan.display(of: nil)
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

  /// Refuses to compare times of different builds or allocators, which differ by more than the
  /// code. Refuses any comparison of programs that measure by different methods.
  private func refuseOthers() throws {
    let found = Comparability(candidate: records.candidate, baseline: records.baseline)
    if let difference = found.methodDifference {
      throw CLIError(
        "the two programs cannot be compared: \(difference)", help: "compare with a newer revision",
        status: .noBaseline)
    }
    let differences = found.machineDifferences
    guard !metrics.times.isEmpty, !differences.isEmpty else { return }
    throw CLIError(
      "the times of the two programs cannot be compared, since they differ in "
        + differences.joined(separator: "; "),
      help: "--tier exact compares only their counts", status: .noBaseline)
  }
}

extension Sides<WorkerHello> {
  /// The programs to measure a cell with, without one that alone refuses the cell.
  fileprivate func owners(of planned: PlannedCell) -> [Pairing.Side] {
    let side = loneRefuser(of: planned)
    return havers(of: planned).filter { $0 != side }
  }

  /// Clears the refusal of cells that only one program refuses. The other measures them, so that
  /// their figures are reported as new or missing.
  fileprivate func settled(_ cells: [PlannedCell]) -> [PlannedCell] {
    cells.map { planned in
      var settled = planned
      if loneRefuser(of: planned) != nil { settled.refusal = nil }
      return settled
    }
  }

  /// Returns the program that alone refuses a cell. Nil if neither or both refuse it, if one lacks
  /// the cell, or if one does not report refusals.
  private func loneRefuser(of planned: PlannedCell) -> Pairing.Side? {
    guard let old = baseline.refused, let new = candidate.refused,
      havers(of: planned).count == 2
    else { return nil }
    let cell = AskedCell(planned)
    return old.contains(cell) == new.contains(cell)
      ? nil : old.contains(cell) ? .baseline : .candidate
  }

  /// The programs that have a cell's backend, workload and menu. Unknown settings of a backend or a
  /// workload fail only when they are measured.
  private func havers(of planned: PlannedCell) -> [Pairing.Side] {
    Pairing.Side.allCases.filter { side in
      let workload = WorkloadInfo.name(of: planned.cell.workload)
      let backend = WorkloadInfo.name(of: planned.cell.backend)
      return self[side].backends.contains(backend)
        && self[side].workloads.contains(workload)
        && self[side].documents[planned.documentName] != nil
    }
  }

  /// Returns the cells of backends and workloads that only the baseline has, if all were asked for.
  /// Each is combined with the other parts of the chosen cells.
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
    // On both sides, `all` means the backends with names of their own.
    let backends = baseline.backends.filter {
      !candidate.backends.contains($0) && !$0.contains("@")
    }
    let workloads = baseline.workloads.filter { !candidate.workloads.contains($0) }
    return
      ((takesAll.contains(.backends) ? each(\.backend, backends) : [])
      + (takesAll.contains(.workloads) ? each(\.workload, workloads) : [])).distinct
  }

  /// Refuses a menu that differs between the programs under one name, since nothing compares.
  fileprivate func checkDocuments() throws {
    for (name, fingerprint) in candidate.documents {
      guard let other = baseline.documents[name], other != fingerprint else { continue }
      throw CLIError(
        "the menu '\(name)' differs between the programs: fingerprint \(fingerprint), baseline "
          + other,
        help: "write it with 'bench generate', and give that file: both then read the same menu",
        status: .noBaseline)
    }
  }
}
