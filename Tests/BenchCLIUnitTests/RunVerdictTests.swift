import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchResults
import Foundation
import MenuWorkloads
import Testing

@testable import BenchCLI

@Suite("The exit status of a comparison is that of its most severe finding")
struct RunVerdictTests {
  /// The error of a comparison of two runs, or nil for status 0.
  private func refused(
    _ new: RunRecord, _ old: RunRecord, _ flags: String...
  ) throws -> CLIError? {
    try refused(new, old, flags)
  }

  private func refused(
    _ new: RunRecord, _ old: RunRecord, _ flags: [String]
  ) throws -> CLIError? {
    let judgement = try ComparingOptions.parse(flags).judgement(in: suite, of: new.rowKeys)
    return refusal { try Report(new, against: old, judgement).enforce() }
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
        "2 figures got worse, the worst json/large/roundtrip/atomic encode allocations: +20")
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
      try refused(new, old.limited(toMetricsOf: new))
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
        == "plist/large/roundtrip/atomic could not be measured in phase read: it broke")
    var lacking = sound
    lacking.outcomes = [Outcome(cell: cell("sqlite"), timedBlocks: 2, stop: .blocks)]
    #expect(refused(lacking)?.status == .unmeasured)
    #expect(refused(lacking)?.message.hasPrefix("sqlite/large/roundtrip/atomic ") == true)
    // A failure says more than a missing figure.
    lacking.failures = [Failure(cell: cell("plist"), stage: "phase read", reason: "it broke")]
    lacking.outcomes.append(Outcome(cell: cell("plist"), timedBlocks: 0, stop: .failed))
    #expect(refused(lacking)?.message == broken?.message)
  }

  @Test("A doubt passes, but has status 7 if passes must be certain")
  func doubt() throws {
    let record = run([count(5), doubtful])
    #expect(try refused(record, record) == nil)
    let error = try refused(record, record, "--strict")
    #expect(error?.status == .inconclusive)
    #expect(error?.message.hasSuffix("json/large/roundtrip/atomic read allocations") == true)
  }

  @Test("A pass counts the rows that were decided, and those that were not")
  func decided() {
    func counts(_ rows: [Series]) -> [Int]? {
      guard
        case .passed(let decided, let open) =
          Report(record: run(rows), baseline: run(rows)).outcome()
      else { return nil }
      return [decided, open]
    }
    let steady = [count(5), count(7, phase: "encode")]
    #expect(counts(steady) == [2, 0])
    #expect(counts(steady + [doubtful]) == [2, 1])
    #expect(counts([doubtful]) == [0, 1])
  }

  @Test("Times of another processor, kernel or compiler do not pass, but counts alone do")
  func otherMachine() throws {
    let time = Series(cell: cell(), phase: "decode", metric: .wall, blocks: [[7], [7], [7]])
    var old = run([count(5), time])
    old.machine.kernel = "6.1"
    let facts: [(String, String, WritableKeyPath<Machine, String?>)] = [
      ("cpu", "Z80", \.cpu), ("kernel", "6.2", \.kernel), ("swift", "6.2", \.swift),
    ]
    for (difference, value, path) in facts {
      let new = old.with(\.machine, old.machine.with(path, value))
      let error = try refused(new, old)
      #expect(error?.status == .noBaseline)
      #expect(error?.message.contains("\(difference): \(value), baseline ") == true)
      #expect(error?.help?.contains(": \(difference). ") == true)
      #expect(try refused(new, old, "--tier", "exact", "--strict") == nil)
      #expect(try refused(new, old.with(\.cells, [count(4), time]))?.status == .regression)
    }
    #expect(refusal { _ = try refused(old, old, "--tier", "time") }?.status == .usage)
  }

  @Test("The sides of a gate have one verdict under one file, whichever command compares them")
  func oneVerdict() throws {
    try inFolder { folder in
      let path = folder + "/own.json"
      try #"{"tolerances": {"allocations": 2}, "limits": {"json/payload_bytes": "64B"}}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let doubt = Series(cell: cell(), phase: "read", metric: .allocatedBytes, blocks: [[1], [2]])
      var (new, old) = (run([count(7), doubt]), run([count(5), doubt]))
      new.pairing = Pairing(
        id: "g1", side: .candidate, executable: "bench", revision: nil, looks: InterimPlan())
      old.pairing = new.pairing?.with(\.side, .baseline)
      func statuses(_ flags: String...) throws -> [BenchCLI.ExitStatus?] {
        let gate = try VerdictOptions.parse(["--config", path] + flags)
          .judgement(in: suite, of: new.rowKeys)
        return [
          BenchCLI.ExitStatus(Report(new, against: old, gate).outcome()),
          try refused(new, old, ["--config", path] + flags)?.status,
        ]
      }
      #expect(try statuses() == [nil, nil])
      #expect(try statuses("--strict") == [.inconclusive, .inconclusive])
      #expect(try statuses("--tolerance", "allocations=1") == [.regression, .regression])
      #expect(try statuses("--limit", "allocations=6") == [.regression, .regression])
    }
  }

  @Test("A cost is injected only into what is measured, and a slowdown only into times")
  func injection() throws {
    func backend(_ text: String, into backends: [String], timed: Bool) throws -> String? {
      try Injection(typed: text, into: backends, timed: timed).backend
    }
    #expect(try backend("decode:allocations=1", into: ["json"], timed: false) == nil)
    let plist = "plist/decode:allocations=1"
    #expect(try backend(plist, into: ["json", "plist"], timed: true) == "plist")
    #expect(refusal { _ = try backend(plist, into: ["json"], timed: true) }?.status == .usage)
    let slower = "json/decode:slowdown=5%"
    #expect(try backend(slower, into: ["json"], timed: true) == "json")
    #expect(refusal { _ = try backend(slower, into: ["json"], timed: false) }?.status == .usage)
  }
}
