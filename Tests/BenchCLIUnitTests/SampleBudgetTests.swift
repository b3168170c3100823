import Testing

@testable import BenchCLI

@Suite("The number of samples")
struct SampleBudgetTests {
  @Test("grows with the time of a profile, and does not shrink below the default")
  func enough() {
    let cases: [(seconds: Double, samples: Int)] = [
      (0.1, 6_000), (10, 6_000), (12.5, 7_500), (30, 18_000), (100, 60_000), (3_600, 60_000),
    ]
    for (seconds, samples) in cases {
      #expect(SampleBudget.enough(6_000, in: seconds) == samples, "\(seconds)")
    }
  }
}
