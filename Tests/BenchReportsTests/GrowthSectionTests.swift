import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("How a store grows")
struct GrowthSectionTests {
  private func series(
    _ backend: String, _ phase: String, _ blocks: [[Double]],
    _ metric: Metric = .storedPeakBytes
  ) -> Series {
    Series(
      cell: Cell(backend: backend, menu: "large", workload: "replace", durability: "atomic"),
      phase: phase, metric: metric, blocks: blocks)
  }

  private func text(_ cells: [Series]) -> String {
    var record = Fixture.run()
    (record.cells, record.outcomes, record.failures) = (cells, [], [])
    return Report(record: record).groups.flatMap(GrowthSection.parts)
      .map { $0.text(width: 100) }.joined(separator: "\n")
  }

  /// As `replace` notes it: after each revision while the store is in use, and once it is closed.
  private var grown: [Series] {
    [
      series("sqlite", "replace", [[1_000, 3_000, 5_000, 4_000], [1_000, 3_000, 5_500, 4_000]]),
      series("sqlite", "replace", [[3_500], [3_500]], .storedBytes),
      series("sqlite", "compact", [[6_000], [6_000]]),
      series("sqlite", "compact", [[900], [900]], .storedBytes),
      series("json", "replace", [[800, 800]]),
    ]
  }

  @Test("is a table of the first size, the last, the largest and that at rest")
  func growth() {
    #expect(
      text(grown) == """
        backend  phase      first     last     most  at rest
        ───────  ───────  ───────  ───────  ───────  ───────
        sqlite   replace  1.00 kB  4.00 kB  5.50 kB  3.50 kB
                 compact        —        —  6.00 kB    900 B

        json     replace    800 B    800 B    800 B        —

        bytes of every file of the store in use: after the first revision, the last, at most; at rest: once
        it is closed

        """)
  }

  @Test("is a chart of a curve a store")
  func chart() throws {
    var record = Fixture.run()
    (record.cells, record.outcomes, record.failures) = (grown, [], [])
    let charts = RunCharts.all(Report(record: record))
    let chart = try #require(charts.first { $0.name == "growth-of-files" })
    #expect(
      chart.sentence
        == "sqlite grows while revisions are stored over each other, to 5.00× its first size.")
    #expect(
      chart.table.rows.map { $0.map(\.text) } == [
        ["sqlite", "1.00 kB", "4.00 kB", "5.50 kB", "3.50 kB"],
        ["json", "800 B", "800 B", "800 B", "—"],
      ])
  }

  @Test("has no multiple of a store that begins with nothing, and draws no size of 0")
  func fromNothing() throws {
    func chart(_ first: Double) throws -> Chart {
      var record = Fixture.run()
      record.cells = [
        series("sqlite", "replace", [[first, 4_000, 2_000]]),
        series("json", "replace", [[800, 800]]),
      ]
      (record.outcomes, record.failures) = ([], [])
      let charts = RunCharts.all(Report(record: record))
      return try #require(charts.first { $0.name == "growth-of-files" })
    }
    let empty = try chart(0)
    #expect(
      empty.sentence
        == "No other store grows while revisions are stored over each other. sqlite begins with"
        + " nothing, of which there is no multiple.")
    // Two curves, of three points and two; that of the store which was empty begins at its second size.
    func points(_ chart: Chart) -> [Int] {
      chart.drawing.body.split(separator: "\n").filter { $0.contains("class=\"curve\"") }
        .map { $0.split(separator: "\"")[1].count { "Mlhv".contains($0) } }
    }
    #expect(try points(chart(1_000)) == [3, 2])
    #expect(points(empty) == [2, 2])
  }

  @Test("is not told where a store has but one size")
  func one() {
    #expect(text([series("json", "write", [[800], [800]])]) == "")
    #expect(text([]) == "")
  }
}
