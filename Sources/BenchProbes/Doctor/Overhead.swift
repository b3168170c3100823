import Basics
import BenchResults
import CCallgrind

package struct Overhead: Hashable, Sendable {
  /// Two bare readings of the clock, in nanoseconds: the least that any sample can cost.
  package let bareReadings: Double
  /// An empty sample of wall time only, in nanoseconds.
  package let emptySample: Double
  /// The wall time that an empty sample shows, in nanoseconds: what cannot be told from nothing.
  package let emptyReading: Double

  /// How many times the cost of two bare readings an empty sample costs.
  package var ratio: Double { emptySample / bareReadings }

  /// Measures on the system's clock: medians of batches, the two kinds of batches in turn, so that a
  /// change of the processor's pace meets both.
  ///
  /// - Parameter size: how many of them make a batch.
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

  /// How many empty samples a median is of.
  private static let samples = 1_001

  /// Nanoseconds that all these instruments together take for one empty phase: the median of many.
  package static func ofInstruments(_ instruments: [any Instrument]) -> Double {
    let clock = MonotonicClock()
    let inner = Sampler(phases: 1, instruments: instruments)
    let outer = Sampler(phases: 1, capacity: samples, clock: clock)
    for _ in 0..<samples { outer.measure(0) { inner.measure(0) {} } }
    return median(outer.series(phase: 0).first?.values ?? [])
  }

  /// The CPU time that an empty sample reads, in nanoseconds: what its clock's own calls take.
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

/// Work of a known cost that the optimiser cannot remove: a known fault for a gate to find.
package enum AddedWork {
  /// Executes about so many machine instructions, in whole hundreds.
  ///
  /// Within 5 % of the hundreds asked for in an optimised build, 10 % in any other; less than 100
  /// are none.
  @inline(never)
  package static func instructions(_ count: Int) {
    callgrind_idle(UInt(max(count, 0) / 100))
  }

  /// Allocates 16 bytes and frees them at once, so many times.
  @inline(never)
  package static func allocations(_ count: Int) {
    for _ in 0..<max(count, 0) {
      let block = malloc(16)
      blackHole(block)
      free(block)
    }
  }

  /// Keeps the processor busy for as long again, or a part or multiple of it, as has passed since a
  /// moment of a clock.
  ///
  /// A part that is no positive number adds nothing.
  @inline(never)
  package static func slowdown(_ part: Double, since start: UInt64, by clock: some WallClock) {
    let now = clock.now()
    let added = Double(now &- start) * part
    guard added > 0, added < 1e18 else { return }
    var value = start
    while clock.now() &- now < UInt64(added) {
      // Work of its own, so that a profile finds it here and not in the clock.
      for round in 0..<100 { value = (value ^ UInt64(round)) &* 0x9E37_79B9_7F4A_7C15 }
    }
    blackHole(value)
  }
}

extension WallClock {
  /// The smallest step in nanoseconds that this clock was seen to make over so many readings.
  ///
  /// Nil if it never moved.
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
