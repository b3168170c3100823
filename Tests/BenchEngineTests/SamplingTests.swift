import Testing

@testable import BenchEngine

@Suite("How many samples a block takes")
struct SamplingTests {
  @Test("is the same of every counter, whichever program counts: the figures are compared")
  func counted() {
    #expect([Sampling(), .short, .pairs].map(\.counted) == [3, 3, 3])
  }
}
