import Foundation
import Subprocess
import Testing

@Suite("bench gate counts instructions")
struct GateInstructionTests {
  private static let hasValgrind = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .contains { FileManager.default.isExecutableFile(atPath: $0 + "/valgrind") }
  private static let gate =
    Gate.any + " --tier exact --metrics instructions --against \(Executable.bench.path)"

  @Test(
    "Half a per cent more of one phase is status 2 with that phase alone",
    .enabled(if: hasValgrind, "skipped: no valgrind here, nor may a counter be assumed"))
  func injected() async throws {
    try await inFolder { folder in
      let more = try await Executable.bench(
        Self.gate + " --inject json/decode:instructions=100000", in: folder)
      #expect(more.status == .exited(2))
      let rows = try Gate.File(in: folder + "/out").failing
      #expect(
        rows.map { "\($0.phase) \($0.metric)" } == ["decode instructions"], "\(more.output)")
    }
  }
}
