import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

@Suite("The history shows changes first, and then every series")
struct HistoryFormatTests {
  private static let unlimited = Terminal.unlimitedWidth

  @Test("Changes come first, with their revisions, and then each series with its course")
  func table() {
    let report = Self.report([
      ("decode", [(46_700_000, 8), (58_375_000, 8)]), ("encode", [(44_200_000, 16)]),
    ])
    #expect(
      HistoryFormat.table.render(report, width: Self.unlimited) == """
        1 of 2 series changed in 16 runs

        • worse: json/large/roundtrip/atomic/decode/wall: 1.25× slower, 46.7 ms → 58.4 ms, since \
        2026-01-01 00:08, first with r8, after r7

        json/large/roundtrip/atomic

        phase   metric  runs  trend                 was      now  change
        ──────  ──────  ────  ────────────────  ───────  ───────  ────────────
        decode  wall      16  ▁▁▁▁▁▁▁▁████████  46.7 ms  58.4 ms  1.25× slower
        encode  wall      16  ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄  44.2 ms  44.2 ms

        trend: from the oldest run to the newest, the lowest figure to the highest; was: the median \
        of the oldest level; now: the newest run; change: from the oldest level to the newest. An \
        exact figure shows a change at once. A time takes 3 runs at the new level, or more for a \
        small change.

        """)
    let plain = HistoryFormat.table.render(report, width: Self.unlimited, hasBars: false)
    #expect(plain.contains("\ndecode  wall      16  46.7 ms  58.4 ms  1.25× slower\n"))
    #expect(plain.contains("\nwas: the median of"))
    let narrow = HistoryFormat.table.render(report, width: 80)
    #expect(narrow.split(separator: "\n").allSatisfy { $0.displayWidth <= 80 })
  }

  @Test("Exact figures that look equal in three digits are drawn over their own range, in full")
  func exact() {
    let report = Self.report(
      [("encode", [(1_850_112, 7), (1_850_128, 7)])], metric: .payloadBytes)
    let page = HistoryFormat.html.render(report)
    #expect(page.contains(" class=\"end small\">1,850,120 B</text>"))
  }

  @Test("Few runs show no change, and without a change the headline says so")
  func nothing() {
    func headline(_ runs: Int) -> Substring? {
      HistoryFormat.table.render(Self.report([("decode", [(100, runs)])]))
        .split(separator: "\n").first
    }
    #expect(
      headline(5) == "A time needs 6 runs to show a change, an exact figure 2; the longest has 5")
    #expect(headline(6) == "No change found in 1 series of 6 runs")
  }

  @Test("The headline counts series that are long enough, and agrees with the table")
  func headlines() {
    func headline(_ phases: [(String, [(Double, Int)])]) -> Substring? {
      HistoryFormat.table.render(Self.report(phases), width: Self.unlimited)
        .split(separator: "\n").first
    }
    let (still, few) = (("decode", [(100.0, 12)]), ("few", [(100.0, 5)]))
    #expect(
      headline([still, few])
        == "No change found in 1 series of 12 runs, and 1 more has too few runs")
    #expect(
      headline([still, few, ("none", [(1, 2)]), ("encode", [(100, 6), (125, 6)])])
        == "1 of 2 series changed in 12 runs, and 2 more have too few runs")
    #expect(
      headline([still, ("encode", [(100, 6), (101, 6)])])
        == "No change found in 2 series of 12 runs")
  }

  @Test("The headline does not count runs of series that are too short")
  func runsOfShortSeries() {
    let line = Self.content([("few", [(100, 3)])], metric: .wall) { "r\($0)" }.lines[0]
    let others = line.points.map { point in
      HistoryPoint(
        run: HistoryRun(id: "other " + point.run.id, began: point.run.began, revision: nil),
        figure: point.figure)
    }
    var content = Self.content([("decode", [(100, 12)])], metric: .wall) { "r\($0)" }
    content.lines.append(HistoryLine(key: line.key, context: line.context, points: others))
    let text = HistoryFormat.table.render(
      HistoryReport(content, last: 500) { _ in true }, width: Self.unlimited)
    #expect(
      text.hasPrefix(
        "No change found in 1 series of 12 runs, and 1 more has too few runs\n"))
  }

  @Test("A chart's sentence compares values")
  func sentences() {
    let times = Self.report([("encode", [(100, 7), (101, 1)])])
    #expect(
      HistoryFormat.html.render(times).contains(
        "<p>No change is found in 8 runs, from 100 ns to 101 ns. The newest is at 101 ns.</p>"))
    let counts = Self.report([("encode", (1...6).map { (Double($0), 1) })], metric: .allocations)
    let page = HistoryFormat.html.render(counts)
    #expect(page.components(separatedBy: "<p>It became ").count == 2)
    #expect(page.contains(" Earlier changes: 2.</p>"))
  }

  @Test("Small steps are described without a revision to blame, and a change with its doubts")
  func words() {
    let small = Self.report([("encode", (0..<11).map { (100 * pow(1.019, Double($0)), 5) })])
    #expect(
      Self.lines(small) == [
        "• worse: json/large/roundtrip/atomic/encode/wall: 1.21× slower, 100 ns → 121 ns, little by"
          + " little from 2026-01-01 00:00 (r0) to 2026-01-01 00:54 (r54)"
      ])
    let machine = Self.report([
      ("encode", [(100, 6), (130, 6)]), ("control", [(1_000, 6), (1_300, 6)]),
    ])
    #expect(
      Self.lines(machine).first?.hasSuffix(
        ", and the control, which your code cannot affect, became 1.30× slower too") == true)
    let counts = Self.report([("read", [(0, 4), (3, 4)])], metric: .readCalls)
    #expect(
      Self.lines(counts) == [
        "• worse: json/large/roundtrip/atomic/read/read_calls: 0 → 3, since 2026-01-01 00:04, first"
          + " with r4, after r3"
      ])
    let same = Self.report([("encode", [(100, 6), (50, 6)])], revision: { _ in "r" })
    #expect(
      Self.lines(same) == [
        "• better: json/large/roundtrip/atomic/encode/wall: 2.00× faster, 100 ns → 50 ns, since"
          + " 2026-01-01 00:06, though the run before had r, too"
      ])
    let unknown = Self.report([("encode", [(100, 6), (50, 6)])], revision: { _ in nil })
    #expect(Self.lines(unknown).first?.hasSuffix(", of unknown revision") == true)
  }

  @Test("The report says when another machine starts series again, and distinguishes them")
  func contextBreaks() {
    var content = Self.content([("encode", [(100, 6)])], metric: .wall) { "r\($0)" }
    let later = content.lines[0].points.map { point in
      HistoryPoint(
        run: HistoryRun(
          id: "later " + point.run.id, began: point.run.began.replacing("T00:", with: "T01:"),
          revision: nil), figure: point.figure)
    }
    content.contexts["b"] = HistoryContext(Self.record(cpu: "Z80"))
    content.lines.append(
      HistoryLine(key: content.lines[0].key, context: "b", points: later))
    let text = HistoryFormat.table.render(
      HistoryReport(content, last: 500) { _ in true }, width: Self.unlimited)
    #expect(
      text.contains(
        "\nSeries that start again\n\n• 2026-01-01 01:00, 1 series: cpu: Z80, before EPYC\n"))
    #expect(text.contains("\nencode  wall (1 of 2)     6  "))
    #expect(text.contains("\nencode  wall (2 of 2)     6  "))
  }

  @Test("A terminal shows many series only if they changed, and a page shows all")
  func many() {
    let phases: [(String, [(Double, Int)])] = (0..<30).map {
      ("phase-\($0)", [(100.0, 6), ($0 == 7 ? 200 : 100, 6)])
    }
    let report = Self.report(phases)
    let text = HistoryFormat.table.render(report, width: Self.unlimited)
    #expect(text.contains("\nphase-7  wall") && !text.contains("phase-8"))
    #expect(
      text.contains(
        "\n29 more series did not change. A terminal shows 24 at most. Name some,"))
    #expect(HistoryFormat.markdown.render(report).contains("| phase-8 | wall | 12 |"))
    let page = HistoryFormat.html.render(report)
    #expect(page.components(separatedBy: "<svg ").count == 25)
    #expect(page.contains("<p>Only in the tables: 6 more series."))
    let first = "<figcaption>json/large/roundtrip/atomic/phase-7/wall</figcaption>"
    #expect(page.contains("id=\"chart-trend-1\">\n\(first)"))
    // A row links to its chart if it has one. A line of bars is not read aloud.
    #expect(
      page.contains(
        "<tr><th scope=\"row\"><a href=\"#chart-trend-1\">phase-7</a></th><td class=\"w\">wall</td>"
          + "<td data-value=\"12\">12</td><td class=\"w\"><span aria-hidden=\"true\">▁▁▁▁▁▁██████</span></td>"
      ))
    #expect(page.contains("<a href=\"#chart-trend-24\">phase-23</a>"))
    #expect(page.contains("<tr><th scope=\"row\">phase-24</th>"))
  }

  @Test("A page draws each series, with its sentence and all figures, and escapes every name")
  func page() throws {
    let name = "<script>alert(1)</script>|\"\n\u{202E}x"
    let report = Self.report(
      [
        (name, [(46_700_000, 8), (58_375_000, 8)]), ("few", [(100, 3)]), ("none", [(0, 8)]),
        ("one", [(100, 1)]),
      ],
      revision: { _ in name })
    let page = HistoryFormat.html.render(report)
    #expect(page.components(separatedBy: "<script>").count == 2)
    #expect(!page.contains("\u{202E}"))
    #expect(page.components(separatedBy: "<figure ").count == 5)
    #expect(
      page.contains(
        "<p>It became 1.25× slower, 46.7 ms → 58.4 ms, since 2026-01-01 00:08, though the run before"
      ))
    #expect(page.contains("<p>It is at 100 ns in 3 runs. A change takes 6 runs to show.</p>"))
    #expect(page.contains("<p>It is at 100 ns in 1 run. A change takes 6 runs to show.</p>"))
    #expect(page.contains("<p>It stayed at 0 ns in 8 runs.</p>"))
    #expect(page.components(separatedBy: "data-value=\"58375000\"").count == 10)
    for format in HistoryFormat.allCases {
      let text = format.render(report)
      #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && text.hasSuffix("\n"))
    }
  }

  /// `scripts/check-formats` gives the file to another reader.
  @Test("CSV has a line for each run and figure, and unknown values are empty")
  func csv() throws {
    let name = "<script>alert(1)</script>|\"\n\u{202E}x\\"
    let content = Self.content(
      [(name, [(58_375_000.5, 2)]), ("decode", [(100, 2)])], metric: .wall
    ) { _ in "=r,\"" }
    let context = HistoryContext(Self.record())
    let text = content.lines.map { HistoryCSV.text($0, context) }.joined()
    try GoldenFile.compare(HistoryCSV.header + text, with: "hostile-history.csv")
  }

  @Test("Tags can be separated again, whatever they contain")
  func tags() {
    let plain = Self.content([("decode", [(100, 1)])], metric: .wall) { "r\($0)" }.lines[0]
    let tags = ["pr": "12", "note": "a team=b, 5 %"]
    let point = plain.points[0]
    let run = HistoryRun(id: "run0", began: point.run.began, revision: "r0", tags: tags)
    let line = HistoryLine(
      key: plain.key, context: plain.context, points: [HistoryPoint(run: run, figure: point.figure)]
    )
    #expect(
      HistoryCSV.text(line, HistoryContext(Self.record()))
        .contains(",r0,\"note=a%20team=b,%205%20%25 pr=12\",json,"))
  }

  @Test("The list and CSV name the side of a gate")
  func side() {
    var gate = Self.record()
    gate.pairing = Pairing(
      id: "1", side: .candidate, executable: "bench", revision: nil, looks: InterimPlan())
    let context = HistoryContext(gate)
    let line = Self.content([("decode", [(100, 1)])], metric: .wall) { "r\($0)" }.lines[0]
    #expect(HistoryCSV.text(line, context).contains(",\(Tool.currentMethod),fresh,candidate,EPYC,"))
    let run = StoredHistoryRun(run: line.points[0].run, context: context, figures: 1)
    #expect(
      HistoryList.runs([run], of: 1, width: Self.unlimited)
        .contains("EPYC, 2 cores, Swift 6.3.1, candidate of a gate\n"))
  }

  @Test("The list of a history has runs with their machines, and series by name")
  func list() {
    let content = Self.content(
      [("decode", [(100, 2)]), ("encode", [(100, 3)])], metric: .wall
    ) { "r\($0)" }
    #expect(
      HistoryList.series(content.lines.map { ($0.key, $0.points.count) }) == """
        series

        name                                     runs
        ───────────────────────────────────────  ────
        json/large/roundtrip/atomic/decode/wall     2
        json/large/roundtrip/atomic/encode/wall     3

        """)
    let runs = content.lines[0].points.map {
      StoredHistoryRun(
        run: $0.run, context: HistoryContext(Self.record(build: "debug")), figures: 1_234)
    }
    #expect(
      HistoryList.runs(runs, of: 12, width: Self.unlimited) == """
        runs

        began             run   revision  figures  measured
        ────────────────  ────  ────────  ───────  ─────────────────────────────────
        2026-01-01 00:00  run0  r0          1,234  EPYC, 2 cores, Swift 6.3.1, debug
        2026-01-01 00:01  run1  r1          1,234  EPYC, 2 cores, Swift 6.3.1, debug

        and 10 older ones

        """)
  }

  @Test("In 80 columns names and revisions are whole, and a commit's id is valid for git")
  func narrowList() throws {
    let phase = String(repeating: "very-long-", count: 8) + "phase"
    let revisions = ["0123456789ab-dirty", String(repeating: "0123456789abcdef", count: 3)]
    let content = Self.content([(phase, [(100, 2)])], metric: .wall) {
      String(revisions[$0].prefix(40))
    }
    let series = HistoryList.series(content.lines.map { ($0.key, $0.points.count) })
    #expect(series.contains("\njson/large/roundtrip/atomic/\(phase)/wall     2\n"))
    let runs = content.lines[0].points.map {
      StoredHistoryRun(
        run: $0.run, context: HistoryContext(Self.record(build: "debug")), figures: 1_234)
    }
    #expect(
      HistoryList.runs(runs, of: 2, width: 60) == """
        runs

        began             run   revision            figures
        ────────────────  ────  ──────────────────  ───────
        2026-01-01 00:00  run0  0123456789ab-dirty    1,234
        2026-01-01 00:01  run1  0123456789ab          1,234
        (in every row: measured: EPYC, 2 cores, Swift 6.3.1, debug)

        """)
  }
}

