import BenchResults

/// Hand-made runs: four backends, a small and a large menu, every kind of row.
enum Fixture {
  /// How much slower a backend is than JSON, for each phase that a fixture times, and how many bytes
  /// it stores.
  private static let backends: [(id: String, factor: Double, bytes: Double?)] = [
    ("memory", 0.001, nil), ("json", 1, 1_640_000), ("plist", 2.4, 1_370_000),
    ("sqlite", 1.7, 2_900_000),
  ]

  private static let infos = [
    BackendInfo(
      id: "memory", summary: "the value itself, kept in the process's memory",
      caveat: "memory keeps the value and copies nothing; nothing survives the process"
    ).with(\.survivesRestart, false),
    BackendInfo(id: "json", summary: "JSON by Foundation's JSONEncoder, in one file"),
    BackendInfo(id: "sqlite", summary: "SQLite by GRDB, a table a thing"),
    BackendInfo(id: "lmdb", summary: "not in this run", caveat: "lmdb maps its file into memory"),
  ]

  private static let phases: [(id: String, nanoseconds: Double, floor: String)] = [
    ("encode", 53_000_000, "floor-copy"), ("write", 1_400_000, "floor-write"),
    ("read", 410_000, "floor-read"), ("decode", 51_000_000, "floor-copy"),
  ]

  private static let floors: [(id: String, nanoseconds: Double)] = [
    ("floor-copy", 30_000), ("floor-write", 1_150_000), ("floor-read", 210_000),
  ]

  /// A run of the menus. `slower` multiplies the time and the allocations of JSON's decode.
  static func run(
    menus: [String] = ["large"], blocks: Int = 12, slower: Double = 1, started: String = "12:00"
  ) -> RunRecord {
    var record = RunRecord(
      tool: Tool(name: "bench", version: "0.1.0", revision: "76342b5-dirty"), machine: machine,
      settings: Settings(
        started: "2026-01-01T\(started):00Z", targetPrecision: 0.02, scheduleSeed: 7,
        storage: "/var/tmp/bench"
      ).with(\.budgetSeconds, 60).with(\.fileSystem, "ext4"))
    record.backends = infos
    record.menus = menus.map(info)
    for menu in menus {
      for backend in backends where backend.id != "plist" || menu != menus.last {
        let cell = Cell(
          backend: backend.id, menu: menu, workload: "roundtrip", durability: "atomic")
        record.cells += series(cell, backend.factor, backend.bytes, blocks, slower)
        let stop: Outcome.Stop = backend.id == "sqlite" ? .budget : .narrow
        record.outcomes.append(Outcome(cell: cell, timedBlocks: blocks, stop: stop))
      }
    }
    let failed = Cell(
      backend: "plist", menu: menus.last ?? "", workload: "roundtrip", durability: "atomic")
    record.failures = [
      Failure(cell: failed, stage: "decode", reason: "the worker was killed by signal 9")
    ]
    record.outcomes.append(Outcome(cell: failed, timedBlocks: 0, stop: .failed))
    return record
  }

  /// The run that ``run(menus:blocks:slower:started:)`` with a slower JSON is set against.
  static var baseline: RunRecord { run(started: "10:00") }

  /// A run in which only JSON flushes each save, in a record that says which phases save unless that is nil.
  static func unflushed(saves: [String]? = ["write"]) -> RunRecord {
    var record = run()
    record.backends = [("json", ["atomic"]), ("sqlite", [])].map {
      BackendInfo(id: $0, summary: $0).with(\.flushes, $1)
    }
    record.workloads = [
      WorkloadInfo(
        id: "roundtrip",
        costs: [
          .init(name: "save", phases: ["encode", "write"]),
          .init(name: "load", phases: ["read", "decode"]),
        ]
      ).with(\.saves, saves)
    ]
    return record
  }

  private static let machine = Machine(cpu: "AMD EPYC 7B13", cores: 2, build: "release")
    .with(\.memoryBytes, 8_350_000_000).with(\.system, "Debian GNU/Linux 12")
    .with(\.kernel, "6.1.0-18-amd64").with(\.swift, "6.3.1").with(\.sqlite, "3.40.1")
    .with(\.allocator, "jemalloc 5.3.0").with(\.loadAverage, 0.2).with(\.clockResolution, 1)
    .with(\.emptySample, 41).with(\.emptyCPUSample, 590)
    .with(\.unsupported, ["instructions": "no hardware counters on this machine"])

