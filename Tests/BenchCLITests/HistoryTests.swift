import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("bench history keeps runs and shows when figures changed")
struct HistoryTests {
  private static let place = "Reports/history.sqlite"

  /// A run of decoding that began so many minutes after midnight: slower, and hungrier, from a place on.
  private func record(
    _ minute: Int, changing place: Int = 6, menu: String = "large"
  ) -> RunRecord {
    let cell = Cell(backend: "json", menu: menu, workload: "roundtrip", durability: "atomic")
    func timed(_ phase: String, _ value: Double) -> Series {
      Series(
        cell: cell, phase: phase, metric: .wall,
        blocks: Array(repeating: [value, value, value], count: 6))
    }
    let isChanged = minute >= place
    let allocations = isChanged ? 8.0 : 7
    var record = RunRecord(
      tool: Tool(name: "MenuBench", version: "0.1.0", revision: "r\(minute)"),
      machine: Machine(cpu: "EPYC", cores: 2, build: "release")
        .with(\.swift, "6.3.1").with(\.environment, [:]),
      settings: Settings(
        started: "2026-01-01T00:\(minute < 10 ? "0" : "")\(minute):00Z", targetPrecision: 0.03,
        scheduleSeed: 1, storage: "."
      ).with(\.blocks, 6).with(\.fileSystem, "ext4"))
    record.menus = [
      MenuInfo(name: menu, source: "shape", fingerprint: "00000000000000aa", counts: [])
    ]
    record.cells = [
      timed("decode", isChanged ? 150e6 : 100e6),
      Series(
        cell: cell, phase: "decode", metric: .allocations,
        blocks: [[allocations], [allocations]]),
      timed("control", 1e6),
    ]
    return record
  }

  /// Writes twelve runs among the kept ones.
  private func keepRuns(in folder: String) throws {
    for minute in 0..<12 {
      let path = "\(folder)/Reports/runs/20260101-00\(minute < 10 ? "0" : "")\(minute)00-run"
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
      try RunFile.write(record(minute), to: path + "/run.json")
    }
  }

  /// Checks that a command says an error and ends with a status.
  private func check(
    _ command: String, in folder: String, _ status: Int32, _ errors: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await Executable.bench(command, in: folder)
    #expect(outcome.status == .exited(status), sourceLocation: sourceLocation)
    #expect(outcome.errors == errors, sourceLocation: sourceLocation)
    #expect(outcome.output == "", sourceLocation: sourceLocation)
  }

