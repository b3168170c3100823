import BenchAnalysis
import BenchResults
import Foundation
import Testing

@Suite("A comparison of times")
struct TimedComparisonTests {
  @Test("A run against itself shows no change, and none that the machine's state could hide")
  func same() throws {
    let record = run([wall(100e6), control()])
    let row = try #require(compare(record, record)[wall(1).key])
    #expect(row.verdict == .inconclusive(.wide(upTo: row.interval?.high ?? 0)))
    #expect(row.interval.map { $0.high > 1.15 && $0.low < 1 / 1.15 } == true)
    #expect(row.ratio == 1)
    #expect(row.adjustedP == 1)
    #expect(row.baselineP50 == 100e6)
  }

  @Test("A fifth more time is a regression, and a tenth may be the machine's state")
  func fifth() throws {
    let (slow, fast) = (run([wall(120e6), control()]), run([wall(100e6), control()]))
    let worse = try #require(compare(slow, fast)[wall(1).key])
    #expect(worse.verdict == .regressed)
    #expect(abs((worse.ratio ?? 0) - 1.2) < 1e-9)
    #expect(worse.interval.map { $0.low > 1.18 / 1.15 && $0.high < 1.22 * 1.15 } == true)
    #expect(compare(fast, slow)[wall(1).key]?.verdict == .improved)
    let tenth = compare(run([wall(110e6), control()]), fast)[wall(1).key]
    #expect(tenth?.verdict == .inconclusive(.wide(upTo: tenth?.interval?.high ?? 0)))
    #expect(tenth?.threshold.map { abs($0 - 1.02) < 1e-5 } == true)
  }

  @Test("A higher rate is better")
  func higherIsBetter() {
    func rate(_ middle: Double) -> RunRecord {
      var series = wall(middle)
      series.metric = Metric(id: "rate", unit: .count, better: .higher)
      return run([series, control()])
    }
    let key = Series.Key(cell: cell(), phase: "encode", metric: "rate")
    #expect(compare(rate(110), rate(100))[key]?.verdict == .improved)
    #expect(compare(rate(100), rate(110))[key]?.verdict == .regressed)
  }

  @Test("Noise never passes: the row cannot be decided, and tells how much may hide in it")
  func noisy() throws {
    let rows = compare(
      run([wall(104e6, spread: 0.4), control()]), run([wall(100e6, spread: 0.4), control()]))
    let row = try #require(rows[wall(1).key])
    let upTo = try #require(row.verdict?.upTo)
    #expect(upTo == row.interval?.high && upTo > 1.2)
  }

  @Test("Two blocks a side decide nothing", arguments: [1, 2])
  func tooFew(blocks: Int) {
    let rows = compare(
      run([wall(200, blocks: blocks), control()]), run([wall(100, blocks: blocks), control()]))
    #expect(rows[wall(1).key]?.verdict == .inconclusive(.blocks(have: blocks, need: 3)))
  }

  @Test("A mean is computed from blocks of three samples, and tells what the median does not")
  func mean() {
    func stalling(_ stall: Double) -> RunRecord {
      var wall = wall(100e6)
      wall.blocks = wall.blocks.map { [$0[0], $0[0], $0[0] * stall] }
      return run([wall])
    }
    let rows = compare(stalling(5), stalling(1))
    #expect(rows[wall(1).key]?.interval.map { $0.low < 1 && $0.high > 1 } == true)
    #expect(rows[wall(1).key.of(metric: "wall_mean")]?.verdict == .regressed)
    // A gate of an earlier program recorded it.
    var recorded = wall(100)
    recorded.metric = .meanWall
    let compared = Comparison(candidate: run([wall(100)]), baseline: run([wall(100), recorded]))
    #expect(compared.missing.map(\.key) == [recorded.key])
  }

