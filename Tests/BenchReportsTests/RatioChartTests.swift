import BenchResults
import Testing

@testable import BenchAnalysis
@testable import BenchReports

@Suite("The picture of a comparison")
struct RatioChartTests {
  /// JSON with a slower load and an unchanged save, next to a noisy save of SQLite.
  private static let rows = [
    row("json", "save", 1.002, 0.99...1.012, .unchanged),
    row("json", "load", 1.059, 1.049...1.069, .regressed, .cpu),
    row("sqlite", "save", 1.01, 0.9...1.14, .inconclusive(.wide(upTo: 1.14))),
  ]

  private static func row(
    _ backend: String, _ phase: String, _ ratio: Double?, _ interval: ClosedRange<Double>?,
    _ verdict: Verdict, _ metric: Metric = .wall, menu: String = "large"
  ) -> ReportRow {
    let cell = Cell(backend: backend, menu: menu, workload: "roundtrip", durability: "atomic")
    return ReportRow(
      Series(cell: cell, phase: phase, metric: metric, blocks: [[1e6]]), floor: nil,
      machine: Fixture.run().machine,
      comparison: RowComparison(
        ratio: ratio, pairs: 52,
        interval: interval.map { Interval(low: $0.lowerBound, high: $0.upperBound) },
        verdict: verdict))
  }

  private static func lines(_ rows: [ReportRow], _ width: Int = 80) throws -> [String] {
    try #require(RatioChart(rows)).picture.lines(Terminal(width: width))
  }

  @Test("Each cost has a line with its interval next to the band, the highest upper end first")
  func lines() throws {
    #expect(
      try Self.lines(Self.rows) == [
        "                 -9.1 %     ±2 %      +10 %",
        "sqlite save time   ─┼───────┼──█┼───────┼─→  cannot say, up to +14 %",
        "json   load cpu     ·       │   │  ─█─  ·    slower, +5.9 % (4.9–6.9), 52 pairs",
        "json   save time    ·       │─█─│       ·    same",
      ])
    #expect(
      try Self.lines(Self.rows, 60) == [
        "                -9.1 %  ±2 %   +10 %",
        "sqlite save time   ┼─────┼─█─────┼→  cannot say, up to +14 %",
        "json   load cpu    ·     │ │ ─█─ ·   slower, +5.9 %",
        "json   save time   ·     ┼█┼     ·   same",
      ])
  }

  @Test("The scale follows half of the intervals and what is proven, and others end in an arrow")
  func clipped() throws {
    let same = ["open", "load", "save"].map {
      Self.row("json", $0, 1.001, 0.995...1.011, .unchanged)
    }
    let wide = [
      Self.row("sqlite", "save", 1.5, 0.8...2.5, .inconclusive(.wide(upTo: 2.5))),
      Self.row("sqlite", "load", 0.5, 0.4...0.6, .improved),
      // It has no interval, so anything may be true of it.
      Self.row("plist", "save", nil, nil, .inconclusive(.blocks(have: 1, need: 3))),
    ]
    let lines = try Self.lines(same + wide)
    #expect(lines[0].split(separator: " ").filter { $0 != "%" } == ["-17", "±2", "+20"])
    #expect(
      lines[1...].map { $0.prefix(11) } == [
        "plist  save", "sqlite save", "json   open", "json   load", "json   save", "sqlite load",
      ])
    #expect(lines.map { $0.contains("→") } == [false, false, true, false, false, false, false])
    #expect(lines.map { $0.contains("←") } == [false, false, true, false, false, false, true])
    #expect(lines[1].hasSuffix("cannot say, need 3 blocks"))
    #expect(lines[6].hasSuffix("faster, -50 % (40–60), 52 pairs"))
    #expect(RatioChart([wide[2]]) == nil)
  }

  @Test("Menus are named if there are several, and long names lose their middle")
  func names() throws {
    let menus = ["small", "large"].map {
      Self.row("json", "save", 1.002, 0.99...1.012, .unchanged, menu: $0)
    }
    #expect(
      try Self.lines(menus)[1...].map { $0.prefix(20) }
        == ["json small save time", "json large save time"])
    let long = Self.row(
      String(repeating: "b", count: 60), "save", 1.05, 1.04...1.06, .regressed, menu: "пицца")
    for width in [60, 80, 140] {
      let lines = try Self.lines(menus + [long], width)
      #expect(lines.allSatisfy { $0.displayWidth <= width })
      #expect(lines[1].contains("…") == (width < 140))
    }
  }

  @Test("At most forty lines are drawn, proven changes among them, and the rest is counted")
  func most() throws {
    let open = (0..<50).map { number in
      Self.row("b\(number)", "save", 1, 0.9...1.2, .inconclusive(.wide(upTo: 1.2)))
    }
    let lines = try Self.lines(open + [Self.row("z", "load", 1.03, 1.025...1.035, .regressed)])
    #expect(lines.count == 42)
    #expect(lines[40].hasPrefix("z   load time") && lines[41] == "and 11 more costs")
  }

  @Test("A page draws the same rows in the same order, with the band and without the rest")
  func page() throws {
    let chart = try #require(RatioChart(Self.rows)).chart
    #expect(
      chart.table.rows.map { [$0[0].text, $0[1].text] } == [
        ["sqlite/large/roundtrip/atomic save time", "cannot say, up to +14 %"],
        ["json/large/roundtrip/atomic load cpu", "slower, +5.9 %"],
        ["json/large/roundtrip/atomic save time", "same"],
      ])
    #expect(chart.drawing.body.ranges(of: "class=\"band\"").count == 1)
    #expect(chart.drawing.body.ranges(of: "class=\"whisker\"").count == 3)
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    #expect(HTMLReporter().render(report).ranges(of: "id=\"chart-ratios\"").count == 1)
    #expect(RunCharts.all(report).first?.table.rows.count == 4)
  }

  @Test("No name ends a block of Markdown")
  func fence() throws {
    let row = Self.row("```", "save", 1, 0.99...1.01, .unchanged)
    let picture = try #require(RatioChart([row])).picture
    let lines = Part.picture(picture).markdown.split(separator: "\n")
    #expect(lines.indices.filter { lines[$0].contains("```") } == [1, 4])
  }
}
