import ArgumentParser
import BenchEngine
import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis
@testable import BenchCLI

@Suite("A tolerance applies to the rows of its key")
struct ToleranceTests {
  private func rule(_ typed: String) throws -> Tolerances.Rule {
    try ToleranceRules(suite).rule(try ToleranceEntry(typed: typed))
  }

  @Test(
    "A key has one, three or six parts, and a menu may contain the separator",
    arguments: [
      ("allocations=2", RowSelector(metric: "allocations"), Tolerance.absolute(2)),
      ("*/*/wall=5%", RowSelector(metric: "wall"), .relative(0.05)),
      (
        "sqlite/write/allocations=0",
        RowSelector(
          backend: "sqlite", phase: "write", metric: "allocations"), .absolute(0)
      ),
      (
        "json/*/stored_bytes=1e3", RowSelector(backend: "json", metric: "stored_bytes"),
        .absolute(1_000)
      ),
      (
        "json/large/roundtrip/atomic/decode/wall=1000%",
        RowSelector(
          backend: "json", menu: "large", workload: "roundtrip", durability: "atomic",
          phase: "decode", metric: "wall"), .relative(10)
      ),
      (
        "*/a/b.json/*/durable/*/instructions=0.5%",
        RowSelector(
          menu: "a/b.json", durability: "durable", metric: "instructions"), .relative(0.005)
      ),
      (
        "*/products=9,seed=7/*/*/*/allocations=1",
        RowSelector(
          menu: "products=9,seed=7", metric: "allocations"), .absolute(1)
      ),
      ("*/*/*/*/*/allocations=1", RowSelector(metric: "allocations"), .absolute(1)),
    ])
  func rows(_ typed: String, _ rows: RowSelector, _ tolerance: Tolerance) throws {
    #expect(try rule(typed) == Tolerances.Rule(rows, tolerance))
  }

  @Test(
    "Invalid tolerances are refused with valid ones",
    arguments: [
      ("allocations", "a value is missing", "type KEY=VALUE"),
      ("alocations=1", "unknown metric 'alocations'", "did you mean 'allocations'? metrics: wall"),
      ("=1", "an empty metric name", "metrics: wall"),
      ("decode/allocations=1", "'decode/allocations' is not a key of rows", "a key is METRIC"),
      ("json/large/decode/wall=1%", "is not a key of rows", "a key is METRIC"),
      ("json/decode/*=1", "'json/decode/*' names no metric", "a key is METRIC"),
      ("jsno/decode/wall=1%", "unknown backend 'jsno'", "did you mean 'json'? backends: json"),
      (
        "json/decod/wall=1%", "unknown phase 'decod'", "did you mean 'decode'? phases: open, encode"
      ),
      ("json/floor-copy/wall=1%", "unknown phase 'floor-copy'", "phases: open, encode, write"),
      (
        "json/large/roundtrp/atomic/decode/wall=1%", "unknown workload 'roundtrp'",
        "did you mean 'roundtrip'?"
      ),
      (
        "json/large/roundtrip/atomc/decode/wall=1%", "unknown durability 'atomc'",
        "did you mean 'atomic'? durabilities: none"
      ),
      ("wall=5", "'5' is not a tolerance for the time 'wall'", "give a percentage"),
      ("cpu=0", "'0' is not a tolerance for the time 'cpu'", "give a percentage"),
      ("wall=-1%", "'-1%' is negative", "give 0 or more"),
      ("allocations=-1", "'-1' is negative", "give 0 or more"),
      ("wall=1001%", "'1001%' is out of range", "from 0% to 1000%"),
      ("allocations=1e300", "'1e300' is out of range", "from 0 to 1000000000000"),
      ("allocations=1e999", "'1e999' is not a tolerance", "a tolerance is a percentage"),
      ("allocations=nan", "'nan' is not a tolerance", "a tolerance is a percentage"),
      ("wall=nan%", "'nan%' is not a tolerance", "a tolerance is a percentage"),
      ("wall=inf%", "'inf%' is not a tolerance", "a tolerance is a percentage"),
      ("wall=0x1p3%", "'0x1p3%' is not a tolerance", "a tolerance is a percentage"),
      ("wall=%", "'%' is not a tolerance", "a tolerance is a percentage"),
      ("wall=", "'' is not a tolerance", "a tolerance is a percentage"),
      ("wall=5%%", "'5%%' is not a tolerance", "a tolerance is a percentage"),
    ])
  func refused(_ typed: String, _ reason: String, _ help: String) {
    let error = refusal { _ = try rule(typed) }
    #expect(error?.status == .usage)
    #expect(error?.message.hasPrefix("--tolerance \(typed): ") == true)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.help?.contains(help) == true, "\(error?.help ?? "")")
  }

