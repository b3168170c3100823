import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine

private struct Steps: Workload {
  typealias Document = Menu
  let name = "steps"
  let summary = "a test"
  let phases = [Phase("step")]
  let leastSamples: Int
  let step: @Sendable () -> Void

  func iterate<B: Backend<Menu>, Clock: WallClock>(on site: WorkSite<B, Clock>, by plan: Void) {
    site.measure(phases[0], step)
  }
}

@Suite("Blocks in turns")
struct TurnTests {
  @Test(
    "alternate after each iteration or after 5 ms of short ones, and take as many samples",
    arguments: [
      // The time ends after three iterations, but a block has whole cycles of two.
      (6, 8, Sampling(minimum: 3, seconds: 0.009), [1, 1, 1, 1, 1, 1, 1, 1]),
      (1, 8, Sampling(minimum: 3, maximum: 12), [5, 5, 5, 5, 2, 2]),
      (2_000, 1, .pairs, [1, 1, 1, 1]),
    ] as [(UInt64, Int, Sampling, [Int])])
  func samples(ms: UInt64, least: Int, sampling: Sampling, turns: [Int]) async throws {
    let log = Guarded<[String]>([])
    try await inFolder { folder in
      let pipes = try TurnPipes(in: folder)
      @Sendable func counts(_ name: String, _ turns: Turns) async throws -> [[Int]] {
        try await onThread {
          let clock = ManualClock()
          let workload = Steps(leastSamples: least) {
            clock.advance(by: ms * 1_000_000)
            log.withLock { $0.append(name) }
          }
          return try Block(
            request: BlockRequest(
              cell: .of("memory"), documentName: "", fingerprint: "", kind: .timed,
              metrics: ["wall", "cpu"], sampling: sampling, floors: false, timeout: 1),
            workload: workload, plan: (), fixtures: Fixtures(WorkloadStage.menu),
            backend: MemoryBackend<Menu>(),
            surroundings: WorkContext(
              store: StoreContext(folder: ".", durability: .none), entry: .memory, revisions: []),
            clock: clock, announce: { _ in }, heartbeat: {}, turns: try TurnChannel(turns)
          ).measure().map { $0.blocks.map(\.count) }
        }
      }
      async let old = counts("old", pipes.turns(of: .baseline, begins: false, processor: 0))
      async let new = counts("new", pipes.turns(of: .candidate, begins: true, processor: 0))
      let (wall, cpu) = ([turns.reduce(0, +) / 2], [turns.reduce(0, +) / 2])
      #expect(try await [old, new] == [[wall, cpu], [wall, cpu]], "and no control")
    }
    let expected = zip(turns.indices, turns).flatMap { number, length in
      Array(repeating: number.isMultiple(of: 2) ? "new" : "old", count: length)
    }
    #expect(log.withLock(\.self) == expected)
  }
}

#if os(Linux)
  @Suite("Workers that alternate")
  struct TurnLineTests {
    @Test("stay on one processor from start to end, unless a workload has its own threads")
    func pinning() async {
      await #expect(processExitsWith: .success) {
        try inFolder { folder in
          let pipe = folder + "/pipe"
          #expect(mkfifo(pipe, 0o600) == 0)
          func processors() throws -> String {
            let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            return try #require(
              status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
            ).split(separator: "\t").last.map(String.init) ?? ""
          }
          func meet(pins: Bool) throws -> TurnChannel {
            // It meets itself: who reads a pipe that it writes.
            let line = try TurnChannel(Turns(own: pipe, other: pipe, begins: true, processor: 0))
            line.meet(pins: pins) {}
            return line
          }
          let all = try processors()
          let free = try meet(pins: false)
          #expect(try processors() == all)
          free.leave()
          #expect(try processors() == all)
          let pinned = try meet(pins: true)
          #expect(Int(try processors()) != nil)
          pinned.leave()
          #expect(try processors() == all)
        }
      }
    }
  }
#endif
