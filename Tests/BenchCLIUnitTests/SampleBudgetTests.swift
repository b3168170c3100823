import Testing

@testable import BenchCLI

@Suite("Samples that are enough")
struct SampleBudgetTests {
  @Test("are more for who gives a profile longer, and no fewer for who does not")
  func enough() {
    let cases: [(seconds: Double, samples: Int)] = [
      (0.1, 6_000), (10, 6_000), (12.5, 7_500), (30, 18_000), (100, 60_000), (3_600, 60_000),
    ]
    for (seconds, samples) in cases {
      #expect(SampleBudget.enough(6_000, in: seconds) == samples, "\(seconds)")
    }
  }
}
