import BenchAnalysis
import BenchResults
import Testing

@Suite("The report of a run")
struct ReportTests {
  @Test("It gives only wall times as multiples of their floor")
  func floorRatio() {
    var (encode, counted) = (wall(300), exact(10))
    encode.floor = "floor-copy"
    counted.floor = "floor-copy"
    let report = Report(record: run([encode, counted, wall(100, phase: "floor-copy")]))
    #expect(report.rows.map(\.floorRatio) == [3, nil, nil])
    #expect(report.rows[0].series.floor == "floor-copy")
  }

  @Test("It gives no multiple of a floor that is 0 or was not measured", arguments: [0.0, nil])
  func noFloor(floor: Double?) {
    var encode = wall(300)
    encode.floor = "floor-copy"
    let floors = floor.map { [wall($0, phase: "floor-copy")] } ?? []
    #expect(Report(record: run([encode] + floors)).rows[0].floorRatio == nil)
  }

  @Test("It adds phases sample by sample, and compares backends with the best")
  func overview() throws {
    let (json, plist) = (cell(), cell("plist"))
    func phase(_ name: String, _ blocks: [[Double]], _ cell: Cell) -> Series {
      Series(cell: cell, phase: name, metric: .wall, blocks: blocks)
    }
    let report = Report(
      record: run([
        phase("encode", [[1, 9, 3]], json), phase("write", [[9, 1, 4]], json),
        phase("encode", [[20]], plist), phase("write", [[0]], plist),
        phase("read", [[1, 2]], plist), phase("decode", [[1]], plist),
        exact(50, .storedBytes, in: json), exact(25, .storedBytes, in: plist),
      ]))
    let overview = try #require(report.groups.first).overview
    #expect(overview.map(\.backend) == ["json", "plist"])
    #expect(overview.map { $0.costs["save"]?.summary.p50 } == [10, 20])
    #expect(overview.map { $0.costs["save"]?.multiple } == [1, 2])
    #expect(overview.map { $0.costs["load"] == nil } == [true, true])
    #expect(overview.map { $0.stored?.multiple } == [2, 1])
  }

  @Test("A backend that may keep nothing comes last, and is never the best")
  func rivals() throws {
    func overview(_ stored: [Double?]) throws -> [CostRow] {
      let cells = stored.enumerated().map { (cell("b\($0.offset)"), $0.element) }
      let series = cells.flatMap { cell, bytes in
        var size = exact(bytes ?? 0, .storedBytes, in: cell)
        if bytes == nil { (size.blocks, size.unsupported) = ([], "nothing is stored") }
        return [
          wall(10 * ((bytes ?? 0) + 1), phase: "encode", in: cell), size,
          wall(0, phase: "write", in: cell),
        ]
      }
      return try #require(Report(record: run(series)).groups.first).overview
    }
    let mixed = try overview([0, nil, 4, 9])
    #expect(try overview([0, nil]).map { $0.costs["save"]?.multiple } == [nil, nil])
    #expect(mixed.map(\.backend) == ["b2", "b3", "b0", "b1"])
    #expect(mixed.map { $0.costs["save"]?.multiple } == [1, 2, nil, nil])
    #expect(mixed.map { $0.stored?.multiple } == [1, 2.25, nil, nil])
    #expect(mixed.map { $0.costs["save"]?.summary.p50 } == [50, 100, 10, 10])
  }

  @Test("A part held by the process is neither a multiple of others nor their best")
  func held() throws {
    let series = [("a", 40.0), ("holding", 1), ("b", 10)].flatMap { backend, time in
      var part = wall(time, phase: "combo", in: cell(backend))
      part.route = backend == "holding" ? Series.heldRoute : "native"
      let cold = wall(time, phase: "cold-combo", in: cell(backend))
      return [part, cold, exact(9, .storedBytes, in: cell(backend))]
    }
    var record = run(series)
    record.workloads = [
      WorkloadInfo(
        id: "roundtrip",
        costs: ["combo", "cold-combo"].map { .init(name: $0, phases: [$0]) })
    ]
    let overview = try #require(Report(record: record).groups.first).overview
    #expect(overview.map { $0.costs["combo"]?.multiple } == [4, nil, 1])
    #expect(overview.map { $0.costs["combo"]?.isHeld } == [false, true, false])
    #expect(overview.map { $0.costs["cold-combo"]?.multiple } == [40, 1, 10])
  }

