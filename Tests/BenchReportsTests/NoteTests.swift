import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("Notes and endings")
struct NoteTests {
  @Test("Few notes are shown as they are, on a terminal and a page")
  func few() {
    for medium in [Medium.terminal, .page] {
      let section = NoteSection(notes: ["a", "b", "c"], medium: medium)
      #expect(section.above.map(\.markdown) == ["- note: a\n- note: b\n- note: c\n"])
      #expect(section.below.isEmpty)
      #expect(NoteSection(notes: [], medium: medium).above.isEmpty)
    }
  }

  @Test("Many or long notes are one sentence on a terminal, and folded below on a page")
  func many() {
    let long = String(repeating: "word ", count: 50)
    for notes in [["a", "b", "c", "d"], [long, long]] {
      let terminal = NoteSection(notes: notes, medium: .terminal)
      let page = NoteSection(notes: notes, medium: .page)
      #expect(terminal.above.count == 1 && terminal.below.isEmpty)
      #expect(page.above.isEmpty && page.below.count == 1)
    }
    let section = NoteSection(notes: ["a", "b", "c", "d"], medium: .terminal)
    #expect(
      section.above.map { $0.text(width: 100) } == [
        "4 notes on this menu; the first: a; the format markdown has all\n"
      ])
  }

  @Test(
    "Notes of whatever length take three lines of a terminal at most",
    arguments: [1, 30, 100, 5_000], ["x", "word ", "漢", "👨‍👩‍👧 "])
  func threeLines(length: Int, text: String) {
    for count in [1, 2, 3, 4, 51] {
      let note = String(repeating: text, count: length)
      let notes = Array(repeating: note, count: count)
      let lines = NoteSection(notes: notes, medium: .terminal).above
        .map { $0.text(width: 100) }.joined()
      #expect((1...3).contains(lines.count { $0 == "\n" }))
      #expect(lines.split(separator: "\n").allSatisfy { $0.displayWidth <= 100 })
    }
  }

  @Test("Every format ends in exactly one line break, of a full run and an empty one")
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
