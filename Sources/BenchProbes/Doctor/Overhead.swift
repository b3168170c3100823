import Basics
import BenchResults
import CCallgrind

package struct Overhead: Hashable, Sendable {
  /// The cost of two bare clock readings in nanoseconds: the minimum cost of any sample.
  package let bareReadings: Double
  /// The cost of an empty sample of wall time alone, in nanoseconds.
  package let emptySample: Double
  /// The wall time that an empty sample shows, in nanoseconds. Shorter phases cannot be measured.
  package let emptyReading: Double

  /// The cost of an empty sample as a multiple of two bare readings.
  package var ratio: Double { emptySample / bareReadings }

  /// Measures with the system's clock and returns medians of batches. The two kinds of batches
  /// alternate, so that a change of the processor's frequency affects both.
  ///
  /// - Parameter size: the number of samples in a batch.
  package static func measure(batches: Int = 201, size: Int = 1_000) -> Overhead {
    let clock = MonotonicClock()
    let sampler = Sampler(phases: 1, capacity: size + 1)
    var bare: [Double] = []
    var empty: [Double] = []
    var readings: [Double] = []
    for _ in 0..<batches {
      bare.append(average(size, clock) { blackHole(clock.now() &- clock.now()) })
      sampler.reset()
      empty.append(average(size, clock) { sampler.measure(0) {} })
      readings += sampler.series(phase: 0).first?.values ?? []
    }
    return Overhead(
      bareReadings: median(bare), emptySample: median(empty), emptyReading: median(readings))
  }

  /// The number of empty samples for a median.
  private static let samples = 1_001

  /// Returns the time that these instruments take for an empty phase: a median in nanoseconds.
  package static func ofInstruments(_ instruments: [any Instrument]) -> Double {
    let clock = MonotonicClock()
    let inner = Sampler(phases: 1, instruments: instruments)
    let outer = Sampler(phases: 1, capacity: samples, clock: clock)
    for _ in 0..<samples { outer.measure(0) { inner.measure(0) {} } }
    return median(outer.series(phase: 0).first?.values ?? [])
  }

  /// Returns the CPU time of an empty sample in nanoseconds, which its clock readings cause.
  package static func emptyCPUReading() -> Double? {
    let sampler = Sampler(phases: 1, instruments: [CPUTime()], capacity: samples)
    for _ in 0..<samples { sampler.measure(0) {} }
    return sampler.series(phase: 0).first { $0.metric == .cpu }.flatMap {
      Spread($0.values)?.median
    }
  }

  @inline(__always)
  private static func average(_ size: Int, _ clock: MonotonicClock, _ body: () -> Void) -> Double {
    let start = clock.now()
    for _ in 0..<size { body() }
    return Double(clock.now() &- start) / Double(size)
  }

  private static func median(_ values: [Double]) -> Double {
    Spread(values)?.median ?? .nan
  }
}

/// Work of a known cost that the optimiser cannot remove. A gate must detect it.
package enum AddedWork {
  /// Executes about this many machine instructions, in whole hundreds.
  ///
  /// The number is within 5 % in an optimised build and within 10 % in any other. Less than 100
  /// adds nothing.
  @inline(never)
  package static func instructions(_ count: Int) {
    callgrind_idle(UInt(max(count, 0) / 100))
  }

  /// Allocates 16 bytes and frees them at once, `count` times.
  @inline(never)
  package static func allocations(_ count: Int) {
    for _ in 0..<max(count, 0) {
      let block = malloc(16)
      blackHole(block)
      free(block)
    }
  }

  /// Keeps the processor busy for a multiple of the time that has passed since `start`.
  ///
  /// Adds nothing if `part` is not positive.
  @inline(never)
  package static func slowdown(_ part: Double, since start: UInt64, by clock: some WallClock) {
    let now = clock.now()
    let added = Double(now &- start) * part
    guard added > 0, added < 1e18 else { return }
    var value = start
    while clock.now() &- now < UInt64(added) {
      // Computes something, so that a profile shows the time here and not in the clock.
      for round in 0..<100 { value = (value ^ UInt64(round)) &* 0x9E37_79B9_7F4A_7C15 }
    }
    blackHole(value)
  }
}

extension WallClock {
  /// Returns the smallest step in nanoseconds between this many readings of the clock.
  ///
  /// Returns nil if the clock never moved.
  package func smallestStep(readings: Int = 100_000) -> Double? {
    var smallest: UInt64?
    var last = now()
    for _ in 0..<readings {
      let next = now()
      if next > last { smallest = min(smallest ?? .max, next - last) }
      last = next
    }
    return smallest.map { Double($0) }
  }
}
