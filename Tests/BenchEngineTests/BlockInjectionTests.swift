import BenchProbes
import BenchResults
import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

/// The effect of an injection on the figures of a block. The phases of memory do almost nothing.
@Suite("A block with an injection")
struct BlockInjectionTests {
  static func request(_ kind: BlockRequest.Kind, _ injection: Injection?) -> BlockRequest {
    BlockRequest(
      cell: .of("memory"), documentName: "", fingerprint: "", kind: kind,
      metrics: ["wall", "allocations", "allocated_bytes"],
      sampling: Sampling(minimum: 4, maximum: 4), floors: false, injection: injection, timeout: 1)
  }

  /// A block's series, by phase and metric, with the values of its iterations.
  static func values<Clock: WallClock>(
    _ kind: BlockRequest.Kind, _ injection: Injection?, clock: Clock
  ) throws -> [String: [Double]] {
    try inFolder { folder in
      let block = Block(
        request: request(kind, injection), workload: RoundTripWorkload<Menu>(), plan: (),
        fixtures: Fixtures(Menu(shape: MenuShape(.small))), backend: MemoryBackend<Menu>(),
        surroundings: WorkContext(
          store: StoreContext(folder: folder + "/store", durability: .none), entry: .memory,
          revisions: []),
        clock: clock, announce: { _ in }, heartbeat: {})
      try block.warmUp()
      let values = try block.measure().map { ("\($0.phase) \($0.metric.id)", $0.blocks[0]) }
      return Dictionary(uniqueKeysWithValues: values)
    }
  }

  @Test("makes a slowed phase longer by a share of its own time, and no other phase")
  func slowdown() throws {
    // The clock moves by 1,000 ns at every reading. A phase is read at its start and its end. With an
    // injection, the work is between two readings of its own, so it takes 1,000 ns. Another 3,000 ns
    // pass until the third reading after it. Then comes the end.
    let plain = try Self.values(.timed, nil, clock: ManualClock(step: 1_000))
    let injection = try Injection(parsing: "read:slowdown=300%")
    let injected = try Self.values(.timed, injection, clock: ManualClock(step: 1_000))
    for phase in ["encode", "write", "decode"] {
      #expect(injected["\(phase) wall"] == [1_000, 1_000, 1_000, 1_000])
      #expect(plain["\(phase) wall"] == [1_000, 1_000, 1_000, 1_000])
    }
    #expect(plain["read wall"] == [1_000, 1_000, 1_000, 1_000])
    #expect(injected["read wall"] == [6_000, 6_000, 6_000, 6_000])
  }

  @Test("changes nothing if the injection is into another backend")
  func otherBackend() throws {
    let injection = try Injection(parsing: "json/read:slowdown=300%")
    let values = try Self.values(.timed, injection, clock: ManualClock(step: 1_000))
    #expect(values["read wall"] == [1_000, 1_000, 1_000, 1_000])
  }

  @Test(
    "fails if the injected amount is one that no text could give",
    arguments: [
      Injection.Cost.slowdown(.nan), .slowdown(.infinity), .slowdown(-1), .allocations(-1),
      .allocations(.max), .instructions(.min),
    ])
  func amount(_ cost: Injection.Cost) {
    #expect(throws: WorkloadFailure.self) {
      try Self.values(
        .timed, Injection(phase: "read", cost: cost), clock: ManualClock(step: 1))
    }
  }
}
