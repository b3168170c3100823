import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("How a store grows")
struct GrowthSectionTests {
  private func series(_ backend: String, _ phase: String, _ blocks: [[Double]]) -> Series {
    Series(
      cell: Cell(backend: backend, menu: "large", workload: "replace", durability: "atomic"),
      phase: phase, metric: .storedBytes, blocks: blocks)
  }

  private func text(_ cells: [Series]) -> String {
    var record = Fixture.run()
    (record.cells, record.outcomes, record.failures) = (cells, [], [])
    return Report(record: record).groups.flatMap(GrowthSection.parts)
      .map { $0.text(width: 100) }.joined(separator: "\n")
  }

  @Test("is a table of the first size, the last and the largest")
  func growth() {
    let text = text([
      series("sqlite", "replace", [[1_000, 3_000, 5_000, 4_000], [1_000, 3_000, 5_000, 4_000]]),
      series("sqlite", "compact", [[900], [900]]), series("json", "replace", [[800, 800]]),
    ])
    #expect(
      text == """
        backend  phase      first     last     most
        ───────  ───────  ───────  ───────  ───────
        sqlite   replace  1.00 kB  4.00 kB  5.00 kB
                 compact        —    900 B    900 B

        json     replace    800 B    800 B    800 B

        bytes of every file of the store: after the first revision, the last, at most

        """)
  }

  @Test("is not told where a store has but one size")
  func one() {
    #expect(text([series("json", "write", [[800], [800]])]) == "")
    #expect(text([]) == "")
  }
}
