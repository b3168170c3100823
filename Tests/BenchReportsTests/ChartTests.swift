import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Charts are drawn from the data, and say what to see in it")
struct ChartTests {
  private static let report = Report(record: Fixture.run(menus: ["small", "large"]))

  @Test("Every chart has a title, a sentence, a table and a name of its own")
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

  @Test("A run's charts are of each group, those of the second under names that begin with 2")
  func names() {
    #expect(
      RunCharts.all(Self.report).map(\.name) == [
        "phases", "memory", "size", "floors", "blocks-encode", "blocks-write", "blocks-read",
        "blocks-decode", "2-phases", "2-memory", "2-size", "2-floors", "2-blocks-encode",
        "2-blocks-write", "2-blocks-read", "2-blocks-decode",
      ])
  }

  @Test("What the phases' chart says is what the figures are")
  func phases() throws {
    let chart = try #require(RunCharts.all(Self.report).first { $0.name == "2-phases" })
    #expect(
      chart.table.columns == [
        "storage", "encode", "write", "read", "decode", "save in all (encode + write)",
        "load in all (read + decode)",
      ])
    // The glance's own figures: medians of sums.
    let group = try #require(Self.report.groups.last)
    for row in chart.table.rows {
      let glance = try #require(group.glance.first { $0.backend == row[0].text })
      #expect(
        row.suffix(2).map(\.number) == ["save", "load"].map { glance.costs[$0]?.summary.p50 })
    }
  }

  @Test(
    "A storage that lacks a cost has no bar of it, and one that keeps nothing is never the best")
  func lacking() throws {
    var record = Fixture.run()
    record.cells.removeAll { $0.cell.backend == "sqlite" && $0.phase == "decode" }
    let chart = try #require(RunCharts.all(Report(record: record)).first { $0.name == "phases" })
    let sqlite = try #require(chart.table.rows.first { $0[0].text == "sqlite" })
    #expect(chart.table.columns.last == "load in all (read + decode)" && sqlite.last?.text == "—")
    #expect(!chart.sentence.contains("with memory"))
    let scatter = try #require(RunCharts.all(Report(record: record)).first { $0.name == "memory" })
    let memory = try #require(scatter.table.rows.first { $0[0].text == "memory" })
    #expect(memory.last?.text == "no")
  }

  @Test("A cost that nobody would see is in the table, and its phases are not in the legend")
  func tooShort() throws {
    var record = Fixture.run()
    let floors = record.cells.filter { $0.phase == "read" }.compactMap(\.floor)
    for place in record.cells.indices
    where (["read", "decode"] + floors).contains(record.cells[place].phase) {
      record.cells[place].blocks = record.cells[place].blocks.map { $0.map { $0 / 1_000 } }
    }
    let chart = try #require(RunCharts.all(Report(record: record)).first { $0.name == "phases" })
    #expect(
      chart.table.columns.contains("decode")
        && chart.table.columns.contains("load in all (read + decode)"))
    #expect(chart.sentence.contains("load is too short to be seen here."))
    #expect(chart.drawing.body.contains(">encode<") && !chart.drawing.body.contains(">decode<"))
  }

  @Test("A count that came from nothing, or went to nothing, is drawn and counted like any other")
  func fromNothing() throws {
    func record(_ reads: Double, _ writes: Double) -> RunRecord {
      var record = Fixture.run()
      record.failures = []
      for (metric, value) in [(Metric.readCalls, reads), (.writeCalls, writes)] {
        record.cells.append(
          Series(
            cell: record.cells[0].cell, phase: "read", metric: metric, blocks: [[value], [value]]))
      }
      return record
    }
    let report = Report(record: record(5, 0), baseline: record(0, 5))
    let chart = try #require(RunCharts.all(report).first)
    #expect(chart.name == "ratios")
    let flagged = report.rows.count { [.regressed, .improved].contains($0.verdict) }
    #expect(chart.sentence.hasPrefix("\(flagged) figures differ, first in the chart."))
    let drawn = chart.table.rows.prefix(flagged).map { $0[1].text }
    #expect(drawn.contains("regressed") && drawn.contains("improved"), "\(drawn)")
    #expect(chart.drawing.body.contains("0 → 5") && chart.drawing.body.contains("5 → 0"))
  }

  @Test("What differs and cannot be drawn is named, and so is how much was not decided")
  func undrawn() throws {
    // Of five writes one now takes calls: the medians are 0 as before.
    func record(_ most: Double, slower: Double = 1) -> RunRecord {
      var record = Fixture.run(slower: slower)
      record.failures = []
      record.cells.append(
        Series(
          cell: record.cells[0].cell, phase: "decode", metric: .writeCalls,
          blocks: Array(repeating: [0, 0, most, 0, 0], count: 2)))
      return record
    }
    func sentence(_ now: RunRecord, _ then: RunRecord) throws -> String {
      try #require(RunCharts.all(Report(record: now, baseline: then)).first).sentence
    }
    let name = "memory/large/roundtrip/atomic decode writes"
    #expect(
      try sentence(record(5), record(0)).hasPrefix(
        "1 figure differs, not drawn: \(name). 8 figures were not decided. Right of the line"))
    #expect(
      try sentence(record(5, slower: 1.25), record(0)).hasPrefix(
        "6 figures differ, 5 of them first in the chart; not drawn: \(name). 8 figures were not"))
    #expect(
      try sentence(record(0), record(0)).hasPrefix(
        "No figure was found to differ. 8 figures were not decided. Right of the line"))
  }

  @Test("An interval beyond the axis ends in an arrow, one within it in a line")
  func whiskers() {
    let axis = Axis(linearTo: 100, from: 0, to: 100)
    func body(_ low: Double, _ high: Double) -> String {
      var drawing = Drawing()
      drawing.whiskers([(Interval(low: low, high: high), 10)], on: axis)
      return drawing.body
    }
    #expect(body(20, 100).contains("M100 7v6"))
    #expect(body(20, 140).contains("M96 6l4 4l-4 4") && !body(20, 140).contains("M100 7"))
  }

  @Test("No two names become one, whatever a phase is called")
  func plain() {
    let names = ["a.b", "a-b", "a b", "A-b", "запись", "чтение", "a_b", "a_2Eb", "decode-2"]
    #expect(Set(names.map(Chart.plain)).count == names.count)
    #expect(Chart.plain("a.b") == "a_2Eb" && Chart.plain("blocks-decode") == "blocks-decode")
  }

  @Test("A chart's file stands by itself and names its colours in light and in dark")
  func file() throws {
    let text = try SVGReporter(chart: "blocks-decode").render(Self.report)
    #expect(text.hasPrefix("<svg class=\"chart\""))
    #expect(text.contains("xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(text.contains("prefers-color-scheme: dark"))
    #expect(text.contains("<title id=\"title-blocks-decode\">Blocks of decode: small"))
  }

  @Test("Ink and lines stand out from the ground, words from the fills, which are Okabe and Ito's")
  func colours() {
    let grounds = ChartStyle.variables.matches(
      of: /--ground: (#[0-9a-f]+); --ink: (#[0-9a-f]+); --line: (#[0-9a-f]+);/)
    #expect(grounds.map { String($0.output.1) } == ["#fff", "#161616"])
    for (_, ground, ink, line) in grounds.map({ $0.output }) {
      // WCAG 2 asks 3:1 of forms, 4.5:1 of words; outlines and words are ink.
      #expect(Self.contrast(ground, ink) > 7 && Self.contrast(ground, line) > 3)
    }
    let fills = ChartStyle.rules.matches(of: /\.fill[0-7] \{ fill: (#[0-9a-f]{6}) !important; \}/)
      .map { $0.output.1 }
    #expect(
      fills == [
        "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#ffffff",
      ])
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

  @Test("A chart that there is not is refused with those that there are")
  func unknown() {
    let known = RunCharts.all(Self.report).map(\.name)
    #expect(throws: NoSuchChart(name: "blcks", known: known)) {
      try SVGReporter(chart: "blcks").render(Self.report)
    }
  }

  @Test("A run of one cell has charts of it, one of failures only has none and says so")
  func little() {
    var record = Fixture.run()
    record.cells.removeAll { $0.cell.backend != "json" }
    let names = RunCharts.all(Report(record: record)).map(\.name)
    #expect(
      names == [
        "phases", "floors", "blocks-encode", "blocks-write", "blocks-read", "blocks-decode",
      ])
    record.cells = []
    let report = Report(record: record)
    #expect(RunCharts.all(report).isEmpty)
    #expect(HTMLReporter().render(report).contains("There is no figure to draw."))
    #expect(throws: NoSuchChart(name: nil, known: [])) { try SVGReporter().render(report) }
  }

  @Test("A metric of a newer program is shown in its table, and no chart stumbles over it")
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
  @Test("A picture by itself is XML, whatever a name holds")
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
    // With an accent behind it a quotation mark is no character of its own.
    #expect(!page.utf8.contains("\"\u{301} onmouseover".utf8))
    #expect(page.contains("&quot;\u{301} onmouseover"))
  }

  @Test("No name becomes markup where storages stand side by side, nor where costs grow")
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

  @Test("Of an exact figure that moved by little the table of ratios says by how much")
  func smallRatio() throws {
    var record = Fixture.run()
    for place in record.cells.indices {
      let series = record.cells[place]
      guard series.cell.backend == "json", series.phase == "decode",
        series.metric == .allocatedBytes
      else { continue }
      record.cells[place].blocks = series.blocks.map { $0.map { $0 + 64 } }
    }
    let charts = RunCharts.all(Report(record: record, baseline: Fixture.baseline))
    let chart = try #require(charts.first { $0.name == "ratios" })
    let row = try #require(chart.table.rows.first { $0[1].text == "regressed" })
    #expect(row.map(\.text).dropFirst(2) == ["+0.0001 %", "—", "51,000,000 B", "51,000,064 B"])
  }

  @Test("What is not alike on both sides stands above the verdict")
  func differences() throws {
    var baseline = Fixture.baseline
    baseline.machine.swift = "6.2.0"
    let page = HTMLReporter().render(Report(record: Fixture.run(slower: 1.25), baseline: baseline))
    let differences = try #require(page.range(of: "The two sides were not measured alike"))
    let verdict = try #require(page.range(of: "class=\"headline\""))
    #expect(differences.lowerBound < verdict.lowerBound)
    #expect(page.contains("swift: 6.3.1, baseline 6.2.0"))
    #expect(
      page.contains("<section id=\"alike\" aria-label=\"The two sides were not measured alike\">"))
  }

  @Test("What changed in a row that got worse is a flame graph of the page, in a frame of its own")
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

  @Test(
    "Rows that changed are explained by what was profiled of both sides apart, those that did not are not"
  )
  func explained() throws {
    var report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    var now = ProfileFormatTests.profile
    now.cell.menu = "large"
    now.phase = "decode"
    var then = now
    (then.stacks[2].values, now.stacks[2].values) = ([[2e9, 0]], [[3e9, 0]])
    var unchanged = now
    unchanged.phase = "encode"
    #expect(report.explain(from: [unchanged, then], to: [now, unchanged]) == nil)
    #expect(report.profiles.map(\.new.phase) == ["decode"])
    #expect(report.profiles.map(\.wereTakenApart) == [true])
    let row = try #require(
      report.regressions.first { $0.phase == "decode" && $0.metric == .wall })
    #expect(
      report.explanation(of: row)?.words
        == "because of Codec.encode(_:) +200 ms: 100 % of what grew (by profiles that were not taken in turn)"
    )
    let page = HTMLReporter().render(report)
    #expect(page.contains("json · large · roundtrip · decode, cpu: from the baseline to the"))
    #expect(
      page.contains(
        "The two were not profiled in turn, so that the machine may have changed between them: the baseline at a time "
          + "that is not known, the candidate at a time that is not known."))
  }

  @Test("Profiles that do not show what changed, or are of other work, explain nothing")
  func unexplained() throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    var now = ProfileFormatTests.profile
    (now.cell.menu, now.phase) = ("large", "decode")
    let row = try #require(
      report.regressions.first { $0.phase == "decode" && $0.metric == .wall })
    var same = report
    #expect(same.explain(from: [now], to: [now]) == nil)
    #expect(
      same.explanation(of: row)?.words
        == "not explained: the profiles differ by 1.00×, the row by 1.25×: they were not taken in turn, and do not show what changed"
    )
    func lack(_ change: (inout Profile) -> Void) -> String? {
      var (then, other) = (now, report)
      change(&then)
      let lack = other.explain(from: [then], to: [now])
      #expect(other.profiles.isEmpty)
      // A row of which both were profiled says why they tell nothing.
      let isOfBoth = then.phase == now.phase
      #expect(other.explanation(of: row)?.lack == (isOfBoth ? lack : nil))
      return lack
    }
    let place = "json/large/roundtrip/atomic decode"
    #expect(
      lack { $0.measures.removeLast() } == "\(place) by cpu was profiled by other measures")
    #expect(
      lack { profile in
        profile.origin = Profile.Origin(
          fingerprint: "other", revision: nil, started: "2026-01-01T00:00:00Z")
      } == "\(place) by cpu was profiled with another menu of that name")
    var empty = now
    empty.stacks = []
    var other = report
    #expect(other.explain(from: [empty], to: [now]) == nil)
    #expect(
      other.explanation(of: row)?.words == "not explained: one of the two profiles is empty")
    #expect(
      lack { $0.phase = "write" }?.hasPrefix("of the rows that changed (\(place)") == true)
    var unchanged = Report(record: Fixture.baseline, baseline: Fixture.baseline)
    #expect(unchanged.explain(from: [now], to: [now]) == "no row changed")
  }

  @Test("A run of which enough was measured says what to take for each need, and draws the sum")
  func recommended() throws {
    let record = Fixture.sideBySide()
    let page = HTMLReporter().render(Report(record: record))
    #expect(page.contains("<h3>Which to take</h3>"))
    let row = ##"<a href="#chart-score-launch-larger">launch</a></th><td class="w">larger</td>"##
    #expect(page.contains(row + #"<td class="w">sqlite</td><td>1.00×</td><td class="w">flat</td>"#))
    #expect(
      page.contains(
        "<li>for launch with medium: flat or sqlite, too close to call, among the 3 of 4 that have every figure. "
      ))
    #expect(page.contains("<li>for launch with larger: sqlite. sqlite scores "))
    #expect(
      page.contains(
        "<li>catalogue, offline, frequent-updates: less than half of what it weighs was measured</li>"
      ))
    let all = "bench compare --backend json,flat,sqlite --menu medium,smaller,larger"
    #expect(page.contains("'\(all)' measures what is missing."))
    #expect(page.contains("Costs are of durability atomic."))
    #expect(
      page.contains(
        "among the 3 of 4 that have every figure. ")
        && page.contains(
          "; not ranked: memory (keeps nothing after a restart), object-graph-faulting ")
    )
    let scores = RunCharts.all(Report(record: record)).map(\.name).filter { $0.contains("score") }
    #expect(scores == ["score-launch", "score-launch-smaller", "score-launch-larger"])
    let picture = try SVGReporter(chart: "score-launch-larger").render(Report(record: record))
    #expect(picture.contains("What the scores are made of: for launch with larger</title>"))
    // Of two menus of one name the first is meant, and no name stands twice.
    var twice = record
    twice.menus[1].name = "medium"
    let names = HTMLReporter().render(Report(record: twice)).ranges(
      of: " id=\"chart-score-launch\"")
    #expect(names.count == 1)
    // What a shell would read otherwise is not offered for pasting.
    var spaced = record
    for place in spaced.menus.indices {
      spaced.menus[place].source = "/tmp/my menu.json, format menubench"
    }
    #expect(HTMLReporter().render(Report(record: spaced)).contains(" --menu MENU' measures"))
    // The page of backends side by side has its sums already.
    let compare = try DocumentFormat.html.render(
      RecommendationReport(
        record: record, questions: (record.needs ?? []).prefix(1).map(Criteria.init)))
    #expect(compare.ranges(of: "<figure class=\"figure\" id=\"chart-score-launch\">").count == 1)
  }

  @Test(
    "A run of which too little was measured says how to come to a recommendation; of one storage and against a baseline nothing is recommended"
  )
  func unanswered() {
    let way = "Which of them to choose depends on what the app does most: "
    #expect(HTMLReporter().render(Report(record: Fixture.run())).contains(way))
    var alone = Fixture.sideBySide()
    alone.cells.removeAll { $0.cell.backend != "json" }
    alone.outcomes.removeAll { $0.cell.backend != "json" }
    let compared = Report(record: Fixture.sideBySide(), baseline: Fixture.sideBySide())
    for report in [Report(record: alone), compared] {
      let page = HTMLReporter().render(report)
      #expect(!page.contains(way) && !page.contains("Which to take"))
      #expect(!RunCharts.all(report).contains { $0.name.contains("score") })
    }
  }

  @Test("Every table has a name, and how it was measured a heading of its own")
  func names() {
    let page = HTMLReporter().render(Report(record: Fixture.run()))
    let named = page.ranges(of: "<table aria-label=\"")
    #expect(!named.isEmpty && page.ranges(of: "<table").count == named.count)
    #expect(
      page.contains(
        "<table aria-label=\"large · roundtrip at durability atomic: backend, phase, time"))
    #expect(
      page.contains(
        "<section id=\"measured\" aria-label=\"How it was measured\">\n<h2>How it was measured</h2>"
      ))
  }

  @Test("A phase leads to the chart of its blocks")
  func links() {
    let page = HTMLReporter().render(Report(record: Fixture.run(menus: ["small", "large"])))
    for name in ["blocks-decode", "2-blocks-decode"] {
      #expect(page.contains("<a href=\"#chart-\(name)\">decode</a>"))
      #expect(page.contains("id=\"chart-\(name)\""))
    }
  }
}
