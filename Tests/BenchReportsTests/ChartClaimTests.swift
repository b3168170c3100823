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

  @Test("Where a time is below its floor nobody is best, and no chart says so either")
  func withheld() throws {
    let record = Self.scaled(Fixture.run(), "json", ["write"], by: 0.01)
    let page = Self.page(record)
    #expect(page.contains("nobody is known to be best at save: json is below a floor"))
    #expect(!page.contains("save is least with"))
    let read = Self.scaled(Fixture.run(), "json", ["read"], by: 0.01)
    let memory = try Self.chart("memory", read)
    #expect(memory.sentence.contains("The time of json is below a floor, and not drawn."))
    for name in ["floors", "blocks-read"] {
      let chart = try Self.chart(name, read)
      let drawn = chart.table.rows.filter { $0[0].text == "json" }
      let place = chart.table.columns.firstIndex(of: "read")
      #expect(drawn.isEmpty || place.map { drawn[0][$0].text } == "—", "\(name): \(drawn)")
    }
  }

  @Test("Storages that the clock cannot tell apart are too close to call, and have no figure")
  func tiny() {
    var record = Self.scaled(Fixture.run(), "json", ["read", "decode"], by: 1e-7)
    record = Self.scaled(record, "sqlite", ["read", "decode"], by: 1e-7)
    for place in record.cells.indices { record.cells[place].floor = nil }
    #expect(Self.page(record).contains("load is too close to call between "))
    #expect(Self.page(record).contains(", &lt; "))
  }

  @Test("Who is ahead by less than the intervals beats nobody")
  func close() throws {
    var record = Fixture.run()
    record.cells.removeAll { ["plist", "memory"].contains($0.cell.backend) }
    let json = record.cells.filter { $0.cell.backend == "json" }
    // The same times, and a size that is a byte less.
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
    #expect(
      try Self.chart("memory", record).sentence.hasPrefix(
        "No storage is better in both than json, sqlite"))
  }

  @Test("What a storage need not do has no part in its timeline; an unknown part takes its bar")
  func timeline() throws {
    var record = Fixture.workloads()
    Self.refuse(
      "parse", of: "sqlite", under: "launch-flow", because: "it is stored as it came", in: &record)
    record.cells.removeAll {
      $0.cell.workload == "launch-flow" && $0.cell.backend == "plist" && $0.phase == "store"
    }
    let chart = try Self.chart("3-timeline", record)
    #expect(Set(chart.table.rows.map { $0[0].text }) == ["json", "sqlite"])
    #expect(chart.sentence.hasSuffix("Of plist a part is not known, and so no bar."))
  }

  @Test("A way ends where its workload does, and takes what was measured of the whole")
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
    #expect(first.title.hasPrefix("The way to the first screen: "))
    let upgrade = try Self.chart(
      "timeline", renamed("upgrade", ["network": "start", "parse": "total"]))
    #expect(upgrade.title.hasPrefix("The way to the menu: "))
    let json = try #require(upgrade.table.rows.first { $0[0].text == "json" })
    #expect(
      json.last?.number
        == Summary(
          try #require(
            record.cells.first {
              $0.cell.backend == "json" && $0.phase == "parse"
            }))?.p50)
  }

  @Test("Readers that fell behind are named where their curve would be")
  func late() throws {
    var record = Fixture.workloads()
    Self.refuse("read", of: "plist", under: "contention", because: "cannot keep up", in: &record)
    #expect(
      try Self.chart("latency", record).sentence.hasSuffix(
        "Readers of plist fell behind, and have no curve."))
    #expect(
      try Self.chart("utilisation", record).sentence.hasPrefix(
        "Not in every block plist could keep to the rate: no latencies are known."))
  }

  @Test("Tails of one length have no longest, and stores that do not grow none that grows most")
  func ties() throws {
    var record = Fixture.workloads()
    #expect(try Self.chart("latency", record).sentence.hasPrefix("All have tails alike: "))
    for place in record.cells.indices where record.cells[place].metric == .storedPeakBytes {
      let first = record.cells[place].blocks[0][0]
      record.cells[place].blocks = record.cells[place].blocks.map { $0.map { _ in first } }
    }
    #expect(
      try Self.chart("2-growth-of-files", record).sentence
        == "No store grows while revisions are stored over each other.")
  }

  @Test("Of few blocks a crossing is unproven, and of equal powers none grows fastest")
  func growth() throws {
    func sentence(_ blocks: Int) throws -> String {
      let charts = GrowthChart.charts(ScaleReport(record: Fixture.growing(blocks: blocks)))
      return try #require(charts.first { $0.name == "growth-roundtrip-load-atomic" }).sentence
    }
    #expect(try sentence(8).contains("flat grows fastest at the large end: ten times"))
    #expect(try !sentence(8).contains("(unproven)"))
    #expect(try sentence(2).contains("(unproven)"))
    var equal = Fixture.growing()
    equal.cells.removeAll { !["json", "plist"].contains($0.cell.backend) }
    let charts = GrowthChart.charts(ScaleReport(record: equal))
    let load = try #require(charts.first { $0.name == "growth-roundtrip-load-atomic" })
    #expect(load.sentence.hasPrefix("At the large end none is known to grow faster than another:"))
    // Of three two are level, and the third is known to grow less.
    let bytes = GrowthChart.charts(ScaleReport(record: Fixture.growing()))
    let stored = try #require(bytes.first { $0.name == "growth-roundtrip-stored_5Fbytes-atomic" })
    #expect(stored.sentence.hasPrefix("json, flat, plist grow fastest at the large end, too close"))
  }

  @Test("Functions of one name in two libraries keep each its own past")
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
