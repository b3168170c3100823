import BenchResults
import Testing

@testable import BenchAnalysis

@Suite("Series of the history continue if figures compare, and otherwise start again")
struct HistoryReportTests {
  /// Encoding's time and allocations in six runs on one machine, then in six on another.
  private func report(
    _ machine: Machine, method: Int = Tool.currentMethod, fileSystem: String? = "ext4",
    menu: String = "00000000000000aa", side: Pairing.Side? = nil, oneProcess: Bool? = nil,
    last: Int = 500
  ) -> HistoryReport {
    var record = run([], machine: machine, fileSystem: fileSystem)
    record.tool.method = method
    record.pairing = side.map(pairing)
    record.settings.oneProcess = oneProcess
    let lines = [Metric.wall, .allocations, .instructions].flatMap { metric in
      [
        HistoryLine(
          key: historyKey(metric), context: "a",
          points: historyPoints(Array(repeating: 1_000_000, count: 6))),
        HistoryLine(
          key: historyKey(metric, menu: menu), context: "b",
          points: historyPoints(Array(repeating: 2_000_000, count: 6), from: 6)),
      ]
    }
    let contexts = ["a": HistoryContext(run([])), "b": HistoryContext(record)]
    return HistoryReport(HistoryContent(contexts: contexts, lines: lines), last: last) { _ in true }
  }

  private func pairing(_ side: Pairing.Side) -> Pairing {
    Pairing(id: "1", side: side, executable: "bench", revision: nil, looks: InterimPlan())
  }

  /// How many runs each series has, by metric.
  private func lengths(_ report: HistoryReport) -> [String: [Int]] {
    Dictionary(grouping: report.trends, by: \.key.metric.id).mapValues { $0.map(\.points.count) }
  }

  @Test("On the same machine and toolchain they continue, whatever else the run records")
  func same() {
    var other = machine()
    (other.loadAverage, other.memoryBytes) = (3, 1)
    let report = report(other)
    #expect(lengths(report) == ["wall": [12], "allocations": [12], "instructions": [12]])
    #expect(report.contextBreaks == [])
    #expect(report.trends.map { $0.changes.map(\.places) } == [[6...6], [6...6], [6...6]])
  }

