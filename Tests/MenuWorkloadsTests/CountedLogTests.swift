import BenchResults
import MenuModel
import MenuSources
import MenuWorkloads
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import BenchProbes

/// Counts how often a log was copied, and notes how full it was before.
private final class Copies: Instrument {
  let metrics = [Metric.writeCalls, .writtenBytes]
  private let backend: Logging
  private var before = (copies: 0, fill: 0.0)
  private var after = 0

  init(of backend: Logging) { self.backend = backend }

  func begin() { before = (backend.copied.count, backend.logFill ?? 0) }
  func end() { after = backend.copied.count }
  func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = Double(after - before.copies)
    values[1] = before.fill
  }
}

/// The bytes that this thread passes to write calls. Other tests write at the same time.
private final class OwnWrites: Instrument {
  let metrics = [Metric.writtenBytes]
  private let file: ProcFile
  private var before: UInt64?
  private var after: UInt64?

  init() throws(Unsupported) { file = try ProcFile("/proc/thread-self/io", capacity: 1_024) }

  func begin() { before = read() }
  func end() { after = read() }
  func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = Double((after ?? 0) &- (before ?? 0))
  }

  private func read() -> UInt64? { file.read() == nil ? nil : file.number("wchar:") }
}

@Suite("A log, where things are counted")
struct CountedLogTests {
  /// What an instrument finds in each phase of counted iterations, and what is noted there: the values
  /// of each of its metrics.
  private func values<W: Workload<Menu>>(
    by instrument: any Instrument, in workload: W, on backend: some Backend<Menu>,
    entry: BackendEntry<Menu> = .memory, _ menu: Menu = WorkloadStage.menu, at store: StoreContext,
    times: Int = 1
  ) throws -> [String: [[Double]]] {
    let fixtures = Fixtures(menu)
    let sampler = Sampler(
      phases: workload.phases.count, instruments: [instrument], clock: ManualClock())
    let site = WorkSite(
      backend, fixtures.latest, workload.phases, .counting(sampler), for: .counting,
      in: WorkContext(store: store, entry: entry, revisions: fixtures.both))
    let plan = try workload.plan(for: menu)
    if workload.beginsStored { try backend.save(menu) }
    for _ in 0..<times {
      site.begin(
        with: workload.beginsStored ? fixtures.latest : fixtures.next(), isWarmUp: false)
      try workload.iterate(on: site, by: plan)
    }
    let columns = workload.phases.enumerated().map { index, phase in
      sampler.series(phase: index).dropFirst().map { samples in
        let notes = site.notes.filter { $0.phase == phase && $0.metric == samples.metric }
        return samples.values + notes.map(\.value)
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(workload.phases.map(\.id), columns))
  }

  private func inStore<Result>(
    _ durability: Durability = .none, _ body: (StoreContext) throws -> Result
  ) throws -> Result {
    try inFolder { folder in
      let store = StoreContext(folder: folder + "/store", durability: durability)
      try store.empty()
      return try body(store)
    }
  }

  @Test(
    "is empty before each write, is copied in none, and is counted once and shared by all",
    arguments: [0.1, 0.4, 1.5])
  func separate(part: Double) throws {
    let workloads: [any Workload<Menu>] = [
      RoundTripWorkload<Menu>(), PatchWorkload(), DispatchWorkload(),
    ]
    for workload in workloads {
      for times in [1, 7] {
        let backend = Logging(MemoryBackend())
        backend.part = part
        let found = try inStore {
          try values(by: Copies(of: backend), in: workload, on: backend, at: $0, times: times)
        }
        let writes = ["write", "apply", "save"].compactMap { found[$0] }
        #expect(writes.count == 1)
        let write = try #require(writes.first)
        #expect(Set(write[0]) == [0.0])
        #expect(Set(write[1]) == [0.0])
        let whole = try #require(found["checkpoint"])
        #expect(whole[0] == [1.0])
        let (full, shares) = (whole[1][0], try #require(found["checkpoint-share"]))
        #expect(Set(shares[0]) == [part / full])
        #expect(Set(shares[1]) == [full * part / full])
        #expect(shares.map(\.count) == write.map(\.count))
        #expect(!backend.isDeferred)
      }
    }
  }

  @Test("is copied after the replacement that fills it, not in it")
  func replacements() throws {
    nonisolated(unsafe) let store = Logging(MemoryBackend())
    let entry = BackendEntry<Menu>(id: "logging", summary: "keeps a log", survivesRestart: false) {
      _ in store
    }
    let found = try inStore {
      try values(
        by: Copies(of: store), in: ReplaceWorkload<Menu>().with("revisions=24"),
        on: MemoryBackend<Menu>(), entry: entry, at: $0)
    }
    #expect(found["replace"]?.first == [Double](repeating: 0, count: 24))
    #expect(found["checkpoint"]?.first == [1.0, 1.0])
    let shares = try #require(found["checkpoint-share"]?.first)
    #expect(shares.count == 24)
    // Ten replacements or eleven fill it, because ten times 0.1 is not quite 1.
    #expect(shares.allSatisfy { (0.09...0.101).contains($0) }, "\(shares)")
  }

  @Test(
    "shares the bytes of its copy among saves by their pages, however many are counted",
    .enabled(if: (try? OwnWrites()) != nil, "needs /proc/thread-self/io"))
  func sharedBytes() throws {
    func shares(_ times: Int) throws -> Set<Double> {
      try inStore(.atomic) { store in
        let backend = try BackendEntry<Menu>.sqlite.open(store)
        defer { try? backend.close() }
        let found = try values(
          by: OwnWrites(), in: RoundTripWorkload<Menu>(), on: backend,
          Menu(shape: MenuShape(.small)), at: store, times: times)
        let (write, share) = (found["write"]?.first ?? [], found["checkpoint-share"]?.first ?? [])
        let whole = try #require(found["checkpoint"]?.first?.first)
        #expect(write.count == times && share.count == times)
        let pages = write.map { ($0 - 32) / (24 + 4_096) }
        let full = zip(pages, share).map { pages, share in whole * pages / share }
        #expect(full.allSatisfy { $0 > 999.9 && abs($0 - full[0]) < 1e-6 }, "\(full)")
        #expect(full.allSatisfy { abs($0.remainder(dividingBy: 1)) < 1e-6 }, "\(full)")
        return Set(write + share)
      }
    }
    #expect(try shares(6) == shares(2))
  }
}
