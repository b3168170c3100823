import Basics
import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("With any pairs, the sequential test")
struct SequentialPropertyTests {
  /// Two cells of two or three rows and their controls, noisy, some rows moved.
  private static func gate(_ seed: UInt64) -> Gate {
    var dice = SplitMix64(seed: seed)
    var rows: [Series.Key: [Double]] = [:]
    for backend in ["json", "plist"] {
      for phase in ["encode", "decode", "control"] {
        let spread = [0.002, 0.02, 0.06][dice.below(3)]
        var noise = Noise(
          seed: dice.next(), deviation: spread, isHeavy: dice.below(2) == 0)
        let moved = phase == "control" ? 0 : [0, 0, 0.03, -0.08][dice.below(4)]
        rows[key(phase, in: cell(backend))] = (0..<44).map { _ in moved + noise.next() }
      }
    }
    // Too noisy to settle.
    var noise = Noise(seed: dice.next(), deviation: 0.1)
    rows[key("find")] = (0..<44).map { _ in noise.next() }
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
      for turns in stride(from: 0, through: 44, by: 3) {
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

  @Test("would have suspected the smallest change that it prints, up or down, in these pairs")
  func smallestChange() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var (found, tested) = (0, 0)
    for number in 0..<20 {
      let gate = Self.gate(seed &+ UInt64(number)).first(32)
      for (key, row) in gate.rows {
        guard let smallest = row.verdict?.smallestChange, let ratio = row.ratio else { continue }
        found += 1
        #expect(smallest >= 1.02)
        // The change of a row that was given up early comes from the noise, not from the test.
        guard gate.screened(key)?.looks.last?.pairs == 32 else { continue }
        tested += 1
        for change in [smallest, 1 / smallest] {
          let row = gate.moved(key, by: change / ratio).screened(key)
          #expect(row?.state == .suspected, "seed \(seed), \(number): \(change)")
          let estimate = row?.looks.last?.evidence?.estimate ?? 0
          #expect(estimate * log(change) > 0, "seed \(seed), \(number): \(change)")
        }
      }
    }
    #expect(found > 10 && tested > 0, "seed \(seed), \(found), \(tested)")
  }

  @Test("prints no larger change than necessary if no other row is suspected")
  func smallestIsSmallest() throws {
    var noise = Noise(seed: 5, deviation: 0.05)
    let gate = Gate([key(): (0..<32).map { _ in noise.next() }])
    let row = try #require(gate.rows[key()])
    let (smallest, ratio) = (
      try #require(row.verdict?.smallestChange), try #require(row.ratio)
    )
    let states = [1.0, -1].map { direction in
      let change = exp(direction * (log(smallest) - 1e-5))
      return gate.moved(key(), by: change / ratio).screened(key())?.state
    }
    #expect(states.contains { $0 != .suspected })
  }
}

@Suite("With drawn pairs, the sequential test")
struct SequentialErrorTests {
  /// The verdicts on drawn cells of four rows each, without the smallest change of those that stay open.
  private func verdicts(_ cells: [PairedCell]) -> [Series.Key: Verdict] {
    SequentialTest(cells, plan: InterimPlan())
      .verdicts { _, _ in .wide(smallestChange: 1) }.compactMapValues(\.verdict)
  }

  @Test("raises no more false alarms in 300 gates of 16 rows than its level allows")
  func falseAlarms() {
    let gates = (1...300).map { seed in
      var noise = Noise(seed: UInt64(seed), deviation: 0.02, isHeavy: seed.isMultiple(of: 2))
      return verdicts(noisyCells(4, &noise)).values
    }
    #expect(gates.allSatisfy { $0.count == 16 }, "seeds 1 to 300")
    let red = gates.map { gate in gate.count { $0 == .regressed } }
    // At most 0.1 % of rows and 1 % of gates.
    #expect(red.reduce(0, +) <= 4)
    #expect(red.count { $0 > 0 } <= 3)
    #expect(gates.joined().count { $0 == .improved } <= 4)
  }

  @Test("finds 5 % with a deviation of 2 % in at least nine of ten gates, and nothing else")
  func power() {
    let slowed = key("decode", in: cell("backend0"))
    var (found, others) = (0, 0)
    for seed in 1...60 {
      var noise = Noise(seed: UInt64(seed), deviation: 0.02)
      let red = verdicts(noisyCells(4, moved: log(1.05), &noise)).filter { $0.value == .regressed }
      found += red[slowed] == nil ? 0 : 1
      others += red.keys.allSatisfy { $0 == slowed } ? 0 : 1
    }
    #expect(found >= 54, "seeds 1 to 60")
    #expect(others <= 1)
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

  /// A row as the screening left it.
  func screened(_ key: Series.Key) -> PairedRow? {
    test?.screening.cells.flatMap(\.rows).first { $0.key == key }
  }

  /// The gate with one row's candidate so many times as slow.
  func moved(_ key: Series.Key, by ratio: Double) -> Gate {
    var gate = self
    for index in gate.candidate.cells.indices where gate.candidate.cells[index].key == key {
      gate.candidate.cells[index].blocks = gate.candidate.cells[index].blocks.map { block in
        block.map { $0 * ratio }
      }
    }
    return gate
  }
}
