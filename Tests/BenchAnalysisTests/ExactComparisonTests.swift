import BenchAnalysis
import BenchResults
import Testing

@Suite("A comparison of exact metrics and of what can't be compared")
struct ExactComparisonTests {
  @Test("One allocation more in ten thousand is a regression, with an exact ratio and no interval")
  func one() {
    let row = compare(run([exact(10_001)]), run([exact(10_000)]))[exact(1).key]
    #expect(
      row == RowComparison(baselineP50: 10_000, ratio: 1.0001, verdict: .regressed))
  }

  @Test("Equal is unchanged, from one block on")
  func equal() {
    let row = compare(run([exact(7, blocks: 1)]), run([exact(7)]))[exact(1).key]
    #expect(row == RowComparison(baselineP50: 7, ratio: 1, verdict: .unchanged))
  }

  @Test("From 0 there is no ratio, but a verdict")
  func fromZero() {
    let rows = compare(run([exact(3)]), run([exact(0)]))
    #expect(rows[exact(1).key] == RowComparison(baselineP50: 0, verdict: .regressed))
    let both = compare(run([exact(0)]), run([exact(0)]))
    #expect(both[exact(1).key] == RowComparison(baselineP50: 0, verdict: .unchanged))
  }

  @Test("Blocks that differ within either run make it inconclusive")
  func disagreeing() {
    var uneven = exact(7)
    uneven.blocks = [[7], [8]]
    let rows = [(uneven, exact(7)), (exact(7), uneven)].map { new, old in
      compare(run([new]), run([old]))[new.key]?.verdict
    }
    #expect(rows == [.inconclusive(.notExact), .inconclusive(.notExact)])
  }

  @Test("On another machine exact metrics are compared and times are not")
  func otherMachine() throws {
    let now = run([wall(200), exact(8), control()], machine: machine(cpu: "Xeon"))
    let comparison = Comparison(candidate: now, baseline: run([wall(100), exact(7), control()]))
    #expect(comparison.rows[wall(1).key] == RowComparison(baselineP50: 100))
    #expect(comparison.rows[exact(1).key]?.verdict == .regressed)
    #expect(comparison.comparability.machineDifferences == ["cpu: Xeon, baseline EPYC"])
    #expect(comparison.comparability.allocationDifferences == [])
  }

  @Test("Another toolchain, allocator or file system is named as what forbids comparing times")
  func otherToolchain() {
    let now = run(
      [exact(8)], machine: machine(swift: "6.4", allocator: "glibc"), fileSystem: nil)
    let comparability = Comparability(candidate: now, baseline: run([exact(7)]))
    #expect(
      comparability.machineDifferences == [
        "file system: unknown, baseline ext4", "swift: 6.4, baseline 6.3.1",
        "allocator: glibc, baseline jemalloc 5.3",
      ])
    #expect(
      comparability.allocationDifferences == [
        "swift: 6.4, baseline 6.3.1", "allocator: glibc, baseline jemalloc 5.3",
      ])
  }

  @Test("Another menu by the same name is not compared at all")
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

  @Test("What only one side has is new or missing, and what is no longer measured is missing")
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

  @Test("The same series twice in a file is no crash")
  func duplicates() {
    let record = run([exact(7), exact(7)])
    #expect(compare(record, record)[exact(7).key]?.verdict == .unchanged)
  }
}