  @Test("Multiples of a best that is mostly the clock's own cost are lower bounds")
  func atLeast() throws {
    var machine = machine()
    machine.emptySample = 5
    let series = [("a", 30.0), ("b", 500)].flatMap { backend, time in
      [
        wall(time, phase: "encode", in: cell(backend)),
        wall(0, phase: "write", in: cell(backend)), exact(9, .storedBytes, in: cell(backend)),
      ]
    }
    let overview = try #require(
      Report(record: run(series, machine: machine)).groups.first
    ).overview
    #expect(overview.map { $0.costs["save"]?.multiple } == [1, 5])
    #expect(overview.map { $0.costs["save"]?.best?.isAtLeast } == [false, true])
    #expect(overview.map { $0.stored?.best?.isAtLeast } == [false, false])
    let words = [(5, true), (5, false), (1, true), (2_000, true)].map {
      Wording.multipleOfBest($0, isClose: false, isAtLeast: $1)
    }
    #expect(words == ["≥ 5.00×", "5.00×", "best", "> 1,000×"])
  }

  @Test("A cost has no best if one backend is below its floor")
  func withheld() throws {
    func sides(_ cell: Cell, _ time: Double, floor: Double) -> [Series] {
      var encode = wall(time, spread: 0, blocks: 8, phase: "encode", in: cell)
      encode.floor = "floor-copy"
      return [
        encode,
        wall(0, spread: 0, blocks: 8, phase: "write", in: cell),
        wall(floor, spread: 0, blocks: 8, phase: "floor-copy", in: cell),
        exact(9, .storedBytes, in: cell),
      ]
    }
    func overview(_ time: Double) throws -> [CostRow] {
      let series = sides(cell("a"), 100, floor: 10) + sides(cell("b"), time, floor: 50)
      return try #require(Report(record: run(series)).groups.first).overview
    }
    #expect(try overview(50).map { $0.costs["save"]?.multiple } == [2, 1])
    let below = try overview(40)
    #expect(below.map { $0.costs["save"]?.multiple } == [nil, nil])
    #expect(below.map { $0.costs["save"]?.summary.p50 } == [100, nil])
    #expect(below.map(\.withheld) == [[], ["save"]])
  }

  @Test("A group lists its rows in the order of its overview, the report in that of the record")
  func groupOrder() throws {
    let series = [
      wall(1, phase: "encode", in: cell("memory")), exact(9, .storedBytes, in: cell()),
      wall(1, phase: "read", in: cell("memory")), wall(1, in: cell()),
    ]
    let report = Report(record: run(series))
    #expect(report.rows.map(\.cell.backend) == ["memory", "json", "memory", "json"])
    let rows = try #require(report.groups.first).rows
    #expect(rows.map(\.cell.backend) == ["json", "json", "memory", "memory"])
    #expect(rows.map(\.phase) == ["encode", "encode", "encode", "read"])
  }

  @Test("A sum of two phases is tiny below ten times two empty samples")
  func tinySums() throws {
    var machine = machine()
    machine.emptySample = 20
    let series = [wall(199, phase: "encode"), wall(200, phase: "write"), exact(9, .storedBytes)]
    let pair = [wall(200, phase: "read"), wall(200, phase: "decode")]
    let row = try #require(
      Report(record: run(series + pair, machine: machine)).groups.first?.overview.first)
    let figures = [row.costs["save"], row.costs["load"], row.stored]
    #expect(figures.map { $0?.resolutionLimit } == [400, 400, nil])
    #expect(figures.map { $0?.isUnresolved } == [true, false, false])
  }

  @Test("Times below ten empty samples of their own clock are tiny, and others are not")
  func tiny() {
    var machine = machine()
    (machine.emptySample, machine.emptyCPUSample) = (20, 600)
    func cpu(_ nanoseconds: Double) -> Series {
      Series(cell: cell(), phase: "encode", metric: .cpu, blocks: [[nanoseconds]])
    }
    let series = [wall(199), wall(200), cpu(5_999), cpu(6_000), exact(1)]
    let rows = Report(record: run(series, machine: machine)).rows
    #expect(rows.map(\.resolutionLimit) == [200, 200, 6_000, 6_000, nil])
    #expect(rows.map(\.isUnresolved) == [true, false, true, false, false])
    #expect(
      Report(record: run(series)).rows.map(\.isUnresolved) == [
        false, false, false, false, false,
      ])
  }

  @Test("A batch is one empty sample for all its repetitions")
  func batch() {
    var machine = machine()
    machine.emptySample = 20
    var batched = wall(90)
    batched.batch = 100
    let rows = Report(record: run([wall(90, phase: "read"), batched], machine: machine)).rows
    #expect(rows.map(\.resolutionLimit) == [200, 2])
    #expect(rows.map(\.isUnresolved) == [true, false])
  }

  @Test("Only costs are ranked, each with the phases that a backend has")
  func costs() throws {
    var record = run([
      wall(10, phase: "encode"), wall(20, phase: "write"), wall(5, phase: "release"),
      wall(7, phase: "open"), wall(1, phase: "held"), exact(9, .storedBytes),
      wall(10, phase: "encode", in: cell("plist")), wall(20, phase: "write", in: cell("plist")),
      exact(9, .storedBytes, in: cell("plist")),
    ])
    record.workloads = [
      WorkloadInfo(
        id: "roundtrip",
        costs: [
          .init(name: "save", phases: ["encode", "write", "release"], ofSome: ["release"]),
          .init(name: "load", phases: ["read", "decode"]), .init(name: "open", phases: ["open"]),
        ])
    ]
    record.workloads?[0].costs.reverse()
    let group = try #require(Report(record: record).groups.first)
    #expect(group.costs.map(\.name) == ["save", "open"])
    #expect(
      group.overview.map { $0.costs.mapValues(\.summary.p50) } == [
        ["save": 35, "open": 7], ["save": 30],
      ])
  }

  @Test("It keeps the record's order, and shows missing rows last and without figures")
  func order() throws {
    let now = run([wall(1, phase: "write"), wall(1, phase: "encode")])
    let then = run([exact(7), wall(1, phase: "encode")])
    let report = Report(record: now, baseline: then)
    #expect(report.rows.map(\.phase) == ["write", "encode", "encode"])
    let last = try #require(report.rows.last)
    #expect(last.summary == nil && last.verdict == .missing)
    #expect(last.series.blocks.isEmpty)
  }

  @Test("It sorts regressions by how much worse they became")
  func regressions() {
    let now = run([exact(11), exact(30, .readCalls), exact(1, .writeCalls), exact(1, .readBytes)])
    let then = run([exact(10), exact(10, .readCalls), exact(0, .writeCalls), exact(2, .readBytes)])
    #expect(
      Report(record: now, baseline: then).regressions.map(\.metric.id) == [
        "write_calls", "read_calls", "allocations",
      ])
  }
}
