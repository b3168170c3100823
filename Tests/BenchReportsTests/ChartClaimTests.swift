import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

@Suite("A page claims no more than its figures show")
struct ChartClaimTests {
  private static func page(_ record: RunRecord) -> String {
    HTMLReporter().render(Report(record: record))
  }

  private static func chart(_ name: String, _ record: RunRecord) throws -> Chart {
    try #require(RunCharts.all(Report(record: record)).first { $0.name == name })
  }

  private static func scaled(
    _ record: RunRecord, _ backend: String, _ phases: Set<String>, by factor: Double
  ) -> RunRecord {
    var record = record
    for place in record.cells.indices {
      let series = record.cells[place]
      guard series.cell.backend == backend, series.metric.id == Metric.wall.id,
        phases.contains(series.phase)
      else { continue }
      record.cells[place].blocks = series.blocks.map { $0.map { $0 * factor } }
    }
    return record
  }

  /// Takes a phase's times away, as a workload does that skips it.
  private static func refuse(
    _ phase: String, of backend: String, under workload: String, because reason: String,
    in record: inout RunRecord
  ) {
    for place in record.cells.indices {
      let series = record.cells[place]
      guard series.cell.workload == workload, series.cell.backend == backend,
        series.phase == phase, series.metric.id == Metric.wall.id
      else { continue }
      (record.cells[place].blocks, record.cells[place].unsupported) = ([], reason)
    }
  }

  @Test("If a time is below its floor no backend is best, and no chart says so")
  func withheld() throws {
    let record = Self.scaled(Fixture.run(), "json", ["write"], by: 0.01)
    let page = Self.page(record)
    #expect(page.contains("no backend is known to be best at save: json is below a floor"))
    #expect(!page.contains("save is fastest with"))
  }

