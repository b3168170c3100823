import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Charts are drawn from the data, and say what they show")
struct ChartTests {
  private static let report = Report(record: Fixture.run(menus: ["small", "large"]))

  @Test("Every chart has a title, a sentence, a table and its own name")
  func whole() {
    let charts =
      RunCharts.all(Self.report)
      + RunCharts.all(Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline))
      .prefix(1)
      + GrowthChart.charts(ScaleReport(record: Fixture.growing())).map { $0.named("grown") }.prefix(
        1)
    for chart in charts {
      #expect(!chart.title.isEmpty && !chart.sentence.isEmpty, "\(chart.name)")
      #expect(!chart.table.rows.isEmpty, "\(chart.name)")
      #expect(chart.table.rows.allSatisfy { $0.count == chart.table.columns.count })
      #expect(!chart.drawing.body.contains("nan") && !chart.drawing.body.contains("inf"))
    }
    #expect(Set(charts.map(\.name)).count == charts.count)
  }

  @Test("Every group of a run has charts, and names of the second group begin with 2")
  func names() {
    #expect(RunCharts.all(Self.report).map(\.name) == ["phases", "2-phases"])
  }

  @Test("The sentence of the phases' chart agrees with the figures")
  func phases() throws {
    let chart = try #require(RunCharts.all(Self.report).first { $0.name == "2-phases" })
    #expect(
      chart.table.titles == [
        "backend", "encode", "write", "read", "decode", "save in all (encode + write)",
        "load in all (read + decode)",
      ])
    // The glance's own figures: medians of sums.
    let group = try #require(Self.report.groups.last)
    for row in chart.table.rows {
      let overview = try #require(group.overview.first { $0.backend == row[0].text })
      #expect(
        row.suffix(2).map(\.value) == ["save", "load"].map { overview.costs[$0]?.summary.p50 })
    }
  }

  @Test("A storage without a cost has no bar for it")
  func lacking() throws {
    var record = Fixture.run()
    record.cells.removeAll { $0.cell.backend == "sqlite" && $0.phase == "decode" }
    let chart = try #require(RunCharts.all(Report(record: record)).first { $0.name == "phases" })
    let sqlite = try #require(chart.table.rows.first { $0[0].text == "sqlite" })
    #expect(chart.table.titles.last == "load in all (read + decode)" && sqlite.last?.text == "—")
  }

  @Test("An interval beyond the axis ends in an arrow, one within it in a line")
  func whiskers() {
    let axis = Axis(linearTo: 100, from: 0, to: 100)
    func body(_ low: Double, _ high: Double) -> String {
      var drawing = Drawing()
      drawing.whisker(Interval(low: low, high: high), 10, on: axis)
      return drawing.body
    }
    #expect(body(20, 100).contains("M100 7L100 13"))
    #expect(body(20, 140).contains("M96 6L100 10L96 14") && !body(20, 140).contains("M100 7"))
  }

  @Test("A whisker is below its bar, and names at the ends of curves do not overlap")
  func apart() throws {
    let lane = RowPlot.Lane(
      parts: [(place: 0, end: 50, note: "")], interval: Interval(low: 40, high: 60))
    let plot = RowPlot(
      axis: { Axis(linearTo: 100, from: $0, to: $1) }, origin: 0,
      rows: [RowPlot.Row(name: "json", lanes: [lane])], tick: Wording.multiple)
    // The bar is from 19 to 30, the whisker's ends from 31 to 37.
    #expect(plot.drawing.body.contains(" 19h") && plot.drawing.body.contains("v11h"))
    #expect(plot.drawing.body.contains(" 31L"))
    let axis = { (start: Double, end: Double) in Axis(linearTo: 10, from: start, to: end) }
    let curves = (0..<30).map { CurvePlot.Curve(name: "n\($0)", points: [(1, 5), (10, 5)]) }
    let drawing = CurvePlot(
      axes: (axis, axis), title: "", names: (Wording.multiple, Wording.multiple), curves: curves
    ).drawing
    let heights = drawing.body.matches(of: /y="([0-9.]+)" class="small">n[0-9]+</)
      .compactMap { Double($0.output.1) }.sorted()
    #expect(heights.count == 30)
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 > 10.9 })
    #expect(heights.allSatisfy { $0 > 8 && $0 < drawing.height - 20 })
  }

  @Test("Two names never become one, whatever a phase is called")
  func plain() {
    let names = ["a.b", "a-b", "a b", "A-b", "запись", "чтение", "a_b", "a_2Eb", "decode-2"]
    #expect(Set(names.map(Chart.plain)).count == names.count)
    #expect(Chart.plain("a.b") == "a_2Eb" && Chart.plain("a-decode") == "a-decode")
  }

  @Test("A chart's file is complete with its title, and has colours for light and dark")
  func file() throws {
    let text = try SVGReporter(chart: "phases").render(Self.report)
    #expect(text.hasPrefix("<svg class=\"chart\""))
    #expect(text.contains("xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(text.contains("prefers-color-scheme: dark"))
    #expect(text.contains("<title id=\"title-phases\">Time by phase: small"))
    #expect(text.contains("class=\"strong\">Time by phase: small"))
  }

  @Test("Ink and lines contrast with the ground, and words with the fills, Okabe and Ito's colours")
  func colours() {
    let grounds = ChartStyle.rules.matches(
      of: /--ground: (#[0-9a-f]+); --ink: (#[0-9a-f]+); --line: (#[0-9a-f]+);/)
    #expect(grounds.map { String($0.output.1) } == ["#fff", "#161616"])
    for (_, ground, ink, line) in grounds.map({ $0.output }) {
      // WCAG 2 asks for 3:1 for forms and 4.5:1 for words. Outlines and words are ink.
      #expect(Self.contrast(ground, ink) > 7 && Self.contrast(ground, line) > 3)
    }
    let fills = ChartStyle.rules.matches(of: /\.fill[0-7] \{ fill: (#[0-9a-f]{6}) !important; \}/)
      .map { $0.output.1 }
    #expect(
      fills == [
        "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#ffffff",
      ])
    let curves = ChartStyle.rules.matches(of: /\.curve[0-7] \{ stroke: (#[0-9a-f]{6}); \}/)
    #expect(curves.map { $0.output.1 } == fills)
    for (number, fill) in fills.enumerated() {
      #expect(Self.contrast(fill, number == 4 ? "#fff" : "#000") > 4.5, "\(fill)")
    }
  }

  /// The contrast of two colours such as `#1a1a1a` or `#fff`, from 1 to 21, as WCAG 2 has it.
  private static func contrast(_ one: Substring, _ other: Substring) -> Double {
    let lights = [luminance(one), luminance(other)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private static func luminance(_ colour: Substring) -> Double {
    let digits = colour.dropFirst()
    let size = digits.count / 3
    let parts = (0..<3).map { place -> Double in
      let part = String(digits.dropFirst(place * size).prefix(size))
      let value = Double(UInt8(size == 1 ? part + part : part, radix: 16) ?? 0) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test("An unknown chart is refused with the existing ones")
  func unknown() {
    let known = RunCharts.all(Self.report).map(\.name)
    #expect(throws: NoSuchChart(name: "blcks", known: known)) {
      try SVGReporter(chart: "blcks").render(Self.report)
    }
  }

  @Test("A run of one cell has charts, and one with only failures says that it has none")
  func little() {
    var record = Fixture.run()
    record.cells.removeAll { $0.cell.backend != "json" }
    #expect(RunCharts.all(Report(record: record)).map(\.name) == ["phases"])
    record.cells = []
    let report = Report(record: record)
    #expect(RunCharts.all(report).isEmpty)
    #expect(HTMLReporter().render(report).contains("There is no figure to draw."))
    #expect(throws: NoSuchChart(name: nil, known: [])) { try SVGReporter().render(report) }
  }

  @Test("A metric of a newer program is in its table, and charts still work")
  func unknownMetric() {
    var record = Fixture.run()
    let metric = Metric(
      id: "joules", unit: .count, better: .lower, isExact: false)
    record.cells.append(
      Series(cell: record.cells[0].cell, phase: "encode", metric: metric, blocks: [[3], [4]]))
    #expect(HTMLReporter().render(Report(record: record)).contains("joules"))
  }

  @Test("Ticks are round, within the axis, and no more than asked for")
  func ticks() {
    #expect(Axis(linearTo: 106, from: 0, to: 100).ticks() == [0, 50, 100])
    #expect(
      Axis(linearOver: -0.3...0.5, from: 0, to: 100).ticks() == [-0.2, 0, 0.2, 0.4])
    let thousand = Axis(logarithmicOver: [1, 1_000], from: 0, to: 100)
    #expect(thousand.ticks() == [1, 10, 100, 1_000])
    // Steps too short for a number, or that never come to an end, are none.
    #expect(Axis(linearTo: .leastNonzeroMagnitude, from: 0, to: 100).ticks() == [0])
    #expect(Axis(linearOver: 7...7, from: 0, to: 100).ticks() == [7])
    #expect(Axis(linearOver: -0.02...Double.infinity, from: 0, to: 100).ticks() == [-0.02])
    // Names as long as these leave room for every second.
    #expect(thousand.ticks(named: { "\(Int($0)) of them" }) == [1, 100])
    for exponent in stride(from: -3.0, through: 12, by: 0.37) {
      let value = pow(10, exponent)
      for axis in [
        Axis(linearTo: value, from: 0, to: 1),
        Axis(logarithmicOver: [1, value], from: 0, to: 1),
        Axis(logarithmicOver: [value, value * 1.02], from: 0, to: 1),
      ] {
        let ticks = axis.ticks()
        #expect((1...6).contains(ticks.count), "\(value): \(ticks)")
        #expect(ticks.allSatisfy { (0...1).contains(axis.place($0)) })
        #expect(ticks == ticks.sorted())
      }
    }
  }
}

@Suite("A page needs nothing but itself")
struct PageTests {
  @Test("A separate picture is XML, whatever a name contains")
  func pictures() throws {
    let report = Report(record: Fixture.hostile())
    for chart in RunCharts.all(report).map(\.name) {
      let parser = XMLParser(data: Data(try SVGReporter(chart: chart).render(report).utf8))
      #expect(parser.parse(), "\(chart): \(String(describing: parser.parserError))")
    }
  }

  @Test("No name becomes markup")
  func hostile() {
    let page = HTMLReporter().render(Report(record: Fixture.hostile()))
    #expect(page.ranges(of: "<script").count == 1)
    #expect(!page.contains("<c>") && page.contains("&lt;c&gt;"))
    #expect(!page.contains("<b>#") && !page.contains("<code>"))
    #expect(!page.contains("\u{202E}") && !page.contains("\u{1B}"))
    // A quotation mark followed by an accent is one character with it.
    #expect(!page.utf8.contains("\"\u{301} onmouseover".utf8))
    #expect(page.contains("&quot;\u{301} onmouseover"))
  }

  @Test("No name becomes markup in comparisons of storages, nor in growth of costs")
  func hostileBackends() throws {
    let launch = Criteria(need: "<b>#", weights: Criteria(Fixture.needs[0]).weights)
    let pages = [
      try DocumentFormat.html.render(
        RecommendationReport(
          record: Fixture.hostile(Fixture.sideBySide()), questions: [launch])),
      try DocumentFormat.html.render(ScaleReport(record: Fixture.hostile(Fixture.growing()))),
    ]
    for page in pages {
      #expect(page.ranges(of: "<script").count == 1)
      #expect(!page.contains("<c>") && page.contains("flata&quot;b'&lt;c&gt;"))
      #expect(!page.contains("<b>#"))
      #expect(!page.contains("\u{202E}") && !page.contains("\u{1B}"))
      #expect(!page.utf8.contains("\"\u{301} onmouseover".utf8))
    }
  }

  @Test("The changes in a row that got worse are a flame graph in a frame of the page")
  func profiles() {
    var report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let profile = ProfileFormatTests.profile
    report.profiles = [ProfilePair(old: profile, new: profile, speed: .given)]
    let page = HTMLReporter().render(report)
    #expect(
      page.contains(
        "<summary>json · small · roundtrip · encode, cpu: from the baseline to the candidate</summary>"
      ))
    #expect(page.ranges(of: "<iframe title=\"Flame graph: ").count == 1)
  }

  @Test("Every table has a name, and the settings of the measurement have their own heading")
  func names() {
    let page = HTMLReporter().render(Report(record: Fixture.run()))
    let named = page.ranges(of: "<table aria-label=\"")
    #expect(!named.isEmpty && page.ranges(of: "<table").count == named.count)
    #expect(
      page.contains(
        "<table aria-label=\"large · roundtrip at durability atomic: backend, phase, time"))
    #expect(
      page.contains(
        "<section id=\"measured\" aria-label=\"Measurement details\">\n<h2>Measurement details</h2>"
      ))
  }

  @Test("A storage links to the chart of its costs")
  func links() {
    let page = HTMLReporter().render(Report(record: Fixture.run(menus: ["small", "large"])))
    for name in ["phases", "2-phases"] {
      #expect(page.contains("<a href=\"#chart-\(name)\">json</a>"))
      #expect(page.contains("id=\"chart-\(name)\""))
    }
  }
}
