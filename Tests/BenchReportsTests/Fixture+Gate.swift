import BenchResults
import Foundation

struct GateFixture {
  var candidate: RunRecord
  var baseline: RunRecord
}

extension Fixture {
  /// A gate with a row of every kind: JSON's decode is a fifth slower and allocates once more, its
  /// write is too noisy to tell, SQLite's encode is faster and its stored size new, plist is gone.
  static var gate: GateFixture {
    var gate = GateFixture(candidate: side(.candidate), baseline: side(.baseline))
    gate.add("json", pairs: 44, moved: ["decode": 0.2], noisy: ["write"])
    gate.add("sqlite", pairs: 24, moved: ["encode": -0.15])
    gate.add("memory", pairs: 12)
    gate.candidate.cells += counts("json", "decode", 10_201) + counts("sqlite", "decode", 400)
    gate.baseline.cells += counts("json", "decode", 10_200) + counts("sqlite", "decode", 400)
    gate.candidate.cells += [exact("sqlite", "write", .storedBytes, 2_900_000)]
    gate.baseline.cells += counts("plist", "encode", 9_000) + counts("plist", "decode", 8_000)
    gate.candidate.warnings = [
      "injected into the candidate to try the gate: json/decode:slowdown=20%"
    ]
    return gate
  }

  /// A gate of counters alone, in which nothing changed.
  static var exactGate: GateFixture {
    var gate = GateFixture(candidate: side(.candidate), baseline: side(.baseline))
    for backend in ["json", "sqlite"] {
      let counts = counts(backend, "decode", 400)
      for path in [\GateFixture.candidate, \.baseline] {
        gate[keyPath: path].cells += counts
        gate[keyPath: path].outcomes.append(
          Outcome(cell: cell(backend), timedBlocks: 0, stop: .blocks))
      }
    }
    gate.candidate.pairing?.injection = nil
    return gate
  }

  static func cell(_ backend: String) -> Cell {
    Cell(backend: backend, menu: "large", workload: "roundtrip", durability: "atomic")
  }

  private static func side(_ side: Pairing.Side) -> RunRecord {
    var record = run()
    (record.cells, record.outcomes, record.failures) = ([], [], [])
    record.settings.scheduleSeed = 42
    record.settings.budgetSeconds = 300
    let isNew = side == .candidate
    record.pairing = Pairing(
      id: "g1", side: side, executable: isNew ? "/new/bench" : "/old/bench",
      revision: isNew ? "4f8594a31078-dirty" : "a480758d2b64bbf31e3c9e2bc2d7cc0a4b1e8f55",
      looks: InterimPlan(confirmation: 12)
    ).with(\.injection, isNew ? "json/decode:slowdown=20%" : nil)
    record.tool.revision = record.pairing?.revision
    return record
  }

  private static func counts(_ backend: String, _ phase: String, _ value: Double) -> [Series] {
    [
      exact(backend, phase, .allocations, value),
      exact(backend, phase, .allocatedBytes, value * 160),
    ]
  }

  private static func exact(
    _ backend: String, _ phase: String, _ metric: Metric, _ value: Double
  ) -> Series {
    Series(cell: cell(backend), phase: phase, metric: metric, blocks: [[value], [value]])
  }
}

extension GateFixture {
  /// Adds so many pairs of every phase of a backend and of its control.
  fileprivate mutating func add(
    _ backend: String, pairs: Int, moved: [String: Double] = [:], noisy: Set<String> = []
  ) {
    let cell = Fixture.cell(backend)
    for phase in ["encode", "write", "read", "decode", "control"] {
      let spread = noisy.contains(phase) ? 0.3 : 0.005
      let shift = moved[phase, default: 0]
      let differences = (0..<pairs).map { (turn: Int) -> Double in
        shift + spread * (Double(turn * 5 % 12) / 5.5 - 1)
      }
      candidate.cells.append(
        Series(
          cell: cell, phase: phase, metric: .wall,
          blocks: differences.map { [(2e6 * exp($0)).rounded()] }))
      baseline.cells.append(
        Series(
          cell: cell, phase: phase, metric: .wall, blocks: differences.map { _ in [2e6] }))
    }
    candidate.outcomes.append(Outcome(cell: cell, timedBlocks: pairs, stop: .blocks))
    baseline.outcomes.append(Outcome(cell: cell, timedBlocks: pairs, stop: .blocks))
  }
}
