import Basics
import BenchAnalysis
import BenchResults
import Foundation
import Testing

@Suite("The change of one weight that makes another backend the first is exact")
struct FlipTests {
  private let costs = ["product", "combo", "search"]

  private func sheet(_ times: [(backend: String, times: [Double])]) -> CostTable {
    let cells = times.flatMap { backend, times in
      zip(costs, times).map { steady($1, $0, $0, of: backend, blocks: 1) }
    }
    return CostTable(menu: "large", of: run(cells, backends: times.map { info($0.backend) }))
  }

  private func ask(_ weights: [Double], _ sheet: CostTable) -> Recommendation {
    Recommendation(
      Criteria(
        weights: zip(costs, weights).map { Weight.on($0, $0, $1) }, goodEnough: .off), on: sheet)
  }

  @Test("The nearest change of one weight is named, with the weight at which both are equal")
  func nearest() throws {
    // flat is 4 times as fast at products, json 2 times at combos: level where 2 × product = combo.
    let answer = ask([1, 1], sheet([("flat", [1, 2]), ("json", [4, 1])]))
    #expect(answer.leaders == ["flat"])
    let flip = try #require(answer.flips.first)
    #expect(flip.backend == "json")
    #expect(flip.weight.key == .cost(workload: "product", name: "product"))
    #expect(abs(flip.threshold - 0.5) < 1e-12)
    #expect(!flip.isMore)
  }

  @Test("No weight makes a backend first that is worse at everything")
  func none() {
    #expect(ask([1, 1], sheet([("flat", [1, 1]), ("json", [4, 2])])).flips.isEmpty)
  }

  @Test("Just beyond the change another backend is first, and just before it the same one")
  func proven() throws {
    var random = SplitMix64(seed: 15)
    var flipped = 0
    for round in 0..<300 {
      let sheet = sheet(
        (0..<(2 + random.below(4))).map { index in
          ("backend-\(index)", costs.map { _ in Double(1 + random.below(1_000)) })
        })
      let weights = costs.map { _ in Double(1 + random.below(9)) }
      let answer = ask(weights, sheet)
      let first = try #require(answer.ranked.first?.backend)
      for flip in answer.flips {
        let place = try #require(
          costs.firstIndex { flip.weight.key == .cost(workload: $0, name: $0) })
        let hair = (flip.isMore ? 1 : -1) * max(flip.threshold, 0.01) * 1e-6
        func winner(_ weight: Double) -> String? {
          var changed = weights
          changed[place] = weight
          return ask(changed, sheet).ranked.first?.backend
        }
        guard Weight.valid.contains(flip.threshold - hair),
          Weight.valid.contains(flip.threshold + hair)
        else { continue }
        flipped += 1
        #expect(winner(flip.threshold + hair) == flip.backend, "seed 15, round \(round)")
        #expect(winner(flip.threshold - hair) != flip.backend, "seed 15, round \(round)")
      }
      if let nearest = answer.flips.first, nearest.distance > 1e-3,
        let place = costs.firstIndex(where: { nearest.weight.key == .cost(workload: $0, name: $0) })
      {
        var changed = weights
        changed[place] += (nearest.isMore ? 1 : -1) * nearest.distance * 0.999
        #expect(ask(changed, sheet).ranked.first?.backend == first, "seed 15, round \(round)")
      }
    }
    #expect(flipped > 100)
  }
}
