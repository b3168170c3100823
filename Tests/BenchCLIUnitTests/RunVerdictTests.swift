import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchResults
import MenuWorkloads
import Testing

@testable import BenchCLI

@Suite("The exit status of a comparison is that of its most severe finding")
struct RunVerdictTests {
  /// The error of a gate of two runs, or nil for status 0.
  private func refused(
    _ new: RunRecord, _ old: RunRecord, _ flags: String...
  ) throws -> CLIError? {
    let strictness = try GateStrictness.parse(flags)
    var report = Report(record: new, baseline: old)
    report.rule = .comparison(
      allowsMissing: strictness.allowMissing, isStrict: strictness.strict)
    return refusal { try report.enforce() }
  }

  /// A series whose blocks differ, so that it is inconclusive.
  private let doubtful = Series(
    cell: cell(), phase: "read", metric: .allocations, blocks: [[1], [2]])

  private func failed(_ record: RunRecord, _ failing: Cell, stage: String?) -> RunRecord {
    var record = record
    record.failures = [Failure(cell: failing, stage: stage, reason: "it broke")]
    record.outcomes = [Outcome(cell: failing, timedBlocks: 0, stop: .failed)]
    return record
  }

  @Test("No change and an improvement pass")
  func passes() throws {
    #expect(try refused(run([count(5)]), run([count(5)])) == nil)
    #expect(try refused(run([count(4)]), run([count(5)]), "--strict") == nil)
  }

