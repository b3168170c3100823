import BenchProbes
import BenchResults
import Foundation
import MenuModel
import MenuSources
import MenuWorkloads
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine

@Suite("A round trip")
struct RoundTripTests {
  /// Keeps the menu as lines of JSON, and writes only those that differ from what it keeps.
  private final class Differing: Wrapper {
    private(set) var written: [Int] = []
    private var lines: [Data] = []

    override func write(_ payload: Menu) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      let new = try encoder.encode(payload).split(separator: UInt8(ascii: "\n"))
      let known = Set(lines)
      written.append(new.count { !known.contains($0) })
      lines = new
      try super.write(payload)
    }
  }

  private final class Holding: Wrapper, DocumentHolding {
    var known: Menu?

    func held() throws -> Menu { try known ?? inner.whole() }
  }

  /// Notes in which order it is called, and takes its time.
  private final class CallLog: Wrapper {
    private(set) var calls: [String] = []
    private var clock = ManualClock()

    convenience init(_ clock: ManualClock) {
      self.init(MemoryBackend<Menu>())
      self.clock = clock
    }

    override func prepare(_ document: Menu) {
      calls.append("prepare \(document.revision)")
      clock.advance(by: 1_000)
    }

    override func encode(_ document: Menu) -> Menu {
      calls.append("encode \(document.revision)")
      clock.advance(by: 7)
      return document
    }
  }

  private func times<B: Backend<Menu>>(_ count: Int, _ backend: B, _ menu: Menu) throws {
    let fixtures = Fixtures(menu)
    try inFolder { folder in
      let workload = RoundTripWorkload<Menu>()
      let site = WorkSite(
        backend, fixtures.latest, workload.phases,
        .counting(Sampler(phases: workload.phases.count, clock: ManualClock())),
        in: WorkContext(
          store: StoreContext(folder: folder + "/store", durability: .none), entry: .memory,
          revisions: fixtures.both))
      for _ in 0..<count {
        site.begin(with: fixtures.next(), isWarmUp: false)
        try workload.iterate(on: site, by: ())
      }
    }
  }

  @Test("prepares every document right before it encodes it, and does not time that")
  func order() throws {
    let clock = ManualClock()
    let backend = CallLog(clock)
    let outcomes = try [1, 2].map { revision in
      try WorkloadStage.run(
        RoundTripWorkload<Menu>(), on: backend,
        Menu(id: 1, revision: revision, locale: "", currency: "", city: ""), clock: clock)
    }
    #expect(backend.calls == ["prepare 1", "encode 1", "prepare 2", "encode 2"])
    #expect(outcomes.map { $0.wall("encode") } == [[7], [7]])
    #expect(outcomes.map { $0.wall("write") } == [[0], [0]])
  }

  @Test("makes a store that writes only differences write the changes of a revision, each time")
  func differences() throws {
    let menu = Menu(shape: MenuShape(.small))
    let store = Differing(MemoryBackend())
    try times(5, store, menu)
    let change = try #require(Fixtures(menu).change)
    // The first write is everything. Then the changes go there and back.
    #expect(store.written.count == 5)
    #expect(store.written[0] > change.lines)
    for written in store.written.dropFirst() {
      #expect(written > 50)
      #expect(written <= change.lines)
    }
    #expect(store.written[1] == store.written[3])
    #expect(store.written[2] == store.written[4])
  }

  @Test("adds to every write its share of a checkpoint, which is measured once in a block")
  func checkpoints() throws {
    let backend = Logging(MemoryBackend())
    let outcome = try WorkloadStage.run(
      RoundTripWorkload<Menu>(), on: backend, times: 14, clock: backend.clock)
    #expect(outcome.wall("checkpoint") == [1_000])
    let shares = outcome.notes("checkpoint-share")
    #expect(shares.count == 14)
    #expect(shares.allSatisfy { abs($0 - 100) < 20 }, "\(shares)")
    #expect(backend.copied.first == 0 && !backend.isDeferred)
    #expect(backend.copied.count == 3, "emptied, filled and copied, filled by what is measured")
  }

  @Test(
    "never replaces a menu with itself, however many writes fill the log",
    arguments: [0.1, 0.26, 0.4, 0.6, 1.5])
  func otherRevision(part: Double) throws {
    let backend = Logging(MemoryBackend())
    backend.part = part
    try WorkloadStage.run(
      RoundTripWorkload<Menu>(), on: backend, times: 3, clock: backend.clock)
    #expect(backend.repeated == 0)
  }

  @Test("measures and checks the held menu only for a backend that holds it")
  func held() throws {
    let workload = RoundTripWorkload<Menu>()
    let plain = try WorkloadStage.run(workload, on: BackendEntry.json)
    #expect(plain.samples("held") == 0)
    let cached = try WorkloadStage.run(workload, on: BackendEntry.cachedJSON)
    #expect(cached.samples("held") == 1)
    let other = Holding(MemoryBackend())
    var wrong = WorkloadStage.menu
    wrong.products[0].name += "!"
    other.known = wrong
    let error = #expect(throws: WorkloadFailure.self) {
      try WorkloadStage.run(workload, on: other)
    }
    #expect(error?.description.hasPrefix("the document held in memory differs") == true)
  }

  @Test("opens a closed store that has a menu, on every backend", arguments: BackendRegistry.all)
  func opens(entry: BackendEntry<Menu>) throws {
    let outcome = try WorkloadStage.run(
      RoundTripWorkload<Menu>(), on: entry, isWarmUp: false, times: 2)
    #expect(outcome.samples("open") == 2)
    #expect(outcome.samples("release") == 2)
    for isCopied in [false, true] {
      try inFolder { folder in
        let fixtures = Fixtures(WorkloadStage.menu)
        let surroundings = WorkContext(
          store: StoreContext(folder: folder + "/store", durability: .atomic), entry: entry,
          revisions: fixtures.both)
        if isCopied {
          try surroundings.store.empty()
          let backend = try surroundings.open()
          try backend.save(fixtures.both[0].document)
          try backend.close()
          try surroundings.copyClosedStore()
        }
        let closedStore = try surroundings.closedStore()
        #expect(try surroundings.closedStore() == closedStore, "made once")
        guard entry.survivesRestart else { return }
        let opened = try entry.open(closedStore)
        #expect(try opened.whole() == fixtures.both[0].document)
        try opened.close()
      }
    }
  }
}

