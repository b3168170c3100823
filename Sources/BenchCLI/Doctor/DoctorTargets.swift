import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends

/// What the project promises of its own speed and exactness, measured: `bench doctor --targets`.
struct Targets<Document: BenchDocument> {
  let suite: Suite<Document>
  /// The document that backends store meanwhile: `large` where there is one.
  private var menu: String {
    let names = suite.source.presets.map(\.name)
    return names.contains("large") ? "large" : names.first ?? ""
  }

  /// What is measured together: what is under way, and how it gives one finding a promise as soon as it is known.
  struct Part {
    let note: String
    let find: ((Finding) throws -> Void) async throws -> Void
  }

  /// All of them, in the order in which they are measured.
  var parts: [Part] {
    [
      Part(note: "generating huge, and encoding it") { found in
        try found(generation())
        try found(heap())
      },
      Part(note: "trying the profiler, which takes minutes") { found in
        try ProfilerTargets.find(found)
      },
      Part(note: "measuring \(menu) by every backend, twice") { found in
        for finding in try await blocks() { try found(finding) }
      },
    ]
  }

  /// Writes one line a promise as soon as it is known: a mark, what was promised, what was measured.
  func show() async throws {
    try Console.output("\npromises\n")
    for part in parts {
      Console.note(part.note)
      try await part.find { try show($0) }
    }
  }

  private func show(_ finding: Finding) throws {
    try Console.output(finding.lines().map { $0 + "\n" }.joined())
  }

  private func generation() -> Finding {
    let shape = MenuShape(.huge)
    let sampler = Sampler(phases: 2)
    for _ in 0..<7 {
      let menu = sampler.measure(0) { Menu(shape: shape) }
      _ = sampler.measure(1) { try? JSONEncoder().encode(menu) }
    }
    guard let generate = Self.median(sampler, 0), let encode = Self.median(sampler, 1) else {
      return Finding(.unknown, "generating huge", "nothing was measured")
    }
    return Finding(
      generate <= encode / 5 ? .fine : .doubt,
      "generating huge costs at most a fifth of encoding it as JSON",
      "\(Wording.time(generate)) against \(Wording.time(encode)), "
        + "1/\(Wording.count(encode / generate))")
  }

  private func heap() -> Finding {
    let promise = "generating huge takes at most 3× the menu's own memory"
    let instrument: ResidentPeak
    do throws(Unsupported) {
      instrument = try ResidentPeak()
    } catch {
      return Finding(.unknown, promise, "unsupported: \(error)")
    }
    let sampler = Sampler(phases: 2, instruments: [instrument])
    // A phase's peak is never below what is resident when it begins, so an empty one reads just that.
    sampler.measure(0) {}
    let menu = sampler.measure(1) { Menu(shape: MenuShape(.huge)) }
    sampler.measure(0) {}
    let resident = sampler.series(phase: 0).last?.values ?? []
    guard resident.count == 2, let most = sampler.series(phase: 1).last?.values.first else {
      return Finding(.unknown, promise, "resident memory could not be read")
    }
    blackHole(menu)
    let own = resident[1] - resident[0]
    let peak = most - resident[0]
    return Finding(
      peak <= 3 * own ? .fine : .doubt, promise,
      "peak \(Wording.bytes(peak)), own memory \(Wording.bytes(own)), "
        + Wording.multiple(peak / own))
  }

  private func blocks() async throws -> [Finding] {
    let storage = try ScratchFolder(in: FileManager.default.currentDirectoryPath, durabilities: [])
    let interruption = Interruption()
    interruption.watch {
      storage.remove()
      interruption.reraise()
    }
    defer { storage.remove() }
    var runs: [RunRecord] = []
    for _ in 0..<2 { runs.append(try await run(in: storage)) }
    let failures = runs.flatMap(\.failures).map {
      Finding(.doubt, "\($0.cell)", "could not be measured: \($0.reason)")
    }
    return failures + [exactness(runs)]
  }

  private func run(in storage: ScratchFolder) async throws -> RunRecord {
    let fingerprint = try suite.source.load(menu).document.fingerprint.description
    let cells = suite.backends.map { backend in
      PlannedCell(
        cell: Cell(
          backend: backend.id, menu: menu, workload: suite.workloads[0].id, durability: "atomic"),
        documentName: menu, fingerprint: fingerprint)
    }
    let plan = RunPlan(
      cells: cells, blocks: 7, budgetSeconds: nil, storage: storage.path,
      seed: 1)
    let empty = RunRecord(
      tool: ToolInfo.tool(),
      machine: Machine(build: Build.configuration),
      settings: Settings(
        started: "", blocks: 7, budgetSeconds: nil, targetPrecision: 0, scheduleSeed: 1,
        storage: storage.path, fileSystem: storage.fileSystem))
    let display = ProgressDisplay(folder: nil, blocks: plan.blocks)
    let measured = await Runner.measure(
      plan, record: empty, worker: SubprocessWorker.own(), clock: MonotonicClock(),
      isSettled: { _ in false }, observer: display)
    display.finish(measured)
    return measured
  }

  /// Whether every exact metric is the same in every block of both runs.
  private func exactness(_ runs: [RunRecord]) -> Finding {
    let promise = "exact metrics are equal in two runs of one build"
    let exact = runs.map { run in
      run.cells.filter { $0.metric.isExact && $0.unsupported == nil }
    }
    let other = Dictionary(exact[1].map { ($0.key, $0.blocks) }, uniquingKeysWith: { $1 })
    let different = exact[0].filter { other[$0.key] != $0.blocks || Set($0.blocks).count > 1 }
    guard !exact[0].isEmpty else { return Finding(.unknown, promise, "no exact metric here") }
    let names = different.prefix(5).map {
      "\($0.cell.backend) \($0.phase) \($0.metric.id)"
    }
    return different.isEmpty
      ? Finding(.fine, promise, "\(exact[0].count) series, all equal")
      : Finding(
        .doubt, promise,
        "\(different.count) of \(exact[0].count) series differ: \(names.joined(separator: ", "))")
  }

  private static func median(_ sampler: Sampler<MonotonicClock>, _ phase: Int) -> Double? {
    Spread(sampler.series(phase: phase).first?.values ?? [])?.median
  }
}
