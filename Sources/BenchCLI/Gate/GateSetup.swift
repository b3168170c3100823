import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// Everything that a gate was told, found in the suite.
struct GateSetup<App: BenchApp>: Sendable {
  var chosen: Selection.Chosen<App.Document>
  /// Whether every backend was asked for, those that are gone by now included.
  var takesAllBackends: Bool
  var limits: GateLimits
  var tier: GateTier
  var tolerances: Tolerances
  var injection: Injection?
  var out: String
  /// The seed of every order that is drawn.
  var seed: UInt64
}

/// What a gate measured, and where it goes.
struct MeasuredGate {
  var report: Report
  var folder: OutputFolder
}

extension GateSetup {
  /// Measures and compares.
  ///
  /// - Throws: a ``CLIError`` where there is nothing to compare with; `CancellationError`.
  func compare(with reference: Reference) async throws -> MeasuredGate {
    switch reference {
    case .program(let name, let product): try await compare(withProgram: name, product)
    case .storedRun(let name, let judgesTimes):
      try await compare(withStored: name, judgesTimes: judgesTimes)
    }
  }

  /// Compares this program with another one, in pairs of blocks.
  private func compare(withProgram name: String, _ product: String?) async throws -> MeasuredGate {
    let folder = try OutputFolder(out)
    let program = try await Program.named(name, product: product)
    let storage = try Storage(in: limits.workers.storage ?? out, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let sides = try Sides(
      baseline: GateSide(.baseline, program, in: storage),
      candidate: GateSide(.candidate, await Program.own(), in: storage))
    let gate = try await PairedGate(self, sides: sides, storage: storage)
    let records = try await gate.measure()
    return MeasuredGate(
      report: Report(
        record: records.candidate, baseline: records.baseline, tolerances: tolerances),
      folder: folder)
  }

  /// Compares this program with a run that was measured before, block by block as `bench run` does.
  private func compare(withStored name: String, judgesTimes: Bool) async throws -> MeasuredGate {
    let stored = try StoredRun.baseline(name)
    let baseline = try stored.limited(to: Set(chosen.cells.map(\.cell)).union(gone(from: stored)))
    let folder = try OutputFolder(out)
    let storage = try Storage(in: limits.workers.storage ?? out, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let gate = try await StoredGate(self, judgesTimes: judgesTimes, storage: storage)
    return MeasuredGate(
      report: Report(
        record: await gate.measure(into: folder), baseline: gate.limited(baseline),
        tolerances: tolerances, gatesTimes: judgesTimes),
      folder: folder)
  }

  /// The cells of a stored run whose backend is gone by now, where all were asked for.
  private func gone(from stored: RunRecord) -> [Cell] {
    guard takesAllBackends else { return [] }
    let known = Set(App.suite.backends.map(\.id))
    let places = Set(chosen.cells.map { Place($0.cell) })
    return stored.cells.map(\.cell).filter {
      !known.contains($0.backend) && places.contains(Place($0))
    }
  }

  /// A cell without its backend.
  private struct Place: Hashable {
    var menu: String
    var workload: String
    var durability: String

    init(_ cell: Cell) {
      (menu, workload, durability) = (cell.menu, cell.workload, cell.durability)
    }
  }
}
