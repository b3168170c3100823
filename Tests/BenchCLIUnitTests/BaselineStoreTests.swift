import ArgumentParser
import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchCLI

@Suite("A run that is worth less never replaces a baseline")
struct BaselineStoreTests {
  private let main: BaselineName

  init() throws { main = try BaselineName(typed: "main") }

  @Test("A saved baseline reads back equal, and its folder is created")
  func saved() throws {
    try inStore { store in
      let record = run([count(7)])
      try store.save(record, as: main)
      #expect(try store.read(main) == record)
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder) == ["main.json"])
    }
  }

  @Test("A run that is not worse replaces the one before")
  func replaced() throws {
    try inStore { store in
      try store.save(run([count(7)]), as: main)
      let better = run([count(6), count(100, .payloadBytes)])
      try store.save(better, as: main)
      #expect(try store.read(main) == better)
    }
  }

  @Test("A run that regressed is refused with the worst figures first, and a remedy")
  func regressed() throws {
    try inStore { store in
      let old = run([count(10_000), count(100, phase: "encode"), count(5, .payloadBytes)])
      try store.save(old, as: main)
      let new = run([count(10_001), count(200, phase: "encode"), count(5, .payloadBytes)])
      let error = refusal { try store.save(new, as: main) }
      #expect(error?.status == .regression)
      #expect(
        error?.message == """
          the baseline 'main' is kept: 2 figures got worse, the worst \
          json/large/roundtrip/atomic encode allocations: +100 (2.00× more)
          """)
      #expect(error?.help == "to accept that: bench baseline remove main, then save again")
      #expect(try store.read(main) == old)
    }
  }

  @Test("A run that lacks a metric or a cell of the old one is refused")
  func lacking() throws {
    let old = run([count(7), count(5, .payloadBytes), count(9, in: cell("plist"))])
    for (cells, lack) in [
      ([count(7), count(5, .payloadBytes)], "plist/large/roundtrip/atomic decode allocations"),
      (
        [count(7), count(9, in: cell("plist"))], "json/large/roundtrip/atomic decode payload_bytes"
      ),
    ] {
      try inStore { store in
        try store.save(old, as: main)
        let error = refusal { try store.save(run(cells), as: main) }
        #expect(error?.status == .unmeasured)
        #expect(
          error?.message
            == "the baseline 'main' is kept: 1 figure of the baseline is missing now, the first"
            + " \(lack)")
        #expect(try store.read(main) == old)
      }
    }
  }

  @Test("A run over its limit takes no name, and one within its tolerance replaces a baseline")
  func judged() throws {
    func judgement(_ flags: String...) throws -> Judgement {
      try VerdictOptions.parse(flags).judgement(in: suite, of: run([count(7)]).rowKeys)
    }
    try inStore { store in
      let limited = try judgement("--limit", "allocations=6")
      let report = Report(run([count(7)]), against: nil, limited)
      #expect(refusal { try store.keep(report, as: main, limited) }?.status == .regression)
      #expect(
        refusal { try store.save(report.record, as: main, limited) }?.status == .regression)
      #expect(!store.holds(main))
      try store.save(run([count(7)]), as: main, try judgement("--limit", "allocations=7"))
      try store.save(run([count(8)]), as: main, try judgement("--tolerance", "allocations=1"))
      #expect(try store.read(main) == run([count(8)]))
    }
  }

  @Test("A menu of other content cannot show that nothing became worse")
  func otherMenu() throws {
    try inStore { store in
      try store.save(run([count(7)]), as: main)
      let new = run([count(7)], fingerprint: "00000000000000bb")
      let error = refusal { try store.save(new, as: main) }
      #expect(error?.status == .noBaseline)
      #expect(
        error?.message == """
          the baseline 'main' is kept: nothing of menu large could be compared: the baseline's \
          menu of that name has other content
          """)
    }
  }

  @Test("A debug build never replaces a release build, but the reverse is allowed")
  func debugBuild() throws {
    try inStore { store in
      try store.save(run([count(7)], build: "debug"), as: main)
      try store.save(run([count(7)]), as: main)
      let error = refusal { try store.save(run([count(7)], build: "debug"), as: main) }
      #expect(error?.status == .failed)
      #expect(
        error?.message == "the baseline 'main' is from a release build, this is a debug build")
    }
  }

  @Test("A run of one process and one of fresh processes do not replace each other")
  func oneProcess() throws {
    let fresh = run([count(7)])
    var one = fresh
    one.settings.oneProcess = true
    let (inFresh, inOne) = ("in a fresh process per block", "in one process")
    for (old, new, words) in [
      (fresh, one, "\(inFresh), this run \(inOne)"), (one, fresh, "\(inOne), this run \(inFresh)"),
    ] {
      try inStore { store in
        try store.save(old, as: main)
        let error = refusal { try store.save(new, as: main) }
        #expect(error?.status == .noBaseline)
        #expect(error?.message == "the baseline 'main' is kept: it was measured \(words)")
        #expect(
          error?.help == "keep this run under another name, or bench baseline remove main first")
        #expect(try store.read(main) == old)
        // A run that is yet to be measured has a fresh process a block.
        let planned = refusal {
          let held = HeldBaseline(name: main, record: old)
          try held.check(planned: [cell()], nil, build: "release")
        }
        #expect((planned == nil) == (old == fresh))
      }
    }
  }

  @Test("A run that replaces one of another machine says that times were not compared")
  func otherMachine() throws {
    var new = run([count(7)])
    new.machine.cpu = "Z80"
    let held = HeldBaseline(name: main, record: run([count(7)]))
    #expect(
      try held.checkReplacement(by: new) == """
        only counts were compared with the old baseline 'main', since its times are from \
        another machine or build: cpu: Z80, baseline EPYC
        """)
    #expect(try HeldBaseline(name: main, record: new).checkReplacement(by: new) == nil)
  }

  @Test("An incomplete run is saved under no name, not even a free one")
  func notWhole() throws {
    var failed = run([count(7)])
    failed.failures = [Failure(cell: cell("plist"), stage: nil, reason: "it crashed")]
    var cut = run([count(7)])
    cut.outcomes = [Outcome(cell: cell(), timedBlocks: 1, stop: .interrupted)]
    var growing = run([count(7)])
    growing.outcomes = [Outcome(cell: cell(), timedBlocks: 1, stop: .running)]
    let floorsAlone = run([count(7, phase: "floor-copy"), count(7, phase: "control")])
    let blank = run([Series(cell: cell(), phase: "decode", metric: .wall, blocks: [[], []])])
    let empty = run([Series(cell: cell(), phase: "decode", metric: .wall, unsupported: "no clock")])
    var hollow = run([count(7)])
    hollow.outcomes = [cell(), cell("plist")].map {
      Outcome(cell: $0, timedBlocks: 0, stop: .blocks)
    }
    var shard = run([count(7)])
    shard.backends = [BackendInfo(id: "json", summary: "JSON")]
    shard.outcomes = [Outcome(cell: cell(), timedBlocks: 0, stop: .blocks)]
    shard.split = Split(
      count: 2,
      units: ["roundtrip", "patch"].enumerated().map { index, workload in
        Split.Unit(
          menu: "large", workload: workload, durabilities: ["atomic"], shard: index + 1)
      }, shards: [Shard(number: 1)])
    let cases = [
      (hollow, "plist/large/roundtrip/atomic: no figure of the requested metrics"),
      (
        shard,
        "shard 2 of 2 is missing: 1 cell not measured, the first json/large/patch/atomic"
      ),
      (failed, "plist/large/roundtrip/atomic failed: it crashed"),
      (cut, "it ended before json/large/roundtrip/atomic was measured"),
      (growing, "it ended before json/large/roundtrip/atomic was measured"),
      (floorsAlone, "it measured nothing"), (blank, "it measured nothing"),
      (empty, "it measured nothing"),
      (run([]), "it measured nothing"),
    ]
    for (record, reason) in cases {
      try inStore { store in
        let error = refusal { try store.save(record, as: main) }
        #expect(error?.status == .unmeasured)
        #expect(error?.message == "this run cannot be a baseline: \(reason)")
        #expect(!store.holds(main))
      }
    }
  }

  @Test("A time that cannot be true is in no baseline, not even in the first of its name")
  func belowFloor() throws {
    func wall(_ nanoseconds: Double, _ phase: String, floor: String? = nil) -> Series {
      Series(
        cell: cell(), phase: phase, metric: .wall,
        blocks: Array(repeating: [nanoseconds], count: 6), floor: floor)
    }
    var record = run([wall(1e6, "write", floor: "floor-write"), wall(2e6, "floor-write")])
    try inStore { store in
      let error = refusal { try store.save(record, as: main) }
      #expect(error?.status == .unmeasured)
      #expect(
        error?.message.hasPrefix("1 time below 0.9 of the floor, which cannot be true, the first ")
          == true)
      #expect(!store.holds(main))
      record.backends = [
        BackendInfo(id: "json", summary: "JSON")
          .with(\.belowFloor, ["write": "does not touch the store"])
      ]
      try store.save(record, as: main)
      #expect(try store.read(main) == record)
    }
  }

  @Test("A run with an injected slowdown does not become a baseline")
  func injected() throws {
    try inStore { store in
      var record = run([count(7)])
      record.pairing = Pairing(
        id: "x", side: .candidate, executable: "bench", revision: nil, looks: InterimPlan()
      ).with(\.injection, "5 % in decode")
      let error = refusal { try store.save(record, as: main) }
      #expect(error?.message == "this run was changed on purpose: 5 % in decode")
    }
  }

  @Test("An unreadable baseline is not replaced")
  func broken() throws {
    try inStore { store in
      try store.save(run([count(7)]), as: main)
      let path = store.path(of: main)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try String(text.prefix(100)).write(toFile: path, atomically: true, encoding: .utf8)
      let error = refusal { try store.save(run([count(7)]), as: main) }
      #expect(
        error?.message == "\(path) is not a stored run: it ends too soon and was cut short")
      #expect(
        error?.help == "an unreadable baseline is not replaced: bench baseline remove main first")
    }
  }

  @Test("A plan that omits a part of the baseline is refused before anything is measured")
  func plan() throws {
    try inStore { store in
      try store.check(main, isOpenTo: [], [])
      try store.save(run([count(7)], build: "debug"), as: main)
      try store.check(main, isOpenTo: [cell(), cell("plist")], nil)
      try store.check(main, isOpenTo: [cell()], ["allocations", "wall"])
      for (cells, metrics) in [([cell("plist")], nil), ([cell()], Set(["wall"]))] {
        let error = refusal { try store.check(main, isOpenTo: Set(cells), metrics) }
        #expect(error?.status == .unmeasured)
        #expect(
          error?.message == """
            the baseline 'main' is kept: this run lacks 1 of the baseline's figures: \
            json/large/roundtrip/atomic decode allocations
            """)
      }
    }
  }

  @Test("A link is followed within the folder, never out of it")
  func links() throws {
    try inStore { store in
      let record = run([count(7)])
      try store.save(record, as: main)
      let outside = store.folder + "/../outside.json"
      try RunFile.write(record, to: outside)
      for (name, target) in [("in", "main.json"), ("out", "../outside.json"), ("off", "nowhere")] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(store.folder)/\(name).json", withDestinationPath: target)
      }
      let (inside, out) = (try BaselineName(typed: "in"), try BaselineName(typed: "out"))
      #expect(try store.read(inside) == record)
      let error = refusal { _ = try store.read(out) }
      #expect(error?.message.hasSuffix("is a link that leads out of \(store.folder)") == true)
      #expect(refusal { try store.save(run([count(6)]), as: out) }?.status == .failed)
      let nowhere = try BaselineName(typed: "off")
      #expect(refusal { try store.save(record, as: nowhere) }?.status == .failed)
      try store.remove(out)
      #expect(try RunFile.read(outside) == record)
    }
  }
}
