import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation
import PersistenceBackends

extension PairedGate {
  /// Asks both programs what they are, and plans what to measure of them.
  ///
  /// - Throws: a ``CLIError`` where a program cannot be asked, or has another menu of the same name.
  init<App: BenchApp>(
    _ setup: GateSetup<App>, sides: Sides<GateSide>, storage: Storage
  ) async throws {
    let sample = try Sample(of: setup.chosen, in: App.suite)
    let documents = Set((setup.chosen.cells + sample.cells).map(\.documentName)).sorted()
    let hellos = Sides(
      baseline: try await sides.baseline.hello(documents),
      candidate: try await sides.candidate.hello(documents))
    let cells = try SharedCells(setup.chosen.cells, hellos, takesAll: setup.takesAllBackends)
    let traced = try SharedCells(sample.cells, hellos, takesAll: false).both
    let metrics = try GateMetrics(
      tier: setup.tier, named: setup.chosen.metrics,
      instructionCounter: hellos.candidate.machine.instructionCounter, tracesUnasked: true)
    let plan = PairPlan(
      cells: cells.both, lonely: cells.lonely, counters: metrics.counters, times: metrics.times,
      traced: metrics.tracesInstructions ? traced : [], budgetSeconds: setup.limits.budget,
      injection: setup.injection, memoryLimit: setup.limits.workers.memoryBytes,
      timeout: setup.limits.workers.timeout,
      width: min(ProcessInfo.processInfo.activeProcessorCount, 4), storage: storage.path,
      seed: setup.seed)
    self.plan = plan
    self.sides = sides
    let tolerances = setup.tolerances
    nextPairs = { records in
      let test = SequentialTest(
        candidate: records.candidate, baseline: records.baseline, tolerances: tolerances)
      return switch test?.nextStep {
      case .screening(let pairs), .confirmation(let pairs): pairs
      case .done, nil: [:]
      }
    }
    display = GateDisplay(showsBar: Console.showsProgressBar)
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    records = Sides(
      baseline: await setup.record(of: sides.baseline, hellos.baseline, metrics, storage),
      candidate: await setup.record(of: sides.candidate, hellos.candidate, metrics, storage))
    for side in Pairing.Side.allCases {
      if metrics.tracesInstructions { records[side].menus += sample.menus }
      records[side].pairing = Pairing(
        id: id, side: side, executable: sides[side].program.file,
        revision: sides[side].program.revision, looks: LookPlan(),
        injection: side == .candidate ? setup.injection?.description : nil)
    }
    if !metrics.times.isEmpty { try refuseOtherMachines() }
  }

  /// Times of other builds or allocators are another question than what a change of the code costs.
  private func refuseOtherMachines() throws {
    let differences = Comparability(candidate: records.candidate, baseline: records.baseline)
      .machineDifferences
    guard !differences.isEmpty else { return }
    throw CLIError(
      "the times of the two cannot be compared, since they differ in "
        + differences.joined(separator: "; "),
      help: "--tier exact compares what they count", status: .unmeasured)
  }
}
