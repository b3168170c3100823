import BenchAnalysis
import BenchResults
import Foundation
import Testing

@Suite("A backend is recommended by its score, with every reason")
struct RecommendationTests {
  private let both: [Weight] = [.on("product", "product", 3), .on("combo", "combo", 1)]

  /// Two times a backend: of a product, of a combo.
  private func cells(_ times: [(String, product: Double, combo: Double)]) -> [Series] {
    times.flatMap {
      [
        steady($0.product, "product", "product", of: $0.0),
        steady($0.combo, "combo", "combo", of: $0.0),
      ]
    }
  }

  /// Every difference counts in full, since the times of these tests are a few nanoseconds.
  private func answer(
    _ criteria: Criteria, _ cells: [Series], _ backends: [BackendInfo]
  ) -> Recommendation {
    var criteria = criteria
    criteria.goodEnough = .off
    return Recommendation(
      criteria, on: CostTable(menu: "large", of: run(cells, backends: backends)))
  }

  @Test("A score is the weighted geometric mean of the multiples of the best")
  func score() {
    let answer = answer(
      Criteria(weights: both),
      cells([("json", product: 160, combo: 10), ("flat", product: 10, combo: 160)]),
      [info("json"), info("flat")])
    #expect(answer.ranked.map(\.backend) == ["flat", "json"])
    // flat: the fourth root of 1 cubed times 16. json: the fourth root of 16 cubed times 1.
    #expect(abs(answer.ranked[0].score - 2) < 1e-12)
    #expect(abs(answer.ranked[1].score - 8) < 1e-12)
    #expect(answer.ranked[1].terms.map(\.multiple) == [16, 1])
    #expect(answer.ranked[1].terms.map(\.weighted.weight) == [3, 1])
    #expect(answer.leaders == ["flat"])
    #expect(abs(answer.leads[0].ratio - 4) < 1e-12)
    #expect(answer.leads[0].evidence == .sampled(blocks: 6))
  }

