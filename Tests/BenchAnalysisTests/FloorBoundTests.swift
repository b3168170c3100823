import BenchAnalysis
import BenchResults
import Testing

@Suite("A phase and its floor")
struct FloorBoundTests {
  /// A write and its floor, each in so many blocks, and what the backend says of it.
  private func report(
    _ write: Double, over floor: Double, spread: Double = 0.005, blocks: Int = 12,
    explanation: String? = nil, against baseline: RunRecord? = nil
  ) -> Report {
    Report(
      record: record(write, over: floor, spread: spread, blocks: blocks, explanation),
      baseline: baseline)
  }

  private func record(
    _ write: Double, over floor: Double, spread: Double = 0.005, blocks: Int = 12,
    _ explanation: String? = nil
  ) -> RunRecord {
    var series = wall(write, blocks: blocks, phase: "write")
    series.floor = "floor-write"
    var record = run([
      series, wall(floor, spread: spread, blocks: blocks, phase: "floor-write"), control(),
    ])
    record.backends = [
      BackendInfo(id: "json", summary: "")
        .with(\.belowFloor, explanation.map { ["write": $0] })
    ]
    return record
  }

  @Test("A time is an error if its whole interval is below 0.9 of the floor's")
  func below() throws {
    let report = report(300_000, over: 900_000)
    let row = report.rows[0]
    #expect(row.verdict == .belowFloor && row.verdict?.id == "below-floor")
    #expect(row.floor?.isError == true && row.floorRatio == 300_000 / 900_000)
    #expect(report.belowFloor.map(\.phase) == ["write"])
    #expect(
      report.conclusions == [
        Conclusion(
          .error,
          "json/large write takes 300 µs (at most 301 µs), but its floor, floor-write, takes 900 µs"
            + " (at least 898 µs): some of its work is done elsewhere, or the floor does too much")
      ])
  }

  @Test(
    "A time that may be as slow as its floor is not an error",
    arguments: [(890.0, 0.005, 12), (895, 0.005, 12), (950, 0.1, 12), (300, 0.005, 2)])
  func notBelow(write: Double, spread: Double, blocks: Int) {
    let report = report(write, over: 990, spread: spread, blocks: blocks)
    #expect(report.belowFloor.isEmpty && report.conclusions.allSatisfy { $0.severity == .hint })
    #expect(report.rows[0].verdict == nil)
  }

  @Test("A time that the backend explains is not an error, and keeps the explanation")
  func explained() {
    let report = report(300_000, over: 900_000, explanation: "does not touch the store")
    #expect(report.belowFloor.isEmpty && report.conclusions.isEmpty)
    #expect(report.rows[0].verdict == nil && report.rows[0].floor?.isBelow == true)
    #expect(report.rows[0].floor?.explanation == "does not touch the store")
  }

  @Test("A time below its floor gets no verdict of a comparison, and nothing passes")
  func noVerdict() {
    var report = report(300_000, over: 900_000, against: record(200_000, over: 150_000))
    #expect(report.rows[0].comparison?.verdict == .regressed)
    #expect(report.rows[0].verdict == .belowFloor && report.regressions.isEmpty)
    for rule in [PassRule.successor, .comparison(allowsMissing: true)] {
      report.rule = rule
      #expect(report.outcome().id == "below-floor" && report.outcome().cell == cell())
      #expect(report.belowFloor.map(\.phase) == ["write"])
    }
  }

  @Test(
    "A floor with an interval of more than ±25 % divides nothing",
    arguments: [(0.2, true), (0.9, false)])
  func uncertain(spread: Double, divides: Bool) {
    let row = report(2_000, over: 1_000, spread: spread).rows[0]
    #expect((row.floorRatio != nil) == divides)
    #expect(row.floor?.isUncertain == !divides)
  }

  @Test(
    "A floor that is mostly the clock's own cost divides nothing, and no time is below it",
    arguments: [(199.0, nil), (200, 1.5)] as [(Double, Double?)])
  func tinyFloor(nanoseconds: Double, multiple: Double?) {
    var tiny = record(300, over: nanoseconds)
    tiny.machine.emptySample = 20
    #expect(Report(record: tiny).rows[0].floorRatio == multiple)
    tiny.cells[0].blocks = Array(repeating: [9], count: 12)
    #expect(Report(record: tiny).belowFloor.isEmpty == (multiple == nil))
  }

  @Test("A time that cannot be true is part of no cost, and ranks no backend")
  func costs() throws {
    var record = record(300_000, over: 900_000)
    record.cells += [wall(5_000, phase: "encode"), exact(9, .storedBytes)]
    record.cells += [("encode", 5_000.0), ("write", 990_000)].map {
      wall($0.1, phase: $0.0, in: cell("plist"))
    }
    record.cells.append(exact(9, .storedBytes, in: cell("plist")))
    let overview = try #require(Report(record: record).groups.first).overview
    #expect(overview.map { $0.costs["save"]?.multiple } == [nil, nil])
    #expect(overview.map(\.withheld) == [["save"], []])
    let sheet = CostTable(menu: "large", of: record)
    #expect(
      sheet.entry("json", sheet.columns[0])
        == .absent(.belowFloor("write")))
    #expect(sheet.entry("plist", sheet.columns[0]).figure?.multiple == nil)
    let save = Weight(.cost(workload: "roundtrip", name: "save"), 1)
    let answer = Recommendation(Criteria(weights: [save]), on: sheet)
    #expect(answer.ranked.map(\.backend) == ["plist"] && answer.lacking == 1)
  }
}