  @Test("Saves that are flushed and saves that are not are never said to be faster than each other")
  func unflushed() {
    let page = Self.page(Fixture.unflushed())
    #expect(
      page.contains(
        ": save takes 54.4 ms with json; save takes 91.7 ms° with sqlite; load is fastest with"
          + " json,"))
  }

  @Test("Storages that the clock cannot distinguish are too close to call, and have no figure")
  func tiny() {
    var record = Self.scaled(Fixture.run(), "json", ["read", "decode"], by: 1e-7)
    record = Self.scaled(record, "sqlite", ["read", "decode"], by: 1e-7)
    for place in record.cells.indices { record.cells[place].floor = nil }
    #expect(Self.page(record).contains("load is too close to call between "))
    #expect(Self.page(record).contains(", &lt; "))
  }

  /// JSON and a twin by the name of SQLite: the same times, and a size that is a byte less.
  private static func menusOfEqualSize(blocks: Int = 12) -> RunRecord {
    var record = Fixture.run(blocks: blocks)
    let json = record.cells.filter { $0.cell.backend == "json" }
    record.cells =
      json
      + json.map { series in
        var twin = series
        twin.cell.backend = "sqlite"
        if series.metric.id == Metric.peakHeapBytes.id {
          twin.blocks = series.blocks.map { $0.map { $0 - 1 } }
        }
        return twin
      }
    return record
  }

  @Test("No backend is best with equal medians, with an interval or without")
  func equals() throws {
    #expect(
      Self.page(Self.menusOfEqualSize()).contains(
        "save is too close to call between json, sqlite, 54.4 ms;"))
    #expect(
      Self.page(Self.menusOfEqualSize(blocks: 2)).contains(
        "save is too close to call between json, sqlite, 54.3 ms;"))
  }

  @Test("A lead without an interval is unproven, and a single storage has none")
  func unproven() {
    let few = Fixture.run(blocks: 2)
    #expect(
      Self.page(few).contains("save is fastest with json, 54.3 ms, unproven: too few blocks;"))
    var alone = few
    alone.cells.removeAll { $0.cell.backend == "sqlite" }
    #expect(Self.page(alone).contains("save takes 54.3 ms with json;"))
  }

  @Test("A timeline omits a part that a storage need not do, and has no bar if a part is unknown")
  func timeline() throws {
    var record = Fixture.workloads()
    Self.refuse(
      "parse", of: "sqlite", under: "launch-flow", because: "it is stored as it came", in: &record)
    record.cells.removeAll {
      $0.cell.workload == "launch-flow" && $0.cell.backend == "plist" && $0.phase == "store"
    }
    let chart = try Self.chart("3-timeline", record)
    #expect(Set(chart.table.rows.map { $0[0].text }) == ["json", "sqlite"])
    #expect(chart.sentence.hasSuffix(" network is given, not measured."))
  }

  @Test("A timeline without a read-back has no store, which is behind what the user sees")
  func storedBehind() throws {
    var record = Fixture.workloads()
    record.cells.removeAll { $0.phase == "read-back" }
    let titles = try Self.chart("3-timeline", record).table.titles
    #expect(titles.contains("parse") && !titles.contains("store"))
  }

  @Test("A storage without a cost is last, and one without any cost is left out")
  func incomplete() throws {
    var record = Self.scaled(Fixture.run(), "json", ["write"], by: 0.01)
    func rows() throws -> [String] {
      try Self.chart("phases", record).table.rows.map { $0[0].text }
    }
    #expect(try rows() == ["memory", "sqlite", "json"])
    record.cells.removeAll { ["read", "decode"].contains($0.phase) }
    #expect(try rows() == ["memory", "sqlite"])
  }

  @Test("A way ends with its workload, and includes its measured total")
  func ways() throws {
    var record = Fixture.workloads()
    record.cells = record.cells.filter { $0.cell.workload == "launch-flow" }
    func renamed(_ workload: String, _ names: [String: String]) -> RunRecord {
      var other = record
      other.cells = record.cells.compactMap { series in
        guard let phase = names[series.phase] else { return nil }
        var series = series
        (series.cell.workload, series.phase) = (workload, phase)
        return series
      }
      return other
    }
    let first = try Self.chart(
      "timeline", renamed("first-menu", ["network": "start", "parse": "first-screen"]))
    #expect(first.title.hasPrefix("Steps to the first screen: "))
    let both = try Self.chart(
      "timeline",
      renamed(
        "first-menu", ["network": "start", "parse": "first-screen", "store": "whole-menu"]))
    #expect(both.title.hasPrefix("Steps to the first screen and the whole menu: "))
    #expect(
      both.table.titles == [
        "backend", "start", "first-screen", "whole-menu",
        "the first screen in all (start + first-screen)",
        "the whole menu in all (start + whole-menu)",
      ])
    let upgrade = try Self.chart(
      "timeline", renamed("upgrade", ["network": "start", "parse": "total"]))
    #expect(upgrade.title.hasPrefix("Steps to the menu: "))
    let json = try #require(upgrade.table.rows.first { $0[0].text == "json" })
    #expect(
      json.last?.value
        == Summary(
          try #require(
            record.cells.first {
              $0.cell.backend == "json" && $0.phase == "parse"
            }))?.p50)
  }

  @Test("Figures in charts of readers and ways are in the CSV, to the last digit")
  func figuresOfWorkloads() throws {
    let record = Fixture.workloads()
    let lines = CSVReporter().render(Report(record: record)).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    func known(_ row: [String], _ column: String) throws -> Double? {
      let place = try #require(lines.first?.firstIndex(of: column))
      return lines.first { [$0[0], $0[2], $0[4], $0[5]] == row }.flatMap { Double($0[place]) }
    }
    func drawn(_ chart: String, _ backend: String, _ column: String) throws -> Double? {
      let table = try Self.chart(chart, record).table
      let place = try #require(table.titles.firstIndex(of: column))
      return table.rows.first { $0[0].text == backend }?[place].value
    }
    for backend in ["json", "plist", "sqlite"] {
      for (chart, column, row, figure) in [
        ("latency", "90 %", ["contention", "read", "wall"], "p90"),
        ("latency", "99 %", ["contention", "read", "wall"], "p99"),
        ("3-timeline", "parse", ["launch-flow", "parse", "wall"], "p50"),
        ("3-timeline", "map", ["launch-flow", "map", "wall"], "p50"),
      ] {
        let value = try #require(try known([backend] + row, figure), "\(backend) \(row)")
        #expect(try drawn(chart, backend, column) == value, "\(backend) \(chart) \(column)")
      }
    }
  }

  @Test("Functions with one name in two libraries each keep their own past")
  func namesakes() {
    func profile(_ costs: [String: Double]) -> Profile {
      var profile = ProfileFormatTests.profile
      profile.frames = [
        .init(name: "malloc", module: "libc.so.6", owner: .system),
        .init(name: "malloc", module: "libjemalloc.so.2", owner: .system),
      ]
      profile.stacks = profile.frames.enumerated().map { place, frame in
        Profile.Stack(frames: [place], values: [[costs[frame.module] ?? 0, 0]])
      }
      return profile
    }
    let same = profile(["libc.so.6": 100e6, "libjemalloc.so.2": 10e6])
    let page = FlameGraph(from: same, to: same, names: ("a", "b"), speed: .given).page
    #expect(!page.contains("class=\"box less") && !page.contains("class=\"box more"))
    #expect(page.ranges(of: "class=\"box same").count >= 2)
  }
}
