import Basics
import BenchProbes
import BenchResults
import Foundation
import TestSupport
import Testing

@testable import BenchEngine

@Suite("A suite is split by menu and workload")
struct ShardingTests {
  private func planned(_ menu: String, _ workload: String, _ backend: String = "json")
    -> PlannedCell
  {
    PlannedCell(
      cell: Cell(backend: backend, menu: menu, workload: workload, durability: "atomic"),
      documentName: menu, fingerprint: "00")
  }

  /// The shards of workloads on one menu, in their order, each of one cell that costs so much.
  private func shards(_ costs: [(String, Double?)], into count: Int) -> [Int] {
    let cells = costs.map { planned("small", $0.0) }
    let known = zip(cells, costs).compactMap { cell, cost in cost.1.map { (cell.cell, $0) } }
    return Split(cells, into: count, costs: Dictionary(uniqueKeysWithValues: known))
      .units.map(\.shard)
  }

  @Test("The most expensive unit comes first, and each goes to the shard with the least work")
  func longestFirst() {
    let costs: [(String, Double?)] = [("a", 7), ("b", 5), ("c", 4), ("d", 3), ("e", 2)]
    #expect(shards(costs, into: 2) == [1, 2, 2, 1, 2])
    #expect(shards(costs.reversed(), into: 2) == [2, 1, 2, 2, 1])
    #expect(shards(costs, into: 1) == [1, 1, 1, 1, 1])
  }

  @Test("Units with the same cost are sorted by name, and begin with the first shard")
  func ties() {
    #expect(shards([("c", nil), ("a", nil), ("b", nil)], into: 2) == [1, 1, 2])
  }

  @Test("A unit without a cost has the mean cost of the others")
  func unknown() {
    #expect(shards([("a", 4), ("b", 3), ("c", nil), ("d", 1)], into: 2) == [1, 2, 2, 1])
  }

  @Test("Shards without units have nothing to do")
  func more() {
    let split = Split([planned("small", "a"), planned("large", "a")], into: 5)
    #expect(split.count == 5)
    #expect(split.units.map(\.shard) == [2, 1])
  }

  @Test("Without costs, cells count equally, and those that make no sense do not count")
  func cells() {
    var refused = planned("small", "a", "plist")
    refused.refusal = "it keeps nothing"
    let cells = [
      planned("small", "a"), refused, planned("small", "b"), planned("small", "b", "plist"),
      planned("small", "c"),
    ]
    let split = Split(cells, into: 2, metrics: ["wall", "cpu"])
    #expect(split.units.map(\.workload) == ["a", "b", "c"])
    #expect(split.units.map(\.shard) == [2, 1, 2])
    #expect(split.metrics == ["cpu", "wall"])
  }

  @Test("The cost of a cell is its recorded time, without simulated time such as a network's")
  func times() {
    var record = RunRecord.empty
    record.cells = [Series(cell: .of("json"), phase: "network", metric: .wall, blocks: [[1, 2]])]
    record.outcomes = [
      Outcome(cell: .of("json"), timedBlocks: 2, stop: .blocks).with(\.seconds, 0.25),
      Outcome(cell: .of("lmdb"), timedBlocks: 0, stop: .notApplicable)
        .with(\.reason, "it keeps nothing"),
    ]
    #expect(record.timesOfCells == [.of("json"): 0.25e9])
  }

  /// A suite of random size with a random part of its costs.
  private func suite(_ dice: inout SplitMix64) -> (cells: [PlannedCell], costs: [Cell: Double]) {
    let (menus, workloads, backends) = (dice.within(1...4), dice.within(1...5), dice.within(1...3))
    var cells: [PlannedCell] = []
    for menu in 0..<menus {
      for workload in 0..<workloads {
        for backend in 0..<backends {
          cells.append(planned("m\(menu)", "w\(workload)", "b\(backend)"))
          if dice.once(in: 10) { cells[cells.count - 1].refusal = "no" }
        }
      }
    }
    var costs: [Cell: Double] = [:]
    for cell in cells where !dice.once(in: 4) {
      costs[cell.cell] = Double(dice.within(0...1_000_000)) / 7
    }
    return (cells, costs)
  }

