import BenchResults
import Foundation
import PersistenceBackends
import Subprocess
import Testing

@Suite("bench run measures every cell and writes its reports")
struct RunTests {
  /// One run of every backend for all tests that read it, and its counts once more in a folder with a
  /// long name.
  private struct EveryBackend {
    let outcome: Executable.Outcome
    let files: [String]
    let whole: RunRecord
    let far: [Series.Key: Series]

    static let measured = Task {
      try await inFolder { folder in
        // The assertions on every backend hold for any menu, and a small one is faster.
        let run = "run --allow-debug --backend all --menu \(Gate.menu)"
        let outcome = try await Executable.bench("\(run) --blocks 1 --out out", in: folder)
        let out = String(repeating: "long", count: 30)
        let counts = try await Executable.bench(
          "\(run) --metrics \(Gate.counters) --out \(out)", in: folder)
        #expect(counts.status == .exited(0))
        let far = try RunFile.read(folder + "/\(out)/run.json").cells
        let whole = try RunFile.read(folder + "/out/run.json")
        return EveryBackend(
          outcome: outcome,
          files: try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted(),
          whole: whole, far: Dictionary(uniqueKeysWithValues: far.map { ($0.key, $0) }))
      }
    }
  }

  @Test("Every backend has every phase, and the reports exist")
  func everyBackend() async throws {
    let run = try await EveryBackend.measured.value
    #expect(run.outcome.status == .exited(0))
    for backend in BackendRegistry.all.map(\.id) {
      for phase in ["encode", "write", "read", "decode"] {
        let wall = run.whole.cells.first {
          $0.cell.backend == backend && $0.phase == phase && $0.metric == .wall
        }
        #expect(wall?.blocks.count == 1)
        #expect(wall?.blocks.first?.isEmpty == false)
      }
    }
    #expect(run.files == ["report.csv", "report.html", "report.md", "run.json"])
    #expect(run.outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("A codec at a place has the name of the pair, or else the typed name")
  func pairs() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "run --allow-debug --backend json@file,protobuf@lmdb,json,sqlite:mmap_size=1048576 "
          + "--menu small --blocks 1 --metrics wall --out out", in: folder)
      #expect(outcome.status == .exited(0))
      let run = try RunFile.read(folder + "/out/run.json")
      let ids = ["json", "sqlite:mmap_size=1048576", "protobuf@lmdb"]
      #expect(Set(run.cells.map(\.cell.backend)) == Set(ids))
      #expect(run.backends.map(\.id) == ids)
      #expect(
        run.backends.last?.summary
          == "a generated message by swift-protobuf, as one value in LMDB, memory-mapped")
    }
  }

  @Test("Exact metrics are equal in both counted blocks and in a second run")
  func exactMetrics() async throws {
    let run = try await EveryBackend.measured.value
    let first = run.whole.cells.filter(\.metric.isExact)
    #expect(!first.isEmpty)
    for series in first where series.unsupported == nil && !dependsOnPath(series.key) {
      let other = try #require(run.far[series.key], "\(series.key)")
      #expect(series.blocks.count == 2)
      #expect(Set(medians(series) + medians(other)).count == 1, "\(series.key)")
    }
  }

  @Test("The run names the malloc of its times and counts, and what the user preloaded")
  func allocators() async throws {
    try await inFolder { folder in
      func machine(_ variables: String) async throws -> Machine {
        let outcome = try await Executable.shell(
          "\(variables) '\(Executable.bench.path)' run --allow-debug --backend memory --menu "
            + "products=5,combos=1,slots=2,options=2 --metrics wall,allocations --blocks 1 --out out",
          in: folder)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        return try RunFile.read(folder + "/out/run.json").machine
      }
      let usual = try await machine("env -u LD_PRELOAD")
      #expect(usual.environment == [:])
      #expect(usual.allocator?.hasPrefix("jemalloc") == false)
      #expect(usual.countingAllocator?.hasPrefix("jemalloc 5.") == true)
      let tuned = try await machine("GLIBC_TUNABLES=glibc.malloc.arena_max=1")
      #expect(tuned.environment == ["GLIBC_TUNABLES": "glibc.malloc.arena_max=1"])
      #if os(Linux)
        let preloaded = try await machine("LD_PRELOAD=libjemalloc.so.2")
        #expect(preloaded.environment == ["LD_PRELOAD": "libjemalloc.so.2"])
        #expect(preloaded.allocator == usual.countingAllocator)
      #endif
    }
  }

  @Test("The doctor names the malloc of times, and what is unfit, as text and as JSON")
  func doctor() async throws {
    try await inFolder { folder in
      let doctor = "MALLOC_CONF=x '\(Executable.bench.path)' doctor --seconds 0.1"
      let doubt = "MALLOC_CONF=x: workers inherit it, so it affects figures"
      let outcome = try await Executable.shell(doctor, in: folder)
      #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
      let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains(" ok allocator times are with "))
      #expect(words.contains(" ok counting allocations by jemalloc 5."))
      #expect(words.contains(" ! environment \(doubt) "))
      let json = try await Executable.shell(doctor + " --format json", in: folder)
      let whole = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      #expect(whole["is_fit"] as? Bool == false)
      let findings = try #require(whole["findings"] as? [[String: String]])
      #expect(
        findings.contains(["subject": "environment", "mark": "doubt", "text": doubt]))
    }
  }

  @Test("Exact metrics do not depend on the folder of the store")
  func exactAnywhere() async throws {
    let run = try await EveryBackend.measured.value
    let exact = run.whole.cells.filter(\.metric.isExact)
    #expect(Set(exact.map(\.key)) == Set(run.far.keys))
    for near in exact where !dependsOnPath(near.key) {
      let far = try #require(run.far[near.key], "\(near.key)")
      #expect(medians(near) == medians(far), "\(near.key)")
    }
  }

  /// Whether a figure is bytes of opening a store, which depend on its absolute path. GRDB asks for
  /// the path with a connection's first insert (`PRAGMA database_list`).
  private func dependsOnPath(_ key: Series.Key) -> Bool {
    let asks =
      key.phase == "open" || (key.cell.backend == "sqlite-grdb" && key.phase == "write")
    return asks && [Metric.allocatedBytes.id, Metric.peakHeapBytes.id].contains(key.metric)
  }

  /// The counts of a block. A library's thread, woken by a closing store, may change a single
  /// sample, and only add to it.
  private func medians(_ series: Series) -> [Double] {
    series.blocks.map { $0.sorted()[($0.count - 1) / 2] }
  }

  @Test("A workload that makes no sense with a menu says why, and other cells are measured")
  func menuWithout() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "run --allow-debug --menu small --workload roundtrip,patch:changes=1000 --blocks 1 "
          + "--metrics wall --out out", in: folder)
      #expect(outcome.status == .exited(0))
      let record = try RunFile.read(folder + "/out/run.json")
      let refused = record.outcomes.filter { $0.stop == .notApplicable }
      #expect(refused.map(\.cell.workload) == ["patch:changes=1000"])
      #expect(
        refused.first?.reason
          == "1000 changes were requested, but the menu has 288 things to change: take a larger "
          + "menu or patch:changes=288")
      #expect(record.failures.isEmpty)
    }
  }

  @Test("Only the given metrics are kept, and two runs without a common figure do not pass")
  func metrics() async throws {
    try await inFolder { folder in
      for (metric, row) in [
        ("payload_bytes", "encode,payload_bytes,B,2,"), ("stored_bytes", "write,stored_bytes,B,"),
      ] {
        let outcome = try await Executable.bench(
          "run --allow-debug --menu small --metrics \(metric) --budget 3600 --format csv"
            + " --out \(metric)", in: folder)
        #expect(outcome.status == .exited(0))
        #expect(outcome.output.split(separator: "\n").count == 2)
        #expect(outcome.output.contains("json,small,roundtrip,atomic,\(row)"))
      }
      let outcome = try await Executable.bench("diff payload_bytes stored_bytes", in: folder)
      #expect(outcome.status == .exited(5))
      #expect(outcome.errors.hasPrefix("error: nothing could be compared: every row is new\n"))
    }
  }

  @Test("A stored run is reported in every format, and compared, and a worse one has status 2")
  func reported() async throws {
    try await inFolder { folder in
      let bench = Executable.bench
      let run = "run --allow-debug --menu small --blocks 1"
      _ = try await bench(run + " --out out", in: folder)
      for format in ["table", "csv", "markdown", "json"] {
        let outcome = try await bench("report out --format \(format)", in: folder)
        #expect(outcome.status == .exited(0))
        #expect(!outcome.output.isEmpty)
      }
      for wrong in ["junit", "junit=", "xunit=a.xml"] {
        let refused = try await bench("report out --export \(wrong)", in: folder)
        #expect(refused.status == .exited(64))
      }
      let same = try await bench("diff out out/run.json", in: folder)
      #expect(same.status == .exited(0))
      #expect(!same.output.contains("got worse"))
      var record = try RunFile.read(folder + "/out/run.json")
      for index in record.cells.indices
      where record.cells[index].metric == .allocations && record.cells[index].phase == "decode" {
        record.cells[index].blocks = record.cells[index].blocks.map { $0.map { $0 - 1 } }
      }
      try RunFile.write(record, to: folder + "/base.json")
      let worse = try await bench("report out --baseline base.json", in: folder)
      #expect(worse.status == .exited(2))
      #expect(
        worse.errors.hasPrefix(
          "error: 1 figure got worse, the worst json/small/roundtrip/atomic decode allocations:"
            + " +1 ("))
      #expect(worse.output.contains("got worse"))
      // A baseline without any of the requested cells does not pass.
      let strange = try await bench(
        run + " --durability none --baseline out --out new", in: folder)
      #expect(strange.status == .exited(5))
      #expect(
        strange.errors == """
          error: the baseline holds none of the cells asked for
          help: it holds json/small/roundtrip/atomic

          """)
    }
  }

  @Test("A time below its floor ends with status 3 and is named, until the backend explains it")
  func belowFloor() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench(
        "run --allow-debug --menu small --metrics wall --blocks 1 --out out", in: folder)
      var record = try RunFile.read(folder + "/out/run.json")
      for index in record.cells.indices {
        let isWrite = record.cells[index].phase == "write"
        record.cells[index].blocks = Array(repeating: [isWrite ? 1_000_000 : 2_000_000], count: 6)
      }
      try RunFile.write(record, to: folder + "/low.json")
      for format in ["table", "csv", "junit"] {
        let outcome = try await Executable.bench("report low.json --format \(format)", in: folder)
        #expect(outcome.status == .exited(3))
        #expect(outcome.output.contains("elow"))
        #expect(
          outcome.errors.hasPrefix(
            "error: 1 time below 0.9 of the floor, which cannot be true, the first"
              + " json/small/roundtrip/atomic write takes 1.00 ms (at most 1.00 ms), but its floor,"
              + " floor-write, takes 2.00 ms (at least 2.00 ms)\n"))
        #expect(outcome.errors.contains("belowFloor: [\"write\": \"does not touch the store\"]"))
      }
      record.backends[0].belowFloor = ["write": "does not touch the store"]
      try RunFile.write(record, to: folder + "/low.json")
      let explained = try await Executable.bench("report low.json", in: folder)
      #expect(explained.status == .exited(0))
      #expect(
        explained.output.contains("• json write is below its floor: does not touch the store\n"))
    }
  }

  @Test("A reader that stops early is not an error")
  func closedPipe() async throws {
    try await inFolder { folder in
      let command = "\(Executable.bench.path) generate --menu large | head -c 10 > /dev/null"
      let outcome = try await Executable.shell(command + "; echo ${PIPESTATUS[0]}", in: folder)
      #expect(outcome.output == "0\n")
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test(
    "If standard streams are closed, messages do not go into files",
    arguments: [("2>&-", 0), ("0<&- 1>&- 2>&-", 1)])
  func closedStreams(_ closed: String, _ status: Int) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        "\(Executable.bench.path) run --allow-debug --menu \(Gate.menu) --blocks 1 --metrics wall"
          + " --verbose --format csv --out out \(closed); echo $? >status", in: folder)
      #expect(try String(contentsOfFile: folder + "/status", encoding: .utf8) == "\(status)\n")
      #expect(outcome.errors == "")
      let csv = try String(contentsOfFile: folder + "/out/report.csv", encoding: .utf8)
      #expect(outcome.output == (status == 0 ? csv : ""))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
      #expect(files == ["report.csv", "report.html", "report.md", "run.json"])
      #expect(try RunFile.read(folder + "/out/run.json").failures.isEmpty)
    }
  }

  @Test("A full disk during a report leaves the old report whole")
  func fullDisk() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench("generate --menu small --out menu.json", in: folder)
      let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/menu.json"))
      // A file may grow to 8 blocks of 1 kB only: the system refuses the rest, as a full disk does.
      let outcome = try await Executable.shell(
        "ulimit -f 8; \(Executable.bench.path) generate --menu large --out menu.json", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(
        outcome.errors.contains(
          "menu.json cannot be written: File too large. The old file is unchanged"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/menu.json")) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["menu.json"])
    }
  }

  @Test("A full disk at the end of a run leaves all reports of the run before")
  func fullDiskAfterRun() async throws {
    try await inFolder { folder in
      let run =
        "run --allow-debug --backend memory --menu small --blocks 1 --metrics wall --out out"
      _ = try await Executable.bench(run, in: folder)
      let before = try contents(of: folder + "/out")
      // The record fits, and the page does not: blocks are of 1 kB.
      let page = try #require(before["report.html"]).count
      let blocks = (try #require(before["run.json"]).count + page) / 2 / 1024
      let outcome = try await Executable.shell(
        "ulimit -f \(blocks); \(Executable.bench.path) \(run)", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.contains("out/report.html cannot be written: File too large"))
      // The partial record has room.
      #expect(
        outcome.errors.contains(
          "help: all that was measured is kept: solve the problem, then bench report"
            + " out/run.partial.json\n"))
      var after = try contents(of: folder + "/out")
      after["run.partial.json"] = nil
      #expect(after == before)
    }
  }

  private func contents(of folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    return contents
  }

  @Test(
    "Ctrl-C keeps the measurements, the caller sees the signal, and two at once count as one",
    arguments: [1, 2])
  func interrupted(_ times: Int) async throws {
    try await inFolder { folder in
      let status = try await Executable.bench.run(
        ["run", "--allow-debug", "--menu", "small", "--blocks", "1000", "--out", "out"],
        in: folder, interruptedOnceThereIs: "out/run.partial.json", times: times)
      #expect(status == .signaled(SIGINT))
      let record = try RunFile.read(folder + "/out/run.json")
      #expect(record.outcomes.map(\.stop) == [.interrupted])
      #expect(!record.cells.isEmpty)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
      #expect(files == ["report.csv", "report.html", "report.md", "run.json"])
    }
  }

  @Test("A run that measured nothing leaves the old reports")
  func nothingMeasured() async throws {
    try await inFolder { folder in
      _ = try await Executable.faulty(
        "run --allow-debug --menu small --blocks 1 --out out", in: folder)
      let before = try contents(of: folder + "/out")
      let outcome = try await Executable.faulty(
        "run --allow-debug --backend throws --menu small --blocks 1 --out out", in: folder)
      #expect(outcome.status == .exited(3))
      #expect(outcome.errors.contains("nothing was measured: no report was written to out"))
      #expect(try contents(of: folder + "/out") == before)
    }
  }

  @Test("The same shape makes the same bytes, and two menus with one name get different names")
  func sameName() async throws {
    try await inFolder { folder in
      let both = [
        try await Executable.bench("generate --menu large", in: folder),
        try await Executable.bench("generate --menu large", in: folder),
      ]
      #expect(both.allSatisfy { $0.status == .exited(0) && !$0.output.isEmpty })
      #expect(both[0].output == both[1].output)
      for (place, seed) in [("a", 1), ("b", 2)] {
        try FileManager.default.createDirectory(
          atPath: folder + "/" + place, withIntermediateDirectories: true)
        _ = try await Executable.bench(
          "generate --menu small:seed=\(seed) --out \(place)/menu.json", in: folder)
      }
      let outcome = try await Executable.bench(
        "run --allow-debug --menu a/menu.json,b/menu.json --metrics payload_bytes --out out",
        in: folder)
      #expect(outcome.status == .exited(0))
      let record = try RunFile.read(folder + "/out/run.json")
      #expect(record.menus.map(\.name) == ["a/menu.json", "b/menu.json"])
      #expect(record.cells.map(\.cell.menu) == ["a/menu.json", "b/menu.json"])
    }
  }

  @Test("A special file is written to, never replaced, and a link leads to its file")
  func specialFiles() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        """
        mkfifo pipe; wc -c < pipe > count & touch file; chmod 600 file; ln -s file link
        \(Executable.bench.path) generate --menu small --out pipe
        \(Executable.bench.path) generate --menu small --out link
        ln -s later new; \(Executable.bench.path) generate --menu small --out new
        wait; test -L new && cmp -s later file && test -p pipe && test -L link && test "$(cat count)" -eq "$(wc -c < file)" \
          && stat -c %a file
        """, in: folder)
      #expect(outcome.output == "600\n")
    }
  }

  @Test("A pipe that has no reader is named, and waited for")
  func pipeWithoutReader() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        """
        mkfifo pipe; \(Executable.bench.path) generate --menu small --out pipe 2>notes & bench=$!
        for turn in {1..1000}; do grep -qs '^waiting for a program that reads ' notes && break; sleep 0.02; done
        cat pipe >copy; wait $bench && grep -c '^waiting for a program that reads ' notes && wc -l <copy
        """, in: folder)
      #expect(outcome.output == "1\n1\n")
    }
  }

  @Test("A run says if another program takes times meanwhile, unless it takes none itself")
  func otherProgram() async throws {
    try await inFolder { folder in
      for (metric, says) in [("wall", true), ("payload_bytes", false)] {
        // The lock is what a run that takes times has.
        let outcome = try await Executable.shell(
          "mkdir -p shared; exec 9< shared; flock -s 9; TMPDIR=$PWD/shared \(Executable.bench.path)"
            + " run --allow-debug --menu \(Gate.menu) --blocks 1 --metrics \(metric) --no-files",
          in: folder)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(outcome.errors.contains("note: another bench takes times here as well") == says)
      }
    }
  }

  @Test("A diff fails if a backend is missing, unless you allow it, and if the menu differs")
  func failsClosed() async throws {
    try await inFolder { folder in
      for (backends, out) in [("json,plist", "both"), ("json", "one")] {
        _ = try await Executable.bench(
          "run --allow-debug --backend \(backends) --menu \(Gate.menu) --blocks 1 --metrics \(Gate.counters)"
            + " --out \(out)", in: folder)
      }
      let lost = try await Executable.bench("diff both one", in: folder)
      #expect(lost.status == .exited(3))
      #expect(lost.errors.contains("of the baseline are missing now, the first plist/"))
      #expect(lost.errors.hasSuffix("help: if you intend that, add --allow-missing\n"))
      #expect(
        try await Executable.bench("diff both one --allow-missing", in: folder).status == .exited(0)
      )
      #expect(try await Executable.bench("diff one both", in: folder).status == .exited(0))
      var other = try RunFile.read(folder + "/one/run.json")
      other.menus[0].fingerprint = "00000000000000bb"
      try RunFile.write(other, to: folder + "/other.json")
      for command in ["diff other.json one", "report one --baseline other.json"] {
        let outcome = try await Executable.bench(command, in: folder)
        #expect(outcome.status == .exited(5))
        #expect(outcome.errors.contains("has other content"))
      }
      let junit = try await Executable.bench(
        "report one --baseline other.json --format junit", in: folder)
      #expect(junit.status == .exited(5))
      #expect(!junit.output.contains("errors=\"0\""))
    }
  }

  @Test(
    "A link among a run's files is refused and its target unchanged, but the folder may be a link"
  )
  func links() async throws {
    try await inFolder { folder in
      let run = "run --allow-debug --menu \(Gate.menu) --blocks 1 --metrics wall --out "
      try FileManager.default.createDirectory(
        atPath: folder + "/out", withIntermediateDirectories: false)
      try "theirs".write(toFile: folder + "/victim", atomically: false, encoding: .utf8)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/out/run.partial.json", withDestinationPath: "../victim")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/latest", withDestinationPath: "out")
      let refused = try await Executable.bench(run + "out", in: folder)
      #expect(refused.status == .exited(1))
      #expect(
        refused.errors == """
          error: out/run.partial.json is a link to ../victim, which would be overwritten
          help: remove the link, or choose another folder with --out

          """)
      #expect(try String(contentsOfFile: folder + "/victim", encoding: .utf8) == "theirs")
      try FileManager.default.removeItem(atPath: folder + "/out/run.partial.json")
      #expect(try await Executable.bench(run + "latest", in: folder).status == .exited(0))
      #expect(try await Executable.bench("report latest", in: folder).status == .exited(0))
    }
  }

  @Test("File names with commas or Unicode line breaks are read as they are")
  func names() async throws {
    try await inFolder { folder in
      let files = ["a,b,products=2.json", "a\u{2028}b\u{2029}c\u{85}d.json"]
      for name in files {
        _ = try await Executable.bench.run(
          ["generate", "--menu", "small", "--out", name], in: folder)
      }
      let shape = "products=5,combos=0,slots=0,options=0"
      let outcome = try await Executable.bench.run(
        [
          "run", "--allow-debug", "--menu", "\(shape),\(files[0]),\(files[1]),small", "--blocks",
          "1",
          "--metrics", "wall", "--out", "out",
        ], in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let record = try RunFile.read(folder + "/out/run.json")
      #expect(record.menus.map(\.name) == [shape] + files + ["small"])
      #expect(record.cells.map(\.cell.menu).contains(files[1]))
      // A generated menu is read back equal from a file.
      #expect(Set(record.menus.dropFirst().map(\.fingerprint)).count == 1)
    }
  }

  @Test("Runs without a named folder are kept one by one, and found by their age")
  func kept() async throws {
    try await inFolder { folder in
      for metric in ["payload_bytes", "stored_bytes", "wall"] {
        let outcome = try await Executable.bench(
          "run --allow-debug --menu small --blocks 1 --metrics \(metric)", in: folder)
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors.contains(", which is Reports/latest"))
      }
      func metrics(_ run: String) async throws -> Set<String> {
        let csv = try await Executable.bench("report \(run) --format csv", in: folder)
        return Set(
          csv.output.split(separator: "\n").dropFirst().map { String($0.split(separator: ",")[5]) })
      }
      let found = [
        try await metrics("Reports/latest"), try await metrics("latest"),
        try await metrics("latest~1"), try await metrics("latest~2"),
      ]
      #expect(found == [["wall"], ["wall"], ["stored_bytes"], ["payload_bytes"]])
      let gone = try await Executable.bench("report latest~3", in: folder)
      #expect(gone.status == .exited(1))
    }
  }

  @Test("A run keeps its tags, is written to several files, and is silent with --quiet")
  func tags() async throws {
    try await inFolder { folder in
      let run = "run --allow-debug --menu \(Gate.menu) --blocks 1 --metrics wall --out out"
      let outcome = try await Executable.bench(
        run + " --tag pr=12 --tag branch=feature/x --format junit --quiet --export junit=a.xml"
          + " --export csv=b.csv", in: folder)
      #expect(outcome.status == .exited(0))
      #expect(outcome.errors == "")
      for (format, path) in [("junit", "a.xml"), ("csv", "b.csv")] {
        let again = try await Executable.bench("report out --format \(format)", in: folder)
        #expect(try String(contentsOfFile: folder + "/" + path, encoding: .utf8) == again.output)
      }
      #expect(outcome.output.contains(#"name="tag_branch" value="feature/x""#))
      #expect(
        try RunFile.read(folder + "/out/run.json").settings.tags
          == ["pr": "12", "branch": "feature/x"])
      let table = try await Executable.bench("report out", in: folder)
      #expect(table.output.contains("tags: branch=feature/x, pr=12"))
      for wrong in ["pr", "=x", "pr=", "Pr=1", "pr=1 --tag pr=2"] {
        let refused = try await Executable.bench(run + " --tag \(wrong)", in: folder)
        #expect(refused.status == .exited(64))
      }
    }
  }

  @Test("A missing temporary folder is named")
  func temporaryFolder() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench.run(
        ["run", "--allow-debug", "--menu", Gate.menu, "--blocks", "1", "--metrics", "wall"],
        in: folder, environment: .inherit.updating(["TMPDIR": "/no/such/folder"]))
      #expect(outcome.status == .exited(3))
      #expect(
        outcome.errors.contains(
          "cannot make a file in the temporary folder /no/such/folder/: No such file or directory"))
      let doctor = try await Executable.bench.run(
        ["doctor", "--seconds", "0.1"], in: folder,
        environment: .inherit.updating(["TMPDIR": "/no/such/folder"]))
      #expect(doctor.status == .exited(1))
      #expect(
        doctor.output.contains("!   temporary        cannot make a file in the temporary folder"))
      #expect(doctor.errors.contains("help: set TMPDIR to a folder that exists"))
    }
  }
}
