import BenchEngine
import MenuWorkloads
import Testing

@Suite("The registry of workloads")
struct WorkloadRegistryTests {
  @Test("gives every workload a name of its own, a summary and phases")
  func namesAreUnique() {
    let names = WorkloadRegistry.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(WorkloadRegistry.all.filter { $0.summary.isEmpty || $0.phases.isEmpty }.isEmpty)
  }

  @Test("begins with the one that runs unless another is asked for")
  func order() { #expect(WorkloadRegistry.all.first?.name == "roundtrip") }
}
