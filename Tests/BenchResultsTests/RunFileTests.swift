import Basics
import BenchResults
import Foundation
import Testing

@Suite("A stored run")
struct RunFileTests {
  @Test("It reads back equal")
  func roundTrip() throws {
    try withFolder { folder in
      let path = folder + "/run.json"
      try RunFile.write(Self.record, to: path)
      #expect(try RunFile.read(path) == Self.record)
    }
  }

  @Test("A run of a program without a method has the first method, and the rest is unknown")
  func older() throws {
    var record = Self.record
    record.machine.countingAllocator = "jemalloc 5.3.0"
    record.machine.environment = ["MALLOC_CONF": "tcache:false"]
    let json = try text(record)
    var older = json
    for part in [
      #""method":6,"#, #""countingAllocator":"jemalloc 5.3.0","#, #""emptyCPUSample":590,"#,
      #""environment":{"MALLOC_CONF":"tcache:false"},"#,
    ] {
      #expect(older.contains(part))
      older = older.replacing(part, with: "")
    }
    try withFile(older) { path in
      let found = try RunFile.read(path)
      #expect(found.tool.method == 1)
      #expect(found.machine.countingAllocator == nil && found.machine.environment == nil)
      #expect(found.machine.emptyCPUSample == nil && found.machine.emptySample == 20)
      #expect(found.cells == record.cells)
    }
    try withFile(json) { path in
      let found = try RunFile.read(path)
      #expect(found == record)
    }
  }

  @Test("The same record gives the same file, which ends with a line break")
  func deterministic() throws {
    let first = try RunFile.encode(Self.record)
    #expect(try RunFile.encode(Self.record) == first)
    #expect(first.last == UInt8(ascii: "\n"))
  }

