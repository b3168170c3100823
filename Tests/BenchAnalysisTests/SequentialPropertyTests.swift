import Basics
import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("With any pairs, the sequential test")
struct SequentialPropertyTests {
  /// Two cells of two or three rows, noisy, some rows moved.
  private static func gate(_ seed: UInt64) -> Gate {
    var dice = SplitMix64(seed: seed)
    var rows: [Series.Key: [Double]] = [:]
    for backend in ["json", "plist"] {
      for phase in ["encode", "decode"] {
        let spread = [0.002, 0.02, 0.06][dice.below(3)]
        var noise = Noise(
          seed: dice.next(), deviation: spread, isHeavy: dice.below(2) == 0)
        let moved = [0, 0, 0.03, -0.08][dice.below(4)]
        rows[key(phase, in: cell(backend))] = (0..<48).map { _ in moved + noise.next() }
      }
    }
    // Too noisy to settle.
    var noise = Noise(seed: dice.next(), deviation: 0.1)
    rows[key("find")] = (0..<48).map { _ in noise.next() }
    return Gate(rows)
  }

  @Test("gives the same result in any order of series and cells")
  func order() {
    let seed = UInt64.random(in: 0...UInt64.max)
    for number in 0..<20 {
      let gate = Self.gate(seed &+ UInt64(number))
      var shuffled = gate
      shuffled.candidate.cells.reverse()
      shuffled.baseline.cells.sort { "\($0.phase)\($0.cell)" < "\($1.phase)\($1.cell)" }
      #expect(shuffled.rows == gate.rows, "seed \(seed), \(number)")
      #expect(shuffled.test?.nextStep == gate.test?.nextStep, "seed \(seed), \(number)")
    }
  }

  @Test("changes regressed into improved if the sides are swapped, and nothing else")
  func swap() {
    let seed = UInt64.random(in: 0...UInt64.max)
    for number in 0..<20 {
      let gate = Self.gate(seed &+ UInt64(number))
      let (rows, swapped) = (gate.rows, gate.swapped.rows)
      for (key, row) in rows {
        let wanted: String? =
          switch row.verdict {
          case .regressed: "improved"
          case .improved: "regressed"
          default: row.verdict?.id
          }
        #expect(wanted == swapped[key]?.verdict?.id, "seed \(seed), \(number)")
      }
    }
  }

  @Test("never decides at an early stop what all planned pairs would not")
  func earlyStop() {
    let seed = UInt64.random(in: 0...UInt64.max)
    for number in 0..<10 {
      let gate = Self.gate(seed &+ UInt64(number))
      let full = gate.rows.mapValues(\.verdict)
      for turns in stride(from: 0, through: 48, by: 3) {
        for (key, row) in gate.first(turns).rows where row.verdict?.isInconclusive == false {
          #expect(row.verdict == full[key], "seed \(seed), \(number), \(turns) turns")
        }
      }
    }
  }

  @Test("asks for more until it is done, and then agrees with the test of all pairs at once")
  func stepByStep() {
    let seed = UInt64.random(in: 0...UInt64.max)
    for number in 0..<20 {
      let gate = Self.gate(seed &+ UInt64(number))
      var measured = gate.first(0)
      var steps = 0
      while let step = measured.test?.nextStep, step != .done, steps < 10 {
        steps += 1
        guard case .screening(let wanted) = step else {
          guard case .confirmation(let wanted) = step else { break }
          measured.measure(wanted, of: gate)
          continue
        }
        measured.measure(wanted, of: gate)
      }
      #expect(steps <= 4, "seed \(seed), \(number)")
      #expect(measured.test?.nextStep == .done, "seed \(seed), \(number)")
      #expect(measured.test?.pairs == gate.test?.pairs, "seed \(seed), \(number)")
      #expect(
        measured.rows.mapValues(\.verdict) == gate.rows.mapValues(\.verdict),
        "seed \(seed), \(number)")
    }
  }

  @Test("never lets p-value and interval contradict each other")
  func agreement() {
    let seed = UInt64.random(in: 0...UInt64.max)
    for number in 0..<50 {
      var dice = SplitMix64(seed: seed &+ UInt64(number))
      var noise = Noise(seed: dice.next(), deviation: 0.02, isHeavy: dice.below(2) == 0)
      let count = 6 + dice.below(51)
      let test = SignedRank((0..<count).map { _ in 0.01 + noise.next() })
      let excludes = test?.interval.map { !$0.contains(0) }
      #expect(excludes == test.map { $0.p <= 0.05 }, "seed \(seed), \(number)")
      #expect(
        test.flatMap { $0.interval?.contains($0.estimate) } == true, "seed \(seed), \(number)")
    }
  }
}

extension Gate {
  /// Adds turns of a whole gate, to so many of each cell.
  mutating func measure(_ wanted: [Cell: Int], of gate: Gate) {
    for index in candidate.cells.indices {
      guard let turns = wanted[candidate.cells[index].cell] else { continue }
      candidate.cells[index].blocks = Array(gate.candidate.cells[index].blocks.prefix(turns))
      baseline.cells[index].blocks = Array(gate.baseline.cells[index].blocks.prefix(turns))
    }
  }
}
