import Basics
import BenchResults
import Foundation

@testable import BenchAnalysis

/// Noise of any shape, the same for one seed.
struct Noise {
  private var generator: SplitMix64
  /// The standard deviation of the differences.
  var deviation: Double
  /// Whether every eighth value is five times as wild.
  var isHeavy = false

  init(seed: UInt64, deviation: Double, isHeavy: Bool = false) {
    generator = SplitMix64(seed: seed)
    (self.deviation, self.isHeavy) = (deviation, isHeavy)
  }

  /// Box and Muller's transform.
  mutating func next() -> Double {
    let radius = (-2 * log(uniform())).squareRoot()
    let normal = radius * cos(2 * .pi * uniform())
    return normal * deviation * (isHeavy && generator.below(8) == 0 ? 5 : 1)
  }

  /// Draws from 0 to 1, without the ends.
  mutating func uniform() -> Double {
    Double(generator.next() >> 11 | 1) / Double(1 << 53)
  }
}

struct Gate {
  var candidate: RunRecord
  var baseline: RunRecord

  var test: SequentialTest? { SequentialTest(candidate: candidate, baseline: baseline) }
  var rows: [Series.Key: RowComparison] { test?.rows() ?? [:] }
  var comparison: Comparison { Comparison(candidate: candidate, baseline: baseline) }
  var report: Report { Report(record: candidate, baseline: baseline) }
  /// The same gate with the sides' roles exchanged.
  var swapped: Gate { Gate(candidate: baseline, baseline: candidate) }

  init(candidate: RunRecord, baseline: RunRecord) {
    (self.candidate, self.baseline) = (candidate, baseline)
  }

  /// A gate whose candidate's series are given as log ratios to a baseline of 1 ms.
  init(
    _ differences: [Series.Key: [Double]], plan: InterimPlan = .brief, others: [Series] = []
  ) {
    func series(_ value: (Double) -> Double) -> [Series] {
      differences.sorted { "\($0.key)" < "\($1.key)" }.map { key, turns in
        Series(
          cell: key.cell, phase: key.phase, metric: .wall,
          blocks: turns.map { [value($0)] })
      }
    }
    self.init(
      candidate: run(series { 1e6 * exp($0) } + others),
      baseline: run(series { _ in 1e6 } + others), plan: plan)
  }

  init(candidate: RunRecord, baseline: RunRecord, plan: InterimPlan) {
    self.init(candidate: candidate, baseline: baseline)
    self.candidate.pairing = Pairing(
      id: "g1", side: .candidate, executable: "/new/bench", revision: "bbb", looks: plan)
    self.baseline.pairing = Pairing(
      id: "g1", side: .baseline, executable: "/old/bench", revision: "aaa", looks: plan)
    // Without costs, every phase is judged by itself.
    (self.candidate.workloads, self.baseline.workloads) = ([], [])
  }

  /// The gate as it was when so many turns had been measured.
  func first(_ turns: Int) -> Gate {
    var gate = self
    for index in gate.candidate.cells.indices {
      gate.candidate.cells[index].blocks = Array(candidate.cells[index].blocks.prefix(turns))
      gate.baseline.cells[index].blocks = Array(baseline.cells[index].blocks.prefix(turns))
    }
    return gate
  }
}

/// The key of a wall time.
func key(_ phase: String = "encode", in cell: Cell = cell()) -> Series.Key {
  Series.Key(cell: cell, phase: phase, metric: "wall")
}

/// Differences that are evenly spread around a middle, in a fixed order that is balanced from the
/// first turns on.
func steady(_ middle: Double, spread: Double = 0.005, turns: Int = 44) -> [Double] {
  (0..<turns).map { turn in
    let step = Double(turn * 5 % 12) / 11
    return middle + spread * (step * 2 - 1) + Double(turn) * 1e-9
  }
}

/// Cells of three rows with noise all of one kind, the last row of the first cell moved by a log ratio.
func noisyCells(
  _ cells: Int, turns: Int = 56, moved: Double = 0, _ noise: inout Noise
) -> [PairedCell] {
  (0..<cells).map { index in
    let cell = cell("backend\(index)")
    let rows = ["save", "open", "load"].map { phase in
      let middle = index == 0 && phase == "load" ? moved : 0
      return PairedRow(
        key: key(phase, in: cell), metric: .wall,
        differences: (0..<turns).map { _ in middle + noise.next() })
    }
    return PairedCell(cell: cell, rows: rows, turns: turns)
  }
}

extension Verdict {
  var drift: Double? { if case .inconclusive(.drift(let ratio)) = self { ratio } else { nil } }
  /// The worst change that an undecided row leaves open.
  var upTo: Double? {
    if case .inconclusive(.wide(let ratio)) = self { ratio } else { nil }
  }
}

extension InterimPlan {
  /// As many fresh pairs as the first analysis has, so that rows are short to write down.
  static let brief = InterimPlan(confirmation: 12)
}