  @Test("It has a series as one flat object with the keys of the design")
  func flatSeries() throws {
    let json = try JSONSerialization.jsonObject(with: RunFile.encode(Self.record))
    let cells = try #require((json as? [String: Any])?["cells"] as? [[String: Any]])
    #expect(
      cells.map { $0.keys.sorted() } == [
        [
          "backend", "better", "blocks", "durability", "exact", "floor", "menu", "metric", "phase",
          "unit", "workload",
        ],
        [
          "backend", "better", "blocks", "durability", "exact", "menu", "metric", "phase", "unit",
          "unsupported", "workload",
        ],
      ])
  }

  @Test("It is refused by both versions if it is newer than the program")
  func newer() throws {
    try withFile(#"{"schema": 7, "shape": "unheard of"}"#) { path in
      let error = #expect(throws: Refusal.self) { try RunFile.read(path) }
      #expect(
        error?.message == "\(path) has schema 7, but this program reads only up to schema 1")
    }
  }

  @Test(
    "It is refused with the place of the fault if it is empty, cut short, not JSON or ambiguous",
    arguments: [
      (#"{}"#, "schema is missing"),
      (#"{"schema": "one"}"#, "schema is not a number"),
      (#"{"schema": 1.5}"#, "schema 1.5 does not exist"),
      (#"{"schema": 1e300}"#, "schema 1e+300 does not exist"),
      (#"[]"#, "it is not an object"),
      (#"{"schema": null}"#, "schema is null where a value is needed"),
      (#"{"schema": 1}"#, "tool is missing"),
      (#"{"schema": 0}"#, "schema 0 does not exist"),
      ("", "it is empty"), (#"{"schema": 1,"#, "it ends too soon and was cut short"),
      ("menu", "it is not JSON at line 1, column 1"),
      (
        #"{"schema": 1, "schema": 2}"#,
        #"the key "schema" at line 1, column 15 occurs twice in one object"#
      ),
      (
        #"{"tool": 1, "\u0074ool": 2}"#,
        #"the key "tool" at line 1, column 13 occurs twice in one object"#
      ),
      // Not a crash.
      (String(repeating: "[", count: 10_000), "it is nested too deeply at line 1, column 513"),
    ])
  func notARun(content: String, reason: String) throws {
    try withFile(content) { path in
      #expect(throws: RunFile.notARun(path, reason)) { try RunFile.read(path) }
    }
  }

  @Test(
    "It is refused with the name of an impossible number, and the index of a wrong series",
    arguments: [
      (#""metric":"instructions""#, #""metric":7"#, "cells[1].metric is not a text"),
      (#""blocks":3"#, #""blocks":-3"#, "settings.blocks is -3"),
      (#""cores":2"#, #""cores":-9000000000000000000"#, "machine.cores is -9000000000000000000"),
      (#""emptySample":20"#, #""emptySample":1e300"#, "machine.emptySample is 1e+300"),
      (#""count":1000"#, #""count":-1"#, "menus[0].counts[0].count is -1"),
      (#""timedBlocks":2"#, #""timedBlocks":-2"#, "outcomes[0].timedBlocks is -2"),
      (#""timedBlocks":2"#, #""timedBlocks":2,"seconds":-1"#, "outcomes[0].seconds is -1"),
      (#""floor":"floor-copy""#, #""floor":"floor-copy","batch":0"#, "cells[0].batch is 0"),
      (#""shard":2"#, #""shard":0"#, "split names shard 0 of 2"),
      (#""shard":2"#, #""shard":3"#, "split names shard 3 of 2"),
      (#""number":1"#, #""number":-1"#, "split names shard -1 of 2"),
      (#""number":1"#, #""number":7"#, "split names shard 7 of 2"),
      (
        "[[1.5,2],[0.1]]", "[[1.5,1e300],[0.1]]",
        "cells[0], json/large/roundtrip/atomic encode wall, holds 1e+300"
      ),
      (
        "[[1.5,2],[0.1]]", "[[1.5,2],[-0.1]]",
        "cells[0], json/large/roundtrip/atomic encode wall, holds -0.1"
      ),
      (
        #""cores":2"#, #""cores":1e999"#,
        "it is damaged, or holds a number that is not allowed there"
      ),
      (
        #""timedBlocks":2"#, #""timedBlocks":1.5"#,
        "it is damaged, or holds a number that is not allowed there"
      ),
    ])
  func impossible(good: String, bad: String, reason: String) throws {
    var record = Self.record
    (record.settings.blocks, record.machine.cores) = (3, 2)
    record.split = Self.split
    let json = try text(record)
    #expect(json.contains(good))
    try withFile(json.replacing(good, with: bad)) { path in
      #expect(throws: RunFile.notARun(path, reason)) { try RunFile.read(path) }
    }
  }

  @Test("It is refused if it has more cells than the limit")
  func tooMany() throws {
    var record = Self.record
    record.split = Self.split
    record.split?.units[0].durabilities = Array(repeating: "none", count: 1_000)
    record.backends = Array(repeating: BackendInfo(id: "json", summary: "JSON"), count: 1_000)
    #expect(try RunFile.read(RunFile.encode(record), from: "run.json") == record)
    record.backends.append(record.backends[0])
    let reason = "split has 1001000 cells, more than the limit of 1000000"
    #expect(throws: RunFile.notARun("run.json", reason)) {
      try RunFile.read(RunFile.encode(record), from: "run.json")
    }
  }

  @Test("Bytes that are not UTF-8 are named with their place")
  func notUTF8() throws {
    var bytes = try RunFile.encode(Self.record)
    let place = try #require(bytes.firstRange(of: Data("EPYC".utf8))?.lowerBound)
    bytes[place] = 0xFF
    let error = #expect(throws: Refusal.self) { try RunFile.read(bytes, from: "run.json") }
    let words = "run.json is not a stored run: it is not UTF-8 at line 1, column "
    #expect(error?.message.hasPrefix(words) == true)
  }

  @Test("It is refused without loading it if it is missing, not a file or too large")
  func noFile() throws {
    try withFolder { folder in
      func check(_ path: String, _ reason: String, help: String? = nil) {
        let refusal = Refusal("\(path) cannot be read: \(reason)", help: help)
        #expect(throws: refusal) { try RunFile.read(path) }
      }
      check(folder + "/run.json", "No such file or directory")
      check(folder, "it is a folder", help: "name a file in it")
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      check(pipe, "it is not a regular file", help: "copy it to a file first")
      let sparse = folder + "/sparse"
      #expect(FileManager.default.createFile(atPath: sparse, contents: nil))
      #expect(truncate(sparse, 3_000_000_000) == 0)
      check(
        sparse, "it has more bytes than the limit of 500000000",
        help: "check that it is the right file: few are a hundredth as large")
    }
  }

  private func text(_ record: RunRecord) throws -> String {
    try #require(String(bytes: RunFile.encode(record), encoding: .utf8))
  }

  private static let split = Split(
    count: 2,
    units: [.init(menu: "large", workload: "roundtrip", durabilities: ["atomic"], shard: 2)],
    shards: [Shard(number: 1)])

  private static let record: RunRecord = {
    let cell = Cell(
      backend: "json", menu: "large", workload: "roundtrip", durability: "atomic")
    var record = RunRecord(
      tool: Tool(name: "bench", version: "0.1", revision: nil),
      machine: Machine(cpu: "EPYC", build: "release").with(\.emptySample, 20)
        .with(\.emptyCPUSample, 590).with(\.unsupported, ["instructions": "no counters"]),
      settings: Settings(
        started: "2026-01-01T00:00:00Z", targetPrecision: 0.05, scheduleSeed: .max, storage: "/tmp"
      ).with(\.budgetSeconds, 60))
    record.menus = [
      MenuInfo(
        name: "large", source: "shape", fingerprint: "0123456789abcdef",
        counts: [.init(of: "products", count: 1_000)]
      ).with(\.sizedBy, "products")
    ]
    record.workloads = [
      WorkloadInfo(id: "roundtrip", costs: [.init(name: "save", phases: ["encode", "write"])])
    ]
    record.cells = [
      Series(
        cell: cell, phase: "encode", metric: .wall, blocks: [[1.5, 2], [0.1]],
        floor: "floor-copy"),
      Series(cell: cell, phase: "encode", metric: .instructions, unsupported: "no counters"),
    ]
    record.outcomes = [Outcome(cell: cell, timedBlocks: 2, stop: .blocks)]
    record.failures = [Failure(cell: cell, stage: "decode", reason: "it \"crashed\"\n")]
    record.warnings = ["drift"]
    return record
  }()
}

private func withFolder(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("RunFileTests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}

private func withFile(_ content: String, _ body: (String) throws -> Void) throws {
  try withFolder { folder in
    let path = folder + "/run.json"
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    try body(path)
  }
}
