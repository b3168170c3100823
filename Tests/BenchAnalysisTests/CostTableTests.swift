import BenchAnalysis
import BenchResults
import Testing

@Suite("Costs are compared with the best backend that keeps a store")
struct CostTableTests {
  private func sheet(
    _ cells: [Series], _ backends: [BackendInfo], workloads: [WorkloadInfo]? = nil,
    reference: String? = nil
  ) -> CostTable {
    var record = run(cells, backends: backends)
    record.workloads = workloads
    return CostTable(menu: "large", of: record, reference: reference)
  }

  private func workload(_ id: String, decidedBy phases: String...) -> WorkloadInfo {
    WorkloadInfo(id: id, costs: phases.map { .init(name: $0, phases: [$0]) })
  }

  @Test("Phases of a pass are added before a median is taken")
  func sums() throws {
    let encode = Series(
      cell: cell("json", "roundtrip"), phase: "encode", metric: .wall, blocks: [[100, 1, 50]])
    let write = Series(
      cell: cell("json", "roundtrip"), phase: "write", metric: .wall, blocks: [[1, 100, 60]])
    let sheet = sheet([encode, write], [info("json")])
    #expect(sheet.columns.map(\.title) == ["roundtrip/save"])
    let entry = sheet.entry("json", sheet.columns[0])
    let figure = try #require(entry.figure)
    #expect(figure.value == 101)
    #expect(figure.multiple == 1)
  }

  @Test("Passes that do not match one to one have no sum")
  func unmatched() {
    let encode = Series(
      cell: cell("json", "roundtrip"), phase: "encode", metric: .wall, blocks: [[1, 2]])
    let write = Series(
      cell: cell("json", "roundtrip"), phase: "write", metric: .wall, blocks: [[1]])
    let sheet = sheet([encode, write], [info("json")])
    #expect(sheet.entry("json", sheet.columns[0]) == .absent(.notMeasured))
  }

