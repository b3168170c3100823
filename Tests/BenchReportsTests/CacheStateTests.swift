import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("The states of caches")
struct CacheStateTests {
  private let cell = Cell(
    backend: "json", menu: "large", workload: "product", durability: "atomic")

  private func text(_ series: [Series]) -> String {
    var record = Fixture.run()
    record.cells = series
    record.failures = []
    return MarkdownReporter().render(Report(record: record))
  }

  private func series(_ phase: String, _ metric: Metric, _ value: Double) -> Series {
    Series(cell: cell, phase: phase, metric: metric, blocks: [[value], [value]])
  }

  @Test("are named for phases that know how cold they were, with the share")
  func named() {
    let warm = [series("product", .wall, 2e6), series("product", .touchedBytes, 8_192)]
    let cold = [series("cold-product", .wall, 5e6), series("cold-product", .residentShare, 1.5)]
    let both = text(warm + cold)
    #expect(
      both.contains(
        "cold: cold-product, from opening the store in a fresh process, with its files not in the "
          + "page cache; all other readings have the store's pages in memory; time:"))
    #expect(both.contains("resident: share of the store's files still cached in a cold phase"))
    #expect(both.contains("| 1.5 % |"))
    #expect(both.contains("touched: bytes of the pages that it used"))
  }

  @Test("are not named if nothing is cold")
  func none() { #expect(!text([series("product", .wall, 2e6)]).contains("cold")) }
}
