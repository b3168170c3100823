import BenchResults
import Testing

@testable import BenchReports

extension Table {
  /// The lines on a terminal of so many columns.
  func text(width: Int) -> [String] { text(on: Terminal(width: width)) }
}

extension Part {
  /// The same of a part.
  func text(width: Int) -> String { text(on: Terminal(width: width)) }
}

@Suite("Layout")
struct LayoutTests {
  @Test(
    "Widths are those of a terminal",
    arguments: [
      ("", 0), ("json", 4), ("Пицца", 5), ("Й", 1), ("И\u{306}", 1), ("漢字", 4), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", 4),
      ("ｱ", 1), ("Ａ", 2), ("🍕", 2), ("👨‍👩‍👧", 2), ("🇷🇺", 2), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2),
      ("—…×µ±·─", 7),
    ])
  func width(text: String, columns: Int) {
    #expect(text.displayWidth == columns)
  }

  @Test(
    "Long names keep both ends",
    arguments: [
      ("sqlite-records", 9, "sqli…ords"), ("sqlite", 6, "sqlite"), ("sqlite", 5, "sq…te"),
      ("漢字漢字", 6, "漢…字"), ("json", 1, "…"), ("json", 0, ""),
    ])
  func shortened(text: String, width: Int, expected: String) {
    #expect(text.shortened(to: width) == expected)
  }

  @Test("A title is whole, in as many lines as necessary")
  func heading() {
    let part = Part.heading("products=10,combos=2 · roundtrip")
    #expect(part.text(width: 22) == "products=10,combos=2 ·\nroundtrip\n")
    #expect(part.text(width: 9) == "products=\n10,combos\n=2 ·\nroundtrip\n")
  }

  @Test("Lines break at spaces, and too long words anywhere")
  func wrapped() {
    #expect("• one two three".wrapped(to: 9, indent: 2) == ["• one two", "  three"])
    #expect("abcdefgh".wrapped(to: 3) == ["abc", "def", "gh"])
    #expect("• abcdefgh".wrapped(to: 4, indent: 2) == ["•", "  ab", "  cd", "  ef", "  gh"])
    #expect("".wrapped(to: 9) == [""])
  }

  @Test("A table aligns figures to the right, and leaves out empty columns")
  func table() {
    let table = Table(
      columns: [.text("id"), .number("n"), .number("none", isOptional: true)],
      rows: [["пицца", "1", "—"], ["b", "1,000", "—"]])
    #expect(
      table.text(width: 100) == [
        "id         n", "─────  ─────", "пицца      1", "b      1,000",
      ])
    #expect(
      table.markdown == [
        "| id | n |", "| --- | ---: |", "| пицца | 1 |", "| b | 1,000 |",
      ])
  }

  @Test("A narrow table shortens names, and leaves out its last optional columns, with a note")
  func noRoom() {
    let table = Table(
      columns: [.text("name", shrinksTo: 5), .number("a"), .number("b", isOptional: true)],
      rows: [["abcdefghij", "1", "1,000,000"]])
    #expect(
      table.text(width: 10) == [
        "name     a", "───────  ─", "abc…hij  1", "(left out:", "b; csv has", "all)",
      ])
    #expect(table.text(width: 24).last == "abcdefghij  1  1,000,000")
    #expect(table.text(width: 19)[2] == "ab…ij  1  1,000,000")
  }

  @Test(
    "A narrow table says equal values of all rows once, and keeps intervals with their figures"
  )
  func sameAndSplit() {
    let more = Table.Column.number("±", isOptional: true, isMore: true)
    var table = Table(
      columns: [
        .text("id"), .text("metric"), .number("load", isOptional: true), more,
        .number("open", isOptional: true), more,
      ],
      rows: [
        ["a", "time", "10 ms", "±1 %", "20 ms", "±2 %"],
        ["b", "time", "1 ms", "±3 %", "2 ms", "—"],
      ],
      whole: nil)
    #expect(table.text(width: 36)[0] == "id  metric   load     ±   open     ±")
    #expect(
      table.text(width: 34) == [
        "id   load     ±   open     ±", "──  ─────  ────  ─────  ────",
        "a   10 ms  ±1 %  20 ms  ±2 %",
        "b    1 ms  ±3 %   2 ms     —", "(in every row: metric: time)",
      ])
    #expect(
      table.text(width: 27) == [
        "id   load     ±", "──  ─────  ────", "a   10 ms  ±1 %", "b    1 ms  ±3 %",
        "(in every row: metric:", "time)", "", "id   open     ±", "──  ─────  ────",
        "a   20 ms  ±2 %",
        "b    2 ms     —",
      ])
    table.whole = "csv"
    #expect(table.text(width: 27).suffix(2) == ["(left out: open, ±; csv has", "all)"])
  }

  @Test("A grouped table has a name once on a terminal, and on every line of a page")
  func groups() {
    let table = Table(
      columns: [.text("id"), .number("n")],
      rows: [["a", "1"], ["a", "3"], ["b", "2"]], isGrouped: true)
    #expect(
      table.text(width: 100) == ["id  n", "──  ─", "a   1", "    3", "", "b   2"])
    #expect(
      table.markdown == ["| id | n |", "| --- | ---: |", "| a | 1 |", "| a | 3 |", "| b | 2 |"])
    let single = Table(columns: [.text("id")], rows: [["a"], ["b"]], isGrouped: true)
    #expect(single.text(width: 100) == ["id", "──", "a", "b"])
  }

  @Test("Details unfold on GitHub, their title as HTML and their items as Markdown")
  func details() {
    let part = Part.details(title: "1 < 2 & 3", items: ["<a>", "b"])
    #expect(
      part.markdown == """
        <details>
        <summary>1 &lt; 2 &amp; 3</summary>

        - \\<a\\>
        - b

        </details>

        """)
    #expect(part.text(width: 9) == "1 < 2 & 3\n\n• <a>\n• b\n")
  }

  @Test(
    "A page isolates names in right-to-left scripts, and XML for programs keeps them as they are"
  )
  func rightToLeft() {
    #expect(
      "save is least with שלום עולם, 12.1 ms & عربي 2".markupEscaped
        == "save is least with \u{2068}שלום עולם\u{2069}, 12.1 ms &amp; \u{2068}عربي\u{2069} 2")
    #expect("שלום - b".markupEscaped == "\u{2068}שלום\u{2069} - b")
    #expect("b-שלום".markupEscaped == "b-\u{2068}שלום\u{2069}")
    #expect("\u{2067}שלום\u{202E}".markupEscaped == "�\u{2068}שלום\u{2069}�")
    #expect("שלום & b".xmlEscaped == "שלום &amp; b")
    #expect("Пицца \"b\"".markupEscaped == "Пицца &quot;b&quot;")
  }

  @Test("Markdown shows every text unchanged, on one line")
  func markdown() {
    #expect(
      "a|b\r\n*c* <d> `e` [f]\\".markdownEscaped
        == "a\\|b  \\*c\\* \\<d\\> \\`e\\` \\[f\\]\\\\")
  }
}

@Suite("The titles of metrics")
struct MetricTitleTests {
  @Test("Every built-in metric has its own short title, and an unknown metric its id")
  func titles() {
    #expect(Set(Metric.titles.map(\.metric)) == Set(Metric.all))
    #expect(Set(Metric.titles.map(\.title)).count == Metric.all.count)
    #expect(Metric.titles.allSatisfy { $0.title.count <= 12 })
    #expect(Metric(id: "joules", unit: .count).title == "joules")
  }
}