  @Test("The record names the costs and their phases, and otherwise every phase is a cost")
  func decidingCosts() {
    func columns(_ phases: [String], _ id: String, _ workloads: [WorkloadInfo]?) -> [CostColumn] {
      sheet(phases.map { steady(1, $0, id, of: "json") }, [], workloads: workloads).columns
    }
    let dispatch = workload("dispatch", decidedBy: "per-action")
    #expect(
      columns(["reduce", "save", "per-action"], "dispatch", [dispatch]).map(\.title)
        == ["dispatch/per-action"])
    let id = "patch:changes=100"
    let update = WorkloadInfo(
      id: id, costs: [.init(name: "update", phases: ["apply", "visible"])])
    let found = columns(["apply", "visible"], id, [update])
    #expect(found.map(\.title) == ["\(id)/update"])
    #expect(found.map(\.phases) == [["apply", "visible"]])
    for workloads in [nil, []] as [[WorkloadInfo]?] {
      #expect(
        columns(["dig", "fill"], "garden", workloads).map(\.title)
          == ["garden/dig", "garden/fill"])
    }
  }

  @Test("A phase that is only part of a cost, or that does not decide, is never ranked")
  func partsOfCosts() {
    let cells = ["encode", "write", "held"].map { steady(1, $0, "roundtrip", of: "json") }
    let whole = sheet(cells, [])
    #expect(whole.columns.map(\.title) == ["roundtrip/save"])
    for phase in ["encode", "held"] {
      let typed = CostKey.cost(workload: "roundtrip", name: phase)
      let time = CostKey.figure(workload: "roundtrip", phase: phase, metric: "wall")
      #expect(whole.columns(for: typed).isEmpty && whole.columns(for: time).isEmpty, "\(phase)")
    }
    #expect(sheet([cells[0]], []).columns.isEmpty)
  }

  @Test("An optional phase of a cost is added for the backends that have it")
  func optionalPhases() throws {
    let cells =
      ["encode", "write", "release"].map { steady(10, $0, "roundtrip", of: "flat") }
      + ["encode", "write"].map { steady(10, $0, "roundtrip", of: "json") }
    let save = WorkloadInfo.Cost(
      name: "save", phases: ["encode", "write", "release"], ofSome: ["release"])
    let sheet = sheet(
      cells, [info("flat"), info("json")],
      workloads: [WorkloadInfo(id: "roundtrip", costs: [save])])
    #expect(
      sheet.backends.map { sheet.entry($0, sheet.columns[0]).figure?.value.rounded() } == [30, 20])
  }

  @Test("A figure that is too close to the best is marked, if there are blocks enough")
  func close() {
    let middles = [("json", 100.0), ("flat", 101), ("lmdb", 150)]
    func sheet(_ blocks: Int, _ middles: [(String, Double)]) -> CostTable {
      let steps = [0.9, 1.1, 0.95, 1.05, 1, 1, 0.92, 1.08]
      let cells = middles.map { id, middle in
        Series(
          cell: cell(id, "combo"), phase: "combo", metric: .wall,
          blocks: steps.prefix(blocks).map { [middle * $0] })
      }
      return self.sheet(cells, middles.map { info($0.0) })
    }
    func close(_ sheet: CostTable) -> [Bool?] {
      sheet.backends.map { sheet.entry($0, sheet.columns[0]).figure?.isClose }
    }
    #expect(close(sheet(8, middles)) == [false, true, false])
    #expect(close(sheet(3, middles)) == [false, true, false])
    #expect(close(sheet(2, middles)) == [false, false, false])
    // One of two equal figures is the best, and the other is too close to call.
    #expect(close(sheet(8, [("json", 100), ("flat", 100)])) == [false, true])
  }

  /// The saves and loads of backends, of which some flush each save.
  private func saving(
    _ backends: [(id: String, time: Double, flushes: Bool?)], in phases: [String]?,
    floor: String? = nil, reference: String? = nil
  ) -> CostTable {
    sheet(
      backends.flatMap { backend in
        ["write", "read"].map { phase in
          var series = steady(backend.time, phase, "roundtrip", of: backend.id)
          series.floor = phase == "write" ? floor : nil
          return series
        }
      },
      backends.map {
        info($0.id, promises: $0.flushes == true ? [] : ["query"])
          .with(\.flushes, $0.flushes.map { $0 ? ["atomic", "durable"] : ["durable"] })
      }, workloads: [workload("roundtrip", decidedBy: "write", "read").with(\.saves, phases)],
      reference: reference)
  }

  @Test("Saves that are flushed and saves that are not have a best each, and the latter are marked")
  func flushes() {
    let backends: [(id: String, time: Double, flushes: Bool?)] = [
      ("json", 40, true), ("lmdb", 10, true), ("sqlite", 5, false), ("grdb", 15, false),
    ]
    func multiples(_ sheet: CostTable) -> [[Double?]] {
      sheet.columns.map { column in
        sheet.backends.map { sheet.entry($0, column).figure?.multiple }
      }
    }
    func marks(_ sheet: CostTable) -> [[Bool?]] {
      sheet.columns.map { column in
        sheet.backends.map { sheet.entry($0, column).figure?.isUnflushed }
      }
    }
    let none: [Bool?] = Array(repeating: false, count: 4)
    let apart = saving(backends, in: ["write"])
    #expect(multiples(apart) == [[4, 1, 1, 3], [8, 2, 1, 3]])
    #expect(marks(apart) == [[false, false, true, true], none])
    // An older record does not say which phases save, but which have the floor of a write.
    #expect(multiples(saving(backends, in: nil, floor: "floor-write")) == multiples(apart))
    let older = saving(backends, in: nil)
    #expect(multiples(older) == [[8, 2, 1, 3], [8, 2, 1, 3]])
    #expect(marks(older) == [none, none])
    // The only one of its kind is compared with none, and nothing is marked if all are alike.
    #expect(multiples(saving(Array(backends.dropLast()), in: ["write"]))[0] == [4, 1, nil])
    let alike = saving(Array(backends.suffix(2)), in: ["write"])
    #expect(multiples(alike)[0] == [1, 3])
    #expect(marks(alike)[0] == [false, false])
    // A backend in memory does not say whether it flushes.
    let held = saving([("held", 1, nil), ("sqlite", 5, false)], in: ["write"])
    #expect(multiples(held)[0] == [1, 5])
  }

  @Test("A save that only some backends flush cannot have a weight")
  func mixedWeight() {
    let sheet = saving([("json", 40, true), ("sqlite", 5, false)], in: ["write"])
    let answer = Recommendation(
      Criteria(weights: [
        .on("roundtrip", "write", 3), .on("roundtrip", "read"), Weight(.workload("roundtrip"), 4),
      ]), on: sheet)
    #expect(answer.weighted.map(\.column.title) == ["roundtrip/read"])
    #expect(answer.weighted.map(\.weight) == [1])
    let reason =
      "is flushed by some backends only, at durability atomic: measure with --durability durable"
    #expect(answer.uncounted.map(\.reason) == [reason, reason])
    #expect(answer.countedShare == 0.125)
  }

  @Test("A save has a weight if all backends that keep the promises flush it, or none does")
  func candidates() {
    let sheet = saving(
      [("json", 1, true), ("sqlite", 5, false), ("grdb", 15, false)], in: ["write"])
    let answer = Recommendation(
      Criteria(
        weights: [.on("roundtrip", "write")], required: ["query"], goodEnough: .off), on: sheet)
    #expect(answer.uncounted.isEmpty)
    #expect(answer.ranked.map(\.backend) == ["sqlite", "grdb"])
    #expect(answer.ranked.flatMap(\.terms).map(\.multiple) == [1, 3])
  }

  @Test("A backend that keeps nothing is shown, but it is never the best")
  func volatile() {
    let cells = [("memory", 1.0), ("json", 20), ("flat", 10)].map {
      steady($0.1, "combo", "combo", of: $0.0)
    }
    let sheet = sheet(cells, [info("memory", keeps: false), info("json"), info("flat")])
    let multiples = sheet.backends.map { sheet.entry($0, sheet.columns[0]).figure?.multiple }
    #expect(multiples == [nil, 2, 1])
  }

  @Test("Figures are also multiples of a chosen reference, unless only one of the two flushes")
  func reference() {
    let backends: [(id: String, time: Double, flushes: Bool?)] = [
      ("held", 1, nil), ("json", 40, true), ("lmdb", 10, true), ("sqlite", 5, false),
    ]
    func multiples(_ reference: String?) -> [[Double?]] {
      let sheet = saving(backends, in: ["write"], reference: reference)
      return sheet.columns.map { column in
        sheet.backends.map { sheet.entry($0, column).figure?.reference?.value }
      }
    }
    #expect(multiples("json") == [[0.025, 1, 0.25, nil], [0.025, 1, 0.25, 0.125]])
    #expect(multiples("sqlite") == [[nil, nil, nil, 1], [0.2, 8, 2, 1]])
    #expect(multiples(nil).joined().allSatisfy { $0 == nil })
  }

  @Test("If a record does not say which backends keep a store, those with a stored size do")
  func olderRecord() {
    let record = run(
      [stored(10, of: "json"), stored(0, of: "memory")],
      backends: [info("json", keeps: nil), info("memory", keeps: nil)])
    let sheet = CostTable(menu: "large", of: record)
    #expect(sheet.backends.map(sheet.keeps) == [true, false])
    let silent = CostTable(
      menu: "large", of: run([steady(1, "combo", "combo", of: "json")], backends: []))
    #expect(!silent.keeps("json"))
  }

  @Test("A figure below the clock's resolution counts as the smallest measurable time")
  func tiny() throws {
    var record = run(
      [10.0, 1_000].enumerated().map { index, time in
        steady(time, "combo", "combo", of: ["flat", "json"][index])
      }, backends: [info("flat"), info("json")])
    record.machine.emptySample = 10
    let sheet = CostTable(menu: "large", of: record)
    let multiples = sheet.backends.map { sheet.entry($0, sheet.columns[0]).figure?.multiple }
    #expect(multiples == [1, 10])
  }

  @Test("A missing figure has a reason")
  func absent() {
    var record = run(
      [
        steady(1, "combo", "combo", of: "json"),
        Series(
          cell: cell("raw", "combo"), phase: "combo", metric: .wall, unsupported: "it has no rows"),
      ], backends: ["json", "raw", "plist", "odd", "none"].map { info($0) })
    record.failures = [Failure(cell: cell("plist", "combo"), stage: nil, reason: "it hung")]
    record.outcomes = [
      Outcome(cell: cell("odd", "combo"), timedBlocks: 0, stop: .notApplicable)
        .with(\.reason, "no combos"),
      Outcome(cell: cell("none", "combo"), timedBlocks: 0, stop: .budget),
    ]
    let sheet = CostTable(menu: "large", of: record)
    let column = sheet.columns[0]
    let lacks = sheet.backends.map { sheet.entry($0, column).reason }
    #expect(sheet.backends == ["json", "raw", "odd", "none", "plist"])
    #expect(
      lacks == [
        nil, "is unsupported: it has no rows", "does not apply: no combos", "was not measured",
        "failed: it hung",
      ])
  }

  @Test("A workload's name means its defaults, or else every variant that was measured")
  func variants() {
    let ids = ["patch:changes=10", "patch:changes=1000"]
    let cells = ids.map { steady(1, "apply", $0, of: "json") }
    let both = sheet(cells, []).columns(for: .workload("patch"))
    #expect(both.map(\.workload) == ids)
    let more = cells + [steady(1, "apply", "patch", of: "json")]
    #expect(sheet(more, []).columns(for: .workload("patch")).map(\.workload) == ["patch"])
    let one = sheet(more, []).columns(for: .workload("patch:changes=10"))
    #expect(one.map(\.title) == ["patch:changes=10/apply"])
  }

  @Test("A metric alone means the round trip: the largest phase for sizes, the sum for counts")
  func metrics() throws {
    func counted(_ value: Double, _ metric: Metric, _ phase: String, _ workload: String) -> Series {
      Series(
        cell: cell("json", workload), phase: phase, metric: metric, blocks: [[value], [value]])
    }
    let sheet = sheet(
      [
        counted(7, .storedBytes, "grow", "replace"),
        counted(5, .allocations, "encode", "roundtrip"),
        counted(6, .allocations, "write", "roundtrip"),
        counted(8, .storedBytes, "write", "roundtrip"),
        counted(100_000, .peakHeapBytes, "encode", "roundtrip"),
        counted(300_000, .peakHeapBytes, "decode", "roundtrip"),
      ], [info("json")])
    let values = try ["stored_bytes", "allocations", "peak_heap_bytes"].map { id in
      let column = try #require(sheet.columns(for: .metric(id)).first)
      return try #require(sheet.entry("json", column).figure).value
    }
    #expect(values == [8, 11, 300_000])
    #expect(sheet.sizes.map(\.title) == ["stored_bytes", "peak_heap_bytes"])
    #expect(sheet.columns(for: .metric("page_faults")).isEmpty)
  }

  @Test("A count is summed over the costs, and a phase of some backends is optional")
  func countedCosts() {
    func bytes(_ value: Double, _ phase: String, of backend: String, passes: Int = 2) -> Series {
      Series(
        cell: cell(backend, "roundtrip"), phase: phase, metric: .writtenBytes,
        blocks: [Array(repeating: value, count: passes)])
    }
    let save = WorkloadInfo.Cost(
      name: "save", phases: ["write", "checkpoint-share"], ofSome: ["checkpoint-share"])
    let sheet = sheet(
      [
        bytes(6, "write", of: "json"), bytes(3, "write", of: "sqlite"),
        bytes(2, "checkpoint-share", of: "sqlite"), bytes(9, "checkpoint", of: "sqlite", passes: 1),
      ], [info("json"), info("sqlite")],
      workloads: [WorkloadInfo(id: "roundtrip", costs: [save])])
    let values = sheet.columns(for: .metric("written_bytes")).map { column in
      sheet.backends.map { sheet.entry($0, column).figure?.value }
    }
    #expect(values == [[6, 5]])
  }

  @Test("A backend that cannot compact has a size as well, and a size is the largest of a file")
  func grown() throws {
    func sizes(_ bytes: [Double], _ phase: String, of backend: String) -> Series {
      Series(
        cell: cell(backend, "replace"), phase: phase, metric: .storedBytes, blocks: [bytes, bytes])
    }
    let sheet = sheet(
      [
        sizes([10, 20, 90], "replace", of: "sqlite"), sizes([30], "compact", of: "sqlite"),
        sizes([10, 10, 40], "replace", of: "json"),
      ], [info("sqlite"), info("json")])
    let replaced = CostKey.figure(workload: "replace", phase: "replace", metric: "stored_bytes")
    for key in [CostKey.metric("stored_bytes"), replaced] {
      let column = try #require(sheet.columns(for: key).first)
      let values = try sheet.backends.map { backend in
        try #require(sheet.entry(backend, column).figure).blocks
      }
      #expect(values == [[90, 90], [40, 40]], "\(key)")
    }
  }
}
