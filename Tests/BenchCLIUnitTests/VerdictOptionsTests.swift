import ArgumentParser
import BenchEngine
import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis
@testable import BenchCLI

@Suite("A tolerance or a limit applies to the rows of its key")
struct VerdictOptionsTests {
  private func parsed(_ kind: RuleEntry.Kind, _ typed: String) throws -> Judgement {
    var judgement = Judgement()
    _ = try RuleParser(suite).add(try RuleEntry(kind, typed: typed), to: &judgement)
    return judgement
  }

  @Test(
    "A key has one, two, three or six parts, and a menu may contain the separator",
    arguments: [
      ("allocations=2", RowSelector(metric: "allocations"), Tolerance.absolute(2)),
      ("*/*/wall=5%", RowSelector(metric: "wall"), .relative(0.05)),
      (
        "sqlite/write/allocations=0",
        RowSelector(backend: "sqlite", phase: "write", metric: "allocations"), .absolute(0)
      ),
      (
        "json/stored_bytes=1e3", RowSelector(backend: "json", metric: "stored_bytes"),
        .absolute(1_000)
      ),
      (
        "json/large/roundtrip/atomic/load/wall=1000%",
        RowSelector(
          backend: "json", menu: "large", workload: "roundtrip", durability: "atomic",
          phase: "load", metric: "wall"), .relative(10)
      ),
      (
        "*/a/b.json/*/durable/*/instructions=0.5%",
        RowSelector(menu: "a/b.json", durability: "durable", metric: "instructions"),
        .relative(0.005)
      ),
      (
        "*/products=9,seed=7/*/*/*/payload_bytes=4kB",
        RowSelector(menu: "products=9,seed=7", metric: "payload_bytes"), .absolute(4_000)
      ),
    ])
  func rows(_ typed: String, _ rows: RowSelector, _ tolerance: Tolerance) throws {
    let rule = try parsed(.tolerance, typed).tolerances.rules.last
    #expect(rule == Tolerances.Rule(rows, tolerance))
  }

  @Test(
    "A limit is a number of the metric's unit, and a time needs a unit",
    arguments: [
      ("json/decode/allocations=2000", 2_000), ("*/save/wall=16ms", 16e6), ("wall=7ns", 7),
      ("cpu=1.5us", 1_500), ("json/load/wall_mean=250µs", 250e3), ("wall=2 s", 2e9),
      ("json/load/time=2s", 2e9),
      ("*/stored_bytes=2MB", 2e6), ("payload_bytes=64", 64), ("payload_bytes=64B", 64),
      ("payload_bytes=64kB", 64e3), ("json/stored_bytes=0.5GB", 5e8), ("missed_frames=1%", 1),
    ] as [(String, Double)])
  func limits(_ typed: String, _ most: Double) throws {
    let rule = try #require(try parsed(.limit, typed).limits.rules.last)
    #expect(rule.most == most && rule.isRequired)
  }

  @Test(
    "An invalid rule is refused with its wrong part, and with valid ones",
    arguments: [
      (.tolerance, "allocations", "missing", "KEY=VALUE"),
      (.limit, "alocations=1", "'alocations'", "'allocations'"), (.limit, "=1", "empty", "wall"),
      (.limit, "json/large/decode/wall=1s", "'json/large/decode/wall'", "BACKEND/PHASE/METRIC"),
      (.tolerance, "json/decode/*=1", "'json/decode/*'", "BACKEND/PHASE/METRIC"),
      (.tolerance, "jsno/decode/wall=1%", "'jsno'", "'json'"),
      (.limit, "save/wall=1s", "'save'", "*/save/wall"),
      (.limit, "json/sav/wall=1s", "'sav'", "'save'"),
      (.tolerance, "json/floor-copy/wall=1%", "'floor-copy'", "open, encode"),
      (.tolerance, "json/large/roundtrp/atomic/decode/wall=1%", "'roundtrp'", "'roundtrip'"),
      (.tolerance, "json/large/roundtrip/atomc/decode/wall=1%", "'atomc'", "'atomic'"),
      (.tolerance, "wall=5", "'5'", "5%"), (.tolerance, "wall=5ms", "'5ms'", "5%"),
      (.tolerance, "wall=-1%", "'-1%'", "5%"), (.tolerance, "allocations=-1", "'-1'", "2000"),
      (.tolerance, "wall=1001%", "'1001%'", "1000%"),
      (.tolerance, "allocations=1e300", "'1e300'", "2000"),
      (.tolerance, "allocations=nan", "'nan'", "2000"), (.tolerance, "wall=nan%", "'nan%'", "5%"),
      (.tolerance, "wall=0x1p3%", "'0x1p3%'", "5%"), (.tolerance, "wall=", "''", "5%"),
      (.tolerance, "wall=5%%", "'5%%'", "5%"), (.limit, "wall=16", "'16'", "µs, ms or s"),
      (.limit, "wall=16m", "'16m'", "16ms"), (.limit, "wall=5%", "'5%'", "16ms"),
      (.limit, "stored_bytes=2mb", "'2mb'", "B, kB, MB or GB"),
      (.limit, "allocations=2k", "'2k'", "2000"), (.limit, "allocations=-1", "'-1'", "2000"),
      (.limit, "wall=1e999s", "'1e999s'", "16ms"), (.limit, "cpu=infs", "'infs'", "16ms"),
    ] as [(RuleEntry.Kind, String, String, String)])
  func refused(_ kind: RuleEntry.Kind, _ typed: String, _ reason: String, _ help: String) {
    let error = refusal { _ = try parsed(kind, typed) }
    #expect(error?.status == .usage)
    let place = "--\(kind == .limit ? "limit" : "tolerance") \(typed): "
    #expect(error?.message.hasPrefix(place) == true)
    #expect(error?.message.dropFirst(place.count).contains(reason) == true)
    #expect(error?.help?.contains(help) == true, "\(error?.help ?? "")")
  }

