import BenchAnalysis
import BenchResults
import Testing

@Suite("A run that was merged from shards")
struct ShardTests {
  /// Two menus, each measured by a shard of its own: `small` on one machine, `large` on another.
  private func merged(
    _ small: Machine = machine(), _ large: Machine = machine(), slower: Double = 1,
    fileSystem: String? = "ext4"
  ) -> RunRecord {
    let menus = ["small", "large"]
    let cells = menus.flatMap { menu in ["json", "plist"].map { cell($0, menu: menu) } }
    var record = run(
      cells.flatMap { [wall(1_000 * slower, in: $0), exact(7, in: $0), control(in: $0)] },
      machine: small, fileSystem: fileSystem)
    if large.cpu != small.cpu { record.machine.cpu = nil }
    record.backends = ["json", "plist"].map { BackendInfo(id: $0, summary: $0) }
    record.outcomes = cells.map { Outcome(cell: $0, timedBlocks: 12, stop: .blocks) }
    let units = menus.enumerated().map {
      Split.Unit(
        menu: $0.element, workload: "roundtrip", durabilities: ["atomic"], shard: $0.offset + 1)
    }
    let shards = [small, large].enumerated().map {
      Shard(number: $0.offset + 1).with(\.machine, $0.element)
        .with(\.settings, record.settings)
    }
    record.split = Split(count: 2, units: units, shards: shards)
    return record
  }

  private func conclusions(_ record: RunRecord) -> [String] {
    Report(record: record).conclusions.map(\.text)
  }

  @Test("Every group has the number of the shard that measured it")
  func groups() {
    let groups = Report(record: merged()).groups
    #expect(groups.map(\.menu) == ["small", "large"])
    #expect(groups.map(\.shard) == [1, 2])
    #expect(Report(record: run([wall(9)])).groups.map(\.shard) == [nil])
  }

  @Test("Equal machines count as one, and others are named by their differences")
  func unlike() {
    #expect(merged().unlikeShards.isEmpty)
    let likeness = "2 shards ran on machines that look alike"
    #expect(conclusions(merged()).contains { $0.hasPrefix(likeness) })
    let record = merged(machine(), machine(cpu: "Xeon"))
    let words = "shard 2 differs from shard 1 in cpu: Xeon, shard 1 EPYC"
    #expect(record.unlikeShards == [words])
    #expect(conclusions(record).contains("no ranking across machines: \(words)"))
    #expect(!conclusions(record).contains { $0.hasPrefix(likeness) })
  }

  @Test("Times compare with a run of the same machines, cell by cell")
  func sameMachines() {
    let (small, large) = (machine(), machine(cpu: "Xeon"))
    let report = Report(record: merged(small, large), baseline: merged(small, large))
    #expect(report.comparison?.comparability.comparesTimes == true)
    let timed = report.rows.filter { $0.metric == .wall && $0.phase == "encode" }
    #expect(timed.count == 4 && timed.allSatisfy { $0.verdict?.isInconclusive == true })
  }

  @Test("If one cell was measured on another machine, no time is compared, but exact metrics are")
  func otherMachine() {
    let report = Report(
      record: merged(machine(), machine(cpu: "Xeon"), slower: 3), baseline: merged())
    let comparability = report.comparison?.comparability
    #expect(comparability?.machineDifferences == ["cpu: Xeon, baseline EPYC"])
    let timed = report.rows.filter { $0.metric == .wall && $0.phase == "encode" }
    #expect(timed.map(\.verdict) == [nil, nil, nil, nil])
    let exact = report.rows.filter { $0.metric == .allocations }
    #expect(exact.map(\.verdict) == [.unchanged, .unchanged, .unchanged, .unchanged])
  }

  @Test("Compared with a run of one machine, only common cells count")
  func oneMachine() {
    let record = merged(machine(), machine(cpu: "Xeon"))
    var small = run(["json", "plist"].map { wall(1_000, in: cell($0, menu: "small")) })
    #expect(Comparability(candidate: small, baseline: record).comparesTimes)
    #expect(Comparability(candidate: record, baseline: small).comparesTimes)
    small.machine.cpu = "Xeon"
    #expect(!Comparability(candidate: small, baseline: record).comparesTimes)
    // With no cell in common it is not known which of them will be.
    #expect(!Comparability(candidate: run([]), baseline: record).comparesTimes)
  }

  @Test("A program without shards compares no times of different machines")
  func older() {
    var record = merged(machine(), machine(cpu: "Xeon"))
    record.split = nil
    let found = Comparability(candidate: record, baseline: run([wall(9)]))
    #expect(found.machineDifferences == ["cpu: unknown, baseline EPYC"])
  }

  @Test("A figure is tiny by the clock of its own machine")
  func clock() {
    var (fine, coarse) = (machine(), machine())
    (fine.emptySample, coarse.emptySample) = (20, 200)
    let rows = Report(record: merged(fine, coarse)).rows.filter { $0.phase == "encode" }
      .filter { $0.metric == .wall }
    #expect(rows.map(\.resolutionLimit) == [200, 200, 2_000, 2_000])
    #expect(rows.map(\.isUnresolved) == [false, false, true, true])
  }

  @Test("Doubts about a machine name its shard")
  func doubts() {
    var busy = machine()
    busy.loadAverage = 9
    let texts = conclusions(merged(machine(), busy, fileSystem: "tmpfs"))
    #expect(
      texts.contains(
        "shard 2: load average 9.0 on 2 cores when the run began, so its times may be too long"))
    #expect(
      texts.contains(
        "shard 1: /data is on tmpfs, which is memory, so `atomic` flushed nothing to a drive"))
  }

  @Test("A missing shard is a warning, and a single shard is named")
  func missing() {
    var record = merged()
    #expect(record.lackOfShards == nil)
    let part = record.byMachine[0]
    #expect(
      conclusions(part).contains(
        "this is shard 1 of 2: bench merge joins it with the others"))
    var half = record
    half.split?.shards.removeLast()
    half.outcomes.removeLast(2)
    half.cells.removeLast(6)
    let words =
      "shard 2 of 2 is missing: 2 cells not measured, the first json/large/roundtrip/atomic"
    #expect(half.lackOfShards == words)
    #expect(conclusions(half).contains(words))
    record.outcomes[0].stop = .interrupted
    #expect(
      record.lackOfShards
        == "shard 1 of 2 did not finish: 1 cell not measured, the first"
        + " json/small/roundtrip/atomic")
  }
}
