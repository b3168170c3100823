import BenchAnalysis
import BenchResults

/// Backends along five sizes: one linear with a fixed cost, one that grows with the square at the end,
/// one that is cheaper from a size on, one that fails with the largest menu.
extension Fixture {
  private static let sizes = [100, 1_000, 10_000, 100_000, 1_000_000]

  /// Nanoseconds of a load by slot options, as whole numbers, which are the same on every platform.
  private static let loads: [(id: String, load: @Sendable (Int) -> Int)] = [
    ("json", { 50_000 + 3_000 * $0 }), ("flat", { 1_000 * $0 + $0 * $0 / 100 }),
    ("sqlite", { 400_000 + 1_500 * $0 }), ("plist", { 60_000 + 7_000 * $0 }),
  ]

  /// The run. A few blocks prove nothing.
  static func growing(blocks: Int = 8) -> RunRecord {
    var record = run(menus: [], blocks: blocks)
    record.backends = loads.map {
      BackendInfo(id: $0.id, summary: $0.id).with(\.survivesRestart, true)
    }
    record.menus = sizes.map { size in
      MenuInfo(
        name: menu(size), source: "shape", fingerprint: "00000000000000aa",
        counts: [.init(of: "slot options", count: size)]
      ).with(\.sizedBy, "slot options")
    }
    (record.cells, record.outcomes, record.failures) = ([], [], [])
    for size in sizes {
      for (id, load) in loads where id != "plist" || size < 1_000_000 {
        record.cells += series(Self.cell(id, size), load(size), size, blocks)
        record.outcomes.append(
          Outcome(cell: Self.cell(id, size), timedBlocks: blocks, stop: .blocks))
      }
    }
    let gap = Self.cell("plist", 1_000_000)
    record.failures = [Failure(cell: gap, stage: "decode", reason: "it hung")]
    record.outcomes.append(Outcome(cell: gap, timedBlocks: 0, stop: .failed))
    return record
  }

  private static func menu(_ size: Int) -> String {
    "products=\(max(1, size / 12)),combos=\(max(1, size / 80)),slots=4,options=20,seed=1000"
  }

  private static func cell(_ backend: String, _ size: Int) -> Cell {
    Cell(backend: backend, menu: menu(size), workload: "roundtrip", durability: "atomic")
  }

  /// Half of the load in either phase, its blocks spread over ± 2 % in a fixed order.
  private static func series(_ cell: Cell, _ load: Int, _ size: Int, _ blocks: Int) -> [Series] {
    let times = (0..<blocks).map { block in
      [(Double(load / 2) * (1 + 0.02 * (Double(block * 5 % 7) / 3 - 1))).rounded()]
    }
    return [
      Series(cell: cell, phase: "read", metric: .wall, blocks: times),
      Series(cell: cell, phase: "decode", metric: .wall, blocks: times),
      Series(
        cell: cell, phase: "write", metric: .storedBytes,
        blocks: [[Double(size * 100 + (cell.backend == "sqlite" ? 32_768 : 0))]]),
      Series(
        cell: cell, phase: "write", metric: .peakHeapBytes, blocks: [[Double(size * 64)]]),
    ]
  }
}
