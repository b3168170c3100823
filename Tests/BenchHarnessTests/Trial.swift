import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

@testable import BenchHarness

/// What a workload did on a store of its own, as a worker would have it do.
struct Trial {
  /// Samples of each phase.
  var samples: [Int]
  /// The sizes that were noted, by phase.
  var storedBytes: [Int: [Double]]
  /// Why phases were not measured.
  var skipped: [Int: String]
  /// What the store holds afterwards.
  var kept: Checksum

  /// Iterates on a menu that is stored, at durability `atomic`.
  init<W: Workload<Menu>>(
    _ workload: W, on entry: BackendEntry<Menu>, _ menu: Menu, _ care: Care = .thorough,
    times: Int = 2
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trial-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = StoreContext(folder: folder, durability: .atomic)
    let backend = try entry.open(store)
    self = try Self.run(workload, backend, entry, store, menu, care, times)
    try backend.close()
  }

  private init(_ recorder: PhaseRecorder<ManualClock>, samples: [Int], kept: Checksum) {
    self.samples = samples
    self.kept = kept
    skipped = recorder.skipped
    storedBytes = [:]
    for (note, values) in recorder.notes where note.metric == .storedBytes {
      storedBytes[note.phase] = values
    }
  }

  private static func run<W: Workload<Menu>, B: Backend<Menu>>(
    _ workload: W, _ backend: B, _ entry: BackendEntry<Menu>, _ store: StoreContext, _ menu: Menu,
    _ care: Care, _ times: Int
  ) throws -> Trial {
    let fixtures = Fixtures(menu)
    let plan = try workload.plan(for: menu)
    try backend.save(menu)
    let sampler = Sampler(phases: workload.phases.count, clock: ManualClock(step: 1))
    let recorder = PhaseRecorder(sampler)
    for _ in 0..<times {
      try workload.iterate(
        on: WorkSite(
          backend, fixtures.latest, care, recording: recorder,
          in: Surroundings(store: store, entry: entry, revisions: fixtures.both)), by: plan)
    }
    let samples = workload.phases.indices.map { sampler.series(phase: $0)[0].values.count }
    return Trial(recorder, samples: samples, kept: try backend.whole().fingerprint)
  }
}

/// A backend of a test around another one; overridden where it is to go wrong.
class Wrapper: Backend {
  let inner: any Backend<Menu>

  required init(_ inner: any Backend<Menu>) { self.inner = inner }

  func prepare(_ document: Menu) throws {}
  func encode(_ document: Menu) throws -> Menu { document }
  func write(_ payload: Menu) throws { try inner.save(payload) }
  func read() throws -> Menu { try inner.whole() }
  func decode(_ payload: Menu) throws -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("a menu has no bytes") }
  func storedSize() throws -> Size { try inner.storedSize() }
  func dropCaches() throws { try inner.dropCaches() }
  func close() throws { try inner.close() }

  /// The wrapper around the backend of an entry.
  static func around(_ entry: BackendEntry<Menu>) -> BackendEntry<Menu> {
    BackendEntry(
      id: "wrapped", summary: "a backend with a fault", survivesRestart: entry.survivesRestart
    ) { Self(try entry.open($0)) }
  }
}

/// Writes, and forgets to say so to its readers: they go on with what was there when they were opened.
final class StaleReaders: Wrapper, ConcurrentReading {
  func openReader() throws -> any Backend<Menu> {
    let reader = MemoryBackend<Menu>()
    try reader.save(read())
    return reader
  }
}
