import BenchEngine
import BenchProbes
import MenuModel
import MenuWorkloads
import PersistenceBackends
import TestSupport
import Testing

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

@Suite("A round trip")
struct PreparationTests {
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
}
