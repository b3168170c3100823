import BenchAnalysis
import BenchResults
import Testing

@Suite("Runs on processors with other features do not compare times")
struct ComparabilityTests {
  private func differences(_ new: [String]?, _ old: [String]?) -> [String] {
    var (now, then) = (machine(), machine())
    (now.cpuFlags, then.cpuFlags) = (new, old)
    return Comparability(
      candidate: run([exact(7)], machine: now), baseline: run([exact(7)], machine: then)
    ).machineDifferences
  }

  @Test("The differing features are named, up to three on a side")
  func named() {
    #expect(
      differences(["a", "b", "c", "d", "sse"], ["sse", "z"]) == [
        "cpu features: only here a, b, c and 1 more, only baseline z"
      ])
    #expect(differences(["sse"], ["avx2", "sse"]) == ["cpu features: only baseline avx2"])
  }

  @Test("Other cores, another system and a clock with coarser ticks are differences")
  func machines() {
    func named(_ change: (inout Machine) -> Void) -> [String] {
      var (now, then) = (machine(), machine())
      (then.cores, then.system, then.clockResolution) = (2, "Debian 12", 1)
      now = then
      change(&now)
      return Comparability(
        candidate: run([exact(7)], machine: now), baseline: run([exact(7)], machine: then)
      ).machineDifferences
    }
    #expect(named { $0.cores = 4 } == ["cores: 4, baseline 2"])
    #expect(named { $0.system = "Debian 13" } == ["system: Debian 13, baseline Debian 12"])
    #expect(named { $0.clockResolution = 1e7 } == ["clock: 10.0 ms, baseline 1 ns"])
  }

  @Test("The same features in another order, or unknown features, are no difference")
  func same() {
    #expect(differences(["a", "b"], ["b", "a"]) == [])
    #expect(differences(nil, ["a"]) == [])
    #expect(differences(["a"], nil) == [])
  }
}

@Suite("Runs with another malloc, or measured by another method, do not compare")
struct AllocatorComparabilityTests {
  private func compare(
    _ new: [String: String]?, _ old: [String: String]?
  ) -> Comparability {
    var (now, then) = (machine(), machine())
    (now.environment, then.environment) = (new, old)
    return Comparability(
      candidate: run([exact(7)], machine: now), baseline: run([exact(7)], machine: then))
  }

  @Test(
    "A library that the user preloaded on one side alone excludes times and instructions, by name")
  func environment() {
    let found = compare(
      ["LD_PRELOAD": "libmimalloc.so", "MALLOC_CONF": "a:1"], ["MALLOC_CONF": "a:2"])
    let differences = [
      "LD_PRELOAD: libmimalloc.so, baseline unset", "MALLOC_CONF: a:1, baseline a:2",
    ]
    #expect(found.machineDifferences == differences)
    #expect(found.instructionDifferences == differences)
    #expect(found.allocationDifferences == differences)
    #expect(!found.comparesTimes)
  }

  @Test("An equal environment is no difference, but an unknown one is")
  func unknownEnvironment() {
    #expect(compare(["LD_PRELOAD": "x"], ["LD_PRELOAD": "x"]).comparesTimes)
    #expect(compare(nil, nil).comparesTimes)
    #expect(compare(nil, [:]).machineDifferences == ["environment: known on one side only"])
  }

  @Test("If one side counted no allocations, the allocator makes no difference")
  func uncounted() {
    let found = Comparability(
      candidate: run([wall(9)], machine: machine(counting: nil)), baseline: run([wall(9)]))
    #expect(found.allocationDifferences == [] && found.comparesTimes)
  }

  @Test(
    "Runs of another method are not compared, neither counts nor times, and a conclusion says so")
  func method() {
    var old = run([exact(7), wall(9)])
    old.tool.method = 1
    let report = Report(record: run([exact(8), wall(20)]), baseline: old)
    #expect(report.rows.map(\.verdict) == [nil, nil])
    #expect(report.rows.compactMap(\.comparison?.baselineP50) == [7, 9])
    #expect(
      report.conclusions.map(\.text).contains(
        "nothing is compared, because the runs were measured differently: method of measuring: 6,"
          + " baseline 1"))
  }
}

@Suite("A run of one process does not compare with one of fresh processes unless you ask for it")
struct ProcessComparabilityTests {
  private let fresh = run([exact(7), wall(9)])
  private var one: RunRecord {
    var record = run([exact(8), wall(20)])
    record.settings.oneProcess = true
    return record
  }

  @Test("Nothing is compared, and the difference is named")
  func refused() {
    let report = Report(record: one, baseline: fresh)
    #expect(report.rows.map(\.verdict) == [nil, nil])
    let words = "processes: one for all, baseline a fresh one per block"
    #expect(report.comparison?.comparability.methodDifference == words)
    #expect(report.comparison?.comparability.machineDifferences == [words])
    #expect(
      report.conclusions.map(\.text).contains(
        "nothing is compared, because the runs were measured differently: \(words)"))
  }

  @Test("If you ask for it, they compare, with a warning")
  func mixed() {
    let report = Report(record: one, baseline: fresh, mixesProcesses: true)
    #expect(report.rows.first?.verdict == .regressed)
    #expect(report.comparison?.comparability.comparesTimes == true)
    #expect(
      report.conclusions.map(\.text).contains(
        "compared as you asked, though the measurement itself differs: processes: one for "
          + "all, baseline a fresh one per block"))
  }

  @Test("Two runs of one process compare, and each report explains the limits")
  func alike() {
    let report = Report(record: one, baseline: one)
    #expect(report.rows.first?.verdict == .unchanged)
    #expect(
      report.conclusions.contains {
        $0.severity == .warning && $0.text.hasPrefix("measured in one process: ")
      })
    #expect(!Report(record: fresh).conclusions.contains { $0.text.contains("one process") })
  }
}
