import Testing

@testable import BenchEngine

@Suite("The number of samples of a block")
struct SamplingTests {
  @Test("is the same for all counting programs, because their figures are compared")
  func counted() {
    #expect([Sampling(), .short, .pairs].map(\.counted) == [3, 3, 3])
  }
}
