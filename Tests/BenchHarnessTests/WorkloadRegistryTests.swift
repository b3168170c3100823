import BenchHarness
import Foundation
import Testing

@Suite("The registry of workloads")
struct WorkloadRegistryTests {
  @Test("lists every file in the folder, by its name, once")
  func files() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "Sources/BenchHarness/Workloads").path
    let stems = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix("Workload.swift") && $0 != "Workload.swift" }
      .map { $0.dropLast("Workload.swift".count).lowercased() }
    let ids = WorkloadRegistry.all.map { $0.name.replacing("-", with: "") }
    #expect(stems.sorted() == ids.sorted())
    #expect(!ids.isEmpty)
  }
}
