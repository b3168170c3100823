import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("A worker that fails costs only its own cell")
struct FaultTests {
  /// Runs a faulty backend next to a sound one, and returns the outcome with the stored run.
  private func run(
    _ fault: String, _ body: (Executable.Outcome, RunRecord) throws -> Void
  ) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.faulty(
        "run --allow-debug --menu small --blocks 1 --out out --backend json,\(fault)", in: folder)
      try body(outcome, try RunFile.read(folder + "/out/run.json"))
    }
  }

  @Test(
    "The reason and the stage are recorded, and the status is 3",
    arguments: [
      ("crashes", "phase decode", "crashed with signal 6"),
      ("lmdb-cut", "phase read", "crashed with signal \(SIGBUS)"),
      ("exits", "phase write", "exited with status 7"),
      // While other tests run, the sound one needs some seconds to answer.
      ("hangs --timeout 10", "phase write", "it hung: it sent nothing for 10 s, so it was ended"),
      ("hogs --memory-limit 500", "phase encode", "with a limit of 500 MB of memory"),
      ("throws", "phase write", "write /the/path: No space left on device"),
      (
        "forgets", "reading the reopened store",
        "the data read is not such a document: it is damaged, or holds a number that is not allowed"
      ),
      (
        "lies", "phase decode", "the document read back differs from what was written: products[3]"
      ),
    ])
  func recorded(_ fault: String, _ stage: String, _ reason: String) async throws {
    try await run(fault) { outcome, record in
      #expect(outcome.status == .exited(3))
      #expect(record.failures.map(\.cell.backend) == [String(fault.prefix { $0 != " " })])
      #expect(record.failures.first?.stage == stage)
      #expect(record.failures.first?.reason.contains(reason) == true)
      if fault.hasPrefix("hangs") { #expect(record.failures.first?.reason == reason) }
      #expect(Set(record.cells.map(\.cell.backend)) == ["json"])
      #expect(record.outcomes.map(\.stop) == [.blocks, .failed])
      #expect(outcome.output.contains("json"))
    }
  }

  @Test("A backend that writes to standard output and standard error disturbs nothing")
  func chats() async throws {
    try await run("chats --metrics allocations") { outcome, record in
      #expect(outcome.status == .exited(0))
      #expect(record.failures.isEmpty)
      #expect(record.outcomes.map(\.stop) == [.blocks, .blocks])
      #expect(!outcome.output.contains("chatter"))
    }
  }
}