  @Test("A cost is judged as the sum of its phases, which only explain it")
  func costs() {
    func sides(_ encode: Double) -> RunRecord {
      run([wall(encode), wall(100e6, phase: "write"), wall(10e6, phase: "open")])
    }
    let rows = compare(sides(160e6), sides(100e6))
    #expect(rows[wall(1, phase: "save").key]?.verdict == .regressed)
    #expect(rows[wall(1, phase: "save").key]?.ratio.map { abs($0 - 1.3) < 1e-9 } == true)
    #expect(rows[wall(1).key]?.ratio.map { abs($0 - 1.6) < 1e-9 } == true)
    #expect(rows[wall(1).key]?.verdict == nil)
    #expect(rows[wall(1, phase: "open").key]?.verdict?.isInconclusive == true)
    // The sides sum up other phases, so each phase speaks for itself.
    var other = sides(160e6)
    other.workloads = [
      WorkloadInfo(id: "roundtrip", costs: [WorkloadInfo.Cost(name: "save", phases: ["write"])])
    ]
    let apart = compare(other, sides(100e6))
    #expect(apart[wall(1, phase: "save").key] == nil)
    #expect(apart[wall(1).key]?.verdict == .regressed)
  }

  @Test("CPU time decides where it is nine tenths of wall time, and wall time is a second look")
  func cpu() {
    func sides(_ wall: Double, _ cpu: Double) -> RunRecord {
      var other = BenchAnalysisTests.wall(cpu)
      other.metric = .cpu
      return run([BenchAnalysisTests.wall(wall), other])
    }
    let (wall, cpu) = (wall(1).key, wall(1).key.of(metric: "cpu"))
    let bound = compare(sides(101e6, 100e6), sides(100e6, 99e6))
    #expect(bound[cpu]?.verdict?.isInconclusive == true && bound[wall]?.verdict == nil)
    // It waits more, so it is no longer bound by the processor.
    let waiting = compare(sides(200e6, 100e6), sides(100e6, 99e6))
    #expect(waiting[wall]?.verdict == .regressed && waiting[cpu]?.verdict == nil)
    // Several threads use more processor time than passes.
    let threads = compare(sides(100e6, 250e6), sides(100e6, 200e6))
    #expect(threads[wall]?.verdict?.isInconclusive == true)
    #expect(threads[cpu]?.verdict == .regressed)
    // It was parallelised: less time passes, although more is used.
    let parallel = compare(sides(50e6, 130e6), sides(100e6, 100e6))
    #expect(parallel[wall]?.verdict == .improved && parallel[cpu]?.verdict == nil)
    // Most saves are faster, but every third stalls.
    func stalls(_ usual: Double, _ stall: Double) -> RunRecord {
      var wall = BenchAnalysisTests.wall(1)
      wall.blocks = wall.blocks.map { $0.flatMap { [usual * $0, usual * $0, stall * $0] } }
      return run([wall])
    }
    let stalling = compare(stalls(70e6, 500e6), stalls(100e6, 100e6))
    #expect(stalling[wall]?.verdict == .improved)
    #expect(stalling[wall.of(metric: "wall_mean")]?.verdict == .regressed)
  }

  @Test(
    "A storage that keeps nothing, checkpoints and times below the clock's bound get no verdict")
  func shown() {
    var (new, old) = (run([wall(200)]), run([wall(100)]))
    for run in [\(RunRecord, RunRecord).0, \.1] {
      var sides = (new, old)
      sides[keyPath: run].machine.emptySample = 41
      (new, old) = sides
    }
    #expect(compare(new, old)[wall(1).key]?.verdict == nil)
    let log = { (time: Double) in run([wall(time, phase: "checkpoint-share")]) }
    #expect(compare(log(200e6), log(100e6)).values.allSatisfy { $0.verdict == nil })
    let memory = { (time: Double) in
      run([wall(time)]).with(
        \.backends,
        [BackendInfo(id: "json", summary: "").with(\.survivesRestart, false)])
    }
    #expect(compare(memory(200e6), memory(100e6))[wall(1).key]?.verdict == nil)
  }

