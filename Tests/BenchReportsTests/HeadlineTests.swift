import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("The headline of a comparison")
struct HeadlineTests {
  @Test("Sides of other revisions are named by these, cut to twelve digits")
  func revisions() {
    let names = SideNames(Fixture.exactGate.candidate, Fixture.exactGate.baseline)
    #expect(names.candidate == "4f8594a31078-dirty")
    #expect(names.baseline == "a480758d2b64")
  }

  @Test("Sides without revisions are named by their files, or by their paths if files are equal")
  func executables() {
    #expect(Self.names("/new/bench", "/old/bench-1") == ["bench", "bench-1"])
    #expect(Self.names("/new/bench", "/old/bench") == ["/new/bench", "/old/bench"])
    #expect(Self.names("/proc/9/exe", "/old/bench") == ["this program", "bench"])
    #expect(Self.names("/a/bench", "/a/bench") == ["bench", "itself"])
  }

  @Test("A stored baseline has its time and revision, and a run without revision is this run")
  func stored() {
    var run = Fixture.run()
    #expect(
      SideNames(run, Fixture.baseline).baseline
        == "the run of 2026-01-01T10:00:00Z at 76342b5-dirty")
    run.tool.revision = nil
    #expect(SideNames(run, run).candidate == "this run")
    #expect(SideNames(run, run).baseline == "the run of 2026-01-01T12:00:00Z")
  }

  @Test("Costs and counts are counted by verdict, and what is worse comes first")
  func counted() {
    #expect(
      Self.headline(Fixture.gate)
        == "# 1 of 4 costs slower, 1 faster, 1 same within 2 %, 1 cannot say, up to +4.7 %."
        + " 2 of 4 counts worse, 2 the same. 4 figures missing. 1 figure new.")
    var (now, then) = (Fixture.run(), Fixture.baseline)
    (now.failures, then.failures, now.outcomes) = ([], [], [])
    func answer() -> String { Self.headline(GateFixture(candidate: now, baseline: then)) }
    #expect(
      answer()
        == "# Nothing shown: 4 of 4 costs cannot say, up to +21 %. Counts: 52 of 52 the same.")
    now.cells.removeAll { $0.cell.backend == "sqlite" }
    then.cells.removeAll { $0.cell.backend == "sqlite" }
    #expect(
      answer()
        == "# Nothing shown: 2 of 2 costs cannot say, up to +16 %. Counts: 34 of 34 the same.")
    // One more allocation, and no time slower.
    let place = now.cells.firstIndex { $0.metric == .allocations } ?? 0
    now.cells[place].blocks = now.cells[place].blocks.map { $0.map { $0 + 1 } }
    #expect(
      answer()
        == "# 1 of 34 counts worse, 33 the same. Nothing shown: 2 of 2 costs cannot say, up to +16 %."
    )
  }

  @Test("The headline says no regression if everything was compared, and not with a gap")
  func pass() {
    var gate = Fixture.exactGate
    #expect(Self.headline(gate) == "# No regression: 4 of 4 counts the same.")
    var open = gate
    for place in open.candidate.cells.indices {
      open.candidate.cells[place].blocks = [[1], [2]]
      open.baseline.cells[place].blocks = [[1], [2]]
    }
    let unproven = "Nothing shown to be worse: "
    #expect(
      Self.headline(open) == "# \(unproven)4 of 4 counts cannot say, blocks differ.")
    gate.candidate.cells.removeLast()
    let rest = "1 figure missing. \(unproven)3 of 3 counts the same."
    #expect(Self.headline(gate) == "# \(rest)")
    gate.candidate.failures = [Failure(cell: Fixture.cell("lmdb"), stage: nil, reason: "x")]
    #expect(Self.headline(gate) == "# 1 cell not measured. \(rest)")
    (gate.candidate.cells, gate.baseline.cells) = ([], [])
    #expect(Self.headline(gate) == "# 3 cells not measured. Nothing could be compared.")
  }

  @Test("A cell without any row is named if it is gone, or has no figure")
  func withoutRows() {
    let plist = Outcome(cell: Fixture.cell("plist"), timedBlocks: 0, stop: .blocks)
    var gone = Fixture.exactGate
    gone.baseline.outcomes.append(plist)
    #expect(
      Self.headline(gone).hasSuffix(
        "1 cell missing: plist/large/roundtrip/atomic. Nothing shown to be worse: 4 of 4 counts"
          + " the same."))
    var empty = gone
    empty.candidate.outcomes.append(plist)
    #expect(Self.headline(empty).hasPrefix("# 1 cell not measured. Nothing shown to be worse: 4"))
  }

  @Test("If a cell lacks more than one figure, the cell is named as missing")
  func missing() {
    var gate = Fixture.exactGate
    gate.candidate.cells.removeLast(2)
    let cell = "\n- missing: sqlite/large/roundtrip/atomic: "
    func text() -> String {
      MarkdownReporter().render(Report(record: gate.candidate, baseline: gate.baseline))
    }
    #expect(text().contains(cell + "all 2 figures (allocs, allocated)\n"))
    gate.baseline.cells.removeLast()
    #expect(text().contains(cell + "1 figure (allocs)\n"))
  }

  @Test("An empty table or column is left out, with its explanation")
  func nothingUnknown() {
    let gate = Fixture.exactGate
    let report = Report(record: gate.candidate, baseline: gate.baseline)
    let text = MarkdownReporter().render(report)
    for word in ["| time |", "| ± |", "× floor", "| save |", "| verdict |", "time: median"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(text.contains("| backend | phase | allocs | allocated |"))
  }

  @Test("The table of a run without a comparison keeps its columns, however few blocks it has")
  func runKeepsColumns() {
    let text = MarkdownReporter().render(Report(record: Fixture.run(blocks: 1)))
    #expect(text.contains("| backend | phase | time | ± | × floor | cpu |"))
  }

  private static func names(_ candidate: String, _ baseline: String) -> [String] {
    var gate = Fixture.exactGate
    for (path, executable) in [(\GateFixture.candidate, candidate), (\.baseline, baseline)] {
      gate[keyPath: path].pairing?.executable = executable
      gate[keyPath: path].pairing?.revision = nil
    }
    let names = SideNames(gate.candidate, gate.baseline)
    return [names.candidate, names.baseline]
  }

  private static func headline(_ gate: GateFixture) -> String {
    let report = Report(record: gate.candidate, baseline: gate.baseline)
    // The line before it names both sides.
    return MarkdownReporter().render(report).split(separator: "\n").dropFirst().first
      .map(String.init) ?? ""
  }
}
