import BenchAnalysis
import BenchResults
import Testing

@Suite("A report")
struct ReportTests {
  @Test("Gives wall times as multiples of their floor's, and nothing else")
  func floorRatio() {
    var (encode, counted) = (wall(300), exact(10))
    encode.floor = "floor-copy"
    counted.floor = "floor-copy"
    let report = Report(record: run([encode, counted, wall(100, phase: "floor-copy")]))
    #expect(report.rows.map(\.floorRatio) == [3, nil, nil])
    #expect(report.rows[0].floorPhase == "floor-copy")
  }

  @Test("Gives no multiple of a floor that is 0 or was not measured", arguments: [0.0, nil])
  func noFloor(floor: Double?) {
    var encode = wall(300)
    encode.floor = "floor-copy"
    let floors = floor.map { [wall($0, phase: "floor-copy")] } ?? []
    #expect(Report(record: run([encode] + floors)).rows[0].floorRatio == nil)
  }

  @Test("Adds phases sample by sample, and sets backends beside the best")
  func glance() throws {
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
    let glance = try #require(report.groups.first).glance
    #expect(glance.map(\.backend) == ["json", "plist"])
    #expect(glance.map { $0.save?.summary.p50 } == [10, 20])
    #expect(glance.map { $0.save?.multiple } == [1, 2])
    #expect(glance.map { $0.load == nil } == [true, true])
    #expect(glance.map { $0.stored?.multiple } == [2, 1])
  }

  @Test("What stores nothing is no rival, unless nothing does")
  func rivals() throws {
    func figures(_ stored: [Double]) throws -> [[Double?]] {
      let cells = stored.enumerated().map { (cell("b\($0.offset)"), $0.element) }
      let series = cells.flatMap { cell, bytes in
        [
          wall(10 * (bytes + 1), phase: "encode", in: cell), exact(bytes, .storedBytes, in: cell),
          wall(0, phase: "write", in: cell),
        ]
      }
      let glance = try #require(Report(record: run(series)).groups.first).glance
      return [glance.map { $0.save?.multiple }, glance.map { $0.stored?.multiple }]
    }
    #expect(try figures([0, 4, 9]) == [[0.2, 1, 2], [nil, 1, 2.25]])
    #expect(try figures([0, 0]) == [[1, 1], [nil, nil]])
  }

  @Test("Keeps the record's order, and shows what is missing last and without figures")
  func order() throws {
    let now = run([wall(1, phase: "write"), wall(1, phase: "encode")])
    let then = run([exact(7), wall(1, phase: "encode")])
    let report = Report(record: now, baseline: then)
    #expect(report.rows.map(\.phase) == ["write", "encode", "encode"])
    let last = try #require(report.rows.last)
    #expect(last.summary == nil && last.verdict == .missing)
    #expect(last.series.blocks.isEmpty)
  }

  @Test("Sorts regressions by how much worse they got")
  func regressions() {
    let now = run([exact(11), exact(30, .readCalls), exact(1, .writeCalls), exact(1, .readBytes)])
    let then = run([exact(10), exact(10, .readCalls), exact(0, .writeCalls), exact(2, .readBytes)])
    #expect(
      Report(record: now, baseline: then).regressions.map(\.metric.id) == [
        "write_calls", "read_calls", "allocations",
      ])
  }
}

@Suite("Conclusions")
struct ConclusionTests {
  @Test("A run without a flaw has none")
  func none() {
    #expect(Report(record: run([wall(100), control(), exact(5)])).conclusions == [])
  }

