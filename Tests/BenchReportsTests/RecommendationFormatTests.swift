import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

@Suite("A comparison of backends shows the answer first, and then all figures")
struct RecommendationFormatTests {
  /// By default every difference counts fully, since the times of the fixture are a few
  /// milliseconds.
  private func launch(
    _ record: RunRecord, required: [String] = [], goodEnough: GoodEnough = .off
  ) -> RecommendationReport {
    RecommendationReport(
      record: record,
      questions: [
        Criteria(
          need: "launch", weights: Criteria(Fixture.needs[0]).weights, required: required,
          goodEnough: goodEnough)
      ])
  }

  /// The user named no need.
  private func unasked(_ record: RunRecord) -> RecommendationReport {
    RecommendationReport(record: record, questions: Fixture.needs.map(Criteria.init))
  }

  @Test("A recommendation for a need", arguments: DocumentFormat.allCases)
  func recommendation(format: DocumentFormat) throws {
    let names: [DocumentFormat: String] = [
      .table: "compare.txt", .markdown: "compare.md", .html: "compare.html",
      .csv: "compare.csv", .json: "compare.json",
    ]
    let text = try format.render(launch(Fixture.sideBySide(), required: ["durable"]), width: 80)
    try GoldenFile.compare(text, with: try #require(names[format]))
  }

  @Test("Without a question, it recommends a backend for each need with enough measurements")
  func needs() throws {
    let report = unasked(Fixture.sideBySide())
    try GoldenFile.compare(
      DocumentFormat.table.render(report, width: 80), with: "compare-unasked.txt")
    try GoldenFile.compare(DocumentFormat.markdown.render(report), with: "compare-unasked.md")
  }

  @Test("The headline says if the run was interrupted, or measured a small part of the weights")
  func cutShort() throws {
    var record = Fixture.sideBySide()
    func headline(_ report: RecommendationReport) throws -> Substring {
      try #require(try DocumentFormat.markdown.render(report).split(separator: "\n").first)
    }
    let whole = try headline(launch(record))
    #expect(!whole.contains("interrupted") && !whole.contains("of the weights"))
    record.outcomes[0].stop = .interrupted
    let among = ", among the 3 of 4 that have every figure"
    #expect(whole.hasSuffix(among))
    #expect(
      try headline(launch(record)) == whole.dropLast(among.count)
        + ", from what was measured before the run was interrupted" + among)
    record.outcomes[0].stop = .blocks
    record.cells.removeAll { $0.cell.workload == "first-menu" && $0.phase == "first-screen" }
    let share = launch(record).answers[0].countedShare
    #expect(share < 0.5)
    let partial = try headline(launch(record))
    let missing = Wording.percent(1 - share)
    #expect(
      partial.contains(
        ": not answered: \(missing) of the weights did not count, the rest favours "))
    let json = try DocumentFormat.json.render(launch(record)).filter { !$0.isWhitespace }
    #expect(json.contains(#""recommended":[]"#) && !json.contains(#""recommended":[""#))
  }

  @Test("Without enough measurements for any need, it recommends none, and says how to ask")
  func nothingMeasured() throws {
    var record = Fixture.sideBySide()
    record.cells.removeAll { $0.cell.workload != "roundtrip" || $0.phase != "read" }
    let text = try DocumentFormat.table.render(unasked(record), width: 80)
    #expect(text.hasPrefix("6 backends side by side, none recommended\n"))
    #expect(text.contains("first-menu/first-screen was not measured"))
    #expect(text.contains("Say what counts: --weight first-menu=3,patch=1,stored_bytes=1.\n"))
  }

  @Test("Good enough times are marked, and the page says how they count")
  func goodEnough() throws {
    let text = try DocumentFormat.table.render(
      launch(Fixture.sideBySide(), goodEnough: .usual), width: 80)
    #expect(text.contains("1.04×*"))
    #expect(
      text.replacing("\n", with: " ").contains(
        "* good enough: a time of at most 8.00 ms counts as 8.00 ms × (time ÷ 8.00 ms)^0.1"))
  }

  @Test("Every score can be computed again from the JSON, with good enough times")
  func redone() throws {
    let text = try DocumentFormat.json.render(
      launch(Fixture.sideBySide(), goodEnough: .usual))
    let answers = try #require(try document(text)["answers"] as? [[String: Any]])
    let limit = try #require(answers[0]["good_enough_ns"] as? Double)
    #expect(limit == 8_000_000)
    let menus = try #require(answers[0]["menus"] as? [[String: Any]])
    var terms = 0
    for ranked in try menus.flatMap({ try #require($0["ranked"] as? [[String: Any]]) }) {
      let score = try #require((ranked["score"] as? [String: Any])?["value"] as? Double)
      var (sum, weights) = (0.0, 0.0)
      for term in try #require(ranked["terms"] as? [[String: Any]]) {
        let best = try #require(term["best"] as? [String: Any])
        func counts(_ figure: [String: Any]) throws -> Double {
          let value = try #require(figure["value"] as? Double)
          let isTime = term["unit"] as? String == "ns"
          return isTime && value <= limit ? limit * pow(value / limit, 0.1) : value
        }
        let weight = try #require(term["weight"] as? Double)
        sum += weight * log(max(1, try counts(term) / counts(best)))
        weights += weight
        terms += 1
      }
      #expect(abs(exp(sum / weights) - score) < 1e-9)
    }
    #expect(terms >= 9)
  }

  @Test("JSON has every key, and unknown values are null")
  func unknowns() throws {
    let whole = try document(DocumentFormat.json.render(launch(Fixture.sideBySide(blocks: 2))))
    #expect(whole["kind"] as? String == "compare")
    #expect(whole["schema"] as? Int == 1)
    let menus = try #require(whole["menus"] as? [[String: Any]])
    let backends = try #require(menus[0]["backends"] as? [[String: Any]])
    let plist = try #require(backends.first { $0["id"] as? String == "plist" })
    #expect(plist["promises"] is NSNull)
    #expect(plist["survives_restart"] is NSNull)
    let figures = try backends.flatMap { try #require($0["figures"] as? [[String: Any]]) }
    #expect(Set(figures.map { Set($0.keys) }).count == 1)
    #expect(figures.contains { $0["value"] is NSNull && $0["reason"] is String })
  }

  private func document(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("No line is wider than the terminal", arguments: [60, 80, 100])
  func width(columns: Int) throws {
    for report in [launch(Fixture.sideBySide()), unasked(Fixture.sideBySide())] {
      let lines = try DocumentFormat.table.render(report, width: columns).split(separator: "\n")
      #expect(lines.allSatisfy { $0.displayWidth <= columns })
    }
  }

  /// SQLite's figures are those of `flat`.
  private var tied: RunRecord {
    var record = Fixture.sideBySide()
    for index in record.cells.indices where record.cells[index].cell.backend == "sqlite" {
      let key = record.cells[index].key
      let flat = record.cells.first {
        $0.cell.backend == "flat" && $0.cell.menu == key.cell.menu && $0.phase == key.phase
          && $0.cell.workload == key.cell.workload && $0.metric.id == key.metric
      }
      record.cells[index].blocks = flat?.blocks ?? []
    }
    return record
  }

  @Test("The chart of scores is as uncertain as the answer")
  func scores() throws {
    func chart(_ record: RunRecord) throws -> Chart {
      let report = launch(record)
      let answer = try #require(report.answers.first)
      let section = try #require(AnswerSection(answer, of: report))
      return try #require(ScoreChart.chart(section))
    }
    #expect(
      try chart(Fixture.sideBySide()).table.rows.map { $0.last?.text }
        == ["1.01×", "1.34×–1.38×", "3.34×–3.44×"])
    #expect(
      try chart(Fixture.sideBySide(blocks: 2)).sentence.hasPrefix(
        "flat, unproven, among the 3 of 4 that have every figure. Scores are from 1.01× with flat to "
      ))
    var level = tied
    level.cells.removeAll { $0.cell.backend == "json" }
    let sentence = try chart(level).sentence
    #expect(
      sentence
        == "flat or sqlite, too close to call, among the 2 of 4 that have every figure. Scores are 1.00× with flat, "
        + "sqlite. The axis is logarithmic, so parts add up to the score: multiples by shares of the weights."
    )
  }

  @Test("Weights stay above the scores, however you sort")
  func page() throws {
    let page = try DocumentFormat.html.render(launch(Fixture.sideBySide()))
    #expect(
      page.contains(
        "<tr><th scope=\"row\">weight</th><td data-value=\"6\">6</td><td data-value=\"3\">3</td>"
          + "<td data-value=\"1\">1</td><td></td><td class=\"w\"></td></tr></thead>"))
  }

  @Test("A tie names both, with their other costs and promises")
  func tie() throws {
    let text = try DocumentFormat.table.render(launch(tied), width: 80)
    #expect(
      text.hasPrefix(
        "For launch with medium: flat or sqlite, too close to call, among the 3 of 4 that"))
    #expect(text.contains("Their scores are level: choose by their other costs and promises."))
    #expect(text.contains("No: flat or sqlite at every size measured."))
  }

  @Test("With two blocks the answer is unproven, and says so")
  func unproven() throws {
    let text = try DocumentFormat.table.render(launch(Fixture.sideBySide(blocks: 2)), width: 80)
    #expect(
      text.hasPrefix(
        "For launch with medium: flat, unproven, among the 3 of 4 that have every figure\n"))
    #expect(text.contains("(2 blocks"))
  }

  @Test("The sentence on sizes names those at which another is first than the common leader")
  func otherFirst() throws {
    let text = try DocumentFormat.table.render(unasked(Fixture.sideBySide()), width: 140)
    #expect(
      text.contains(
        "No: sqlite leads or is too close to call at every size measured, but json is first at 750"
          + " slot options.\n"))
  }

  @Test("If every time is surely good enough, the first line advises to keep what you have")
  func keep() throws {
    func headline(_ report: RecommendationReport) throws -> String? {
      try DocumentFormat.markdown.render(report).split(separator: "\n").first.map(String.init)
    }
    let advice =
      "keep what you have unless memory or size matters: every time that counts is at most 8 ms with"
      + " each backend"
    func whole(blocks: Int = 8) -> RunRecord {
      var record = Fixture.sideBySide(blocks: blocks)
      record.failures = []
      record.outcomes.removeAll { ["plist", "object-graph-faulting"].contains($0.cell.backend) }
      return record
    }
    let fast = whole()
    #expect(
      try headline(launch(fast, goodEnough: .usual)) == "# For launch with medium: \(advice)")
    #expect(try headline(unasked(fast)) == "# With medium, launch, offline: \(advice)")
    // The median of the whole menu is then 7.90 ms, and its interval ends at 8.01 ms.
    var slow = fast
    for index in slow.cells.indices where slow.cells[index].cell.backend == "json" {
      slow.cells[index].blocks = slow.cells[index].blocks.map { $0.map { $0 * 1.22 } }
    }
    var unsized = fast
    unsized.cells.removeAll { $0.metric == .storedBytes }
    // A backend that failed, or with too few blocks for an interval, may be slower.
    for record in [slow, unsized, Fixture.sideBySide(), whole(blocks: 2)] {
      #expect(try headline(launch(record, goodEnough: .usual))?.contains("keep") == false)
    }
    let required = launch(fast, required: ["partial-read"], goodEnough: .usual)
    #expect(try headline(required)?.contains("keep") == false)
  }

  @Test("The reasons say what the libraries of a recommended backend add, and notes stand once")
  func additions() throws {
    var record = Fixture.sideBySide()
    for (index, backend) in record.backends.enumerated() where "sqlite plist".contains(backend.id) {
      record.backends[index].note = "a model"
    }
    let report = RecommendationReport(
      record: record, questions: launch(record).answers.map(\.criteria),
      additions: ["flat": "Flat, 2 MB", "sqlite": "SQLite, 3 MB"])
    let text = try DocumentFormat.table.render(report, width: 80)
    #expect(text.contains("• flat adds to your app: Flat, 2 MB\n"))
    #expect(!text.contains("SQLite, 3 MB"))
    #expect(text.ranges(of: "• sqlite, plist: a model\n").count == 1)
  }

  @Test("If nothing may be recommended, every part says why")
  func nothing() throws {
    let text = try DocumentFormat.table.render(
      launch(Fixture.sideBySide(), required: ["magic"]), width: 80)
    #expect(text.hasPrefix("For launch with medium: no backend can be recommended\n"))
    #expect(text.contains("• flat: does not promise magic\n"))
    #expect(text.contains("• plist: is not known to survive a restart; promise unknown: magic"))
  }

  @Test("A score can be computed again from the printed multiples")
  func retraced() throws {
    let report = launch(Fixture.sideBySide())
    let answer = try #require(report.answers.first?.here)
    for backend in answer.ranked {
      // A reader has three digits of every multiple, and whole weights.
      let product = backend.terms.reduce(1.0) { product, term in
        let printed = Double((term.multiple * 100).rounded() / 100)
        return product * pow(printed, term.weighted.weight)
      }
      #expect(abs(pow(product, 1 / 10) / backend.score - 1) < 0.005)
    }
    #expect(answer.weighted.map(\.weight) == [6, 3, 1])
  }

  @Test("A missing figure is empty in CSV, and has its reason")
  func missing() throws {
    let lines = try DocumentFormat.csv.render(launch(Fixture.sideBySide())).split(separator: "\n")
    #expect(
      lines.contains(
        "object-graph-faulting,medium,first-menu,atomic,first-screen,wall,ns,,,,,launch,6,,,,,,failed: it hung"
      )
    )
    #expect(
      lines.contains {
        $0.hasPrefix(
          "memory,medium,roundtrip,atomic,stored_bytes,stored_bytes,B,,,,,launch,1,,,,,,is unsup")
      })
  }
}