  private func judgement(_ flags: [String], of rows: [Series.Key]) throws -> Judgement {
    try VerdictOptions.parse(flags).judgement(in: suite, of: rows)
  }

  @Test("A typed rule overrides that of the file")
  func precedence() throws {
    try inFolder { folder in
      let path = folder + "/own.json"
      try #"{"tolerances": {"allocations": 9, "json/decode/wall": "5%"}, "limits": {"wall": "1s"}}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let key = Series.Key(cell: cell(), phase: "decode", metric: "allocations")
      let time = Series.Key(cell: cell(), phase: "decode", metric: "wall")
      func found(_ typed: String...) throws -> Judgement {
        try judgement(["--config", path] + typed, of: [key, time])
      }
      let two = try found("--tolerance", "allocations=2", "--limit", "json/wall=2s")
      #expect(two.tolerances.of(key) == .absolute(2))
      #expect(two.tolerances.of(time) == .relative(0.05))
      #expect(two.limits.of(time) == 2e9)
      #expect(try found().limits.of(time) == 1e9)
      let later = try found(
        "--tolerance", "allocations=2", "--tolerance", "*/*/allocations=3%")
      #expect(later.tolerances.of(key) == .relative(0.03))
    }
  }

  @Test("A typed rule without a row is refused, but not one in the file")
  func matchesNothing() throws {
    try inFolder { folder in
      let path = folder + "/own.json"
      try #"{"tolerances": {"sqlite/write/allocations": 9}, "limits": {"sqlite/wall": "1s"}}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let rows = [Series.Key(cell: cell(), phase: "decode", metric: "allocations")]
      #expect(try judgement(["--config", path], of: rows).limits.rules.isEmpty)
      for (option, rule, help) in [
        ("--tolerance", "sqlite/write/allocations=9", "json/large/roundtrip/atomic decode"),
        ("--limit", "json/encode/allocations=9", "json/large/roundtrip/atomic decode"),
        ("--tolerance", "wall=5%", "allocations"),
      ] {
        let error = refusal { _ = try judgement(["--config", path, option, rule], of: rows) }
        #expect(error?.status == .usage)
        #expect(error?.message.hasPrefix("\(option) \(rule): ") == true)
        #expect(error?.help?.hasSuffix(" are \(help)") == true, "\(error?.help ?? "")")
      }
    }
  }

  @Test("A selection's rows are each metric of each phase, and the times of each cost")
  func selected() throws {
    let selection = try Selection.parse([
      "--menu", "small", "--backend", "json,memory", "--metrics", "wall,allocations",
    ])
    let rows = try selection.resolve(in: suite).rows
    // A time has a mean.
    #expect(rows.count == 2 * (9 * 3 + 2 * 2))
    #expect(
      rows.contains(Series.Key(cell: cell(menu: "small"), phase: "load", metric: "wall_mean")))
  }

  @Test("A gate's rows are those that its tier measures, with instructions perhaps of another menu")
  func measured() throws {
    var chosen = try Selection.parse(["--menu", "small"]).resolve(in: suite)
    // The menu claims to be this large, but the test makes none.
    chosen.cells[0].cell.menu = "large"
    chosen.menus[0].name = "large"
    chosen.menus[0].counts = [.init(of: "products", count: 1_000_000)]
    func rows(_ tier: GateTier, _ counter: String? = nil) throws -> [Series.Key] {
      try chosen.rows(
        in: suite,
        measuring: GateMetrics(
          against: .program("", product: nil), tier: tier, named: nil, instructionCounter: counter))
    }
    #expect(try Set(rows(.time).map(\.metric)) == ["wall", "wall_mean", "cpu"])
    let counts = try rows(.exact)
    #expect(!counts.contains { ["wall", "cpu", "touched_bytes"].contains($0.metric) })
    func cells(_ metric: String, _ rows: [Series.Key]) -> Set<Cell> {
      Set(rows.filter { $0.metric == metric }.map(\.cell))
    }
    #expect(cells("allocations", counts) == [cell()])
    #expect(cells("instructions", counts) == [cell(menu: "small")])
    #expect(try cells("instructions", rows(.exact, "perf_event")) == [cell()])
  }
}

