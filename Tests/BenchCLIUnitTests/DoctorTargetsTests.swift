import Testing

@testable import BenchCLI

@Suite("What the project promises of itself")
struct DoctorTargetsTests {
  @Test("is measured in three parts, each of which says beforehand what takes so long")
  func notes() {
    #expect(
      Targets(suite: suite).parts.map(\.note) == [
        "generating huge, and encoding it", "trying the profiler, which takes minutes",
        "measuring large by every backend, twice",
      ])
  }
}