  @Test("A record's own facts of a metric never decide, and count as missing")
  func facts() {
    func allocations(
      _ count: Double, isExact: Bool = true, _ better: Direction = .lower,
      _ unit: BenchResults.Unit = .count
    ) -> RunRecord {
      let metric = Metric(id: "allocations", unit: unit, better: better, isExact: isExact)
      return run([exact(count, metric)])
    }
    let key = exact(1).key
    for candidate in [
      allocations(150, isExact: false), allocations(150, .higher), allocations(150, .lower, .bytes),
    ] {
      let report = Report(record: candidate, baseline: allocations(100))
      #expect(report.rows.first?.verdict == .missing)
      #expect(report.outcome().id == "missing")
      #expect(report.comparison?.contradicted == [key])
    }
    #expect(compare(allocations(150), allocations(100))[key]?.verdict == .regressed)
  }

  @Test("Times that should be compared and are not are no pass, and counts alone may pass")
  func otherKernel() {
    let (new, old) = (run([wall(100), exact(7)]), run([wall(100), exact(7)]))
    var other = old
    (other.machine.kernel, other.machine.swift) = ("7.0", "6.2")
    let report = Report(record: new.with(\.machine.kernel, "6.18"), baseline: other)
    #expect(report.outcome().id == "times-not-compared")
    #expect(report.comparison?.comparability.machineDifferences.count == 2)
    #expect(Report(record: new, baseline: other, gatesTimes: false).outcome().id == "passed")
    // A kernel that is not known is no difference.
    other.machine.swift = old.machine.swift
    #expect(Report(record: new, baseline: other).outcome().id == "passed")
  }

  @Test("A tolerance raises the size that a change must exceed and that counts as unchanged")
  func tolerance() throws {
    func verdict(_ time: Double, _ tolerance: Tolerance) -> RowComparison? {
      Comparison(
        candidate: run([wall(time * 1e6), control()]), baseline: run([wall(100e6), control()]),
        tolerances: Tolerances([.init(RowSelector(metric: "wall"), tolerance)])
      ).rows[wall(1).key]
    }
    #expect(verdict(120, .relative(0.18))?.verdict == .regressed)
    #expect(verdict(120, .relative(0.22))?.verdict?.isInconclusive == true)
    let within = try #require(verdict(120, .relative(0.5)))
    #expect(within.verdict == .unchanged)
    #expect(within.threshold.map { abs($0 - 1.5) < 1e-12 } == true)
    #expect(verdict(120, .absolute(50e6))?.threshold == within.threshold)
    #expect(verdict(120, .absolute(.nan))?.verdict == .regressed)
  }

  @Test("Times that are not gated have a ratio and no verdict, and may be absent")
  func notGated() throws {
    let pages = Series(cell: cell(), phase: "encode", metric: .touchedBytes, blocks: [[1], [2]])
    let now = run([wall(200), exact(8), control(), wall(1, phase: "open"), pages])
    let then = run([wall(100), exact(7), control(), wall(1, phase: "held"), pages])
    let comparison = Comparison(candidate: now, baseline: then, gatesTimes: false)
    let row = try #require(comparison.rows[wall(1).key])
    #expect(row.ratio.map { abs($0 - 2) < 1e-9 } == true && row.interval != nil)
    #expect(row.verdict == nil)
    #expect(comparison.rows[pages.key]?.verdict == nil)
    #expect(comparison.rows[exact(1).key]?.verdict == .regressed)
    #expect(comparison.rows[wall(1, phase: "open").key] == nil)
    #expect(comparison.missing.isEmpty)
  }

  @Test("A cell that is gone is missing even if times are not gated")
  func cellGone() {
    let plist = cell("plist")
    let then = run([exact(7), exact(7, in: plist), wall(1, in: plist)])
    let comparison = Comparison(candidate: run([exact(7)]), baseline: then, gatesTimes: false)
    #expect(comparison.missing.map(\.key) == [exact(7, in: plist).key, wall(1, in: plist).key])
    #expect(comparison.rows[wall(1, in: plist).key]?.verdict == .missing)
  }