  @Test("Everything wrong with a run is said, worst first")
  func everything() {
    var machine = machine(build: "debug")
    machine.loadAverage = 3.25
    machine.emptySample = 60
    machine.unsupported = ["instructions": "no hardware counters"]
    var uneven = exact(7)
    uneven.blocks = [[9], [7]]
    var record = run([wall(100, spread: 0.1, blocks: 5), uneven], machine: machine)
    record.settings.fileSystem = "tmpfs"
    record.failures = [Failure(cell: cell("plist"), stage: "decode", reason: "it crashed")]
    record.warnings = ["the clock stepped"]
    record.outcomes = [
      Outcome(cell: cell(), timedBlocks: 5, stop: .budget),
      Outcome(cell: cell("memory"), timedBlocks: 1, stop: .interrupted),
    ]
    #expect(
      Report(record: record).conclusions.map { "\($0.severity.rawValue): \($0.text)" } == [
        "error: plist/large/roundtrip/atomic was not measured (decode): it crashed",
        "error: measured in a debug build: its figures say nothing of a release build",
        "warning: the run was interrupted before these were done: memory/large/roundtrip/atomic",
        "warning: the clock stepped",
        "warning: allocations should be exact and differs between blocks:"
          + " json/large/roundtrip/atomic encode (7 to 9)",
        "warning: the budget ended before the median was known to ±5.0 %:"
          + " json/large/roundtrip/atomic (no interval after 5 blocks)",
        "warning: load average 3.2 on 2 cores when the run began: times are inflated",
        "hint: /data is on tmpfs, which is memory: nothing was written to a drive",
        "hint: cannot be told from an empty sample (60 ns): json/large/roundtrip/atomic encode"
          + " (100 ns)",
        "hint: no interval of the median at 95 % from 5 blocks: need 6 blocks"
          + " (json/large/roundtrip/atomic)",
        "hint: instructions is unsupported here: no hardware counters",
      ])
  }

  @Test("The width that was reached is said when the budget ended first")
  func budget() {
    var record = run([wall(100, spread: 0.1, blocks: 8), wall(100, blocks: 8, phase: "write")])
    record.outcomes = [Outcome(cell: cell(), timedBlocks: 8, stop: .budget)]
    #expect(
      Report(record: record).conclusions.map(\.text) == [
        "the budget ended before the median was known to ±5.0 %: json/large/roundtrip/atomic"
          + " (±10 % after 8 blocks)"
      ])
  }

  @Test("Durable on a memory file system is a warning")
  func durable() {
    var series = wall(100)
    series.cell.durability = "durable"
    var record = run([series])
    record.settings.fileSystem = "tmpfs"
    let conclusions = Report(record: record).conclusions
    #expect(conclusions.map(\.severity) == [.warning])
    #expect(
      conclusions.map(\.text) == [
        "/data is on tmpfs, which is memory: `durable` flushed nothing to a drive"
      ])
  }

  @Test("A stored baseline's times are called weak evidence, and its doubts are named")
  func storedBaseline() {
    var uneven = exact(7)
    uneven.blocks = [[7], [8]]
    let now = run([wall(110), control(1_100), exact(7), wall(100, blocks: 1, phase: "read")])
    let then = run([
      wall(100), control(), uneven, wall(100, blocks: 1, phase: "read"), exact(5, .readCalls),
    ])
    let texts = Report(record: now, baseline: then).conclusions.map(\.text)
    #expect(
      texts.filter { !$0.hasPrefix("no interval") } == [
        "1 row of the baseline was not measured: json/large/roundtrip/atomic encode read_calls",
        "the control, which no change can touch, moved since the baseline; times are inconclusive"
          + " in json/large/roundtrip/atomic (1.10× slower)",
        "allocations should be exact and differs between blocks in the baseline:"
          + " json/large/roundtrip/atomic encode (7 to 8)",
        "1 row had too few blocks for a verdict, the fewest 1: need 5 blocks on each side",
        "a stored baseline's times are weak evidence, since the machine has lived on: measure both"
          + " builds side by side to be sure",
      ])
  }

  @Test("Another machine, allocator and menu are each said")
  func notComparable() {
    let now = run(
      [exact(7), wall(9)], machine: machine(cpu: "Xeon", allocator: "glibc"))
    let texts = Report(record: now, baseline: run([exact(7), wall(9)])).conclusions.map(\.text)
    #expect(
      texts == [
        "times are not compared, exact metrics are; what differs: cpu: Xeon, baseline EPYC;"
          + " allocator: glibc, baseline jemalloc 5.3",
        "allocations and peaks may differ for no other reason than allocator: glibc, baseline"
          + " jemalloc 5.3",
      ])
    let other = run([exact(7)], fingerprint: "00000000000000bb")
    #expect(
      Report(record: other, baseline: run([exact(7)])).conclusions.map(\.text).first
        == "menu large differs from the baseline's of that name: not compared")
  }

  @Test("A doubt that many rows share is one line that counts them")
  func aggregated() {
    var machine = machine()
    machine.emptySample = 100
    let phases = ["read", "write", "encode", "decode", "find"]
    let record = run(phases.map { wall(150, phase: $0) }, machine: machine)
    #expect(
      Report(record: record).conclusions.map(\.text) == [
        "cannot be told from an empty sample (100 ns): json/large/roundtrip/atomic read (150 ns),"
          + " json/large/roundtrip/atomic write (150 ns), json/large/roundtrip/atomic encode"
          + " (150 ns) and 2 more"
      ])
  }

  @Test("A value that is no number is an error")
  func notFinite() {
    var series = wall(100)
    series.blocks[0][0] = .nan
    #expect(
      Report(record: run([series])).conclusions == [
        Conclusion(
          .error, "json/large/roundtrip/atomic encode wall holds a value that is no number")
      ])
  }
}
