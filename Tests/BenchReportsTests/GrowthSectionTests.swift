import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("The growth of a store")
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

        bytes of all files of the store in use: after the first revision, the last, at most; at rest: after
        it is closed

        """)
  }

  @Test("is left out if a store has only one size")
  func one() {
    #expect(text([series("json", "write", [[800], [800]])]) == "")
    #expect(text([]) == "")
  }
}