  @Test("If the control moved, the times of its cell are inconclusive, and others are not")
  func drift() throws {
    let (other, key) = (cell("plist"), wall(1, in: cell("plist")).key)
    let now = run([
      wall(120e6), control(1_200), exact(5), wall(120e6, in: other), control(in: other),
    ])
    let then = run([wall(100e6), control(), exact(4), wall(100e6, in: other), control(in: other)])
    let comparison = Comparison(candidate: now, baseline: then)
    let ratio = try #require(comparison.rows[wall(1).key]?.verdict?.drift)
    #expect(abs(ratio - 1.2) < 1e-9)
    #expect(comparison.rows[key]?.verdict == .regressed)
    #expect(comparison.rows[exact(1).key]?.verdict == .regressed)
    #expect(Array(comparison.drifts.keys) == [cell()])
  }

  @Test("A control that moved no more than its own spread has not drifted")
  func noisyControl() {
    let (now, then) = (
      wall(1_050, spread: 0.3, phase: "control"), wall(1_000, spread: 0.3, phase: "control")
    )
    let comparison = Comparison(
      candidate: run([wall(120e6), now]), baseline: run([wall(100e6), then]))
    #expect(comparison.drifts.isEmpty)
    #expect(comparison.rows[wall(1).key]?.verdict == .regressed)
  }

  @Test("A difference between two machines is not a drift")
  func driftOfMachines() {
    let now = run([wall(100), control(2_000)], machine: machine(cpu: "Xeon"))
    let comparison = Comparison(candidate: now, baseline: run([wall(100), control()]))
    #expect(comparison.drifts.isEmpty)
    #expect(comparison.uncontrolled.isEmpty)
  }

  @Test("A cell without a control is named")
  func uncontrolled() {
    let record = run([wall(100), wall(100, in: cell("plist")), control(in: cell("plist"))])
    #expect(Comparison(candidate: record, baseline: record).uncontrolled == [cell()])
  }

  @Test("Floors and controls have a ratio and no verdict")
  func floors() throws {
    let floor = wall(150, phase: "floor-copy")
    let rows = compare(
      run([floor, control()]), run([wall(100, phase: "floor-copy"), control()]))
    let row = try #require(rows[floor.key])
    #expect(row.verdict == nil)
    #expect(row.ratio.map { abs($0 - 1.5) < 1e-9 } == true)
  }

  @Test("A metric that is always counted in two blocks has a ratio and does not ask for more")
  func twoBlocks() {
    let pages = Series(
      cell: cell(), phase: "encode", metric: .touchedBytes, blocks: [[100], [104]])
    let report = Report(record: run([wall(100), pages]), baseline: run([wall(100), pages]))
    let row = report.rows.first { $0.metric == .touchedBytes }
    #expect(row?.comparison?.ratio == 1)
    #expect(row?.verdict == nil)
  }

  @Test("Values of 0 have no ratio, and are unchanged only if all are 0")
  func zeros() {
    func pages(_ value: Double) -> Series {
      Series(
        cell: cell(), phase: "encode", metric: .touchedBytes,
        blocks: Array(repeating: [value], count: 8))
    }
    let key = pages(0).key
    #expect(compare(run([pages(0)]), run([pages(0)]))[key]?.verdict == .unchanged)
    let row = compare(run([pages(3)]), run([pages(0)]))[key]
    #expect(row?.verdict == .inconclusive(.noRatio))
    #expect(row?.ratio == nil)
  }
}

func compare(
  _ candidate: RunRecord, _ baseline: RunRecord
) -> [Series.Key: RowComparison] {
  Comparison(candidate: candidate, baseline: baseline).rows
}