  @Test("The costs that decide a workload share its weight equally")
  func shares() {
    let cells = ["first-screen", "whole-menu", "start"].map {
      steady(1, $0, "first-menu", of: "json")
    }
    var record = run(cells, backends: [info("json")])
    record.workloads = [
      WorkloadInfo(
        id: "first-menu",
        costs: ["first-screen", "whole-menu"].map { .init(name: $0, phases: [$0]) })
    ]
    let criteria = Criteria(weights: [
      Weight(.workload("first-menu"), 3), .on("first-menu", "first-screen", 2),
    ])
    let answer = Recommendation(criteria, on: CostTable(menu: "large", of: record))
    #expect(
      answer.weighted.map(\.column.title) == ["first-menu/first-screen", "first-menu/whole-menu"])
    #expect(answer.weighted.map(\.weight) == [3.5, 1.5])
  }

  @Test("Scores less than 5 % apart are too close to call, however exact they are")
  func close() {
    let answer = answer(
      Criteria(weights: [.on("combo", "combo")]),
      cells([
        ("json", product: 1, combo: 104), ("flat", product: 1, combo: 100),
        ("lmdb", product: 1, combo: 106),
      ]), [info("json"), info("flat"), info("lmdb")])
    #expect(answer.leaders == ["flat", "json"])
    #expect(answer.leads.map(\.isClose) == [true, false])
  }

  @Test(
    "Terms of one cell use the same blocks, so a second equal term does not narrow the interval")
  func shared() throws {
    let cells = [("flat", 100.0), ("json", 125)].flatMap { backend, time in
      [("first-screen", 1.0), ("whole-menu", 3)].map { phase, times in
        wall(time * times, spread: 0.3, phase: phase, in: cell(backend, "first-menu"))
      }
    }
    func interval(_ names: [String]) throws -> Interval {
      let weights = names.map { Weight.on("first-menu", $0) }
      let answer = answer(Criteria(weights: weights), cells, [info("flat"), info("json")])
      return try #require(answer.leads[0].interval)
    }
    let (one, both) = (
      try interval(["first-screen"]), try interval(["first-screen", "whole-menu"])
    )
    #expect(one.low < one.high)
    #expect(abs(both.low - one.low) < 1e-9)
    #expect(abs(both.high - one.high) < 1e-9)
  }

  @Test("Three blocks give an interval by Welch's t, which includes the ratio of the medians")
  func fewBlocks() throws {
    func blocks(_ values: [Double], _ backend: String) -> Series {
      Series(
        cell: cell(backend, "combo"), phase: "combo", metric: .wall, blocks: values.map { [$0] })
    }
    let answer = answer(
      Criteria(weights: [.on("combo", "combo")]),
      [blocks([100, 110, 120], "flat"), blocks([240, 300, 330], "json")],
      [info("json"), info("flat")])
    let lead = answer.leads[0]
    #expect(lead.evidence == .sampled(blocks: 3) && !lead.isClose)
    let interval = try #require(lead.interval)
    #expect(abs(interval.low - 1.858_113_187_447_58) < 1e-12)
    #expect(abs(interval.high - 3.696_376_249_691_59) < 1e-12)
  }

  @Test("Two blocks do not show how certain a lead or a score is")
  func unproven() {
    let cells = [("flat", 1.0), ("json", 9)].map {
      steady($0.1, "combo", "combo", of: $0.0, blocks: 2)
    }
    let answer = answer(
      Criteria(weights: [.on("combo", "combo")]), cells, [info("flat"), info("json")])
    let lead = answer.leads[0]
    #expect(lead.evidence == .tooFew(blocks: 2) && lead.isUnproven && !lead.isClose)
    #expect(answer.ranked.map(\.standing.interval) == [nil, nil])
    #expect(answer.ranked[1].standing.evidence == .tooFew(blocks: 2))
  }

  @Test("Sizes alone have no uncertainty")
  func exactAlone() {
    let lead = answer(
      Criteria(weights: [Weight(.metric("stored_bytes"), 1)]),
      [stored(100, of: "flat"), stored(200, of: "json")], [info("flat"), info("json")]
    ).leads[0]
    #expect(lead.evidence == .exact)
    #expect(lead.interval == Interval(low: 2, high: 2))
  }

  @Test("A backend that misses a promise, keeps nothing or is a model is refused with reasons")
  func required() {
    var model = info("model", promises: ["durable"])
    model.note = "a model"
    let backends = [
      info("flat", promises: ["atomic"]), info("sqlite", promises: ["atomic", "durable"]),
      info("old", promises: nil), info("memory", promises: [], keeps: false), model,
    ]
    let cells = backends.map { steady(5, "combo", "combo", of: $0.id) }
    let answer = answer(
      Criteria(weights: [.on("combo", "combo")], required: ["durable"]), cells, backends)
    #expect(answer.ranked.map(\.backend) == ["sqlite"])
    #expect(answer.refused.map(\.backend) == ["flat", "old", "memory", "model"])
    #expect(
      answer.refused.map(\.reasons) == [
        ["does not promise durable"], ["promise unknown: durable"],
        ["keeps nothing after a restart", "does not promise durable"], ["a model"],
      ])
    #expect(answer.leads.isEmpty)
  }

  @Test("A backend that keeps nothing is ranked if you ask for it, and can be the best")
  func volatile() {
    let cells = [
      steady(1, "combo", "combo", of: "memory"), steady(4, "combo", "combo", of: "json"),
    ]
    let criteria = Criteria(
      weights: [.on("combo", "combo")], takesVolatile: true, goodEnough: .off)
    let sheet = CostTable(
      menu: "large", of: run(cells, backends: [info("memory", keeps: false), info("json")]),
      takesVolatile: true)
    let answer = Recommendation(criteria, on: sheet)
    #expect(answer.ranked.map(\.backend) == ["memory", "json"])
    #expect(answer.ranked.map(\.score) == [1, 4])
  }

  @Test("A backend without a figure that counts is not ranked")
  func lacking() {
    let cells =
      cells([("json", product: 2, combo: 2)]) + [steady(1, "product", "product", of: "flat")]
    let answer = answer(Criteria(weights: both), cells, [info("json"), info("flat")])
    #expect(answer.ranked.map(\.backend) == ["json"])
    #expect(answer.refused.first?.reasons == ["combo/combo was not measured"])
  }

  @Test("A cost that was not measured, or is 0 at best, does not count, and the answer says so")
  func uncounted() {
    let none = Series(
      cell: cell("json", "combo"), phase: "combo", metric: .readBytes, blocks: [[0], [0]])
    let answer = answer(
      Criteria(weights: [
        .on("combo", "combo"), Weight(.workload("search"), 2),
        Weight(.figure(workload: "combo", phase: "combo", metric: "read_bytes"), 1),
      ]), cells([("json", product: 2, combo: 2)]) + [none], [info("json")])
    #expect(answer.weighted.map(\.column.title) == ["combo/combo"])
    #expect(
      answer.uncounted.map { "\($0.weight.key) \($0.reason)" } == [
        "search was not measured",
        "combo/combo/read_bytes is 0 at best, which has no multiples",
      ])
    #expect(!answer.uncounted.isEmpty)
  }

  @Test("A score's interval is from its blocks and the best's, and may include 1")
  func standing() throws {
    let cells = [
      wall(100, spread: 0.3, phase: "combo", in: cell("flat", "combo")),
      wall(110, spread: 0.3, phase: "combo", in: cell("json", "combo")),
    ]
    let answer = answer(
      Criteria(weights: [.on("combo", "combo")]), cells, [info("json"), info("flat")])
    let best = answer.ranked[0].standing
    #expect(best.value == 1)
    #expect(best.interval == Interval(low: 1, high: 1))
    let other = answer.ranked[1].standing
    #expect(abs(other.value - 1.1) < 1e-9)
    let interval = try #require(other.interval)
    #expect(interval.low < 1 && interval.high > 1.1 && answer.leads[0].isClose)
    #expect(other.evidence == .sampled(blocks: 12))
    #expect(interval == answer.leads[0].interval)
  }

  @Test(
    "A weight outside of the allowed range does not count, so every score is known",
    arguments: [1e308, .leastNonzeroMagnitude, 0, -1, .nan, .infinity, 1_000.1, 0.000_9])
  func absurd(weight: Double) {
    let answer = answer(
      Criteria(weights: [.on("product", "product", weight), .on("combo", "combo", 1)]),
      cells([("json", product: 1, combo: 10), ("flat", product: 1_000, combo: 5)]),
      [info("json"), info("flat")])
    #expect(answer.ranked.map(\.backend) == ["flat", "json"])
    #expect(answer.ranked.allSatisfy { $0.score.isFinite })
    #expect(
      answer.uncounted.map(\.reason) == [
        "is not from 0.001 to 1,000, so it cannot be weighed"
      ])
    #expect(answer.countedShare == 1)
  }

  @Test("The answer has the share of the weights that were measured")
  func countedShare() {
    let answer = answer(
      Criteria(weights: [.on("product", "product", 1), Weight(.workload("search"), 3)]),
      cells([("json", product: 1, combo: 10)]), [info("json")])
    #expect(answer.countedShare == 0.25)
  }
}
