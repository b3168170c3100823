import BenchAnalysis
import BenchResults
import Testing

@Suite("Runs of processors with other features do not compare times")
struct ComparabilityTests {
  private func differences(_ new: [String]?, _ old: [String]?) -> [String] {
    var (now, then) = (machine(), machine())
    (now.cpuFlags, then.cpuFlags) = (new, old)
    return Comparability(
      candidate: run([exact(7)], machine: now), baseline: run([exact(7)], machine: then)
    ).machineDifferences
  }

  @Test("Which features differ is named, up to three on a side")
  func named() {
    #expect(
      differences(["a", "b", "c", "d", "sse"], ["sse", "z"]) == [
        "cpu features: here also a, b, c and 1 more, baseline also z"
      ])
    #expect(differences(["sse"], ["avx2", "sse"]) == ["cpu features: baseline also avx2"])
  }

  @Test("The same features in another order, or unknown ones, are no difference")
  func same() {
    #expect(differences(["a", "b"], ["b", "a"]) == [])
    #expect(differences(nil, ["a"]) == [])
    #expect(differences(["a"], nil) == [])
  }
}
