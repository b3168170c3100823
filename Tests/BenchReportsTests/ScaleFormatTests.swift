import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("The report of growth shows what is worse than linear first, and then all figures")
struct ScaleFormatTests {
  @Test("Growth of four backends", arguments: ScaleReport.formats)
  func golden(format: DocumentFormat) throws {
    let names: [DocumentFormat: String] = [
      .table: "scale.txt", .markdown: "scale.md", .html: "scale.html", .csv: "scale.csv",
    ]
    let text = try format.render(ScaleReport(record: Fixture.growing()), width: 80)
    try GoldenFile.compare(text, with: try #require(names[format]))
  }

  @Test("No line is wider than the terminal, and tables with many backends break")
  func width() throws {
    var record = Fixture.growing()
    for copy in 1...3 {
      record.cells += record.cells.filter { !$0.cell.backend.contains("-copy") }.map { series in
        var series = series
        series.cell.backend += "-copy-\(copy)"
        return series
      }
    }
    let text = try DocumentFormat.table.render(ScaleReport(record: record), width: 80)
    #expect(text.split(separator: "\n").allSatisfy { $0.displayWidth <= 80 })
    #expect(text.contains("sqlite-copy-3"))
    // The exponents of such long ids fit in all columns but one, and nothing is cut.
    #expect(text.ranges(of: "(left out: ").count == 1)
    #expect(text.contains("\n(left out: all sizes; csv has all)\n") && !text.contains("…"))
  }

  @Test("With one block nothing is proven, and the report says so")
  func unproven() throws {
    let text = try DocumentFormat.table.render(
      ScaleReport(record: Fixture.growing(blocks: 1)), width: 80)
    #expect(text.hasPrefix("No cost is shown to grow worse than linearly, from 100 to 1,000,000"))
    #expect(text.contains(" 1.50 (1 block) "))
    #expect(text.contains("unproven\n"))
    // A narrow table says equal values of all rows once.
    var long = Fixture.growing(blocks: 1)
    for place in long.cells.indices {
      long.cells[place].cell.backend += "-of-a-long-name"
    }
    let narrow = try DocumentFormat.table.render(ScaleReport(record: long), width: 80)
    #expect(narrow.contains("proof: unproven)\n"))
  }

  @Test("With two sizes there is no exponent, but figures and crossovers")
  func twoSizes() throws {
    var record = Fixture.growing()
    record.menus = [record.menus[0], record.menus[3]]
    let text = try DocumentFormat.table.render(ScaleReport(record: record), width: 80)
    #expect(text.hasPrefix("Growth needs figures at 3 sizes\n"))
    #expect(!text.contains("Exponents of growth"))
    #expect(text.contains("load  json           sqlite         100 to 100,000"))
  }

  @Test("CSV distinguishes figures, exponents and crossovers, and a gap has its reason")
  func csv() throws {
    let lines = try DocumentFormat.csv.render(ScaleReport(record: Fixture.growing()))
      .split(separator: "\n")
    let kinds = Set(lines.dropFirst().map { $0.prefix { $0 != "," } })
    #expect(kinds == ["figure", "exponent", "exponent large end", "crossover"])
    #expect(
      lines.contains { $0.hasPrefix("figure,plist,,") && $0.hasSuffix(",ns,,,,,failed: it hung") })
    let fields = Set(lines.filter { !$0.contains("\"") }.map { $0.count { $0 == "," } })
    #expect(fields == [ScaleCSV.header.count - 1])
  }
}
