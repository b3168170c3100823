import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

/// Simulated gates of judged times in some cells, with noise of the kinds that were seen or feared.
@Suite("In simulated gates, the sequential test")
struct GateRateTests {
  enum Kind: String, CaseIterable {
    /// Independent normal noise of each row.
    case normal
    /// Student's distribution with three degrees of freedom.
    case heavy
    /// One pair of ten is disturbed by 20 % in all rows of its cell.
    case wild
    /// Three processes of 20 are slower by a quarter.
    case twoSpeeds
    /// Each pair has three tenths of the noise of the pair before.
    case drifting
    /// Each pair has three fifths of the noise of the pair before.
    case wandering

    var isIndependent: Bool { self != .drifting && self != .wandering }
  }

  /// Draws the pairs of cells of three rows. The last row of the first cell is slower by a share.
  private static func gate(
    _ kind: Kind, block deviation: Double, slower share: Double = 0, cells count: Int = 3,
    seed: UInt64
  ) -> SequentialTest {
    var normal = Noise(seed: seed, deviation: 1)
    var dice = Noise(seed: ~seed, deviation: 1)
    let deviation = deviation * 2.0.squareRoot()
    let cells = (0..<count).map { number -> PairedCell in
      var rows = Array(repeating: [Double](), count: 3)
      for _ in 0..<56 {
        let hit = dice.uniform() < 0.1 ? 0.2 * normal.next() : 0
        let speeds = 0.223 * ((dice.uniform() < 0.15 ? 1.0 : 0) - (dice.uniform() < 0.15 ? 1 : 0))
        for row in rows.indices {
          let own = normal.next()
          let value =
            switch kind {
            case .normal: deviation * own
            case .heavy:
              deviation * own
                / (0..<3).reduce(0.0) { sum, _ in
                  let square = normal.next()
                  return sum + square * square
                }.squareRoot()
            case .wild: deviation * own + hit
            case .twoSpeeds: deviation * own + speeds
            case .drifting, .wandering:
              Self.next(deviation * own, after: rows[row].last, kind == .drifting ? 0.3 : 0.6)
            }
          rows[row].append(value)
        }
      }
      let cell = cell("backend\(number)")
      return PairedCell(
        cell: cell,
        rows: rows.enumerated().map { row, values in
          let moved = number == 0 && row == 2 ? log1p(share) : 0
          return PairedRow(
            key: key("cost\(row)", in: cell), metric: .wall, differences: values.map { $0 + moved })
        }, turns: 56)
    }
    return SequentialTest(cells, plan: InterimPlan())
  }

  private static func next(_ own: Double, after last: Double?, _ share: Double) -> Double {
    last.map { share * $0 + (1 - share * share).squareRoot() * own } ?? own
  }

  private static func isRed(_ test: SequentialTest) -> Bool {
    test.rows().values.contains { $0.verdict == .regressed }
  }

  @Test("calls at most 2.5 % of unchanged gates red with all noises, and 5 % with any")
  func falseReds() {
    var all = (red: 0, of: 0)
    for kind in Kind.allCases {
      for deviation in [0.04, 0.08] {
        let gates = 300
        let red = (0..<gates).count {
          Self.isRed(Self.gate(kind, block: deviation, seed: UInt64(10_000 + $0)))
        }
        print("red of nothing: \(kind) at \(deviation): \(red) of \(gates)")
        #expect(red * 20 <= gates)
        if kind.isIndependent { all = (all.red + red, all.of + gates) }
      }
    }
    #expect(all.red * 40 <= all.of)
  }

  @Test("calls few unchanged gates of eight cells red", arguments: [Kind.normal, .drifting])
  func manyRows(_ kind: Kind) {
    let gates = 200
    let red = (0..<gates).count {
      Self.isRed(Self.gate(kind, block: 0.08, cells: 8, seed: UInt64(30_000 + $0)))
    }
    print("red of nothing in 24 rows: \(kind): \(red) of \(gates)")
    #expect(red * 20 <= gates)
  }

  @Test(
    "finds a slowdown of the size and in the noise that it should",
    arguments: [
      (Kind.normal, 0.06, 0.05, 0.65), (.normal, 0.04, 0.05, 0.95), (.wild, 0.04, 0.05, 0.85),
      (.twoSpeeds, 0.03, 0.1, 0.85), (.normal, 0.02, 0.033, 0.9),
    ])
  func power(_ kind: Kind, deviation: Double, share: Double, atLeast: Double) {
    let gates = 400
    let slowed = key("cost2", in: cell("backend0"))
    let found = (0..<gates).count {
      let test = Self.gate(kind, block: deviation, slower: share, seed: UInt64(20_000 + $0))
      return test.rows()[slowed]?.verdict == .regressed
    }
    print("found: \(share) in \(kind) at \(deviation): \(found) of \(gates)")
    #expect(Double(found) >= atLeast * Double(gates))
  }
}