  @Test("On another processor times start again, and counts continue")
  func otherProcessor() {
    let report = report(machine(cpu: "Z80"))
    #expect(lengths(report) == ["wall": [6, 6], "allocations": [12], "instructions": [12]])
    #expect(report.trends.map(\.number) == [1, 2, 1, 1])
    #expect(report.trends.map(\.of) == [2, 2, 1, 1])
    #expect(
      report.contextBreaks == [
        HistoryReport.ContextBreak(
          run: historyRun(6), differences: ["cpu: Z80, before EPYC"], series: 1)
      ])
    // Neighbours that do not compare are not a change.
    #expect(report.trends.prefix(2).allSatisfy { !$0.isChanged })
  }

  @Test("A series starts again if something that it depends on differs, and says why")
  func anew() {
    let (on, anew) = ([12], [6, 6])
    var sqlite = machine()
    sqlite.sqlite = "3.46"
    let turns = "measured: in turns with another program, before alone"
    let cases: [(report: HistoryReport, wall: [Int], counts: [Int], code: [Int], why: String)] = [
      (report(machine(swift: "6.4")), anew, anew, anew, "swift: 6.4, before 6.3.1"),
      (report(machine(build: "debug")), anew, anew, anew, "build: debug, before release"),
      (report(sqlite), on, anew, on, "sqlite: 3.46, before 3.40"),
      (report(machine(), fileSystem: "tmpfs"), anew, on, on, "file system: tmpfs, before ext4"),
      (report(machine(), method: 1), anew, anew, anew, "method of measuring: 1, before 6"),
      (
        report(machine(), menu: "00000000000000bb"), anew, anew, anew, "large has other content"
      ),
      (
        report(machine(), oneProcess: true), anew, anew, anew,
        "processes: one for all, before a fresh one per block"
      ),
      (report(machine(), side: .candidate), anew, on, on, turns),
      (report(machine(), side: .baseline), anew, on, on, turns),
    ]
    for (report, wall, counts, code, why) in cases {
      #expect(
        lengths(report) == ["wall": wall, "allocations": counts, "instructions": code], "\(why)")
      let series = [wall, counts, code].count { $0 == anew }
      #expect(
        report.contextBreaks == [
          HistoryReport.ContextBreak(run: historyRun(6), differences: [why], series: series)
        ])
    }
  }

  @Test(
    "Both sides of a gate belong to one series, the baseline first, and ids order equal seconds")
  func sides() {
    var (baseline, candidate) = (run([]), run([]))
    baseline.pairing = pairing(.baseline)
    candidate.pairing = pairing(.candidate)
    func point(_ id: String, _ side: Pairing.Side?) -> HistoryPoint {
      HistoryPoint(
        run: HistoryRun(id: id, began: "2026-01-01T00:00:00Z", revision: nil, side: side),
        figure: HistoryFigure(p50: 100, interval: nil, blocks: 12, samples: 36))
    }
    let content = HistoryContent(
      contexts: ["c": HistoryContext(candidate), "b": HistoryContext(baseline)],
      lines: [
        HistoryLine(
          key: historyKey(), context: "c",
          points: [point("1", .candidate), point("3", .candidate)]),
        HistoryLine(
          key: historyKey(), context: "b", points: [point("2", .baseline), point("4", .baseline)]),
      ])
    let report = HistoryReport(content, last: 500) { _ in true }
    #expect(report.trends.map { $0.points.map(\.run.id) } == [["2", "4", "1", "3"]])
    #expect(report.contextBreaks == [])
  }

  @Test("Times start again with another kernel, unless an earlier program did not note it")
  func kernel() {
    var (old, new) = (machine(), machine())
    (old.kernel, new.kernel) = ("6.1", "6.12")
    func report(_ machines: [Machine]) -> HistoryReport {
      let lines = machines.indices.flatMap { number in
        [Metric.wall, .allocations].map {
          HistoryLine(
            key: historyKey($0), context: "\(number)",
            points: historyPoints([100, 100], from: 2 * number))
        }
      }
      let contexts = machines.enumerated().map { number, machine in
        ("\(number)", HistoryContext(run([], machine: machine)))
      }
      let content = HistoryContent(
        contexts: Dictionary(uniqueKeysWithValues: contexts), lines: lines)
      return HistoryReport(content, last: 500) { _ in true }
    }
    let changed = report([old, new])
    #expect(lengths(changed) == ["wall": [2, 2], "allocations": [4]])
    #expect(changed.contextBreaks.map(\.differences) == [["kernel: 6.12, before 6.1"]])
    #expect(lengths(report([machine(), new])) == ["wall": [4], "allocations": [4]])
    #expect(lengths(report([machine(), old, new]))["wall"] == [4, 2])
  }

  @Test("Old revisions that were measured late stand in the order of their commits")
  func commits() {
    // The first four runs measure new revisions, the next four old ones, and the last an unknown one.
    let line = HistoryLine(
      key: historyKey(.allocations), context: "a",
      points: historyPoints([8, 8, 8, 8, 7, 7, 7, 7, 8]))
    var content = HistoryContent(contexts: ["a": HistoryContext(run([]))], lines: [line])
    func report() -> HistoryReport { HistoryReport(content, last: 500) { _ in true } }
    #expect(report().findings.map(\.run.revision) == ["r8", "r4"])
    content.ranks = Dictionary(uniqueKeysWithValues: (0..<8).map { ("r\($0)", ($0 + 4) % 8) })
    #expect(
      report().trends[0].points.map(\.run.revision)
        == ["r4", "r5", "r6", "r7", "r0", "r1", "r2", "r3", "r8"])
    #expect(report().findings.map(\.run.revision) == ["r0"])
  }

  @Test("When a series starts again, the difference refers to the most similar earlier series")
  func nearestSeam() {
    let contexts = [
      "a": HistoryContext(run([])), "b": HistoryContext(run([], machine: machine(cpu: "Z80"))),
      "c": HistoryContext(run([], machine: machine(swift: "6.4"))),
    ]
    let lines = ["a", "b", "c"].enumerated().map { number, context in
      HistoryLine(
        key: historyKey(), context: context, points: historyPoints([100, 100], from: 2 * number))
    }
    let content = HistoryContent(contexts: contexts, lines: lines)
    let report = HistoryReport(content, last: 500) { _ in true }
    #expect(
      report.contextBreaks == [
        HistoryReport.ContextBreak(
          run: historyRun(4), differences: ["swift: 6.4, before 6.3.1"], series: 1),
        HistoryReport.ContextBreak(
          run: historyRun(2), differences: ["cpu: Z80, before EPYC"], series: 1),
      ])
  }

  @Test("Runs that alternate between two machines make two series, each in the order of its runs")
  func turns() {
    let contexts = [
      "a": HistoryContext(run([])), "b": HistoryContext(run([], machine: machine(cpu: "Z80"))),
      // The same machine with what no time depends on.
      "c": HistoryContext(run([], machine: machine(counting: "jemalloc 6"))),
    ]
    func line(_ context: String, _ runs: [Int]) -> HistoryLine {
      HistoryLine(
        key: historyKey(), context: context,
        points: runs.map { historyPoints([100], from: $0)[0] })
    }
    let content = HistoryContent(
      contexts: contexts, lines: [line("a", [0, 4, 8]), line("b", [1, 3, 5]), line("c", [2, 6])])
    let report = HistoryReport(content, last: 4) { _ in true }
    #expect(
      report.trends.map { $0.points.map(\.run.id) }
        == [["run02", "run04", "run06", "run08"], ["run01", "run03", "run05"]])
  }

  @Test("Changes are listed newest first, with the run before, and controls only help")
  func findings() {
    func line(_ metric: Metric, phase: String, _ values: [(Double, Int)]) -> HistoryLine {
      HistoryLine(
        key: historyKey(metric, phase: phase), context: "a",
        points: historyPoints(values.flatMap { Array(repeating: $0.0, count: $0.1) }))
    }
    let content = HistoryContent(
      contexts: ["a": HistoryContext(run([]))],
      lines: [
        line(.wall, phase: "encode", [(100, 4), (200, 8)]),
        line(.wall, phase: "decode", [(100, 8), (50, 4)]),
        line(.wall, phase: "control", [(10, 4), (20, 8)]),
      ])
    let report = HistoryReport(content, last: 500, where: \.isJudged)
    #expect(report.trends.map(\.key.phase) == ["encode", "decode"])
    #expect(report.findings.map(\.run.id) == ["run08", "run04"])
    #expect(report.findings.map(\.runBefore.id) == ["run07", "run03"])
    // Before decode changed, half of its runs had one control, and half the other.
    #expect(report.trends.map { $0.changes.map(\.control) } == [[2], [20.0 / 15]])
  }
}