@Suite("A releasable value")
struct SpendableTests {
  private final class Token {
    let onFree: () -> Void
    init(_ onFree: @escaping () -> Void) { self.onFree = onFree }
    deinit { onFree() }
  }

  @Test("is freed when it is used up, or when it is released")
  func freed() {
    var freed = 0
    let first = Releasable(Token { freed += 1 })
    _ = first.value
    #expect(freed == 0)
    func use(_ token: Token) {}
    use(first.take())
    #expect(freed == 1)
    let second = Releasable(Token { freed += 1 })
    second.free()
    #expect(freed == 2)
  }
}

@Suite("A phase that is measured repeatedly")
struct BatchTests {
  private static let phases = [Phase("short"), Phase("long"), Phase("other")]

  private func site(
    _ clock: ManualClock, batches: Batches<ManualClock>?
  ) -> WorkSite<MemoryBackend<Menu>, ManualClock> {
    let fixtures = Fixtures(WorkloadStage.menu)
    let sampler = Sampler(phases: Self.phases.count, clock: clock)
    return WorkSite(
      MemoryBackend(), fixtures.latest, Self.phases,
      batches.map { .timing(sampler, $0) } ?? .counting(sampler),
      in: WorkContext(
        store: StoreContext(folder: ".", durability: .none), entry: .memory,
        revisions: fixtures.both))
  }

  @Test("takes a hundred empty samples in all, and its figure is for one time")
  func short() {
    // Every reading of the clock takes 10, so that is what an empty sample reads.
    let clock = ManualClock(step: 10)
    let site = site(clock, batches: Batches(clock: clock))
    var calls = 0
    func work() {
      calls += 1
      clock.advance(by: 40)
    }
    site.measureRepeatedly(Self.phases[0], work)
    // Twice to find that it takes 50 with the reading, then 1,000 / 50 times.
    #expect(calls == 22)
    #expect(site.batch(of: Self.phases[0]) == 20)
    #expect(site.lastWall(Self.phases[0]) == 40.5)
    site.measureRepeatedly(Self.phases[0], work)
    #expect(calls == 42)
  }

  @Test("runs once if it takes longer, or without batches")
  func long() {
    let clock = ManualClock(step: 10)
    let (batching, plain) = (site(clock, batches: Batches(clock: clock)), site(clock, batches: nil))
    var calls = 0
    for site in [batching, plain] {
      for _ in 0..<2 {
        site.measureRepeatedly(Self.phases[1]) {
          calls += 1
          clock.advance(by: 990)
        }
      }
      #expect(site.batch(of: Self.phases[1]) == nil)
      #expect(site.lastWall(Self.phases[1]) == 1_000)
    }
    #expect(calls == 2 + 2 + 2)
    #expect(batching.batch(of: Self.phases[2]) == nil)
  }
}
