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
    #expect(report.rows[0].series.floor == "floor-copy")
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

  @Test("What is not known to store anything comes last and is no rival")
  func rivals() throws {
    func glance(_ stored: [Double?]) throws -> [GlanceRow] {
      let cells = stored.enumerated().map { (cell("b\($0.offset)"), $0.element) }
      let series = cells.flatMap { cell, bytes in
        var size = exact(bytes ?? 0, .storedBytes, in: cell)
        if bytes == nil { (size.blocks, size.unsupported) = ([], "nothing is stored") }
        return [
          wall(10 * ((bytes ?? 0) + 1), phase: "encode", in: cell), size,
          wall(0, phase: "write", in: cell),
        ]
      }
      return try #require(Report(record: run(series)).groups.first).glance
    }
    let mixed = try glance([0, nil, 4, 9])
    #expect(try glance([0, nil]).map { $0.save?.multiple } == [nil, nil])
    #expect(mixed.map(\.backend) == ["b2", "b3", "b0", "b1"])
    #expect(mixed.map { $0.save?.multiple } == [1, 2, nil, nil])
    #expect(mixed.map { $0.stored?.multiple } == [1, 2.25, nil, nil])
    #expect(mixed.map { $0.save?.summary.p50 } == [50, 100, 10, 10])
  }

  @Test("A group's rows stand by backend in the order of its glance, the report's in the record's")
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

  @Test("A sum of two phases is tiny below twice two empty samples")
  func tinySums() throws {
    var machine = machine()
    machine.emptySample = 20
    let series = [wall(39, phase: "encode"), wall(40, phase: "write"), exact(9, .storedBytes)]
    let pair = [wall(40, phase: "read"), wall(40, phase: "decode")]
    let row = try #require(
      Report(record: run(series + pair, machine: machine)).groups.first?.glance.first)
    #expect([row.save, row.load, row.stored].map { $0?.leastTellable } == [80, 80, nil])
    #expect([row.save, row.load, row.stored].map { $0?.isTiny } == [true, false, false])
  }

  @Test("Times below twice an empty sample of their own clock are tiny, and nothing else is")
  func tiny() {
    var machine = machine()
    (machine.emptySample, machine.emptyCPUSample) = (20, 600)
    func cpu(_ nanoseconds: Double) -> Series {
      Series(cell: cell(), phase: "encode", metric: .cpu, blocks: [[nanoseconds]])
    }
    let series = [wall(39), wall(40), cpu(1_199), cpu(1_200), exact(1)]
    let rows = Report(record: run(series, machine: machine)).rows
    #expect(rows.map(\.leastTellable) == [40, 40, 1_200, 1_200, nil])
    #expect(rows.map(\.isTiny) == [true, false, true, false, false])
    #expect(Report(record: run(series)).rows.map(\.isTiny) == [false, false, false, false, false])
  }

  @Test("A floor that is tiny is known as such", arguments: [(39.0, false), (40, true)])
  func tinyFloor(nanoseconds: Double, isTellable: Bool) {
    var machine = machine()
    machine.emptySample = 20
    var encode = wall(300)
    encode.floor = "floor-copy"
    let record = run([encode, wall(nanoseconds, phase: "floor-copy")], machine: machine)
    let rows = Report(record: record).rows
    #expect(rows[0].isFloorTellable == isTellable)
    #expect(rows[0].floorRatio == 300 / nanoseconds)
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
