import BenchResults
import Testing

@testable import BenchAnalysis

@Suite("A comparison of exact metrics and of incomparable runs")
struct ExactComparisonTests {
  @Test(
    "One allocation more in ten thousand is a regression, and a baseline of 0 has no ratio",
    arguments: [
      (10_001, 10_000, 1.0001, Verdict.regressed), (7, 7, 1, .unchanged), (3, 0, nil, .regressed),
      (0, 0, nil, .unchanged),
    ] as [(Double, Double, Double?, Verdict)])
  func exactly(now: Double, then: Double, ratio: Double?, verdict: Verdict) {
    for blocks in [1, 2] {
      #expect(
        compare(run([exact(now, blocks: blocks)]), run([exact(then)]))[exact(1).key]
          == RowComparison(
            baselineP50: then, ratio: ratio, difference: now - then, verdict: verdict))
    }
  }

  @Test(
    "A tolerance includes its limit, and applies only to its row",
    arguments: [
      (100, 7, Tolerance.relative(0.07), Verdict.unchanged), (100, 8, .relative(0.07), .regressed),
      (100, 29, .relative(0.29), .unchanged), (100, -7, .relative(0.07), .unchanged),
      (100, -8, .relative(0.07), .improved), (0, 1, .relative(0.5), .regressed),
      (100, 3, .absolute(3), .unchanged), (100, 4, .absolute(3), .regressed),
      (100, 9, .init(part: 0.07, amount: 9), .unchanged),
      (100, 8, .init(part: 0.07, amount: 3), .regressed),
      (0, 3, .absolute(3), .unchanged), (100, 1, .relative(-1), .regressed),
      (100, 1, .absolute(.nan), .regressed), (100, 9, .absolute(.infinity), .unchanged),
    ])
  func tolerance(baseline: Double, change: Double, tolerance: Tolerance, verdict: Verdict) {
    let (now, then) = (baseline + change, baseline)
    let rows = Comparison(
      candidate: run([exact(now), exact(now, .readCalls)]),
      baseline: run([exact(then), exact(then, .readCalls)]),
      tolerances: Tolerances([.init(RowSelector(metric: "allocations"), tolerance)])
    ).rows
    #expect(rows[exact(1).key]?.verdict == verdict)
    #expect(
      rows[exact(1, .readCalls).key]?.verdict == (change > 0 ? .regressed : .improved))
  }

  @Test("Instructions are judged by medians, with a default tolerance of a thousandth")
  func instructions() {
    func verdict(_ now: [Double], _ rules: [Tolerances.Rule] = []) -> Verdict? {
      func count(_ values: [Double]) -> Series {
        Series(
          cell: cell(), phase: "encode", metric: .instructions, blocks: values.map { [$0] })
      }
      return Comparison(
        candidate: run([count(now)]), baseline: run([count([1_000_000])]),
        tolerances: Tolerances(rules)
      ).rows[count([]).key]?.verdict
    }
    let looser = Tolerances.Rule(RowSelector(metric: "instructions"), .relative(0.01))
    #expect(verdict([1_001_000]) == .unchanged)
    #expect(verdict([1_001_001]) == .regressed)
    #expect(verdict([998_999]) == .improved)
    #expect(verdict([1_005_000], [looser]) == .unchanged)
    #expect(verdict([1_005_000, 1_005_900]) == .regressed)
    #expect(verdict([1_000_500, 1_007_000]) == .inconclusive(.notExact))
  }

  @Test("Instructions of another counter, processor or compiler are not compared, with a reason")
  func otherCounter() {
    let series = Series(cell: cell(), phase: "encode", metric: .instructions, blocks: [[9]])
    var (now, then) = (machine(), machine())
    (now.instructionCounter, now.cpuFlags) = ("perf_event", ["avx2", "sse4"])
    (then.instructionCounter, then.cpuFlags) = ("callgrind 3.19.0", ["avx512f", "sse4"])
    let report = Report(
      record: run([series], machine: now), baseline: run([series], machine: then))
    #expect(report.rows.map(\.comparison) == [RowComparison(baselineP50: 9)])
    #expect(
      report.conclusions.map(\.text).contains(
        "instructions are not compared, because of: counter: perf_event, baseline callgrind"
          + " 3.19.0; cpu features: only here avx2, only baseline avx512f"))
    then = now
    then.swift = "6.4"
    let other = Report(
      record: run([series], machine: now), baseline: run([series], machine: then))
    #expect(other.rows.map(\.verdict) == [nil])
  }

  @Test("If blocks differ within a run by more than the tolerance, the runs must be further apart")
  func apart() {
    func verdict(_ now: [Double], _ then: [Double], _ tolerance: Double = 0) -> Verdict? {
      let series = [now, then].map { values in
        Series(cell: cell(), phase: "read", metric: .allocations, blocks: values.map { [$0] })
      }
      return Comparison(
        candidate: run([series[0]]), baseline: run([series[1]]),
        tolerances: Tolerances([.init(RowSelector(metric: "allocations"), .absolute(tolerance))])
      ).rows[series[0].key]?.verdict
    }
    #expect(verdict([7, 8], [7, 7]) == .inconclusive(.notExact))
    #expect(verdict([7, 7], [7, 8]) == .inconclusive(.notExact))
    #expect(verdict([100, 102], [100, 100], 1) == .inconclusive(.notExact))
    #expect(verdict([100, 102], [100, 100], 2) == .unchanged)
    #expect(verdict([94_301, 94_302], [50_000, 50_000]) == .regressed)
    #expect(verdict([50_000, 50_000], [94_301, 94_302]) == .improved)
    #expect(verdict([12, 14], [9, 10], 1) == .regressed)
    #expect(verdict([12, 14], [9, 11], 1) == .inconclusive(.notExact))
  }

  @Test("One expensive write in ten is a regression, although the median is unchanged")
  func maximum() {
    func compared(_ now: [[Double]], _ then: [[Double]]) -> RowComparison? {
      let series = [now, then].map {
        Series(cell: cell(), phase: "write", metric: .allocations, blocks: $0)
      }
      return compare(run([series[0]]), run([series[1]]))[series[0].key]
    }
    let (even, driftLimit) = ([7.0, 7, 7, 7, 7], [7.0, 7, 35, 7, 7])
    let row = compared([driftLimit, driftLimit], [even, even])
    #expect(row?.verdict == .regressed)
    #expect(row?.most == RowComparison.Figures(baseline: 7, now: 35))
    // The figures that decided also sort rows and go into files.
    #expect(row?.ratio == 5)
    #expect(row?.difference == 28)
    #expect(row.flatMap { Wording.change($0, .allocations) } == "at most 35, was 7")
    #expect(compared([even, even], [driftLimit, driftLimit])?.verdict == .improved)
    // Seen in one block alone it is a doubt, and rare on both sides none.
    #expect(compared([driftLimit, even], [even, even])?.verdict == .inconclusive(.notExact))
    #expect(compared([driftLimit, even], [even, driftLimit])?.verdict == .unchanged)
    #expect(compared([even, even], [driftLimit, even])?.verdict == .unchanged)
    let more = [8.0, 8, 35, 8, 8]
    #expect(compared([more, more], [even, even])?.most == nil)
  }

  @Test("On another machine exact metrics are compared, and times are not")
  func otherMachine() throws {
    let now = run([wall(200), exact(8), control()], machine: machine(cpu: "Xeon"))
    let comparison = Comparison(candidate: now, baseline: run([wall(100), exact(7), control()]))
    #expect(comparison.rows[wall(1).key] == RowComparison(baselineP50: 100))
    #expect(comparison.rows[exact(1).key]?.verdict == .regressed)
    #expect(comparison.comparability.machineDifferences == ["cpu: Xeon, baseline EPYC"])
    #expect(comparison.comparability.allocationDifferences == [])
  }

  @Test("Another toolchain, allocator or file system is named as the reason not to compare times")
  func otherToolchain() {
    let now = run(
      [exact(8)], machine: machine(swift: "6.4", allocator: "glibc 2.39", counting: "jemalloc 5.4"),
      fileSystem: nil)
    let comparability = Comparability(candidate: now, baseline: run([exact(7)]))
    #expect(
      comparability.machineDifferences == [
        "file system: unknown, baseline ext4", "swift: 6.4, baseline 6.3.1",
        "allocator: glibc 2.39, baseline glibc 2.36",
      ])
    #expect(
      comparability.allocationDifferences == [
        "swift: 6.4, baseline 6.3.1", "counting allocator: jemalloc 5.4, baseline jemalloc 5.3",
      ])
    #expect(
      comparability.instructionDifferences == [
        "swift: 6.4, baseline 6.3.1", "allocator: glibc 2.39, baseline glibc 2.36",
      ])
  }

  @Test("Another menu with the same name is not compared at all")
  func otherMenu() {
    let now = run([exact(8), wall(100)], fingerprint: "00000000000000bb")
    let then = run([exact(7), wall(100), exact(9, .storedBytes)])
    let comparison = Comparison(candidate: now, baseline: then)
    #expect(comparison.rows.isEmpty)
    #expect(comparison.missing.isEmpty)
    #expect(comparison.comparability.differentMenus == ["large"])
  }

  @Test("A menu that a run does not describe is not compared")
  func unknownMenu() {
    var then = run([exact(7)])
    then.menus = []
    let comparison = Comparison(candidate: then, baseline: then)
    #expect(comparison.rows.isEmpty)
    #expect(comparison.comparability.differentMenus == ["large"])
  }

  @Test("A row of one side is new or missing, and a metric that is no longer measured is missing")
  func oneSided() {
    let unsupported = Series(
      cell: cell(), phase: "encode", metric: .allocations, unsupported: "no jemalloc")
    let plist = exact(7, in: cell("plist"))
    let comparison = Comparison(
      candidate: run([unsupported, wall(100)]), baseline: run([exact(7), plist, control()]))
    #expect(comparison.rows[wall(1).key] == RowComparison(verdict: .new))
    #expect(comparison.rows[exact(1).key] == RowComparison(baselineP50: 7, verdict: .missing))
    #expect(comparison.rows[plist.key] == RowComparison(baselineP50: 7, verdict: .missing))
    #expect(comparison.missing.map(\.key) == [exact(1).key, plist.key])
    #expect(comparison.rows.count == 3)
  }

  @Test("A series that occurs twice in a file does not crash")
  func duplicates() {
    let record = run([exact(7), exact(7)])
    #expect(compare(record, record)[exact(7).key]?.verdict == .unchanged)
  }
}