  private static func info(_ menu: String) -> MenuInfo {
    MenuInfo(
      name: menu, source: "generated: \(menu)", fingerprint: "00000000000000aa",
      counts: [
        .init(of: "products", count: 1_000), .init(of: "combos", count: 150),
        .init(of: "slots", count: 600), .init(of: "slot options", count: 12_000),
      ]
    ).with(\.notes, menu == "small" ? ["a menu of one store"] : notes)
  }

  private static let notes = [
    "2 categories have no name and show their code: <Artisan>, Chips & Dips",
    "8 categories have a field Tags that has no place in the menu model",
    "1 coupon has no price: 9193",
    "1 store names no currency: USD is assumed",
  ]

  private static func series(
    _ cell: Cell, _ factor: Double, _ bytes: Double?, _ blocks: Int, _ slower: Double
  ) -> [Series] {
    let scale = cell.menu == "small" ? 0.05 : 1
    let timed = phases.flatMap { phase in
      let change = cell.backend == "json" && phase.id == "decode" ? slower : 1
      let middle = phase.nanoseconds * factor * scale * change
      return [
        times(
          cell, phase.id, .wall, middle, blocks, floor: cell.backend == "memory" ? nil : phase.floor
        ),
        times(cell, phase.id, .cpu, middle * 0.98, blocks),
      ] + counted(cell, phase.id, middle, bytes.map { ($0 * scale).rounded() })
    }
    let native: [(String, Double)] =
      cell.backend == "sqlite" ? [("floor-c-write", 900_000), ("floor-c-read", 300_000)] : []
    let general = cell.backend == "memory" ? [] : floors.map { ($0.id, $0.nanoseconds) }
    let bounds = (general + native).map {
      times(cell, $0.0, .wall, $0.1 * scale, blocks)
    }
    return timed + bounds + [times(cell, "control", .wall, 2_000_000, blocks)]
  }

  private static func counted(
    _ cell: Cell, _ phase: String, _ middle: Double, _ bytes: Double?
  ) -> [Series] {
    func exact(_ metric: Metric, _ value: Double) -> Series {
      Series(cell: cell, phase: phase, metric: metric, blocks: [[value], [value]])
    }
    func size(_ metric: Metric, _ reason: String) -> Series {
      bytes.map { exact(metric, $0) }
        ?? Series(cell: cell, phase: phase, metric: metric, unsupported: reason)
    }
    let moved = bytes ?? 0
    let whole =
      switch phase {
      case "encode": [size(.payloadBytes, "a value in memory is not made into bytes")]
      case "write":
        [
          size(.storedBytes, "nothing is stored outside the process"), exact(.writtenBytes, moved),
          exact(.writeCalls, bytes == nil ? 0 : 3),
        ]
      case "read": [exact(.readBytes, moved), exact(.readCalls, bytes == nil ? 0 : 2)]
      default: [Series]()
      }
    return [
      exact(.allocations, (middle / 5_000).rounded()), exact(.allocatedBytes, middle.rounded()),
      exact(.peakHeapBytes, (middle / 3).rounded()),
      Series(
        cell: cell, phase: phase, metric: .instructions,
        unsupported: "no hardware counters on this machine"),
    ] + whole
  }

  /// Blocks of three samples in a fixed order, SQLite's spread over ± 10 %, the others' over 1 %.
  private static func times(
    _ cell: Cell, _ phase: String, _ metric: Metric, _ middle: Double, _ blocks: Int,
    floor: String? = nil
  ) -> Series {
    let spread = cell.backend == "sqlite" && phase != "control" ? 0.1 : 0.01
    let values = (0..<blocks).map { block in
      (0..<3).map { sample in
        let step = Double((block * 7 + sample) % 13) / 12 * 2 - 1
        return (middle * (1 + spread * step)).rounded()
      }
    }
    return Series(cell: cell, phase: phase, metric: metric, blocks: values, floor: floor)
  }
}
