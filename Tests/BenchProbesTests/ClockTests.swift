import BenchProbes
import Testing

struct ClockTests {
  @Test("a manual clock moves when told, and by its step after each reading")
  func manual() {
    let still = ManualClock(start: 5)
    still.advance(by: 7)
    #expect([still.now(), still.now()] == [12, 12])
    let stepping = ManualClock(step: 3)
    #expect([stepping.now(), stepping.now(), stepping.now()] == [0, 3, 6])
  }

  @Test("the system's clock never goes back")
  func monotonic() {
    let clock = MonotonicClock()
    let readings = (0..<1_000).map { _ in clock.now() }
    #expect(readings == readings.sorted())
  }

  @Test("the smallest step is the smallest seen, and nil if the clock does not move")
  func smallestStep() {
    #expect(ManualClock(step: 40).smallestStep(readings: 10) == 40)
    #expect(ManualClock().smallestStep(readings: 10) == nil)
  }
}
