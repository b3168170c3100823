import BenchAnalysis
import BenchResults

/// Backends to choose from: a fast plain one, a slower one that promises more, one with a gap, one
/// that failed, and one that keeps nothing. The largest of the three menus changes the answer.
extension Fixture {
  /// Nanoseconds of the first screen and of the whole menu with 3,000 slot options, and by which power
  /// of the menu's size they grow.
  private static let launches: [(id: String, screen: Double, menu: Double, growth: Double)] = [
    ("memory", 2_000, 9_000, 1), ("json", 6_000_000, 6_500_000, 1),
    ("flat", 1_000_000, 4_000_000, 0.9), ("sqlite", 1_500_000, 5_000_000, 0.4),
  ]

  private static let backends = [
    BackendInfo(id: "memory", summary: "the value itself")
      .with(\.promises, []).with(\.survivesRestart, false),
    BackendInfo(id: "json", summary: "JSON in one file")
      .with(\.promises, ["atomic", "durable"]).with(\.survivesRestart, true),
    BackendInfo(id: "flat", summary: "our own format")
      .with(\.promises, ["atomic", "durable", "partial-read"]).with(\.survivesRestart, true),
    BackendInfo(id: "sqlite", summary: "SQLite by GRDB").with(\.survivesRestart, true).with(
      \.promises,
      [
        "atomic", "durable", "partial-read", "query", "concurrent-reader", "schema-change",
      ]),
    BackendInfo(id: "plist", summary: "a property list in one file"),
    BackendInfo(id: "object-graph-faulting", summary: "objects")
      .with(\.promises, ["atomic"]).with(\.survivesRestart, true),
  ]

  /// The needs that you may ask for. The golden files use the weights of the first one.
  static let needs = [
    need("launch", ["first-menu/first-screen": 6, "first-menu/whole-menu": 3, "stored_bytes": 1]),
    need("catalogue", ["product": 4, "combo": 4, "stored_bytes": 1]),
    need("offline", ["roundtrip/save": 4, "stored_bytes": 1]),
  ]

  private static func need(_ id: String, _ weights: KeyValuePairs<String, Double>) -> NeedInfo {
    NeedInfo(id: id, summary: "", weights: weights.map { ($0.key, $0.value) })
  }

  private static let menus = [("medium", 3_000), ("smaller", 750), ("larger", 12_000)]

  /// The run. A few blocks prove nothing.
  static func sideBySide(blocks: Int = 8) -> RunRecord {
    var record = run(menus: [], blocks: blocks)
    record.backends = backends
    record.failures = []
    record.outcomes = []
    record.menus = menus.map {
      MenuInfo(
        name: $0.0, source: "shape", fingerprint: "00000000000000aa",
        counts: [.init(of: "products", count: $0.1 / 10), .init(of: "slot options", count: $0.1)]
      ).with(\.sizedBy, "slot options")
    }
    for (menu, options) in menus {
      for launch in launches { add(launch, menu, Double(options) / 3_000, blocks, to: &record) }
    }
    let gap = cell("object-graph-faulting", "medium", "first-menu")
    record.failures = [Failure(cell: gap, stage: "phase start", reason: "it hung")]
    record.outcomes += [
      Outcome(cell: gap, timedBlocks: 0, stop: .failed),
      Outcome(cell: cell("plist", "medium", "first-menu"), timedBlocks: 0, stop: .notApplicable)
        .with(\.reason, "it has no first screen"),
    ]
    return record
  }

  private static func add(
    _ launch: (id: String, screen: Double, menu: Double, growth: Double), _ menu: String,
    _ size: Double, _ blocks: Int, to record: inout RunRecord
  ) {
    var factor = 1.0
    // Powers of 2 alone: the C library's power differs in the last digit from platform to platform.
    if size > 1 { factor = launch.growth < 0.5 ? 2 : 4 }
    if size < 1 { factor = launch.growth < 0.5 ? 0.5 : 0.25 }
    let first = cell(launch.id, menu, "first-menu")
    let whole = cell(launch.id, menu, "roundtrip")
    record.cells += [
      spread(first, "first-screen", launch.screen * factor, blocks),
      spread(first, "whole-menu", launch.menu * factor, blocks),
      Series(
        cell: whole, phase: "write", metric: .storedBytes,
        blocks: launch.id == "memory"
          ? [] : [[400_000 * size + (launch.id == "flat" ? 40_000 : 0)]],
        unsupported: launch.id == "memory" ? "nothing is stored" : nil),
    ]
    record.cells += ["encode", "write", "read", "decode"].map {
      spread(whole, $0, launch.menu * factor / 2, blocks)
    }
    record.outcomes += [first, whole].map {
      Outcome(cell: $0, timedBlocks: blocks, stop: .blocks)
    }
  }

  private static func cell(_ backend: String, _ menu: String, _ workload: String) -> Cell {
    Cell(backend: backend, menu: menu, workload: workload, durability: "atomic")
  }

  /// Blocks of one sample in a fixed order, spread over ± 2 %.
  private static func spread(
    _ cell: Cell, _ phase: String, _ middle: Double, _ blocks: Int
  ) -> Series {
    let values = (0..<blocks).map { block in
      [(middle * (1 + 0.02 * (Double(block * 5 % 7) / 3 - 1))).rounded()]
    }
    return Series(cell: cell, phase: phase, metric: .wall, blocks: values)
  }
}
