import BenchResults
import Foundation
import PersistenceBackends
import Subprocess
import Testing

@Suite("Cold processes of a run")
struct ColdTests {
  private func run(
    _ executable: Executable, _ arguments: String,
    _ body: (Executable.Outcome, RunRecord) throws -> Void
  ) async throws {
    try await inFolder { folder in
      let outcome = try await executable(
        "run --allow-debug --menu small --blocks 1 --budget 1 --out out \(arguments)", in: folder)
      try body(outcome, try RunFile.read(folder + "/out/run.json"))
    }
  }

  /// The number of values of a series, or nil if there is no such series.
  private func samples(
    _ record: RunRecord, _ backend: String, _ phase: String, _ metric: Metric = .wall
  ) -> Int? {
    record.cells.first {
      $0.cell.backend == backend && $0.phase == phase && $0.metric == metric
    }?.blocks.joined().count
  }

  @Test("show the first screen and the whole menu of every backend that keeps a store")
  func everyBackend() async throws {
    try await run(.bench, "--backend all --workload first-menu --metrics peak_rss_bytes") {
      outcome, record in
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      for entry in BackendRegistry.all where entry.survivesRestart {
        for phase in ["first-screen", "whole-menu"] {
          #expect(samples(record, entry.id, phase, .peakRSSBytes) == 3, "\(entry.id) \(phase)")
        }
      }
      let refused = record.outcomes.filter { $0.stop == .notApplicable }
      #expect(refused.map(\.cell.backend) == ["memory"])
      #expect(refused.first?.reason == "memory keeps nothing for a fresh process")
    }
  }

  @Test("are several in a timed block, and none for a backend that keeps nothing")
  func timed() async throws {
    try await run(.bench, "--backend sqlite --workload first-menu --metrics wall") {
      _, record in
      let screens = try #require(samples(record, "sqlite", "first-screen"))
      let decodes = try #require(samples(record, "sqlite", "tenth-decode"))
      let recovered = samples(record, "sqlite", "screen-after-crash") ?? 0
      #expect((2...30).contains(screens) && (1...3).contains(decodes))
      #expect((0...3).contains(recovered))
      #expect(samples(record, "sqlite", "whole-menu") == screens)
      #expect(samples(record, "sqlite", "first-decode") == decodes)
      let starts = try #require(samples(record, "sqlite", "start"))
      #expect((recovered...recovered + 1).contains(starts - screens - decodes - recovered))
      let routes = record.cells.filter { $0.route == "native" }.map(\.phase)
      #expect(Set(routes) == ["first-screen", "screen-after-crash", "warm-screen"])
    }
    try await run(.bench, "--backend json,memory --workload product --metrics wall") { _, record in
      #expect(samples(record, "json", "cold-product").map { (3...30).contains($0) } == true)
      #expect(samples(record, "memory", "product").map { $0 > 0 } == true)
      #expect(samples(record, "memory", "cold-product") == 0)
    }
  }

  @Test(
    "cost the cell if they fail, and their last output is recorded",
    arguments: [
      (
        "cold-crash",
        "a fresh process crashed with signal 6 (Aborted), and it printed: no memory for the menu"
      ),
      ("cold-hang", "a fresh process hung: no answer within 10 s, so it was ended"),
      ("cold-lie", "is read back, but is not the stored one"),
    ])
  func failures(_ backend: String, _ reason: String) async throws {
    try await inFolder { folder in
      // While other tests run, a process needs some seconds to crash or to lie.
      let outcome = try await Executable.faulty(
        "run --allow-debug --menu small --blocks 1 --budget 1 --out out --backend \(backend) "
          + "--workload product --timeout 10", in: folder)
      #expect(outcome.status == .exited(3))
      #expect(outcome.errors.contains("in starting fresh processes: "), "\(outcome.errors)")
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
  }

  @Test("can print without disturbing anything")
  func chatter() async throws {
    try await run(.faulty, "--backend cold-chat --workload product") { outcome, _ in
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(!outcome.output.contains("chatter"))
    }
  }

  @Test(
    "end with a run that is interrupted, and with one that is killed, as workers do",
    arguments: [
      ("cold-hang --workload product", false), ("cold-hang --workload product", true),
      ("hangs", true),
    ])
  func ended(_ backend: String, isKilled: Bool) async throws {
    try await inFolder { folder in
      let storage = folder + "/storage"
      try FileManager.default.createDirectory(
        atPath: storage, withIntermediateDirectories: true)
      let hanging = Hanging(folder: storage)
      let arguments =
        "run --allow-debug --menu small --backend \(backend) --out out --storage \(storage)"
      _ = try await Executable.faulty.run(
        arguments.split(separator: " ").map(String.init), in: folder,
        by: isKilled ? .kill : .interrupt, once: { hanging.process != nil })
      let process = try #require(hanging.process)
      for _ in 0..<300 where kill(process, 0) == 0 { try await Task.sleep(for: .milliseconds(100)) }
      #expect(kill(process, 0) != 0, "process \(process) is left")
    }
  }
}

/// A fresh process that hangs, known by the file in which it left its number.
private final class Hanging: @unchecked Sendable {
  private let folder: String
  private let lock = NSLock()
  private var found: pid_t?

  init(folder: String) { self.folder = folder }

  /// Its number, once it is known: a run that ends removes the file.
  var process: pid_t? {
    lock.withLock {
      if found == nil { found = look() }
      return found
    }
  }

  private func look() -> pid_t? {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.first { $0.hasSuffix("/hanging") }
      .flatMap { try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
      .flatMap { pid_t($0) }
  }
}
