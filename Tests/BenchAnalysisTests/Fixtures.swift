import BenchResults

func cell(_ backend: String = "json", menu: String = "large") -> Cell {
  Cell(backend: backend, menu: menu, workload: "roundtrip", durability: "atomic")
}

/// A run of hand-made series, with its menus described.
func run(
  _ cells: [Series], machine: Machine = machine(), fileSystem: String? = "ext4",
  fingerprint: String = "00000000000000aa"
) -> RunRecord {
  RunRecord(
    tool: Tool(name: "bench", version: "0.1", revision: nil), machine: machine,
    settings: Settings(
      started: "2026-01-01T00:00:00Z", targetPrecision: 0.05, scheduleSeed: 1, storage: "/data"
    ).with(\.blocks, 12).with(\.budgetSeconds, 60).with(\.fileSystem, fileSystem)
  ).with(\.cells, cells).with(
    \.menus,
    Set(cells.map(\.cell.menu)).sorted().map {
      MenuInfo(name: $0, source: "shape", fingerprint: fingerprint, counts: [])
    })
}

/// A machine with all facts that matter.
func machine(
  cpu: String = "EPYC", swift: String = "6.3.1", allocator: String = "glibc 2.36",
  counting: String? = "jemalloc 5.3", build: String = "release"
) -> Machine {
  Machine(cpu: cpu, cores: 2, build: build).with(\.system, "Debian 12").with(\.swift, swift)
    .with(\.sqlite, "3.40").with(\.allocator, allocator).with(\.countingAllocator, counting)
    .with(\.environment, [:])
}

/// Wall time of one phase: so many blocks of two samples around a middle, the blocks spread evenly
/// over ± a share of it, in a fixed order.
func wall(
  _ middle: Double, spread: Double = 0.005, blocks: Int = 12, phase: String = "encode",
  in cell: Cell = cell()
) -> Series {
  let steps = (0..<blocks).map { (block: Int) -> Double in
    blocks > 1 ? Double(block * 7 % blocks) / Double(blocks - 1) * 2 - 1 : 0
  }
  return Series(
    cell: cell, phase: phase, metric: .wall,
    blocks: steps.map { [middle * (1 + spread * $0), middle * (1 + spread * $0)] })
}

func control(_ middle: Double = 1_000, in cell: Cell = cell()) -> Series {
  wall(middle, phase: "control", in: cell)
}

/// An exact metric that every block agrees on.
func exact(
  _ value: Double, _ metric: Metric = .allocations, blocks: Int = 2, in cell: Cell = cell()
) -> Series {
  Series(
    cell: cell, phase: "encode", metric: metric,
    blocks: Array(repeating: [value], count: blocks))
}