extension HistoryFormatTests {
  /// The lines of what changed.
  private static func lines(_ report: HistoryReport) -> [String] {
    HistoryFormat.table.render(report, width: unlimited).split(separator: "\n")
      .filter { $0.hasPrefix("•") }.map(String.init)
  }

  /// The series of phases, each with levels of that many runs. The control only helps.
  static func report(
    _ phases: [(String, [(Double, Int)])], metric: Metric = .wall,
    revision: (Int) -> String? = { "r\($0)" }
  ) -> HistoryReport {
    HistoryReport(
      content(phases, metric: metric, revision: revision), last: 500, where: \.isJudged)
  }

  /// The output of `bench history export` for the same series.
  static func csv(_ phases: [(String, [(Double, Int)])]) -> String {
    let context = HistoryContext(record())
    let lines = content(phases, metric: .wall) { "r\($0)" }.lines
    return HistoryCSV.header + lines.map { HistoryCSV.text($0, context) }.joined()
  }

  private static func content(
    _ phases: [(String, [(Double, Int)])], metric: Metric, revision: (Int) -> String?
  ) -> HistoryContent {
    let lines = phases.map { phase, levels in
      let values = levels.flatMap { Array(repeating: $0.0, count: $0.1) }
      return HistoryLine(
        key: HistoryKey(
          cell: Cell(
            backend: "json", menu: "large", workload: "roundtrip", durability: "atomic"),
          phase: phase, metric: metric, menu: "00000000000000aa"),
        context: "a",
        points: values.enumerated().map { number, value in
          HistoryPoint(
            run: HistoryRun(
              id: "run\(number)",
              began: "2026-01-01T00:\(number < 10 ? "0" : "")\(number):00Z",
              revision: revision(number)),
            figure: HistoryFigure(p50: value, interval: nil, blocks: 12, samples: 36))
        })
    }
    return HistoryContent(contexts: ["a": HistoryContext(record())], lines: lines)
  }

  private static func record(cpu: String = "EPYC", build: String = "release") -> RunRecord {
    RunRecord(
      tool: Tool(name: "bench", version: "0.1", revision: nil),
      machine: Machine(cpu: cpu, cores: 2, build: build)
        .with(\.swift, "6.3.1").with(\.environment, [:]),
      settings: Settings(started: "", targetPrecision: 0.03, scheduleSeed: 1, storage: ".")
        .with(\.fileSystem, "ext4"))
  }
}
