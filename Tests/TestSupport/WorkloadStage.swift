import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

import BenchEngine
import MenuWorkloads

/// Runs workloads as a block does: on a store in a folder of its own.
package enum WorkloadStage {
  /// A few products and combos.
  package static let menu = menu("products=12,combos=3,slots=2,options=4,seed=7")

  /// The menu of a shape.
  package static func menu(_ shape: String) -> Menu {
    guard let shape = try? MenuShape(parsing: shape) else { fatalError("no shape: \(shape)") }
    return Menu(shape: shape)
  }

  /// Runs a workload so many times.
  ///
  /// - Returns: what it noted and measured, and the menu that is stored afterwards.
  @discardableResult
  package static func run(
    _ workload: some Workload<Menu>, on entry: BackendEntry<Menu>, _ menu: Menu = menu,
    _ care: Care = .thorough, durability: Durability = .atomic, times: Int = 1,
    backends: [BackendEntry<Menu>] = BackendRegistry.all
  ) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stage-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let fixtures = Fixtures(menu)
    let surroundings = Surroundings(
      store: StoreContext(folder: folder, durability: durability), entry: entry,
      backends: backends, revisions: fixtures.both)
    return try run(workload, care, times, fixtures, surroundings, try surroundings.open())
  }

  private static func run<W: Workload<Menu>, B: Backend<Menu>>(
    _ workload: W, _ care: Care, _ times: Int, _ fixtures: Fixtures<Menu>,
    _ surroundings: Surroundings<Menu>, _ backend: B
  ) throws -> Outcome {
    defer { try? backend.close() }
    let sampler = Sampler(phases: workload.phases.count)
    let recorder = PhaseRecorder(sampler)
    let plan = try workload.plan(for: fixtures.both[0].document)
    if workload.beginsStored {
      try backend.prepare(fixtures.latest.document)
      try backend.write(backend.encode(fixtures.latest.document))
    }
    for _ in 0..<times {
      let fixture = workload.beginsStored ? fixtures.latest : fixtures.next()
      try workload.iterate(
        on: WorkSite(backend, fixture, care, recording: recorder, in: surroundings), by: plan)
    }
    return Outcome(
      phases: workload.phases, recorder: recorder, sampler: sampler,
      stored: try backend.decode(backend.read()), expected: fixtures.latest.document)
  }

  /// What came of it.
  package struct Outcome {
    fileprivate let phases: [Phase]
    fileprivate let recorder: PhaseRecorder<MonotonicClock>
    fileprivate let sampler: Sampler<MonotonicClock>
    /// What is stored afterwards.
    package let stored: Menu
    /// What a block expects to be stored.
    package let expected: Menu

    /// What was noted of a phase.
    package func notes(_ phase: String, _ metric: Metric = .wall) -> [Double] {
      guard let index = phases.firstIndex(where: { $0.id == phase }) else { return [] }
      return recorder.notes[.init(phase: index, metric: metric)] ?? []
    }

    /// Why phases were not measured.
    package var skipped: [String: String] {
      Dictionary(uniqueKeysWithValues: recorder.skipped.map { (phases[$0].id, $1) })
    }

    /// How many samples were taken of each phase, in their order.
    package var samples: [Int] { phases.map { samples($0.id) } }

    /// How many samples were taken of a phase.
    package func samples(_ phase: String) -> Int {
      guard let index = phases.firstIndex(where: { $0.id == phase }) else { return 0 }
      return sampler.series(phase: index).first?.values.count ?? 0
    }
  }
}
