import Basics
import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("The table for terminals")
struct TableReporterTests {
  @Test("It fits 100 columns with any names, numbers and messages")
  func fits() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    for _ in 0..<12 {
      let (now, then) = (Self.renamed(&generator), Self.renamed(&generator))
      for baseline in [nil, then] {
        let text = TableReporter().render(Report(record: now, baseline: baseline))
        let widest = text.split(separator: "\n").max { $0.displayWidth < $1.displayWidth } ?? ""
        #expect(widest.displayWidth <= 100, "seed \(seed): \(widest)")
      }
    }
  }

  @Test("Colours change no character of the text, and only verdicts have them")
  func colours() throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let plain = TableReporter(width: 80).render(report)
    let coloured = TableReporter(width: 80, hasColours: true).render(report)
    #expect(coloured.contains("• \u{1b}[31mslower\u{1b}[0m: json/large"))
    #expect(coloured.replacing(/\u{1b}\[[0-9]+m/, with: "") == plain)
    #expect(!plain.contains("\u{1b}"))
    // A word from a user's name has no colour.
    var named = Fixture.run(slower: 1.25)
    for index in named.cells.indices { named.cells[index].cell.menu = "missing" }
    named.menus[0].name = "missing"
    let text = TableReporter(hasColours: true).render(Report(record: named))
    #expect(text.contains("missing") && !text.contains("\u{1b}"))
    // In a table the verdict's own cell is painted, and no width counts it.
    #expect(coloured.contains("  \u{1b}[31mslower\u{1b}[0m\n"))
  }

  @Test("Phases have the workload's order, in any order of counting")
  func phaseOrder() throws {
    var record = Fixture.run()
    record.workloads = [
      WorkloadInfo(id: "roundtrip", costs: [], phases: ["encode", "write", "read", "decode"])
    ]
    record.cells.reverse()
    let text = TableReporter().render(Report(record: record))
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    let start = try #require(lines.firstIndex { $0.starts(with: ["backend", "phase"]) })
    let first = try #require(lines[start...].firstIndex { $0.contains("encode") })
    #expect(
      lines[first..<(first + 4)].map { $0.first { "encode write read decode".contains($0) } }
        == ["encode", "write", "read", "decode"])
  }

  @Test("It fits with a backend's id of 60 characters and a menu's name of 200")
  func longNames() {
    var record = Fixture.run()
    let (backend, menu) = (String(repeating: "b", count: 60), String(repeating: "м", count: 200))
    record.cells = record.cells.map {
      var series = $0
      series.cell.backend = series.cell.backend == "json" ? backend : series.cell.backend
      series.cell.menu = menu
      return series
    }
    record.menus[0].name = menu
    let lines = TableReporter().render(Report(record: record)).split(separator: "\n")
    #expect(lines.allSatisfy { $0.displayWidth <= 100 })
    // A menu's name is whole, in as many lines as it takes.
    #expect(lines.prefix(2).allSatisfy { $0 == String(repeating: "м", count: 100) })
    #expect(lines[2] == "· roundtrip at durability atomic")
    #expect(lines.contains { $0.hasPrefix("bbb") && $0.contains("…") })
    #expect(lines.contains("1,000 products, 150 combos, 600 slots, 12,000 slot options"))
  }

  @Test("A save that is not flushed is marked, and has no multiple of one that is")
  func unflushed() {
    func lines(_ saves: [String]?) -> [Substring] {
      let record = Fixture.unflushed(saves: saves)
      return TableReporter(width: 120).render(Report(record: record)).split(separator: "\n")
    }
    let mark =
      "°: not flushed to the drive, so a power cut may lose the last saves. Saves marked so have a best"
      + " of their own"
    let marked = lines(["write"])
    for line in [
      "json      54.4 ms  ±0.5 %  51.4 ms  ±0.5 %    best  1.64 MB    best",
      "sqlite   91.7 ms°  ±4.6 %  86.7 ms  ±4.6 %   1.69×  2.90 MB   1.77×", mark[...],
    ] {
      #expect(marked.contains(line), "\(line)")
    }
    // In a record that does not say which phases save, those with the floor of a write do.
    #expect(lines(nil) == marked)
  }

  @Test("A note on what figures do not stand for is below the first table, once for its backends")
  func notes() {
    var record = Fixture.run()
    for index in record.backends.indices where record.backends[index].id != "json" {
      record.backends[index].note = "a model of something else"
    }
    let text = TableReporter().render(Report(record: record))
    #expect(
      text.contains(
        "of the best that keeps its data\n\n• sqlite, memory: a model of something else\n"))
    #expect(text.ranges(of: "a model of something else").count == 1)
  }

  @Test("It contains no command for the terminal")
  func controls() {
    var record = Fixture.run()
    record.warnings = ["\u{1B}[31mred\u{07}\r\nnext \u{202E}line"]
    let text = TableReporter().render(Report(record: record))
    #expect(text.contains("• warning: �[31mred� next �line"))
  }

  @Test("A failed cell is in the overview of its own group alone")
  func failedCell() {
    var record = Fixture.run()
    for (field, value) in [(\Cell.menu, "x"), (\.workload, "x"), (\.durability, "x")] {
      record.failures[0].cell = record.cells[0].cell
      record.failures[0].cell[keyPath: field] = value
      #expect(!TableReporter().render(Report(record: record)).contains("\nmemory    failed  "))
    }
    record.failures[0].cell = record.cells[0].cell
    #expect(TableReporter().render(Report(record: record)).contains("\nmemory    failed  "))
  }

  @Test("A tiny floor has no multiple, and shows its upper bound")
  func tinyFloor() {
    var record = Fixture.run()
    record.machine.emptySample = 4_000
    let lines = TableReporter().render(Report(record: record)).split(separator: "\n")
    let phases = [
      "json     encode    53.0 ms  ±0.5 %        — ",
      "         write     1.40 ms  ±0.5 %    1.22× ",
    ]
    for phase in phases { #expect(lines.contains { $0.hasPrefix(phase) }, "\(phase)") }
    #expect(
      lines.contains(
        "json     < 40.0 µs      —  1.15 ms ±0.5 %  210 µs ±0.5 "
          + "%              —              —"))
  }

  @Test("A tiny overview shows its upper bound, and no multiple of the best")
  func tinyGlance() {
    var record = Fixture.run()
    record.machine.emptySample = 3_000_000
    let lines = TableReporter().render(Report(record: record)).split(separator: "\n")
    #expect(
      lines.contains(
        "json     < 60.0 ms       —        —  < 60.0 ms       —        —  1.64 MB    best"))
    #expect(
      lines.contains(
        "sqlite     91.7 ms  ±4.6 %  ≥ 1.53×    86.7 ms  ±4.6 %  ≥ 1.44×  2.90 MB   1.77×"))
  }

  @Test("With one backend, the overview does not mention the best")
  func alone() {
    var record = Fixture.run()
    record.cells.removeAll { $0.cell.backend != "json" }
    record.failures = []
    let text = TableReporter().render(Report(record: record))
    #expect(text.contains("\njson     54.4 ms  ±0.5 %  51.4 ms  ±0.5 %  1.64 MB\n"))
    #expect(
      text.contains(
        "\nsave: encode + write; load: read + decode; ±: longer half-width of the median's 95 %"
          + " interval\n"))
  }

  @Test("With a reference, every figure is a multiple of its figures")
  func reference() {
    let text = TableReporter().render(Report(record: Fixture.run(), reference: "sqlite"))
    let line = "json     54.4 ms  ±0.5 %     0.59×  51.4 ms  ±0.5 %     0.59×  1.64 MB     0.57×"
    #expect(text.contains("\n\(line)\n"))
  }

  @Test("A figure too close to the best is marked, and one without an interval is not")
  func close() {
    var record = Fixture.run()
    for index in record.cells.indices
    where record.cells[index].cell.backend == "sqlite" && record.cells[index].metric == .wall {
      record.cells[index].blocks = record.cells[index].blocks.map { $0.map { $0 / 1.66 } }
    }
    let text = TableReporter().render(Report(record: record))
    #expect(text.contains("\nsqlite   55.2 ms  ±4.6 %  ≈ best  52.2 ms  ±4.6 %  ≈ best  2.90 MB"))
    #expect(text.contains("≈ best: too close"))
    for index in record.cells.indices {
      record.cells[index].blocks = Array(record.cells[index].blocks.prefix(2))
    }
    let few = TableReporter().render(Report(record: record))
    #expect(!few.contains("≈") && few.contains("no ± with fewer than 3 blocks"))
    #expect(
      few.contains(
        "\nsqlite   54.3 ms  n = 2   1.00×  51.3 ms  n = 2   1.00×  2.90 MB   1.77×\n"))
  }

  @Test("The system, and that no phone was measured, is named once if there are times")
  func reach() {
    var record = Fixture.run(menus: ["small", "large"])
    let text = TableReporter().render(Report(record: record))
    #expect(text.ranges(of: ", not on a phone.").count == 1)
    record.cells.removeAll { $0.metric.isTime }
    #expect(!TableReporter().render(Report(record: record)).contains("on a phone"))
  }

  @Test("It shows six conclusions, the worst first, and counts the rest, which Markdown has")
  func conclusions() {
    var record = Fixture.run()
    (record.machine.unsupported, record.machine.emptySample, record.backends) = ([:], nil, [])
    record.cells.removeAll { $0.unsupported != nil || $0.metric.id == "cpu" }
    (record.outcomes, record.failures) = ([], [])
    for count in [6, 7] {
      record.warnings = (1...count).map { "doubt \($0)" }
      let report = Report(record: record)
      let table = TableReporter().render(report)
      #expect(table.contains("• warning: doubt 6\n"))
      #expect(table.contains("• and 1 more: the format markdown has all\n") == (count == 7))
      #expect(!table.contains("doubt 7"))
      #expect(MarkdownReporter().render(report).contains("- warning: doubt \(count)\n\n"))
    }
  }

  @Test("It shows three hints after the worse ones, and counts the rest, which Markdown has")
  func hints() {
    var record = Fixture.run(menus: ["small", "large"])
    record.machine.emptySample = nil
    record.machine.unsupported = ["a": "1", "b": "2", "c": "3", "d": "4"]
    record.cells.removeAll { $0.unsupported != nil || $0.metric.id == "cpu" }
    (record.outcomes, record.failures, record.warnings) = ([], [], ["doubt"])
    record.backends = ["json", "sqlite", "memory", "plist"].map {
      BackendInfo(id: $0, summary: $0)
    }
    let report = Report(record: record)
    let hints = report.conclusions.filter { $0.severity == .hint }
    #expect(hints.count > 3)
    let lines = TableReporter().render(report).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("• hint: ") } == 3)
    #expect(lines.contains("• and \(hints.count - 3) more: the format markdown has all"))
    #expect(MarkdownReporter().render(report).ranges(of: "- hint: ").count == hints.count)
  }

  @Test("An empty run does not crash it")
  func empty() {
    var record = Fixture.run()
    (record.cells, record.menus, record.outcomes, record.failures) = ([], [], [], [])
    let text = TableReporter().render(Report(record: record))
    #expect(text.hasPrefix("Warnings and hints\n\n• hint: no figures of instructions"))
    #expect(text.contains("Measurement details"))
  }

  private static func renamed(_ generator: inout SplitMix64) -> RunRecord {
    var record = Fixture.run(menus: ["small", "large"], blocks: 6)
    var names: [String: String] = [:]
    for index in record.cells.indices {
      let cell = record.cells[index].cell
      for name in [cell.backend, cell.menu] where names[name] == nil {
        names[name] = Self.name(&generator)
      }
      record.cells[index].cell.backend = names[cell.backend] ?? ""
      record.cells[index].cell.menu = names[cell.menu] ?? ""
      let scale = [1e-9, 1, 1e3, 1e12, 1e200][generator.below(5)]
      record.cells[index].blocks = record.cells[index].blocks.map { $0.map { $0 * scale } }
    }
    for index in record.menus.indices {
      record.menus[index].name = names[record.menus[index].name] ?? ""
      record.menus[index].notes = [name(&generator)]
    }
    record.warnings = [name(&generator), name(&generator) + " " + name(&generator)]
    record.settings.storage = name(&generator)
    record.machine.cpu = name(&generator)
    record.machine.unsupported[name(&generator)] = name(&generator)
    return record
  }

  private static func name(_ generator: inout SplitMix64) -> String {
    let letters = [
      "a", "ж", "漢", "👨‍👩‍👧", "e\u{301}", " ", "-", "\u{1B}", "🇷🇺", "|", "\r\n", "\u{200B}",
    ]
    return (0..<generator.below(120)).reduce(into: "") { text, _ in
      text += letters[generator.below(letters.count)]
    }
  }
}
