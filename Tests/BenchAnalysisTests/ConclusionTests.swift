import BenchAnalysis
import BenchResults
import Testing

@Suite("Conclusions on a run")
struct ConclusionTests {
  @Test("A run without a fault has none")
  func none() {
    #expect(Report(record: run([wall(100), control(), exact(5)])).conclusions == [])
  }

  @Test("They name everything that is wrong with a run, the worst first")
  func everything() {
    var machine = machine(build: "debug")
    machine.loadAverage = 3.25
    machine.emptySample = 60
    machine.unsupported = ["instructions": "no hardware counters"]
    var uneven = exact(7)
    uneven.blocks = [[9], [7]]
    var record = run([wall(100, spread: 0.1, blocks: 2), uneven], machine: machine)
    record.settings.fileSystem = "tmpfs"
    record.failures = [Failure(cell: cell("plist"), stage: "decode", reason: "it crashed")]
    record.warnings = ["the clock stepped"]
    record.backends = [
      BackendInfo(id: "json", summary: ""),
      BackendInfo(id: "memory", summary: ""),
    ]
    record.cells.append(exact(1, in: cell("memory")))
    record.outcomes = [
      Outcome(cell: cell(), timedBlocks: 5, stop: .budget),
      Outcome(cell: cell("memory"), timedBlocks: 1, stop: .interrupted),
    ]
    #expect(
      Report(record: record).conclusions.map { "\($0.severity.rawValue): \($0.text)" } == [
        "error: plist/large was not measured (decode): it crashed",
        "error: measured in a debug build: its figures tell you nothing about a release build",
        "warning: the run was interrupted before it finished memory/large",
        "warning: the clock stepped",
        "warning: allocations should be exact, but differs between blocks:"
          + " json/large encode (7 to 9)",
        "warning: load average 3.2 on 2 cores when the run began, so its times may be too long",
        "warning: /data is on tmpfs, which is memory, so `atomic` flushed nothing to a drive",
        "warning: no ± from 2 blocks, because a 95 % interval takes 3: json/large"
          + " (give more time with --budget)",
        "hint: no figures of instructions here: no hardware counters",
      ])
  }

  @Test(
    "A budget that cost an interval is a warning, and otherwise no conclusion",
    arguments: [(2, true), (3, false)])
  func budget(blocks: Int, isWarning: Bool) {
    var record = run([wall(100, spread: 0.1, blocks: blocks)])
    record.outcomes = [Outcome(cell: cell(), timedBlocks: blocks, stop: .budget)]
    let found = Report(record: record).conclusions.filter { $0.text.contains("budget") }
    #expect(found.map(\.severity) == (isWarning ? [.warning] : []))
  }

  @Test("Cells that failed for the same reason are one line, and others have their own")
  func failures() {
    var record = run([])
    record.failures = [("a", "x"), ("b", "x"), ("c", "x"), ("d", "x"), ("e", "y")].map {
      Failure(cell: cell($0.0), stage: "decode", reason: $0.1)
    }
    #expect(
      Report(record: record).conclusions.map(\.text) == [
        "a/large, b/large, c/large and 1 more were not measured (decode): x",
        "e/large was not measured (decode): y",
      ])
  }

  @Test("Workloads that make no sense on a backend are a hint, with a line for each reason")
  func refusals() {
    var record = run([])
    record.outcomes = [("a", "x"), ("b", "x"), ("c", "y")].map {
      Outcome(cell: cell($0.0), timedBlocks: 0, stop: .notApplicable).with(\.reason, $0.1)
    }
    #expect(
      Report(record: record).conclusions.map { "\($0.severity.rawValue): \($0.text)" } == [
        "hint: no figures of a/large, b/large, because the workload does not apply: x",
        "hint: no figures of c/large, because the workload does not apply: y",
      ])
  }

  @Test("A cell has all its ids where workload or durability could be confused")
  func fullNames() {
    var other = wall(100)
    other.cell.durability = "durable"
    var record = run([wall(100), other])
    record.failures = [Failure(cell: cell(), stage: nil, reason: "x")]
    #expect(
      Report(record: record).conclusions.map(\.text) == [
        "json/large/roundtrip/atomic was not measured: x"
      ])
  }

  @Test("A phase without a time is named with the reason")
  func noTime() {
    func lack(_ phase: String) -> Series {
      Series(
        cell: cell("json"), phase: phase, metric: .wall, unsupported: "cannot keep up: 86 of 120")
    }
    #expect(
      Report(record: run([lack("read"), lack("read-p99"), exact(1, in: cell("flat"))]))
        .conclusions.map(\.text) == ["json: no time of read, read-p99: cannot keep up: 86 of 120"])
  }

  @Test("A metric that one backend lacks is noted for it, and one that all lack for the machine")
  func unsupported() {
    func lack(_ metric: Metric, _ backend: String) -> Series {
      Series(cell: cell(backend), phase: "encode", metric: metric, unsupported: "no way")
    }
    var machine = machine()
    machine.unsupported = ["instructions": "no way"]
    let series = [
      lack(.payloadBytes, "memory"), lack(.instructions, "json"), lack(.cpu, "json"),
      lack(.cpu, "memory"),
    ]
    #expect(
      Report(record: run(series, machine: machine)).conclusions.map(\.text) == [
        "no figures of cpu, instructions here: no way",
        "memory: no figures of payload_bytes: no way",
      ])
    #expect(
      Report(record: run([lack(.payloadBytes, "memory")])).conclusions.map(\.text) == [
        "memory: no figures of payload_bytes: no way"
      ])
  }

  @Test(
    "A promise measured on a memory file system is a warning",
    arguments: [
      ("none", "hint: /data is on tmpfs, which is memory, so times of saves include no drive"),
      (
        "atomic",
        "warning: /data is on tmpfs, which is memory, so `atomic` flushed nothing to a drive"
      ),
      (
        "durable",
        "warning: /data is on tmpfs, which is memory, so `durable` flushed nothing to a drive"
      ),
    ])
  func memoryFileSystem(durability: String, expected: String) {
    var series = wall(100)
    series.cell.durability = durability
    var record = run([series])
    record.settings.fileSystem = "tmpfs"
    let conclusions = Report(record: record).conclusions
    #expect(conclusions.map { "\($0.severity.rawValue): \($0.text)" } == [expected])
  }

  @Test("The times of a stored baseline are called weak evidence, and its doubts are named")
  func storedBaseline() {
    var uneven = exact(7)
    uneven.blocks = [[7], [8]]
    let now = run([wall(110), control(1_100), exact(7), wall(100, blocks: 1, phase: "read")])
    let then = run([
      wall(100), control(), uneven, wall(100, blocks: 1, phase: "read"), exact(5, .readCalls),
    ])
    let texts = Report(record: now, baseline: then).conclusions.map(\.text)
    #expect(
      texts.filter { !$0.hasPrefix("no ±") } == [
        "the control, which your code cannot affect, moved since the baseline in json/large"
          + " (+10 %): times there cannot say",
        "allocations should be exact, but differs between blocks in the baseline:"
          + " json/large encode (7 to 8)",
        "times of runs measured apart are weak evidence: the machine's state alone moves them by up to"
          + " 15 %, and short ones further, so their intervals are that much wider (bench gate"
          + " --against measures both side by side)",
      ])
  }

  @Test("Another machine, allocator and menu each have a conclusion")
  func notComparable() {
    let now = run(
      [exact(7), wall(9)],
      machine: machine(cpu: "Xeon", allocator: "glibc 2.39", counting: "jemalloc 5.4"))
    let texts = Report(record: now, baseline: run([exact(7), wall(9)])).conclusions.map(\.text)
    #expect(
      texts == [
        "only counts are compared, because times depend on what differs:"
          + " cpu: Xeon, baseline EPYC; allocator: glibc 2.39, baseline glibc 2.36",
        "figures may differ for this reason alone: counting allocator: jemalloc 5.4,"
          + " baseline jemalloc 5.3",
      ])
    let other = run([exact(7)], fingerprint: "00000000000000bb")
    #expect(
      Report(record: other, baseline: run([exact(7)])).conclusions.map(\.text).first
        == "menu large not compared: the baseline's content is different")
  }

  @Test("A busy machine does not matter if no time was measured")
  func load() {
    var machine = machine()
    machine.loadAverage = 3
    #expect(Report(record: run([exact(7)], machine: machine)).conclusions == [])
    #expect(Report(record: run([wall(9)], machine: machine)).conclusions.map(\.text).count == 1)
  }

  @Test("A failure in the baseline is named, but not again on the other side of a gate")
  func failedBaseline() {
    var (now, then) = (run([exact(7)]), run([exact(7)]))
    then.failures = [Failure(cell: cell("plist"), stage: "decode", reason: "it crashed")]
    now.failures = [Failure(cell: cell("plist"), stage: nil, reason: "the baseline could not")]
    let errors = Report(record: now, baseline: then).conclusions.filter { $0.severity == .error }
    #expect(
      errors.map(\.text) == ["plist/large was not measured in the baseline (decode): it crashed"])
  }

  @Test("A value that is not a number is an error")
  func notFinite() {
    var series = wall(100)
    series.blocks[0][0] = .nan
    #expect(
      Report(record: run([series])).conclusions == [
        Conclusion(
          .error, "a value is not a number, so there are no figures of json/large encode wall")
      ])
  }
}
