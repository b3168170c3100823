import BenchAnalysis
import BenchResults
import Testing

@Suite("The size at which the answer changes is found between measured sizes")
struct AnswerTrendTests {
  /// Times of one cost by backend, with a row for each menu of that many slot options.
  private func sizes(_ rows: [(options: Int, times: [String: Double])]) -> AnswerTrend? {
    var record = run(
      rows.flatMap { row in
        row.times.sorted { $0.key < $1.key }.map {
          steady($0.value, "combo", "combo", of: $0.key, menu: "menu-\(row.options)")
        }
      }, backends: ["flat", "json", "lmdb"].map { info($0) })
    record.menus = rows.map {
      MenuInfo(
        name: "menu-\($0.options)", source: "shape", fingerprint: "00000000000000aa",
        counts: [.init(of: "products", count: 9), .init(of: "slot options", count: $0.options)]
      ).with(\.sizedBy, "slot options")
    }
    return RecommendationReport(
      record: record, questions: [Criteria(weights: [.on("combo", "combo")], goodEnough: .off)]
    ).answers.first?.trend
  }

  @Test("If the ratio of scores is as far above 1 as below, the change is half-way in logarithms")
  func halfWay() throws {
    let trend = try #require(
      sizes([
        (12_000, ["flat": 10, "json": 20]), (3_000, ["flat": 20, "json": 10]),
      ]))
    #expect(trend.noun == "slot options")
    #expect(trend.answers.map(\.size) == [3_000, 12_000])
    let change = try #require(trend.changes.first)
    #expect(trend.changes.count == 1)
    #expect((change.from, change.to) == (["json"], ["flat"]))
    #expect((change.below, change.above) == (3_000, 12_000))
    #expect(try abs(#require(change.about) - 6_000) < 1e-6)
  }

  @Test("A menu without slot options is sized by all of its things")
  func noOptions() throws {
    let trend = try #require(
      sizes([
        (0, ["flat": 20, "json": 10]), (3_000, ["flat": 10, "json": 20]),
      ]))
    #expect(trend.noun == "things in all")
    #expect(trend.answers.map(\.size) == [9, 3_009])
  }

  @Test("A size at which both are too close to call is not a change yet, but the next one is")
  func throughATie() throws {
    let trend = try #require(
      sizes([
        (1_000, ["flat": 40, "json": 10]), (4_000, ["flat": 10, "json": 10]),
        (16_000, ["flat": 10, "json": 40]),
      ]))
    let change = try #require(trend.changes.first)
    #expect(trend.changes.count == 1)
    #expect((change.from, change.to) == (["json"], ["flat"]))
    #expect((change.below, change.above) == (1_000, 4_000))
    #expect(try abs(#require(change.about) - 4_000) < 1e-6)
  }

  @Test("A third backend that is close at one size only changes nothing")
  func same() throws {
    let trend = try #require(
      sizes([
        (1_000, ["flat": 10, "json": 90, "lmdb": 10]),
        (4_000, ["flat": 10, "json": 90, "lmdb": 90]),
      ]))
    #expect(trend.changes.isEmpty)
    #expect(trend.answers.map(\.recommendation.leaders) == [["flat", "lmdb"], ["flat"]])
  }

  @Test("Nothing is known of the sizes between if the leader of one has no figure at another")
  func unknownBetween() {
    #expect(sizes([(1_000, ["json": 10]), (4_000, ["flat": 10, "json": 90])]) == nil)
  }

  @Test("Two changes are both found")
  func twice() throws {
    let trend = try #require(
      sizes([
        (1_000, ["flat": 10, "json": 20, "lmdb": 80]),
        (4_000, ["flat": 20, "json": 10, "lmdb": 40]),
        (16_000, ["flat": 80, "json": 40, "lmdb": 10]),
      ]))
    #expect(trend.changes.map(\.to) == [["json"], ["lmdb"]])
  }

  @Test("One size has no crossover")
  func oneSize() {
    #expect(sizes([(1_000, ["flat": 10, "json": 20])]) == nil)
    #expect(sizes([(1_000, ["flat": 10]), (4_000, [:])]) == nil)
  }
}
