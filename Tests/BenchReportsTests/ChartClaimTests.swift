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
    #expect(
      try Self.chart("blocks-read", read).sentence.hasSuffix(
        " json took less time than the floor, which cannot be true, and is not drawn. memory took too"
          + " little to be told from the clock's own cost, and is not drawn."))
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

  /// JSON and a twin by the name of SQLite: the same times, and a size that is a byte less.
  private static func twins(blocks: Int = 12) -> RunRecord {
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

  @Test("Who is ahead by less than the intervals beats nobody")
  func close() throws {
    #expect(
      try Self.chart("memory", Self.twins()).sentence.hasPrefix(
        "No storage is better in both than json, sqlite"))
  }

  @Test("Of equal medians none is least, with an interval or without")
  func equals() throws {
    #expect(
      try Self.chart("phases", Self.twins()).sentence.hasPrefix(
        "save takes 54.4 ms with json, sqlite, of which encode is the longest part for all."))
    #expect(
      Self.page(Self.twins()).contains("save is too close to call between json, sqlite, 54.4 ms;"))
    #expect(
      Self.page(Self.twins(blocks: 2)).contains(
        "save is too close to call between json, sqlite, 54.3 ms;"))
  }

  @Test("Where the peak of one phase is unknown, so is the largest: it is named, and no point")
  func unknownPeak() throws {
    var record = Fixture.run()
    for place in record.cells.indices {
      let series = record.cells[place]
      guard series.cell.backend == "sqlite", series.phase == "decode",
        series.metric.id == Metric.peakHeapBytes.id
      else { continue }
      (record.cells[place].blocks, record.cells[place].unsupported) = ([], "it was not seen")
    }
    let chart = try Self.chart("memory", record)
    #expect(
      chart.sentence.hasPrefix(
        "Of these only json keeps what was written. Of sqlite a cost is unknown or 0, and so there is no"
          + " point. memory keeps nothing, and does not count."))
    #expect(chart.table.rows.map { $0[0].text } == ["memory", "json"])
    // What keeps nothing is told by its form as well as by its colour.
    #expect(chart.drawing.body.contains("h7v7h-7z\" class=\"fill7\"><title>memory: "))
  }

  @Test("A lead without an interval is unproven, and one storage alone has none")
  func unproven() throws {
    let few = Fixture.run(blocks: 2)
    #expect(
      Self.page(few).contains("save is least with json, 54.3 ms, unproven: too few blocks;"))
    #expect(
      try Self.chart("memory", few).sentence.hasPrefix(
        "json beats every other that is drawn and keeps what was written. Unproven: of json, sqlite"
          + " there are too few blocks for an interval. memory keeps nothing"))
    var alone = few
    alone.cells.removeAll { $0.cell.backend == "sqlite" }
    #expect(Self.page(alone).contains("save takes 54.3 ms with json;"))
    #expect(
      try Self.chart("memory", alone).sentence.hasPrefix(
        "Of these only json keeps what was written. memory keeps nothing"))
  }

  @Test("What takes less than its floor is no nearer to it than what takes as long")
  func floors() throws {
    var less = Self.scaled(Fixture.run(), "json", ["write"], by: 0.3)
    for place in less.backends.indices where less.backends[place].id == "json" {
      less.backends[place].belowFloor = ["write": "does not touch the store"]
    }
    let others =
      "Nearest to the least possible is json's read, 1.95× its floor; furthest from it sqlite's encode,"
      + " > 1,000×. "
    let floor = "A floor is the same bytes moved by the system alone."
    #expect(
      try Self.chart("floors", less).sentence == others
        + "json's write (0.37×) takes less than the floor; why stands with the figures. " + floor)
    let level = Self.scaled(Fixture.run(), "json", ["write"], by: 0.75)
    #expect(
      try Self.chart("floors", level).sentence == others
        + "json's write (0.91×) cannot be told from the floor. " + floor)
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

  @Test("A part that is given is no longest one, and said to be given")
  func given() throws {
    #expect(
      try Self.chart("3-timeline", Fixture.workloads()).sentence
        == "the way to the menu takes from 60.9 ms with json to 141 ms with sqlite, of which parse is"
        + " the longest measured part for all. It begins with the request; what a process takes to start is"
        + " first-menu's. network is given, not measured.")
  }

  @Test("What lacks a cost stands last, and parts that do not add up are said to be shares")
  func incomplete() throws {
    var record = Self.scaled(Fixture.run(), "json", ["write"], by: 0.01)
    let chart = try Self.chart("phases", record)
    #expect(chart.table.rows.map { $0[0].text } == ["memory", "sqlite", "json"])
    #expect(
      chart.sentence.hasSuffix(" Of json not every cost is known, so that it stands last."))
    record.cells.removeAll { ["read", "decode"].contains($0.phase) }
    #expect(
      try Self.chart("phases", record).sentence.hasSuffix(
        " Of json no cost is known, and so no bar."))
    // The phases take long in different blocks: 50, 20 and 50 ms in all, with medians of 10 ms each.
    var uneven = Fixture.run()
    for place in uneven.cells.indices {
      let series = uneven.cells[place]
      guard series.cell.backend == "json", series.metric.id == Metric.wall.id else { continue }
      if series.phase == "encode" { uneven.cells[place].blocks = [[10e6], [10e6], [40e6]] }
      if series.phase == "write" { uneven.cells[place].blocks = [[40e6], [10e6], [10e6]] }
    }
    #expect(
      try Self.chart("phases", uneven).sentence.hasSuffix(
        " A part of a bar is its phase's share of it: the phases' medians do not add up to the whole."
      ))
  }

  @Test("How much readers work is drawn block by block")
  func utilisation() throws {
    let chart = try Self.chart("utilisation", Fixture.workloads())
    #expect(chart.sentence.hasSuffix(" A bar is the median of the blocks, a point a block."))
    let points = chart.drawing.body.split(separator: "\n").filter { $0.contains("dots points") }
    #expect(points.map { $0.components(separatedBy: "h0").count - 1 } == [6, 6, 6])
    // In the dark points on a coloured bar would have a contrast of 1.5 to 1.
    #expect(!chart.drawing.body.contains("fill1"))
    #expect(
      chart.table.rows.map { $0[1].text }
        == ["26 % (24–29 %)", "50 % (48–53 %)", "74 % (72–77 %)"])
  }

  @Test("Whose readers work most is told as far as intervals show it")
  func busiest() throws {
    func sentence(_ change: (inout Series) -> Void) throws -> String {
      var record = Fixture.workloads()
      for place in record.cells.indices where record.cells[place].metric == .utilisation {
        change(&record.cells[place])
      }
      return try Self.chart("utilisation", record).sentence
    }
    let told = try sentence { _ in }
    #expect(
      told.hasPrefix(
        "All keep to their rate. Readers of sqlite work most, 74 % of their time. A bar"))
    let close = try sentence { series in
      if series.cell.backend == "plist" { series.blocks = (70...75).map { [Double($0)] } }
    }
    #expect(
      close.hasPrefix(
        "All keep to their rate. Readers of plist, sqlite work most, too close to call, 72 % to 74 % of"
          + " their time. A bar"))
    let few = try sentence { series in series.blocks = Array(series.blocks.prefix(2)) }
    #expect(
      few.hasPrefix(
        "All keep to their rate. Readers of sqlite work most, 72 % of their time, unproven: too few"
          + " blocks. A bar"))
    let alone = try sentence { series in if series.cell.backend != "json" { series.blocks = [] } }
    #expect(
      alone.hasPrefix("All keep to their rate. Readers of json work 26 % of their time. A bar"))
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
    let both = try Self.chart(
      "timeline",
      renamed(
        "first-menu", ["network": "start", "parse": "first-screen", "store": "whole-menu"]))
    #expect(both.title.hasPrefix("The way to the first screen and the whole menu: "))
    #expect(
      both.table.columns == [
        "storage", "start", "first-screen", "whole-menu",
        "the first screen in all (start + first-screen)",
        "the whole menu in all (start + whole-menu)",
      ])
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
    #expect(
      try Self.chart("latency", record).sentence.hasPrefix(
        "All have tails alike: the slowest 5.0 % of readings take 1.06× their own median and more.")
    )
    let stores = record.cells.filter { $0.metric == .storedPeakBytes }
    for place in record.cells.indices
    where record.cells[place].metric == .storedPeakBytes
      && record.cells[place].cell.backend == "sqlite"
    {
      record.cells[place].blocks = stores.first { $0.cell.backend == "plist" }?.blocks ?? []
    }
    #expect(
      try Self.chart("2-growth-of-files", record).sentence
        == "plist, sqlite grow while revisions are stored over each other, to 3.40× their first size."
    )
    for place in record.cells.indices where record.cells[place].metric == .storedPeakBytes {
      let first = record.cells[place].blocks[0][0]
      record.cells[place].blocks = record.cells[place].blocks.map { $0.map { _ in first } }
    }
    #expect(
      try Self.chart("2-growth-of-files", record).sentence
        == "No store grows while revisions are stored over each other.")
  }

  @Test("What charts of readers, stores and ways show is in the CSV, to the last digit")
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
      let place = try #require(table.columns.firstIndex(of: column))
      return table.rows.first { $0[0].text == backend }?[place].number
    }
    for backend in ["json", "plist", "sqlite"] {
      for (chart, column, row, figure) in [
        ("latency", "90 %", ["contention", "read", "wall"], "p90"),
        ("latency", "99 %", ["contention", "read", "wall"], "p99"),
        ("utilisation", "at work", ["contention", "read", "utilisation"], "p50"),
        ("2-growth-of-files", "most", ["replace", "replace", "stored_peak_bytes"], "max"),
        ("2-growth-of-files", "at rest", ["replace", "replace", "stored_bytes"], "p50"),
        ("3-timeline", "parse", ["launch-flow", "parse", "wall"], "p50"),
        ("3-timeline", "map", ["launch-flow", "map", "wall"], "p50"),
      ] {
        let value = try #require(try known([backend] + row, figure), "\(backend) \(row)")
        #expect(try drawn(chart, backend, column) == value, "\(backend) \(chart) \(column)")
      }
    }
  }

  @Test("A block of one process is called no fresh one, and blocks that took no time are not drawn")
  func blocks() throws {
    var record = Fixture.run()
    record.settings.oneProcess = true
    #expect(
      try Self.chart("blocks-decode", record).sentence.contains(
        "A point is the median of a block, all in one process, 12 of each storage; the box holds"))
    #expect(Self.page(record).contains("one turn of a cell, all in one process: what differs"))
    #expect(!Self.page(record).contains("a fresh process that measures a cell"))
    // JSON's blocks lie at a tenth of a nanosecond, as the mean of a batch may, SQLite's partly at 0.
    var short = Fixture.run()
    short.machine.emptySample = nil
    for place in short.cells.indices {
      let series = short.cells[place]
      guard series.phase == "decode", series.metric.id == Metric.wall.id else { continue }
      switch series.cell.backend {
      case "json": short.cells[place].blocks = [[0.1], [0.1], [0.11]]
      case "sqlite": short.cells[place].blocks = [[0], [42], [1]]
      default: short.cells[place].blocks = []
      }
    }
    let chart = try Self.chart("blocks-decode", short)
    #expect(chart.table.rows.map { $0[0].text } == ["json"])
    #expect(
      chart.sentence.hasPrefix(
        "No blocks lie further apart than those of json, from 0.10 ns to 0.11 ns, 1.10×. "))
    #expect(chart.sentence.hasSuffix(" sqlite took no time in a block, and is not drawn."))
  }

  @Test("Who has the longest tail is told where enough readings lie beyond, and tails differ")
  func tails() throws {
    func sentence(_ change: ([[Double]]) -> [[Double]]) throws -> String {
      var record = Fixture.workloads()
      for place in record.cells.indices {
        let series = record.cells[place]
        guard series.cell.backend == "plist", series.cell.workload == "contention",
          series.phase == "read", series.metric.id == Metric.wall.id
        else { continue }
        record.cells[place].blocks = change(series.blocks)
      }
      return try Self.chart("latency", record).sentence
    }
    // The slowest sixth: the median stays where it was.
    func slower(_ blocks: [[Double]], by factor: Double) -> [[Double]] {
      blocks.map { $0.map { $0 > 880_000 ? $0 * factor : $0 } }
    }
    let longer = try sentence { slower($0, by: 1.2) }
    #expect(
      longer.hasPrefix(
        "plist has the longest tail: the slowest 5.0 % of readings take 1.27× their own median"))
    let alike = try sentence { slower($0, by: 1.02) }
    #expect(
      alike.hasPrefix(
        "All have tails alike: the slowest 5.0 % of readings take 1.06× to 1.08× their own median"))
    let few = try sentence { [Array($0[0].prefix(19))] }
    #expect(few == "There are too few readings for a tail.")
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
    func load(_ record: RunRecord) throws -> Chart {
      let charts = GrowthChart.charts(ScaleReport(record: record))
      return try #require(charts.first { $0.name == "growth-roundtrip-load-atomic" })
    }
    // What has no figure at the largest size is fitted to smaller ones: these compare with no others.
    #expect(
      try load(equal).sentence.hasPrefix(
        "At the large end of json ten times the menu costs 9.99× as much. plist has figures at other"
          + " sizes, and is not compared. "))
    equal.menus.removeLast()
    #expect(
      try load(equal).sentence.hasPrefix(
        "At the large end none is known to grow faster than another:"))
    // Of three two are level, and the third is known to grow less; the fourth is of other sizes.
    let bytes = GrowthChart.charts(ScaleReport(record: Fixture.growing()))
    let stored = try #require(bytes.first { $0.name == "growth-roundtrip-stored_5Fbytes-atomic" })
    #expect(
      stored.sentence.hasPrefix(
        "json, flat grow fastest at the large end, too close to call: ten times the menu costs 10.0×"
          + " as much. plist has figures at other sizes, and is not compared. "))
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