  @Test("A regression outweighs failures, gaps and doubts, and the worst is named")
  func regression() throws {
    let new = run([count(6), count(30, phase: "encode"), doubtful])
    let old = run([
      count(5), count(10, phase: "encode"), doubtful, count(1, phase: "write"),
    ])
    let error = try refused(failed(new, cell("plist"), stage: "phase read"), old, "--strict")
    #expect(error?.status == .regression)
    #expect(
      error?.message.hasPrefix(
        "2 figures regressed, the worst json/large/roundtrip/atomic encode allocations: +20")
        == true)
  }

  @Test("A cell that could not be measured, on either side, has status 3 with its reason")
  func failure() throws {
    let sound = run([count(5)])
    let broken = failed(sound, cell("plist"), stage: "phase read")
    let words = "plist/large/roundtrip/atomic could not be measured in phase read: it broke"
    for (new, old) in [(broken, sound), (sound, broken)] {
      let error = try refused(new, old, "--strict")
      #expect(error?.status == .unmeasured)
      #expect(error?.message == words)
    }
  }

  @Test("If cells may be missing, so may one that failed before and is gone now")
  func missing() throws {
    let (new, old) = (run([count(5)]), run([count(5), count(7, in: cell("plist"))]))
    let error = try refused(new, old)
    #expect(error?.status == .unmeasured)
    #expect(
      error?.message
        == "1 figure of the baseline is missing now, the first plist/large/roundtrip/atomic decode "
        + "allocations")
    #expect(try refused(new, old, "--allow-missing") == nil)
    let broken = failed(new, cell("sqlite"), stage: nil)
    #expect(try refused(new, broken, "--allow-missing") == nil)
    #expect(try refused(broken, broken, "--allow-missing")?.status == .unmeasured)
  }

  @Test(
    "A figure of a run with all metrics is missing, but not one of a metric that was not chosen")
  func metrics() throws {
    let old = run([count(5), count(9, .payloadBytes)])
    var new = run([count(5)])
    func compared() throws -> CLIError? {
      let report = Report(
        new, against: old, try ComparingOptions.parse([]))
      return refusal { try report.enforce() }
    }
    #expect(try compared() == nil)
    new.settings.takesAll = [.metrics]
    let error = try compared()
    #expect(error?.status == .unmeasured)
    #expect(
      error?.message
        == "1 figure of the baseline is missing now, the first json/large/roundtrip/atomic "
        + "decode payload_bytes")
    // The sides of one gate were asked for the same.
    new.settings.takesAll = nil
    new.pairing = Pairing(
      id: "g1", side: .candidate, executable: "bench", revision: nil, looks: InterimPlan())
    #expect(old.limited(toMetricsOf: new) != old)
    var beside = old
    beside.pairing = new.pairing
    #expect(beside.limited(toMetricsOf: new) == beside)
  }

  @Test("Rows without any baseline do not pass")
  func onlyNew() throws {
    let error = try refused(run([count(5)]), run([]))
    #expect(error?.status == .noBaseline)
    #expect(error?.message == "nothing could be compared: every row is new")
  }

  @Test("Another menu's content does not pass, and a regression comes before it")
  func otherMenu() throws {
    let other = Cell(backend: "json", menu: "small", workload: "roundtrip", durability: "atomic")
    let old = run([count(5), count(5, in: other)])
    var new = old
    new.menus[1].fingerprint = "00000000000000bb"
    let error = try refused(new, old)
    #expect(error?.status == .noBaseline)
    #expect(
      error?.message
        == "nothing of menu small could be compared: the baseline's menu of that name has other"
        + " content")
    let broken = failed(new, cell("plist"), stage: "decode")
    #expect(try refused(broken, old)?.status == .unmeasured)
    new.cells[0].blocks = [[6], [6]]
    #expect(try refused(new, old)?.status == .regression)
  }

  @Test("A run without a baseline passes if each of its cells was measured")
  func alone() throws {
    func refused(_ record: RunRecord) -> CLIError? {
      refusal { try Report(record: record).enforce() }
    }
    let sound = run([count(5)])
    #expect(refused(sound) == nil)
    let broken = refused(failed(sound, cell("plist"), stage: "phase read"))
    #expect(broken?.status == .unmeasured)
    #expect(
      broken?.message
        == "1 of 1 cells could not be measured. The first is plist/large/roundtrip/atomic in phase read: "
        + "it broke")
    var lacking = sound
    lacking.outcomes = [Outcome(cell: cell("sqlite"), timedBlocks: 2, stop: .blocks)]
    let empty = refused(lacking)
    #expect(empty?.status == .unmeasured)
    #expect(
      empty?.message == "sqlite/large/roundtrip/atomic: no figure of the requested metrics")
    #expect(empty?.help == "see bench doctor for what this machine can measure")
    // A failure says more than a missing figure.
    lacking.failures = [Failure(cell: cell("plist"), stage: "phase read", reason: "it broke")]
    lacking.outcomes.append(Outcome(cell: cell("plist"), timedBlocks: 0, stop: .failed))
    let both = refused(lacking)
    #expect(both?.status == .unmeasured)
    #expect(
      both?.message
        == "1 of 2 cells could not be measured. The first is plist/large/roundtrip/atomic in phase read: "
        + "it broke")
  }

  @Test("A doubt passes, but has status 7 if passes must be certain")
  func doubt() throws {
    let record = run([count(5), doubtful])
    #expect(try refused(record, record) == nil)
    let error = try refused(record, record, "--strict")
    #expect(error?.status == .inconclusive)
    #expect(
      error?.message
        == "1 row inconclusive, the first json/large/roundtrip/atomic read allocations")
  }

  @Test("A pass says how many rows were decided, and how to make it fail if none was")
  func decided() {
    func words(_ old: [Series], _ new: [Series]) -> String {
      Report(record: run(new), baseline: run(old)).outcome().reason
    }
    let steady = [count(5), count(7, phase: "encode")]
    #expect(words(steady, steady) == "nothing regressed in 2 rows")
    #expect(
      words(steady + [doubtful], steady + [doubtful])
        == "nothing regressed in 2 rows, 1 more inconclusive")
    #expect(
      words([doubtful], [doubtful])
        == "nothing could be decided: 1 row inconclusive (with --strict, a gate "
        + "ends with status 7)")
  }

  @Test("A cost is injected only into what is measured, and a slowdown only into times")
  func injection() throws {
    let everywhere = try GateStrictness.parse(["--inject", "decode:allocations=1"])
    #expect(
      try everywhere.injection(into: ["json"], timed: false)?.description
        == "decode:allocations=1")
    let plist = try GateStrictness.parse(["--inject", "plist/decode:allocations=1"])
    #expect(try plist.injection(into: ["json", "plist"], timed: true)?.backend == "plist")
    #expect(
      refusal { _ = try plist.injection(into: ["json"], timed: true) }?.status == .usage)
    #expect(try GateStrictness.parse([]).injection(into: ["json"], timed: false) == nil)
    let slower = try GateStrictness.parse(["--inject", "json/decode:slowdown=5%"])
    #expect(try slower.injection(into: ["json"], timed: true)?.backend == "json")
    let refused = refusal { _ = try slower.injection(into: ["json"], timed: false) }
    #expect(refused?.status == .usage)
    #expect(
      refused?.message
        == "--inject 'json/decode:slowdown=5%' slows down times, but none are measured")
  }
}
