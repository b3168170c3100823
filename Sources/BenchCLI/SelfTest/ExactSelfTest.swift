import BenchAnalysis
import BenchEngine
import BenchResults
import Foundation

/// What the exact tier came to.
struct ExactFindings: Sendable {
  /// Suites of equal programs, every two blocks of one cell compared, with a row flagged.
  var falseAlarms = Rate()
  /// Comparisons with one allocation more, and how many named it with the figure 1.
  var oneAllocation = Rate()
  /// Comparisons with half a per cent more instructions, and how many flagged them.
  var instructions: Rate?
  /// Instructions that half a per cent came to.
  var injectedInstructions: Int?
  /// Why instructions were not tried.
  var withoutInstructions: String?
  /// Seconds that the blocks of one comparison of all cells took.
  var secondsPerVerdict = 0.0
}

/// Compares every block of counters with every other one.
struct ExactSelfTest<App: BenchApp>: Sendable {
  var setup: SelfTestSetup<App>
  var blocks: Int

  func findings() async throws -> ExactFindings {
    var findings = ExactFindings()
    Console.note("counting \(blocks) blocks a side of each cell")
    let start = ContinuousClock.now
    let quiet = try await setup.count(blocks: blocks)
    findings.secondsPerVerdict =
      start.duration(to: .now) / .seconds(1) / Double(max(blocks, 1))
    findings.falseAlarms = falseAlarms(quiet)
    try await addAllocations(quiet, to: &findings)
    try await addInstructions(to: &findings)
    return findings
  }

  /// Every two blocks of the pool, whichever side they are from: one suite of all cells each.
  private func falseAlarms(_ records: Sides<RunRecord>) -> Rate {
    let pool = records.pooled
    var rate = Rate()
    for first in 0..<pool.blocks {
      for second in (first + 1)..<max(pool.blocks, first + 1) {
        let rows = Comparison(candidate: pool.only(first), baseline: pool.only(second)).rows
        let red = rows.values.contains { $0.verdict == .regressed || $0.verdict == .improved }
        rate.add(red)
      }
    }
    return rate
  }

  private func addAllocations(
    _ quiet: Sides<RunRecord>, to findings: inout ExactFindings
  ) async throws {
    let target = setup.replayed[0]
    Console.note("counting with \(target.injection(.allocations(1)))")
    let changed = try await setup.count(blocks: blocks, target, .allocations(1))
    findings.oneAllocation = detections(
      target.key(.allocations), changed.candidate, against: quiet.pooled
    ) { $0.difference == 1 }
  }

  private func addInstructions(to findings: inout ExactFindings) async throws {
    let (few, target) = (min(blocks, 10), setup.replayed[0])
    Console.note("counting instructions of \(few) blocks a side")
    let quiet = try await setup.trace(blocks: few, target)
    let series = quiet.candidate.cells.first {
      $0.metric.id == Metric.instructions.id && $0.phase == target.phase
    }
    guard let series, let count = series.blockMedians.flatMap(Statistics.median) else {
      findings.withoutInstructions = series?.unsupported ?? "nothing counts them here"
      return
    }
    let half = Int((count * 0.005).rounded())
    findings.injectedInstructions = half
    let changed = try await setup.trace(blocks: few, target, .instructions(half))
    findings.instructions = detections(series.key, changed.candidate, against: quiet.pooled) { _ in
      true
    }
  }

  /// Every block with something injected against every one without.
  private func detections(
    _ key: Series.Key, _ changed: RunRecord, against quiet: CountedPool,
    _ isRight: (RowComparison) -> Bool
  ) -> Rate {
    let changed = CountedPool(changed)
    var rate = Rate()
    for block in 0..<changed.blocks {
      for other in 0..<quiet.blocks {
        let comparison = Comparison(candidate: changed.only(block), baseline: quiet.only(other))
        let row = comparison.rows[key]
        let found = row?.verdict == .regressed && row.map(isRight) ?? false
        rate.add(found)
      }
    }
    return rate
  }
}

/// Blocks of counters of one program, any of which can be taken for a run of its own.
struct CountedPool {
  private var record: RunRecord

  init(_ record: RunRecord) {
    self.record = record
    self.record.pairing = nil
  }

  /// Blocks that every series has.
  var blocks: Int { record.cells.map(\.blocks.count).filter { $0 > 0 }.min() ?? 0 }

  /// A record of one block alone.
  func only(_ index: Int) -> RunRecord {
    var one = record
    for place in one.cells.indices where index < one.cells[place].blocks.count {
      one.cells[place].blocks = [one.cells[place].blocks[index]]
    }
    return one
  }
}

extension Sides<RunRecord> {
  /// The blocks of both sides as one program's.
  fileprivate var pooled: CountedPool {
    var record = candidate
    for index in record.cells.indices {
      let key = record.cells[index].key
      record.cells[index].blocks += baseline.cells.first { $0.key == key }?.blocks ?? []
    }
    return CountedPool(record)
  }
}
