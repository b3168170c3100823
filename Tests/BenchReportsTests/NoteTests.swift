import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("Notes and endings")
struct NoteTests {
  @Test("Notes are one sentence on a terminal, and folded on a page")
  func parts() {
    func markdown(_ notes: [String], _ medium: Medium) -> [String] {
      NoteSection.parts(notes, on: medium).map(\.markdown)
    }
    #expect(markdown([], .terminal).isEmpty && markdown([], .page).isEmpty)
    #expect(
      markdown(["a", "b"], .terminal) == [
        "2 notes on this menu, all in the format markdown. The first: a\n"
      ])
    #expect(markdown(["a"], .page)[0].hasPrefix("<details>\n<summary>1 note on this menu"))
  }

  @Test(
    "Notes of any length take at most three lines of a terminal",
    arguments: [1, 30, 100, 5_000], ["x", "word ", "漢", "👨‍👩‍👧 "])
  func threeLines(length: Int, text: String) {
    for count in [1, 2, 3, 4, 51] {
      let note = String(repeating: text, count: length)
      let notes = Array(repeating: note, count: count)
      let lines = NoteSection.parts(notes, on: .terminal).map { $0.text(width: 100) }.joined()
      #expect((1...3).contains(lines.count { $0 == "\n" }))
      #expect(lines.split(separator: "\n").allSatisfy { $0.displayWidth <= 100 })
    }
  }

  @Test("Every format ends in exactly one line break, for a full run and an empty one")
  func endings() throws {
    var empty = Fixture.run()
    (empty.cells, empty.menus, empty.outcomes, empty.failures) = ([], [], [], [])
    for record in [Fixture.run(menus: ["small", "large"]), empty] {
      for reporter in ReporterRegistry.all where !(reporter is SVGReporter && record.cells.isEmpty)
      {
        let text = try reporter.render(Report(record: record))
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"), "\(reporter.id)")
      }
    }
  }
}
