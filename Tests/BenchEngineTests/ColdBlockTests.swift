import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

@Suite("The cold processes of a block")
struct ColdBlockTests {
  @Test("are as many as a timed block needs, and each gets the product in the middle")
  func timed() throws {
    let (series, requests) = try ColdBench().measure(ProductWorkload())
    let id = ColdBench.menu.products[ColdBench.menu.products.count / 2].id
    #expect(
      requests
        == Array(
          repeating: ColdRequest(
            workload: "product", backend: "json", durability: "atomic", order: [id]), count: 30))
    #expect(series.map(\.phase) == ["cold-product", "cold-product", "start"])
    #expect(series.map(\.metric) == [.residentShare, .wall, .wall])
    #expect(series.allSatisfy { $0.blocks.map(\.count) == [30] })
    // From the spawn until the work begins.
    #expect(series[2].blocks == [Array(repeating: 5, count: 30)])
  }

  @Test("report how much of the store's files was still cached, whatever metrics you choose")
  func resident() throws {
    let (series, _) = try ColdBench(metrics: ["wall"], resident: 3).measure(ProductWorkload())
    let shares = series.first { $0.metric == .residentShare }
    #expect(shares?.phase == "cold-product")
    #expect(shares?.blocks == [Array(repeating: 3, count: 30)])
  }

  @Test("do not start if more than 3 % stays cached, and their phases say so")
  func warm() throws {
    let (series, requests) = try ColdBench(resident: 40).measure(ProductWorkload())
    #expect(requests.isEmpty)
    #expect(series.map(\.phase) == ["cold-product", "start"])
    let reason =
      "40% of the store's files stayed in the page cache when dropped, "
      + "but at most 3% may: measure on a drive"
    #expect(series.allSatisfy { $0.unsupported == reason && $0.blocks.isEmpty })
  }

  @Test("start nevertheless if they ask for cached pages")
  func decoding() throws {
    let (series, requests) = try ColdBench(resident: 100).measure(FirstMenuWorkload())
    #expect(requests.map(\.order) == [[1], [2], [1], [2], [1], [2]])
    #expect(
      series.filter { $0.unsupported == nil }.map(\.phase)
        == ["start", "first-decode", "tenth-decode"])
    #expect(
      series.filter { $0.unsupported != nil }.map(\.phase)
        == ["first-screen", "whole-menu", "screen-after-crash"])
  }

  @Test("are at most six once they have taken four seconds")
  func slow() throws {
    let clock = ManualClock(step: 4_000_000_000)
    #expect(try ColdBench(clock: clock).measure(ProductWorkload()).requests.count == 6)
    let quick = ManualClock(step: 4_000_000_000 / 5)
    // The clock is read once at the beginning, and before each start from the seventh on.
    #expect(try ColdBench(clock: quick).measure(ProductWorkload()).requests.count == 10)
  }

  @Test("alternate with those of the other program, as many on either side")
  func turns() async throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    let pipes = try TurnPipes(in: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = Guarded<[String]>([])
    async let old = measure(pipes.turns(of: .baseline, begins: false, processor: 0), "old", log)
    async let new = measure(pipes.turns(of: .candidate, begins: true, processor: 0), "new", log)
    #expect(try await [old, new] == [30, 30])
    #expect(log.withLock(\.self) == (0..<60).map { $0.isMultiple(of: 2) ? "new" : "old" })
  }

  @Test("continue alone up to the sixth if the other program has none")
  func alone() async throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    let pipes = try TurnPipes(in: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let own = pipes.turns(of: .candidate, begins: false, processor: 0)
    let line = try TurnChannel(pipes.turns(of: .baseline, begins: true, processor: 0))
    line.leave()
    #expect(try await measure(own, "new", Guarded<[String]>([])) == 6)
    // Its output would be lost with the last end of the pipe.
    withExtendedLifetime(line) {}
  }

  private func measure(_ turns: Turns, _ name: String, _ log: Guarded<[String]>) async throws -> Int
  {
    try await onThread {
      try ColdBench(turns: turns).measure(ProductWorkload()) { reply in
        log.withLock { $0.append(name) }
        return reply
      }.requests.count
    }
  }

  @Test("do not start in blocks that count")
  func none() throws {
    #expect(try ColdBench(kind: .instructions).measure(FirstMenuWorkload()).requests.isEmpty)
    #expect(try ColdBench(kind: .counted).measure(FirstMenuWorkload()).requests.isEmpty)
    #expect(try ColdBench(kind: .resident).measure(ProductWorkload()).requests.isEmpty)
  }

  @Test("keep only the chosen metrics")
  func wanted() throws {
    let (series, _) = try ColdBench(kind: .resident, metrics: ["allocations"])
      .measure(FirstMenuWorkload())
    #expect(series.isEmpty)
  }

  @Test("do not start for a backend that keeps nothing, and their phases say so")
  func forgetful() throws {
    let (series, requests) = try ColdBench(backend: .memory).measure(ProductWorkload())
    #expect(requests.isEmpty)
    #expect(series.map(\.phase) == ["cold-product", "start"])
    #expect(series.allSatisfy { $0.unsupported == "memory keeps nothing for a fresh process" })
  }

  @Test("cost the cell if they find another product than the stored one")
  func otherProduct() throws {
    var stored = ColdBench.menu
    let index = stored.products.count / 2
    stored.products[index].variants[0].price += 1
    let id = stored.products[index].id
    #expect(
      throws: WorkloadFailure("product \(id) is read back, but is not the stored one")
    ) { try ColdBench(stored: stored).measure(ProductWorkload()) }
    stored.products.remove(at: index)
    #expect(throws: WorkloadFailure("product \(id) was stored but is not found")) {
      try ColdBench(stored: stored).measure(ProductWorkload())
    }
  }

  @Test("cost the cell if they reply something else than a finding")
  func nonsense() throws {
    #expect(
      throws: WorkloadFailure("a fresh process sent what product does not understand")
    ) {
      try ColdBench().measure(ProductWorkload()) {
        ColdReply(began: $0.began, finding: Data("{}".utf8))
      }
    }
  }

  @Test("are refused for a workload that has no work for them")
  func noWork() throws {
    let suite = Suite(
      backends: [BackendEntry<Menu>.json], workloads: WorkloadRegistry.all, source: MenuSource())
    let request = ColdRequest(
      workload: "roundtrip", backend: "json", durability: "atomic", order: [])
    #expect(throws: WorkloadFailure("roundtrip has no work for fresh processes")) {
      try suite.reply(to: request, in: ".")
    }
  }
}
