import AppStorage
import MenuBenchKit
import Testing

@Suite("Our storage")
struct AppStorageTests {
  @Test("It keeps its input in every workload that we use")
  func keeps() async throws {
    let run = try await MenuBench.run(
      [.xmlPlist], menu: .small, workloads: ["roundtrip", "patch", "search"],
      options: .init(blocks: 1, allowsDebugBuild: true))
    #expect(run.failures == [])
    #expect(run.outcomes.map(\.timedBlocks) == [1, 1, 1])
  }
}