@Suite("A run over its limit fails without a baseline")
struct LimitTests {
  /// The status of a run under limits, unless it passes, and the rows over them.
  private func judged(_ record: RunRecord, _ limits: String...) throws -> [String] {
    let judgement = try VerdictOptions.parse(limits.flatMap { ["--limit", $0] })
      .judgement(in: suite, of: record.rowKeys)
    let report = Report(record, against: nil, judgement)
    return (ExitStatus(report.outcome()).map { ["\($0)"] } ?? [])
      + report.overLimit.map { "\($0.phase) \($0.metric.id)" }
  }

  private func time(_ phase: String, _ milliseconds: [Double]) -> Series {
    Series(
      cell: cell(), phase: phase, metric: .wall, blocks: milliseconds.map { [$0 * 1e6] })
  }

  @Test("A count and a size fail above their limits, and pass at them")
  func counts() throws {
    let record = run([count(2_000), count(2_000_000, .storedBytes, phase: "write")])
    #expect(try judged(record, "json/decode/allocations=2000", "*/stored_bytes=2MB") == [])
    #expect(
      try judged(record, "json/allocations=1999", "stored_bytes=2MB")
        == ["regression", "decode allocations"])
    #expect(
      try judged(record, "*/write/stored_bytes=1.9MB") == ["regression", "write stored_bytes"])
  }

  @Test("A time fails if its whole interval is above its limit, and so does a cost")
  func times() throws {
    let blocks = [10.0, 11, 10, 11, 10, 11]
    let record = run([
      time("read", blocks), time("decode", blocks), time("floor-copy", [99, 99, 99]),
    ])
    #expect(try judged(record, "json/decode/wall=10.4ms", "json/load/wall=20.8ms") == [])
    #expect(try judged(record, "json/decode/wall=9ms") == ["regression", "decode wall"])
    #expect(try judged(record, "*/load/wall=19ms") == ["regression", "load wall"])
    // Floors and controls have no limits.
    #expect(try judged(record, "wall=50ms") == [])
  }

  @Test("A limited row without a figure does not pass, unless its backend keeps nothing")
  func lacking() throws {
    let none = Series(cell: cell(), phase: "decode", metric: .cpu, unsupported: "no clock")
    let record = run([count(5), time("read", [1, 1]), time("decode", [1, 1]), none])
    for limit in ["json/decode/cpu=1s", "*/load/cpu=1s", "*/load/wall_mean=1s"] {
      #expect(try judged(record, limit) == ["unmeasured"], "\(limit)")
    }
    #expect(try judged(record, "*/load/wall=1s") == [])
    var planned = Judgement()
    _ = try RuleParser(suite).add(
      try RuleEntry(.limit, typed: "json/read/stored_bytes=1"), to: &planned)
    #expect(ExitStatus(Report(record, against: nil, planned).outcome()) == .unmeasured)
    var two = run([
      count(5, .storedBytes, phase: "write"),
      Series(cell: cell("memory"), phase: "write", metric: .storedBytes, unsupported: "no file"),
    ])
    #expect(try judged(two, "stored_bytes=5") == ["unmeasured"])
    two.backends = [BackendInfo(id: "memory", summary: "").with(\.survivesRestart, false)]
    #expect(try judged(two, "stored_bytes=5") == [])
  }

  @Test("A row that is over its limit and also got worse fails once")
  func regressed() throws {
    let judgement = try VerdictOptions.parse(["--limit", "allocations=6"])
      .judgement(in: suite, of: run([count(7)]).rowKeys)
    let worse = Report(run([count(7)]), against: run([count(5)]), judgement)
    #expect(worse.failing.map(\.verdict) == [.regressed])
    let same = Report(run([count(7)]), against: run([count(7)]), judgement)
    #expect(same.failing.map(\.verdict) == [.overLimit])
    #expect(ExitStatus(same.outcome()) == .regression)
  }
}
