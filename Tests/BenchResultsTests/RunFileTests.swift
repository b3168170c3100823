import BenchResults
import Foundation
import Testing

@Suite("A stored run")
struct RunFileTests {
  @Test("Reads back as it was written")
  func roundTrip() throws {
    try withFolder { folder in
      let path = folder + "/run.json"
      try RunFile.write(Self.record, to: path)
      #expect(try RunFile.read(path) == Self.record)
    }
  }

  @Test("Of a program that did not say how it measures is of the first method, the rest unknown")
  func older() throws {
    var record = Self.record
    record.machine.countingAllocator = "jemalloc 5.3.0"
    record.machine.environment = ["MALLOC_CONF": "tcache:false"]
    let json = try text(record)
    var older = json
    for part in [
      #""method":5,"#, #""countingAllocator":"jemalloc 5.3.0","#, #""emptyCPUSample":590,"#,
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

  @Test("Is the same file of the same record, and ends with a line break")
  func deterministic() throws {
    let first = try RunFile.encode(Self.record)
    #expect(try RunFile.encode(Self.record) == first)
    #expect(first.last == UInt8(ascii: "\n"))
  }

  @Test("Holds a series as one flat object with the keys of the design")
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

  @Test("Knows what was typed for a cell's menu: of a file its path, of others their names")
  func typedMenus() {
    var record = Self.record
    record.menus = [
      ("ours.json", "menus, format a/ours.json, format menubench"),
      ("small", "generated: products=81"),
    ].map { MenuInfo(name: $0, source: $1, fingerprint: "00", counts: []) }
    let typed = ["ours.json", "small", "unknown"].map { name in
      record.typedMenu(
        of: Cell(backend: "json", menu: name, workload: "roundtrip", durability: "atomic"))
    }
    #expect(typed == ["menus, format a/ours.json", "small", "unknown"])
  }

  @Test("Is refused by both versions when it is newer than the program")
  func newer() throws {
    try withFile(#"{"schema": 7, "shape": "unheard of"}"#) { path in
      #expect(throws: RunFileError.newerSchema(path: path, found: 7, supported: 1)) {
        try RunFile.read(path)
      }
    }
  }

  @Test(
    "Is refused by the place of what is wrong, be it empty, cut short, no JSON or of two meanings",
    arguments: [
      (#"{}"#, "schema is missing"),
      (#"{"schema": "one"}"#, "schema is not a number"),
      (#"{"schema": 1.5}"#, "schema 1.5 does not exist"),
      (#"{"schema": 1e300}"#, "schema 1e+300 does not exist"),
      (#"[]"#, "it is no JSON object"),
      (#"{"schema": null}"#, "schema is null where a value is needed"),
      (#"{"schema": 1}"#, "tool is missing"),
      (#"{"schema": 0}"#, "schema 0 does not exist"),
      ("", "it is empty"), (#"{"schema": 1,"#, "it ends too soon, it was cut short"),
      ("menu", "it is not JSON at line 1, column 1"),
      (
        #"{"schema": 1, "schema": 2}"#,
        #"the key "schema" at line 1, column 15 is there twice in one object"#
      ),
      (
        #"{"tool": 1, "\u0074ool": 2}"#,
        #"the key "\u0074ool" at line 1, column 13 is there twice in one object"#
      ),
      // Not a crash.
      (String(repeating: "[", count: 10_000), "it is nested too deep at line 1, column 65"),
    ])
  func notARun(content: String, reason: String) throws {
    try withFile(content) { path in
      #expect(throws: RunFileError.notARun(path: path, reason: reason)) { try RunFile.read(path) }
    }
  }

  @Test(
    "Names a number that cannot be, and the index of a series that is wrong",
    arguments: [
      (#""metric":"instructions""#, #""metric":7"#, "cells[1].metric is not a text"),
      (#""blocks":3"#, #""blocks":-3"#, "settings.blocks is -3"),
      (#""cores":2"#, #""cores":-9000000000000000000"#, "machine.cores is -9000000000000000000"),
      (#""emptySample":20"#, #""emptySample":1e300"#, "machine.emptySample is 1e+300"),
      (#""count":1000"#, #""count":-1"#, "menus[0].counts[0].count is -1"),
      (#""timedBlocks":2"#, #""timedBlocks":-2"#, "outcomes[0].timedBlocks is -2"),
      (#""timedBlocks":2"#, #""timedBlocks":2,"seconds":-1"#, "outcomes[0].seconds is -1"),
      (#""floor":"floor-copy""#, #""floor":"floor-copy","batch":0"#, "cells[0].batch is 0"),
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
        "it holds a number that cannot stand there: a fraction, below 0 or too large"
      ),
      (
        #""timedBlocks":2"#, #""timedBlocks":1.5"#,
        "it holds a number that cannot stand there: a fraction, below 0 or too large"
      ),
    ])
  func impossible(good: String, bad: String, reason: String) throws {
    var record = Self.record
    (record.settings.blocks, record.machine.cores) = (3, 2)
    let json = try text(record)
    #expect(json.contains(good))
    try withFile(json.replacing(good, with: bad)) { path in
      #expect(throws: RunFileError.notARun(path: path, reason: reason)) { try RunFile.read(path) }
    }
  }

  @Test("Bytes that are no UTF-8 are named with their place")
  func notUTF8() throws {
    var bytes = try RunFile.encode(Self.record)
    let place = try #require(bytes.firstRange(of: Data("EPYC".utf8))?.lowerBound)
    bytes[place] = 0xFF
    #expect {
      _ = try RunFile.read(bytes, from: "run.json")
    } throws: { error in
      guard case .notARun(_, let reason) = error as? RunFileError else { return false }
      return reason.hasPrefix("it is not UTF-8 at line 1, column ")
    }
  }

  @Test("Is refused, not waited for or loaded, where it is missing, no file or too large")
  func noFile() throws {
    try withFolder { folder in
      let missing = folder + "/run.json"
      #expect(
        throws: RunFileError.unreadable(path: missing, reason: "No such file or directory")
      ) { try RunFile.read(missing) }
      #expect(throws: RunFileError.unreadable(path: folder, reason: "it is a folder")) {
        try RunFile.read(folder)
      }
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      #expect(throws: RunFileError.unreadable(path: pipe, reason: "it is not a regular file")) {
        try RunFile.read(pipe)
      }
      let sparse = folder + "/sparse"
      #expect(FileManager.default.createFile(atPath: sparse, contents: nil))
      #expect(truncate(sparse, 3_000_000_000) == 0)
      #expect(
        throws: RunFileError.notARun(
          path: sparse, reason: "it has 3000000000 bytes, more than the limit of 500000000")
      ) { try RunFile.read(sparse) }
    }
  }

  private func text(_ record: RunRecord) throws -> String {
    try #require(String(bytes: RunFile.encode(record), encoding: .utf8))
  }

  private static let record: RunRecord = {
    let cell = Cell(
      backend: "json", menu: "large", workload: "roundtrip", durability: "atomic")
    return RunRecord(
      tool: Tool(name: "bench", version: "0.1", revision: nil),
      machine: Machine(
        cpu: "EPYC", build: "release", emptySample: 20, emptyCPUSample: 590,
        unsupported: ["instructions": "no counters"]),
      settings: Settings(
        started: "2026-01-01T00:00:00Z", blocks: nil, budgetSeconds: 60, targetPrecision: 0.05,
        scheduleSeed: .max, storage: "/tmp", fileSystem: nil),
      menus: [
        MenuInfo(
          name: "large", source: "shape", fingerprint: "0123456789abcdef",
          counts: [.init(of: "products", count: 1_000)], sizedBy: "products")
      ],
      workloads: [
        WorkloadInfo(
          id: "roundtrip", costs: [.init(name: "save", phases: ["encode", "write"])])
      ],
      cells: [
        Series(
          cell: cell, phase: "encode", metric: .wall, blocks: [[1.5, 2], [0.1]],
          floor: "floor-copy"),
        Series(cell: cell, phase: "encode", metric: .instructions, unsupported: "no counters"),
      ],
      outcomes: [Outcome(cell: cell, timedBlocks: 2, stop: .blocks)],
      failures: [Failure(cell: cell, stage: "decode", reason: "it \"crashed\"\n")],
      warnings: ["drift"])
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
