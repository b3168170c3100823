import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("bench gate never passes because something is missing")
struct GateCellTests {
  /// A gate with a program that has json, and xml-plist besides, and none of bench's other backends.
  private func gate(
    _ arguments: String,
    _ body: (Executable.Outcome, [String: String], String) async throws -> Void
  ) async throws {
    try await inFolder { folder in
      try Gate.write(
        Executable.faulty,
        edited: "s/\"backends\":\\[[^]]*\\]/\"backends\":[\"json\",\"xml-plist\"]/",
        to: folder + "/other")
      let outcome = try await Executable.bench(
        "\(Gate.any) --tier exact --metrics allocations,payload_bytes --against ./other \(arguments)",
        in: folder)
      let csv = try? String(contentsOfFile: folder + "/out/report.csv", encoding: .utf8)
      try await body(outcome, Gate.verdicts(csv: csv ?? ""), folder + "/out")
    }
  }

  @Test("A backend that is gone is missing, with status 3, and in gate.json")
  func missing() async throws {
    try await gate("--backend all") { outcome, verdicts, out in
      #expect(outcome.status == .exited(3))
      #expect(outcome.errors.contains(" of the baseline are missing now, the first xml-plist/"))
      #expect(outcome.errors.contains("help: if you intend that, add --allow-missing\n"))
      #expect(verdicts["xml-plist/decode/allocations"] == "missing")
      #expect(verdicts["plist/decode/allocations"] == "new")
      let rows = try Gate.File(in: out).failing
      #expect(!rows.isEmpty)
      #expect(rows.allSatisfy { $0.verdict == "missing" && $0.cell.backend == "xml-plist" })
      for command in ["report . --baseline baseline.json", "diff baseline.json ."] {
        #expect(try await Executable.bench(command, in: out).status == .exited(3), "\(command)")
      }
    }
  }

  @Test("A backend may be gone if you allow it")
  func allowed() async throws {
    try await gate("--backend all --allow-missing") { outcome, verdicts, _ in
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(verdicts["xml-plist/decode/allocations"] == "missing")
      #expect(verdicts["json/encode/payload_bytes"] == "unchanged")
    }
  }

  @Test("A new backend is measured and called new, and the others are compared")
  func new() async throws {
    try await gate("--backend json,plist") { outcome, verdicts, _ in
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(
        verdicts["plist/decode/allocations"] == "new")
      #expect(verdicts["json/decode/allocations"] == "unchanged")
      #expect(!verdicts.keys.contains { $0.hasPrefix("xml-plist/") })
    }
  }

  @Test("Only new rows do not pass")
  func onlyNew() async throws {
    try await gate("--backend plist") { outcome, _, _ in
      #expect(outcome.status == .exited(5))
      #expect(outcome.errors.contains("error: nothing could be compared: every row is new\n"))
    }
  }

  /// A gate of fresh processes with the same program, whose hello names other cells that make no sense to it.
  private func gate(refusing cells: String, _ backends: String) async throws -> Executable.Outcome {
    try await inFolder { folder in
      try Gate.write(
        Executable.faulty, edited: "s/\"refused\":\\[[^]]*\\]/\"refused\":[\(cells)]/",
        to: folder + "/other")
      return try await Executable.faulty(
        "\(Gate.any) --workload first-menu --tier exact --against ./other --backend \(backends)",
        in: folder)
    }
  }

  @Test("A cell that no longer makes sense has status 3")
  func refused() async throws {
    let outcome = try await gate(refusing: "", "chats")
    #expect(outcome.status == .exited(3))
    #expect(outcome.errors.contains("chats/\(Gate.menu)/first-menu/"), "\(outcome.errors)")
  }

  @Test("A cell that made no sense before is new")
  func sensible() async throws {
    let outcome = try await gate(
      refusing: #"{"backend":"json","workload":"first-menu","document":"\#(Gate.menu)"}"#, "json")
    #expect(outcome.status == .exited(5))
    #expect(outcome.errors.contains("error: nothing could be compared: every row is new\n"))
  }

  @Test("A cell that one side cannot measure has status 3 with that side's reason")
  func failing() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.faulty(
        "\(Gate.exact) --against \(Executable.faulty.path) --backend json,throws", in: folder)
      #expect(outcome.status == .exited(3))
      #expect(
        outcome.errors.contains(
          "throws/\(Gate.menu)/roundtrip/atomic could not be measured in phase write: "
            + "write /the/path: No space left on device"))
      let record = try RunFile.read(folder + "/out/run.json")
      #expect(Set(record.cells.map(\.cell.backend)) == ["json"])
    }
  }
}
