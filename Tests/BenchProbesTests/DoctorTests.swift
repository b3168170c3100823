import BenchProbes
import Testing

struct DoctorTests {
  @Test("the control work gives the same checksum each time and everywhere")
  func controlWork() {
    let work = ControlWork()
    let runs = [work.run(), work.run(), ControlWork().run()]
    #expect(runs == [UInt64](repeating: 1_085_188_914_193_148_441, count: 3))
  }

  @Test("a spread is the median, cv and range of the durations")
  func spread() throws {
    let spread = try #require(Spread([4, 2, 6, 4]))
    #expect(spread.count == 4)
    #expect(spread.median == 4)
    #expect(spread.worstOverBest == 3)
    #expect(spread.cv == (8.0 / 3).squareRoot() / 4)
  }

  @Test("the unknown parts of a spread are nil")
  func spreadOfFew() {
    #expect(Spread([]) == nil)
    #expect(Spread([5])?.cv == nil)
    #expect(Spread([0, 5])?.worstOverBest == nil)
  }

  @Test("noise repeats the work until the time is over")
  func noise() {
    let clock = ManualClock()
    let spread = Noise.measure(seconds: 1, clock: clock) { clock.advance(by: 100_000_000) }
    #expect(spread?.count == 10)
    #expect(spread?.median == 1e8)
    #expect(spread?.cv == 0)
    #expect(spread?.worstOverBest == 1)
  }

  @Test("noise does the work at least twice")
  func shortNoise() {
    let clock = ManualClock()
    let spread = Noise.measure(seconds: 0, clock: clock) { clock.advance(by: 5) }
    #expect(spread?.count == 2)
  }

  @Test("the cost of measuring is a positive number of each kind")
  func overhead() {
    let overhead = Overhead.measure(batches: 3, size: 100)
    #expect(overhead.bareReadings > 0)
    #expect(overhead.emptySample > 0)
    #expect(overhead.emptyReading >= 0)
    #expect(Overhead.ofInstruments([PageFaults()]) > 0)
  }
}
