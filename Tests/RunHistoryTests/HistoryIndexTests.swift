import Basics
import BenchResults
import Foundation
import GRDB
import Testing

@testable import BenchAnalysis
@testable import RunHistory

/// Runs a test over the path of a history in an empty folder, and removes it.
func inHistory(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID())").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try body(folder + "/kept/history.sqlite")
}

/// A run that began so many seconds after midnight.
func record(
  _ second: Int, _ cells: [Series], cpu: String = "EPYC", tags: [String: String]? = nil
) -> RunRecord {
  let parts = [second / 3_600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
  return RunRecord(
    tool: Tool(name: "bench", version: "0.1", revision: "r\(second)"),
    machine: Machine(cpu: cpu, cores: 2, build: "release")
      .with(\.swift, "6.3.1").with(\.environment, [:]),
    settings: Settings(
      started: "2026-01-01T\(parts.joined(separator: ":"))Z", targetPrecision: 0.03,
      scheduleSeed: 1, storage: "."
    ).with(\.fileSystem, "ext4").with(\.tags, tags)
  ).with(\.cells, cells).with(
    \.menus,
    Set(cells.map(\.cell.menu)).map {
      MenuInfo(name: $0, source: "shape", fingerprint: "00000000000000aa", counts: [])
    })
}

/// Six blocks of one value each.
func series(
  _ value: Double, _ metric: Metric = .wall, phase: String = "decode", menu: String = "large"
) -> Series {
  Series(
    cell: Cell(backend: "json", menu: menu, workload: "roundtrip", durability: "atomic"),
    phase: phase, metric: metric, blocks: Array(repeating: [value], count: 6))
}

@Suite("A history")
struct HistoryIndexTests {
  @Test("has a run once, however often it is added, and returns its results")
  func addTwice() throws {
    try inHistory { path in
      let first = HistoryEntry(record(0, [series(100), series(7, .allocations)]))
      let second = HistoryEntry(record(60, [series(110)], tags: ["pr": "12"]))
      let index = try HistoryIndex(path, creating: true)
      #expect(try index.add([first, second, first]) == 2)
      #expect(try index.add([first]) == 0)
      // Another process's, so to say.
      #expect(try HistoryIndex(path).add([second]) == 0)
      #expect(try index.count() == 2)
      let content = try index.content { _ in true }
      #expect(content.lines.map(\.key) == first.rows.map(\.key))
      #expect(
        content.lines.map { $0.points.map(\.run) } == [[first.run, second.run], [first.run]])
      #expect(
        content.lines.map { $0.points.map(\.figure) }
          == [[first.rows[0].figure, second.rows[0].figure], [first.rows[1].figure]])
      #expect(Array(content.contexts.values) == [first.context])
      #expect(try index.keys() == first.rows.map(\.key))
      #expect(try index.figures().map(\.key) == first.rows.map(\.key))
      #expect(try index.figures().map(\.figures) == [2, 1])
      let runs = try index.runs(last: 1)
      #expect(runs.map(\.run) == [second.run] && runs.map(\.figures) == [1])
      #expect(runs.map(\.context) == [first.context])
    }
  }

  @Test("returns the newest figures in the order of the runs' starts, whenever they were added")
  func newest() throws {
    try inHistory { path in
      let index = try HistoryIndex(path, creating: true)
      for second in [5, 1, 9, 3, 7] {
        _ = try index.add([HistoryEntry(record(second, [series(Double(second))]))])
      }
      #expect(try values(index.content { _ in true }) == [[1, 3, 5, 7, 9]])
      #expect(try values(index.content(last: 2) { _ in true }) == [[7, 9]])
      #expect(try values(index.content(last: 2) { $0.phase == "encode" }) == [])
      var read: [Double] = []
      try index.read(where: { _ in true }) { line, context in
        read += line.points.map(\.figure.p50)
        #expect(context.machine.cpu == "EPYC")
      }
      #expect(read == [1, 3, 5, 7, 9])
    }
  }

  @Test("sorts runs of the same second: a gate's baseline comes before its candidate")
  func oneSecond() throws {
    try inHistory { path in
      let index = try HistoryIndex(path, creating: true)
      func entry(_ side: Pairing.Side, _ value: Double) -> HistoryEntry {
        var paired = record(3, [series(value)])
        paired.pairing = Pairing(
          id: "1", side: side, executable: "bench", revision: nil, looks: InterimPlan())
        return HistoryEntry(paired)
      }
      let gate = [entry(.candidate, 2), entry(.baseline, 1)]
      let alone = (0..<8).map { HistoryEntry(record(5, [series(10 + Double($0))])) }
      #expect(try index.add(gate + alone) == 10)
      let content = try index.content { _ in true }
      let report = HistoryReport(content, last: 500) { _ in true }
      let order = alone.map(\.run).sorted { $0.id < $1.id }
      let backwards: [HistoryRun] = order.reversed() + [gate[0].run, gate[1].run]
      #expect(
        report.trends.map { $0.points.map(\.run) } == [[gate[1].run, gate[0].run], order])
      let newest = try index.content(last: 3) { _ in true }.lines.map { $0.points.map(\.run) }
      #expect(newest == [[gate[0].run], [gate[1].run], Array(order.suffix(3))])
      #expect(try index.runs(last: 2).map(\.run) == Array(backwards.prefix(2)))
      #expect(try index.runs(last: 10).map(\.run) == backwards)
    }
  }

  @Test("never mixes machines, menus, metrics of other units, or similar names")
  func apart() throws {
    try inHistory { path in
      let index = try HistoryIndex(path, creating: true)
      var other = record(3, [series(3)])
      other.menus[0].fingerprint = "00000000000000bb"
      let odd = Metric(id: "wall", unit: .count)
      for record in [
        record(1, [series(1)]), record(2, [series(2)], cpu: "Z80"), other,
        record(
          4, [series(4, odd), series(5, phase: "dec/ode"), series(6, phase: "de\"c',;--ode")]),
        record(5, [series(7)]),
      ] {
        _ = try index.add([HistoryEntry(record)])
      }
      #expect(try values(index.content { _ in true }) == [[1, 7], [2], [3], [4], [5], [6]])
    }
  }

  @Test("has each shard of a merge as its own run, once, whether alone or merged")
  func merged() throws {
    let small = Split.Unit(menu: "small", workload: "roundtrip", durabilities: ["atomic"], shard: 1)
    let large = Split.Unit(menu: "large", workload: "roundtrip", durabilities: ["atomic"], shard: 2)
    func shard(_ number: Int, cpu: String) -> RunRecord {
      let unit = number == 1 ? small : large
      var part = record(number, [series(Double(number), menu: unit.menu)], cpu: cpu)
      part.menus = ["small", "large"].map {
        MenuInfo(name: $0, source: "shape", fingerprint: "00000000000000aa", counts: [])
      }
      part.tool.revision = "abc"
      part.split = Split(count: 3, units: [small, large], shards: [Shard(number: number)])
      return part
    }
    var idle = shard(3, cpu: "Z80")
    idle.cells = []
    let (here, there) = (shard(1, cpu: "EPYC"), shard(2, cpu: "Z80"))
    try inHistory { path in
      let index = try HistoryIndex(path, creating: true)
      var merged = here
      merged.cells += there.cells
      merged.split?.shards = [here, there, idle].enumerated().map {
        Shard(number: $0.offset + 1).with(\.machine, $0.element.machine)
          .with(\.settings, $0.element.settings)
      }
      merged.settings.tags = ["pr": "12"]
      let entries = HistoryEntry.all(merged)
      #expect(entries.map(\.run.tags) == [["pr": "12"], ["pr": "12"]])
      #expect(entries.map(\.run.id) == [here, there].map { HistoryEntry($0).run.id })
      #expect(try index.add(HistoryEntry.all(there)) == 1)
      #expect(try index.add(entries) == 1)
      #expect(try index.add(HistoryEntry.all(here)) == 0)
      var whole = record(9, [series(3, menu: "small"), series(4)])
      whole.menus = here.menus
      #expect(try index.add(HistoryEntry.all(whole)) == 1)
      let content = try index.content { _ in true }
      let cpus = content.lines.map { content.contexts[$0.context]?.machine.cpu }
      #expect(content.lines.map(\.key.cell.menu) == ["large", "small", "large"])
      #expect(cpus == ["Z80", "EPYC", "EPYC"])
      #expect(values(content) == [[2], [1, 3], [4]])
      #expect(try index.runs(last: 3).map(\.context.machine.cpu) == ["EPYC", "Z80", "EPYC"])
    }
  }

  @Test("keeps names with any characters except NUL, which ends a text in SQLite")
  func names() throws {
    try inHistory { path in
      let index = try HistoryIndex(path, creating: true)
      let name = "<script>|\"'\n\u{202E}пицца 漢\u{1B}[31m"
      let hostile = record(1, [series(1, menu: name), series(2, menu: "a\0b")], tags: ["a": name])
      #expect(try index.add([HistoryEntry(hostile)]) == 1)
      let content = try index.content { _ in true }
      #expect(content.lines.map(\.key.cell.menu) == [name, "a\u{FFFD}b"])
      #expect(content.lines[0].points[0].run.tags == ["a": name])
      // Two phases whose names are equal without it have one figure, which belongs to the run.
      let alike = record(2, [series(3, phase: "a\0"), series(4, phase: "a\u{FFFD}")])
      #expect(try index.add([HistoryEntry(alike)]) == 1)
      #expect(try index.runs(last: 1).map(\.figures) == [1])
      #expect(try values(index.content(last: 1) { $0.phase == "a\u{FFFD}" }) == [[3]])
    }
  }

  @Test("accepts new runs during a whole read, which sees the old runs")
  func addWhileReading() throws {
    try inHistory { path in
      let index = try HistoryIndex(path, creating: true)
      let phases = [series(1), series(2, phase: "encode")]
      _ = try index.add([HistoryEntry(record(0, phases))])
      let other = try HistoryIndex(path)
      var read: [[Double]] = []
      try index.read(where: { _ in true }) { line, _ in
        _ = try other.add([HistoryEntry(record(1 + read.count, phases))])
        read.append(line.points.map(\.figure.p50))
      }
      #expect(read == [[1], [2]])
      #expect(try index.count() == 3)
    }
  }

  @Test("reads the newest runs of a series among ten thousand without a look at other series")
  func thousands() throws {
    try inHistory { path in
      let one = HistoryEntry(
        record(0, [series(1), series(2, phase: "encode"), series(3, .allocations)]))
      let entries = (0..<10_000).map { number in
        let minute = 100_000 + number
        return HistoryEntry(
          run: HistoryRun(id: "run\(minute)", began: "minute \(minute)", revision: nil),
          context: one.context, rows: one.rows)
      }
      let index = try HistoryIndex(path, creating: true)
      #expect(try index.add(entries) == 10_000)
      let content = try index.content(last: 500) { $0.phase == "decode" }
      #expect(content.lines.map(\.points.count) == [500, 500])
      #expect(content.lines[0].points.first?.run.id == "run109500")
      #expect(content.lines[0].points.last?.run.id == "run109999")
      let plan = try DatabaseQueue(path: path).inDatabase { connection in
        try Row.fetchAll(
          connection, sql: "EXPLAIN QUERY PLAN " + HistoryReader.newest, arguments: [1]
        ).map { try $0.decode(String.self, forColumn: "detail") }
      }
      // No sort, and no scan of a table.
      #expect(plan == ["SEARCH figure USING PRIMARY KEY (series=?)"])
    }
  }

  private func values(_ content: HistoryContent) -> [[Double]] {
    content.lines.map { $0.points.map(\.figure.p50) }
  }
}
