import MenuModel
import MenuWorkloads
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine

@Suite("A block of four samples")
struct BlockTaskTests {
  /// Letters stand for writes and reads, in a text for each opened store.
  @Test(
    "loads a reopened store once before it takes times, and copies the store that `open` opens",
    arguments: [
      (.timed, RoundTripWorkload<Menu>(), .json, ["wr", "rwrwrwrwr", "", "", "", ""]),
      // Nothing can be copied, and no store is reopened.
      (.timed, RoundTripWorkload<Menu>(), .memory, ["wr", "wrwrwrwrwr", "w", "", "", "", ""]),
      // The store has the menu, and an iteration reads it twice.
      (.timed, ProductWorkload(), .json, ["wrr", "rrrrrrrrrrr"]),
      // One revolution is counted, after a second warm-up.
      (.counted, RoundTripWorkload<Menu>(), .json, ["wr", "w", "", "rwrwrwr", "", "", ""]),
    ] as [(BlockRequest.Kind, any Workload<Menu>, BackendEntry<Menu>, [String])])
  func calls(
    kind: BlockRequest.Kind, workload: any Workload<Menu>, inner: BackendEntry<Menu>,
    calls: [String]
  ) throws {
    let opened = Guarded<[Witness]>([])
    let entry = BackendEntry<Menu>(
      id: inner.id, summary: "", survivesRestart: inner.survivesRestart
    ) { store -> Witness in
      let witness = Witness(try inner.open(store))
      opened.withLock { $0.append(witness) }
      return witness
    }
    try inFolder { folder in
      let store = StoreContext(folder: folder + "/store", durability: .none)
      try store.empty()
      let fixtures = Fixtures(WorkloadStage.menu)
      let request = BlockRequest(
        cell: .of(inner.id), documentName: "", fingerprint: "", kind: kind,
        metrics: ["wall", "payload_bytes"], sampling: Sampling(minimum: 4, maximum: 4), timeout: 1)
      _ = try BlockTask(
        request: request, fixtures: fixtures,
        surroundings: WorkContext(store: store, entry: entry, revisions: fixtures.both),
        announce: { _ in }, cold: nil
      ).run(workload)
    }
    #expect(opened.withLock { $0.map { $0.calls.map { $0.prefix(1) }.joined() } } == calls)
  }
}