  @Test("A typed tolerance overrides that of the file")
  func precedence() throws {
    try inFolder { folder in
      let path = folder + "/own.json"
      try #"{"tolerances": {"allocations": 9, "json/decode/wall": "5%"}}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let options = try ToleranceOptions.parse(["--config", path, "--tolerance", "allocations=2"])
      let key = Series.Key(cell: cell(), phase: "decode", metric: "allocations")
      let time = Series.Key(cell: cell(), phase: "decode", metric: "wall")
      let found = try options.resolve(in: suite, rows: [key, time])
      #expect(found.of(key) == .absolute(2))
      #expect(found.of(time) == .relative(0.05))
      // A rule for a time applies to its mean, unless the mean has its own rule.
      let mean = Series.Key(cell: cell(), phase: "decode", metric: "wall_mean")
      #expect(found.of(mean) == .relative(0.05))
      let own = try ToleranceOptions.parse(["--config", path, "--tolerance", "wall_mean=20%"])
      #expect(try own.resolve(in: suite, rows: [key, time, mean]).of(mean) == .relative(0.2))
      let later = try ToleranceOptions.parse(
        ["--config", path, "--tolerance", "allocations=2", "--tolerance", "*/*/allocations=3%"])
      #expect(try later.resolve(in: suite, rows: [key, time]).of(key) == .relative(0.03))
    }
  }

  @Test("A typed rule without a row is refused, but not one in the file")
  func matchesNothing() throws {
    try inFolder { folder in
      let path = folder + "/own.json"
      try #"{"tolerances": {"sqlite/write/allocations": 9}}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let rows = [Series.Key(cell: cell(), phase: "decode", metric: "allocations")]
      let file = try ToleranceOptions.parse(["--config", path])
      let strict = Tolerances().rules.count
      #expect(try file.resolve(in: suite, rows: rows).rules.count == strict + 1)
      let typed = try ToleranceOptions.parse(
        ["--config", path, "--tolerance", "sqlite/write/allocations=9"])
      let error = refusal { _ = try typed.resolve(in: suite, rows: rows) }
      #expect(error?.status == .usage)
      #expect(
        error?.message == """
          --tolerance sqlite/write/allocations=9: 'sqlite/write/allocations' matches none of the \
          chosen rows
          """)
      #expect(error?.help == "the cells with allocations are json/large/roundtrip/atomic")
      let unmeasured = try ToleranceOptions.parse(["--tolerance", "wall=5%"])
      #expect(
        refusal { _ = try unmeasured.resolve(in: suite, rows: rows) }?.help
          == "wall is not measured: see --tier, --metrics and --times")
    }
  }

  @Test("A selection's rows are each metric of each phase of each cell")
  func selected() throws {
    let selection = try Selection.parse([
      "--menu", "small", "--backend", "json,memory", "--metrics", "wall,allocations",
    ])
    let rows = try selection.resolve(in: suite).rows(in: suite)
    #expect(rows.count == 2 * 9 * 2)
    #expect(
      rows.first == Series.Key(cell: cell(menu: "small"), phase: "open", metric: "wall"))
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
    #expect(try Set(rows(.time).map(\.metric)) == ["wall", "wall_mean"])
    let counts = try rows(.exact)
    #expect(!counts.contains { ["wall", "cpu", "touched_bytes"].contains($0.metric) })
    func cells(_ metric: String, _ rows: [Series.Key]) -> Set<Cell> {
      Set(rows.filter { $0.metric == metric }.map(\.cell))
    }
    #expect(cells("allocations", counts) == [cell()])
    #expect(cells("instructions", counts) == [cell(menu: "small")])
    #expect(try cells("instructions", rows(.exact, "perf_event")) == [cell()])
  }

  @Test(
    "The metrics of a gate are known before it asks a program, and a stored run has only counts")
  func reference() throws {
    func all(_ reference: Reference, _ tier: GateTier, _ ids: Set<String>?) throws -> Set<String> {
      try GateMetrics(against: reference, tier: tier, named: ids, instructionCounter: nil).all
    }
    let named: Set = ["wall", "allocations"]
    #expect(try all(.storedRun("main", judgesTimes: false), .all, named) == ["allocations"])
    #expect(try all(.storedRun("main", judgesTimes: true), .all, named) == named)
    #expect(try all(.program("HEAD", product: nil), .time, nil) == ["wall", "wall_mean"])
  }
}
