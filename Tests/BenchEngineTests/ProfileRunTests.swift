import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation
import TestSupport
import Testing

@Suite("The run of a profile")
struct ProfileRunTests {
  private let storage = NSTemporaryDirectory() + "profile-\(UUID())"

  /// The complaint about a worker that leaves something in the request's file.
  private func complaint(_ leave: @escaping @Sendable (URL) throws -> Void) async -> String {
    defer { rmdir(storage) }
    let run = ProfileRun(
      cell: PlannedCell(cell: .of("a"), documentName: "small", fingerprint: "00"),
      order: ProfileOrder(what: .cpu, samples: 1, seconds: 1, phase: nil), blocks: 1,
      worker: ManualWorker(clock: ManualClock()) { request in
        try leave(URL(filePath: request.profile?.output ?? ""))
        return .measured([])
      },
      limits: ProfileRun.Limits(memoryLimit: nil, timeout: 9, storage: storage), executable: "")
    let failure = await #expect(throws: WorkloadFailure.self) { _ = try await run.profiles() }
    return failure?.description ?? ""
  }

  @Test("fails if a worker left no file, with the file's name")
  func noFile() async {
    let said = await complaint { _ in }
    #expect(said.hasPrefix(storage + "/profile-"), "\(said)")
    #expect(said.hasSuffix(".json cannot be read: No such file or directory"), "\(said)")
  }

  @Test("fails if a worker left impossible values, with their names")
  func contradicting() async {
    var facts = Profile.Facts()
    (facts.blocks, facts.runs) = (1, 1)
    let raw = RawProfile(
      what: .cpu, phase: "decode", executable: "",
      measures: ["cpu", "waited"].map {
        Profile.Measure(id: $0, unit: .nanoseconds, sample: 1_000_000)
      }, stacks: [RawProfile.Stack(addresses: [1], values: [1e6])], facts: facts)
    #expect(
      await complaint { try JSONEncoder().encode([raw]).write(to: $0) }
        == "the profile of decode contradicts itself: a stack has values of other measures than 2")
  }
}
