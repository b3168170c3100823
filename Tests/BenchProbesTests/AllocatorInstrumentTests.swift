import BenchResults
import Testing

@testable import BenchProbes

/// Counters in place of an allocator, which move only when told.
final class ManualAllocator: AllocatorCounters {
  private var reading = AllocatorReading(
    allocations: 0, ownAllocations: 0, allocatedBytes: 0, peakBytes: 0)
  private var live: Int64 = 0
  /// Whether the allocator answers. False makes every reading fail.
  var answers = true

  func allocate(_ bytes: UInt32) {
    allocateElsewhere(bytes)
    reading.ownAllocations += 1
    live += Int64(bytes)
    reading.peakBytes = max(reading.peakBytes, UInt64(clamping: live))
  }

  /// Counts one allocation of another thread.
  func allocateElsewhere(_ bytes: UInt32) {
    reading.allocations += 1
    reading.allocatedBytes += UInt64(bytes)
  }

  func free(_ bytes: UInt32) { live -= Int64(bytes) }

  func resetPeak() { (live, reading.peakBytes) = (0, 0) }

  func read() -> AllocatorReading? { answers ? reading : nil }
}

struct AllocatorInstrumentTests {
  private let counters = ManualAllocator()

  private func values(_ body: () -> Void) -> [Double] {
    let sampler = Sampler(
      phases: 1, instruments: [AllocatorInstrument(counters)], clock: ManualClock())
    sampler.measure(0, body)
    return sampler.series(phase: 0).dropFirst().flatMap(\.values)
  }

  @Test("an empty phase counts nothing, whatever came before")
  func empty() {
    counters.allocate(1_000)
    #expect(values {} == [0, 0, 0])
  }

  @Test("the peak is the most memory at one time, and bytes count whether freed or not")
  func peak() {
    let seen = values {
      counters.allocate(100)
      counters.free(100)
      counters.allocate(60)
      counters.allocate(70)
      counters.free(130)
    }
    #expect(seen == [3, 230, 130])
  }

  @Test("allocations of another thread are counted, and the peak of both is refused")
  func otherThread() {
    let sampler = Sampler(
      phases: 2, instruments: [AllocatorInstrument(counters)], clock: ManualClock())
    sampler.measure(0) {
      counters.allocate(100)
      counters.allocateElsewhere(50)
    }
    sampler.measure(1) { counters.allocate(100) }
    let refused = sampler.series(phase: 0).dropFirst()
    #expect(refused.map(\.values) == [[2], [150], []])
    #expect(refused.map(\.refusal) == [nil, nil, "another thread allocates"])
    #expect(refused.map(\.lost) == [0, 0, 0])
    #expect(sampler.series(phase: 1).dropFirst().map(\.values) == [[1], [100], [100]])
    #expect(sampler.series(phase: 1).allSatisfy { $0.refusal == nil })
  }

  @Test("a peak of a sample in parts is refused if another thread allocates in one of them")
  func otherThreadInPart() {
    let sampler = Sampler(
      phases: 1, instruments: [AllocatorInstrument(counters)], clock: ManualClock())
    sampler.measure(0) { counters.allocateElsewhere(50) }
    sampler.resume(0) { counters.allocate(100) }
    #expect(sampler.series(phase: 0).dropFirst().map(\.values) == [[2], [150], []])
  }

  @Test("an allocator that does not answer gives no values, not zeros")
  func silence() {
    counters.answers = false
    #expect(values {} == [])
  }
}