  @Test("With any suite, costs and count, each unit is in one shard, and no shard is overloaded")
  func everyUnitOnce() {
    let seed = UInt64.random(in: 0...UInt64.max)
    for number in 0..<300 {
      var dice = SplitMix64(seed: seed &+ UInt64(number))
      let (cells, costs) = suite(&dice)
      let count = dice.within(1...12)
      let split = Split(cells, into: count, costs: costs)
      let comment = Comment(rawValue: "seed \(seed), \(number)")
      let pairs = split.units.map { [$0.menu, $0.workload] }
      #expect(Set(pairs).count == pairs.count, comment)
      #expect(Set(pairs) == Set(cells.map { [$0.cell.menu, $0.cell.workload] }), comment)
      #expect(split.units.allSatisfy { (1...count).contains($0.shard) }, comment)
      // No backend is away from the others.
      for unit in split.units {
        let own = cells.filter { $0.cell.menu == unit.menu && $0.cell.workload == unit.workload }
        #expect(own.allSatisfy { split.shard(of: $0.cell) == unit.shard }, comment)
      }
      // The same costs in a dictionary of another order.
      let shuffled = Dictionary(uniqueKeysWithValues: costs.shuffled(using: &dice).map { ($0, $1) })
      #expect(Split(cells, into: count, costs: shuffled) == split, comment)
      // Graham's bound of any list: the mean load and one unit more.
      let mean = costs.isEmpty ? 1 : costs.values.reduce(0, +) / Double(costs.count)
      let loads = split.units.map { unit in
        cells.filter {
          $0.cell.menu == unit.menu && $0.cell.workload == unit.workload && $0.refusal == nil
        }.reduce(0) { $0 + (costs[$1.cell] ?? mean) }
      }
      let shards = Dictionary(grouping: split.units.indices) { split.units[$0].shard }
        .mapValues { $0.reduce(0) { $0 + loads[$1] } }
      let bound = loads.reduce(0, +) / Double(count) + (loads.max() ?? 0)
      #expect(shards.values.allSatisfy { $0 <= bound * 1.000_001 }, comment)
    }
  }

  @Test("Together the shards measure the cells of one run, in its order")
  func merged() async {
    var cells: [PlannedCell] = []
    for menu in ["small", "large"] {
      for workload in ["roundtrip", "combo", "find"] {
        for backend in ["json", "plist", "memory"] {
          cells.append(planned(menu, workload, backend))
          if backend == "memory", workload == "find" { cells[cells.count - 1].refusal = "no" }
        }
      }
    }
    let whole = await record(of: cells, RunRecord.empty)
    #expect(whole.failures.count == 2 && whole.cells.count == 28)
    for count in 2...5 {
      let split = Split(cells, into: count)
      for number in 1...count {
        func isOwn(_ cell: Cell) -> Bool { split.shard(of: cell) == number }
        var asked = RunRecord.empty
        asked.backends = ["json", "plist", "memory"].map { BackendInfo(id: $0, summary: $0) }
        asked.split = split
        let part = await record(of: cells.filter { isOwn($0.cell) }, asked)
        #expect(part.cells == whole.cells.filter { isOwn($0.cell) })
        #expect(part.outcomes == whole.outcomes.filter { isOwn($0.cell) })
        #expect(part.failures == whole.failures.filter { isOwn($0.cell) })
        #expect(Set(part.missingCells) == Set(cells.map(\.cell).filter { !isOwn($0) }))
      }
    }
  }

  /// The results of a run: figures that differ from cell to cell, and one backend that fails at one
  /// workload.
  private func record(of cells: [PlannedCell], _ asked: RunRecord) async -> RunRecord {
    let clock = ManualClock()
    let worker = ManualWorker(clock: clock) { request in
      let cell = request.cell
      if cell.backend == "plist", cell.workload == "combo" {
        return .failed(stage: "decode", reason: "it lies")
      }
      let value = Double(cell.backend.count + 10 * cell.workload.count + 100 * cell.menu.count)
      return block(request, value)
    }
    let plan = RunPlan(
      cells: cells, blocks: 2, budgetSeconds: nil, metrics: ["wall", "allocations"],
      storage: NSTemporaryDirectory() + "sharding-\(UUID())", seed: 7)
    // The runner leaves the folder that it made for stores.
    defer { rmdir(plan.storage) }
    return await Runner.measure(
      plan, record: asked, worker: worker, clock: clock, isSettled: { _ in false },
      observer: ManualObserver())
  }
}