  @Test("Kept runs are added once, and changes are shown with their revisions")
  func lifecycle() async throws {
    try await inFolder { folder in
      let bench = Executable.bench
      try await check(
        "history show", in: folder, 5,
        "error: there is no history at \(Self.place)\nhelp: start one: bench history add\n")
      try await check(
        "history add", in: folder, 5,
        "error: there are no kept runs in Reports/runs\nhelp: measure first, with bench run, or give"
          + " run.json files or folders of them\n")
      try keepRuns(in: folder)
      try await check(
        "history add", in: folder, 0, "added 12 runs to \(Self.place), which holds 12\n")
      try await check(
        "history add Reports/runs latest~11", in: folder, 0,
        "added 0 runs to \(Self.place), which holds 12; already there: 13\n")
      let show = try await bench("history show", in: folder)
      #expect(show.status == .exited(0))
      #expect(show.output.hasPrefix("2 of 2 series changed in 12 runs\n"))
      let text = show.output.replacing("\n  ", with: " ")
      let since = "since 2026-01-01 00:06, first with r6, after r5\n"
      for line in [
        "• worse: json/large/roundtrip/atomic/decode/wall: 1.50× slower, 100 ms → 150 ms, ",
        "• worse: json/large/roundtrip/atomic/decode/allocations: 1.14× more, 7 → 8, ",
      ] {
        #expect(text.contains(line + since), "\(show.output)")
      }
      let part = try await bench("history show json decode wall --last 5", in: folder)
      #expect(
        part.output.hasPrefix(
          "A time needs 6 runs to show a change, an exact figure 2; the longest has 5\n"))
      let control = try await bench("history show control --format markdown", in: folder)
      #expect(control.output.hasPrefix("# No change found in 1 series of 12 runs\n"))
      let page = try await bench("history show --format html", in: folder)
      #expect(page.output.hasPrefix("<!doctype html>"))
      #expect(page.output.components(separatedBy: "<svg ").count == 3)
    }
  }

  @Test("Old revisions that you measure late stand in the order of their commits")
  func commits() async throws {
    try await inFolder { folder in
      let commits = try await Executable.shell(
        """
        set -e
        export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
        export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
        git init -q
        for number in {0..11}; do git commit -q --allow-empty -m $number; done
        git rev-list --reverse --abbrev-commit --abbrev=12 HEAD
        """, in: folder
      ).output.split(separator: "\n").map(String.init)
      try #require(commits.count == 12)
      for minute in 0..<12 {
        // The last six runs measure the first six commits, which are slower.
        var run = record(minute)
        run.tool.revision = commits[(minute + 6) % 12] + (minute == 6 ? "-dirty" : "")
        try RunFile.write(run, to: "\(folder)/\(minute).json")
      }
      #expect(try await Executable.bench("history add .", in: folder).status == .exited(0))
      let show = try await Executable.bench("history show wall", in: folder)
      #expect(
        show.output.replacing("\n  ", with: " ").contains(
          "\n• better: json/large/roundtrip/atomic/decode/wall: 1.50× faster, 150 ms → 100 ms, "
            + "since 2026-01-01 00:00, first with \(commits[6]), after \(commits[5])\n"),
        "\(show.output)")
    }
  }

  @Test("It lists its runs and series, and suggests a name for an unknown one")
  func list() async throws {
    try await inFolder { folder in
      let bench = Executable.bench
      try keepRuns(in: folder)
      #expect(try await bench("history add --index h.sqlite", in: folder).status == .exited(0))
      let list = try await bench("history list --last 2 --index h.sqlite", in: folder)
      #expect(list.status == .exited(0))
      #expect(list.output.hasPrefix("runs\n\nbegan             run "))
      #expect(list.output.contains("\n2026-01-01 00:11  "))
      #expect(list.output.contains("\nand 10 older ones\n\nseries\n\nname "))
      #expect(list.output.contains("\njson/large/roundtrip/atomic/decode/wall           12\n"))
      let there = "bench history list series shows all names\n"
      try await check(
        "history show jsno --index h.sqlite", in: folder, 5,
        "error: no series in h.sqlite is called 'jsno'\nhelp: did you mean 'json'? \(there)")
      try await check(
        "history export decode control --index h.sqlite", in: folder, 5,
        "error: no series in h.sqlite has all of decode, control in its name\nhelp: give fewer: "
          + there)
      #expect(try await bench("history list run", in: folder).status == .exited(64))
      #expect(try await bench("history show --format xml", in: folder).status == .exited(64))
      #expect(try await bench("history show --last 0", in: folder).status == .exited(64))
    }
  }

  @Test("Every exported figure is a line that reads back equal")
  func export() async throws {
    try await inFolder { folder in
      let name = "<script>|\"',\n\\\u{202E}пицца"
      try keepRuns(in: folder)
      try RunFile.write(record(12, menu: name), to: folder + "/hostile.json")
      for command in ["history add", "history add hostile.json"] {
        #expect(try await Executable.bench(command, in: folder).status == .exited(0))
      }
      let outcome = try await Executable.bench("history export", in: folder)
      #expect(outcome.status == .exited(0))
      let rows = try Self.rows(outcome.output)
      #expect(rows.count == 13 * 3)
      #expect(Set(rows.map { $0["run"] }).count == 13)
      #expect(Set(rows.map { $0["context"] }).count == 1)
      for minute in 0..<12 {
        let own = rows.filter { $0["revision"] == "r\(minute)" }
        func values(_ metric: String, _ column: String) -> [Double?] {
          own.filter { $0["metric"] == metric && $0["phase"] == "decode" }
            .map { $0[column].flatMap { Double($0) } }
        }
        for column in ["p50", "ci_low", "ci_high"] {
          #expect(values("wall", column) == [minute < 6 ? 100e6 : 150e6])
        }
        #expect(values("allocations", "p50") == [minute < 6 ? 7 : 8])
        #expect(values("allocations", "ci_low") == [nil])
        #expect(values("wall", "samples") == [18] && values("wall", "blocks") == [6])
        #expect(Set(own.map { $0["menu"] }) == ["large"])
      }
      let menus = Set(rows.filter { $0["revision"] == "r12" }.compactMap { $0["menu"] })
      #expect(menus.map(Self.turnedBack) == [name])
      let part = try await Executable.bench("history export decode wall", in: folder)
      #expect(try Self.rows(part.output).count == 13)
    }
  }

  @Test("Runs that cannot be added are named, and the others are added")
  func badRuns() async throws {
    try await inFolder { folder in
      var failed = record(0)
      failed.failures = [Failure(cell: failed.cells[0].cell, stage: nil, reason: "it hung")]
      failed.cells = []
      var injected = record(1)
      injected.pairing = Pairing(
        id: "1", side: .candidate, executable: "bench", revision: nil, looks: InterimPlan()
      ).with(\.injection, "json/decode:slowdown=5%")
      try FileManager.default.createDirectory(
        atPath: folder + "/mixed", withIntermediateDirectories: false)
      try RunFile.write(record(2), to: folder + "/mixed/a.json")
      try "{\"schema\":9}".write(
        toFile: folder + "/mixed/b.json", atomically: true, encoding: .utf8)
      try RunFile.write(failed, to: folder + "/mixed/c.json")
      try RunFile.write(injected, to: folder + "/mixed/d.json")
      let newer = "mixed/b.json has schema 9, but this program reads only up to schema 1\n"
      let help = "help: use the newer program that wrote it\n"
      let empty =
        "mixed/c.json holds no figure to keep: json/large/roundtrip/atomic failed: it hung\n"
      let slowed = "mixed/d.json was changed on purpose: json/decode:slowdown=5%\n"
      try await check("history add mixed/b.json", in: folder, 1, "error: \(newer)\(help)")
      try await check(
        "history add mixed/c.json", in: folder, 3,
        "error: \(empty)help: add runs that measured something\n")
      try await check(
        "history add mixed/d.json", in: folder, 1,
        "error: \(slowed)help: add runs of the code as it is\n")
      try await check(
        "history add nowhere", in: folder, 1,
        "error: nowhere cannot be read: No such file or directory\nhelp: give the run.json of a"
          + " 'bench run', or the folder that holds one\n")
      var timeless = record(3)
      timeless.settings.started = "yesterday"
      try RunFile.write(timeless, to: folder + "/timeless.json")
      try await check(
        "history add timeless.json", in: folder, 1,
        "error: timeless.json says that it began at 'yesterday', which is not a time such as"
          + " 2026-01-31T12:00:00Z\nhelp: give the run as bench wrote it\n")
      var menuless = record(4)
      menuless.menus = []
      try RunFile.write(menuless, to: folder + "/menuless.json")
      try await check(
        "history add menuless.json", in: folder, 3,
        "error: menuless.json holds no figure to keep: each is below its floor, or of a menu that"
          + " the run does not describe\nhelp: add runs that measured something\n")
      #expect(!FileManager.default.fileExists(atPath: folder + "/Reports"))
      try await check(
        "history add mixed", in: folder, 1,
        "note: left out: \(empty)note: left out: \(slowed)"
          + "added 1 run to \(Self.place), which holds 1\nerror: \(newer)"
          + "error: 1 of 4 runs could not be added\n\(help)")
    }
  }

  @Test("A run written by the first program of schema 1 is added and listed")
  func firstRun() async throws {
    try await inFolder { folder in
      try Self.first.write(toFile: folder + "/first.json", atomically: true, encoding: .utf8)
      let added = try await Executable.bench("history add first.json", in: folder)
      #expect(added.status == .exited(0))
      #expect(added.errors == "added 1 run to \(Self.place), which holds 1\n")
      let listed = try await Executable.bench("history list runs", in: folder)
      #expect(listed.output.contains("2026-01-01 12:00"))
      #expect(listed.output.contains("76342b5-dirty"))
      let csv = try await Executable.bench("history export json encode", in: folder).output
      #expect(csv.split(separator: "\n").count == 2)
      #expect(csv.contains(",2627917,"))
    }
  }

  /// It lacks a method, a kernel, seconds, backends and workloads, which all came later.
  private static let first = """
    {"schema": 1, "warnings": [],
     "tool": {"name": "bench", "revision": "76342b5-dirty", "version": "0.1.0"},
     "machine": {"allocator": "jemalloc 5.3.0", "build": "release", "clockResolution": 1, "cores": 2,
       "cpu": "AMD EPYC 7B13", "emptySample": 41, "kernel": "6.1.0-18-amd64", "loadAverage": 0.2,
       "memoryBytes": 8350000000, "sqlite": "3.40.1", "swift": "6.3.1",
       "system": "Debian GNU/Linux 12", "unsupported": {}},
     "settings": {"budgetSeconds": 60, "fileSystem": "ext4", "scheduleSeed": 7,
       "started": "2026-01-01T12:00:00Z", "storage": "/var/tmp/bench", "targetPrecision": 0.02},
     "menus": [{"counts": [{"count": 12000, "of": "slot options"}],
       "fingerprint": "00000000000000aa", "name": "small", "notes": [], "source": "shape small"}],
     "outcomes": [{"cell": {"backend": "json", "durability": "atomic", "menu": "small",
       "workload": "roundtrip"}, "stop": "narrow", "timedBlocks": 1}],
     "failures": [],
     "cells": [{"backend": "json", "better": "lower", "blocks": [[2623500, 2627917, 2632333]],
       "durability": "atomic", "exact": false, "floor": "floor-copy", "menu": "small",
       "metric": "wall", "phase": "encode", "unit": "ns", "workload": "roundtrip"}]}
    """

  @Test("A file that is not a history, and a place that cannot have one, stay unchanged")
  func badIndex() async throws {
    try await inFolder { folder in
      let text = String(repeating: "no database\n", count: 100)
      try text.write(toFile: folder + "/notes.txt", atomically: true, encoding: .utf8)
      try RunFile.write(record(0), to: folder + "/run.json")
      let foreign =
        "error: notes.txt is not a history: it is not an SQLite database\nhelp: give a"
        + " history's file with --index\n"
      for command in ["add run.json", "show", "list", "export"] {
        try await check("history \(command) --index notes.txt", in: folder, 1, foreign)
      }
      #expect(try String(contentsOfFile: folder + "/notes.txt", encoding: .utf8) == text)
      try await check(
        "history add run.json --index notes.txt/h.sqlite", in: folder, 1,
        "error: notes.txt/h.sqlite cannot be used: Not a directory\nhelp: choose another place with"
          + " --index\n")
    }
  }

  /// CSV by RFC 4180, with the names of its header. A line of another width is an error.
  private static func rows(_ csv: String) throws -> [[String: String]] {
    var (lines, line, field, isQuoted) = ([[String]](), [String](), "", false)
    var characters = csv.unicodeScalars.makeIterator()
    var next = characters.next()
    while let scalar = next {
      next = characters.next()
      switch (scalar, isQuoted) {
      case ("\"", true) where next == "\"":
        field.append("\"")
        next = characters.next()
      case ("\"", _): isQuoted.toggle()
      case (",", false), ("\n", false):
        line.append(field)
        field = ""
        guard scalar == "\n" else { break }
        lines.append(line)
        line = []
      default: field.unicodeScalars.append(scalar)
      }
    }
    try #require(line.isEmpty && field.isEmpty && !isQuoted)
    let header = try #require(lines.first)
    return try lines.dropFirst().map { fields in
      try #require(fields.count == header.count)
      return Dictionary(uniqueKeysWithValues: zip(header, fields))
    }
  }

  /// The inverse of the documented escapes of texts in CSV.
  private static func turnedBack(_ field: String) -> String {
    (field.hasPrefix("'") ? String(field.dropFirst()) : field)
      .replacing(/\\(?:\\|u\{([0-9a-f]+)\})/) { match in
        match.1.flatMap { UInt32($0, radix: 16) }.flatMap(Unicode.Scalar.init).map { "\($0)" }
          ?? "\\"
      }
  }
}