@Suite("A run's entry in the history")
struct HistoryEntryTests {
  @Test("has the median, interval and blocks of every figure, and always the same id")
  func figures() throws {
    var record = run([wall(100), exact(7)])
    record.tool.revision = "abc"
    record.settings.tags = ["pr": "12"]
    let entry = HistoryEntry(record)
    let summary = try #require(Summary(wall(100)))
    #expect(
      entry.rows == [
        HistoryEntry.Row(
          key: historyKey(),
          figure: HistoryFigure(
            p50: summary.p50, interval: summary.interval, blocks: 12, samples: 24)),
        HistoryEntry.Row(
          key: historyKey(.allocations),
          figure: HistoryFigure(p50: 7, interval: nil, blocks: 2, samples: 2)),
      ])
    #expect(entry.run.began == "2026-01-01T00:00:00Z" && entry.run.revision == "abc")
    #expect(entry.run.tags == ["pr": "12"])
    #expect(entry.run.id.count == 16)
    #expect(HistoryEntry(record).run == entry.run)
    record.cells[1].blocks[0][0] = 8
    #expect(HistoryEntry(record).run.id != entry.run.id)
  }

  @Test("has the range of an exact metric whose blocks differ")
  func uneven() {
    var counts = exact(7, blocks: 3)
    counts.blocks[1] = [9]
    #expect(
      HistoryEntry(run([counts])).rows.map(\.figure) == [
        HistoryFigure(p50: 7, interval: Interval(low: 7, high: 9), blocks: 3, samples: 3)
      ])
  }

  @Test("has no value that cannot be true, and none of a menu that the run does not describe")
  func leftOut() throws {
    var below = wall(10)
    below.floor = "floor-copy"
    let record = run([below, wall(1_000, phase: "floor-copy")])
    #expect(HistoryEntry(record).rows.map(\.key.phase) == ["floor-copy"])
    var unknown = run([wall(100)])
    unknown.menus = []
    #expect(HistoryEntry(unknown).rows == [])
  }

  @Test("has the revision that a gate measured, and only facts that do not drift")
  func context() throws {
    var record = run([wall(100)])
    // Older files are known by its checksum.
    #expect(try !HistoryContext(record).facts.contains("\"side\""))
    record.pairing = Pairing(
      id: "1", side: .candidate, executable: "bench", revision: "def", looks: InterimPlan())
    #expect(HistoryEntry(record).run.revision == "def")
    #expect(HistoryEntry(record).run.side == .candidate)
    var other = record
    other.pairing?.side = .baseline
    #expect(HistoryEntry(other).run.id != HistoryEntry(record).run.id, "of equal counts")
    let context = HistoryContext(record)
    #expect(context.side == .candidate)
    (record.machine.loadAverage, record.machine.clockResolution) = (3, 40)
    #expect(HistoryContext(record) == context)
    #expect(try HistoryContext(facts: context.facts) == context)
  }
}
