import BenchResults
import Testing

@testable import BenchProbes

/// Notes the calls of its methods, and returns the value that it was given.
private final class Witness: Instrument {
  let metrics = [Metric(id: "witness", unit: .count)]
  var value = 0.0
  private let name: String
  private let note: (String) -> Void

  init(_ name: String, _ note: @escaping (String) -> Void) {
    self.name = name
    self.note = note
  }

  func begin() { note("\(name) begins") }
  func end() { note("\(name) ends") }
  func store(into values: UnsafeMutablePointer<Double>) { values[0] = value }
}

/// A peak of the given height.
private final class Peak: Instrument {
  let metrics = [Metric.peakHeapBytes]
  var value = 0.0
  func begin() {}
  func end() {}
  func store(into values: UnsafeMutablePointer<Double>) { values[0] = value }
}

private struct Broken: Error {}

struct SamplerTests {
  @Test("a sample is exactly the time that the clock moved during the body")
  func exactSamples() {
    let clock = ManualClock(start: 17)
    let sampler = Sampler(phases: 2, clock: clock)
    sampler.measure(0) { clock.advance(by: 250) }
    sampler.measure(1) { clock.advance(by: 1) }
    sampler.measure(0) { clock.advance(by: 4_000_000_000) }
    clock.advance(by: 5)
    sampler.measure(0) {}
    // A clock that went back.
    sampler.measure(0) { clock.advance(by: .max) }
    #expect(sampler.series(phase: 0) == [Samples(metric: .wall, values: [250, 4e9, 0, -1])])
    #expect(sampler.series(phase: 1) == [Samples(metric: .wall, values: [1])])
  }

  @Test("the mean of the samples since the last one is one sample, with the highest peaks")
  func means() {
    let clock = ManualClock()
    let (witness, peak) = (Witness("a") { _ in }, Peak())
    let sampler = Sampler(phases: 3, instruments: [witness, peak], clock: clock)
    func measure(_ phase: Int, _ value: Double) {
      (witness.value, peak.value) = (value, value)
      sampler.measure(phase) { clock.advance(by: 10) }
    }
    measure(0, 100)
    let before = sampler.counts
    #expect(before == [1, 0, 0])
    for value in [3.0, 4] { measure(0, value) }
    measure(1, 7)
    sampler.takeMean(since: before)
    #expect(sampler.series(phase: 0).map(\.values) == [[10, 10], [100, 3.5], [100, 4]])
    #expect(sampler.series(phase: 1).map(\.values) == [[10], [7], [7]])
    #expect(sampler.counts == [2, 1, 0])
  }

  @Test("a batch is one sample, with the mean of its times, and returns the last result")
  func batches() {
    let clock = ManualClock()
    let (witness, peak) = (Witness("a") { _ in }, Peak())
    let sampler = Sampler(phases: 1, instruments: [witness, peak], clock: clock)
    (witness.value, peak.value) = (8, 8)
    var calls = 0
    let last = sampler.measure(0, times: 4) {
      calls += 1
      clock.advance(by: calls == 4 ? 70 : 10)
      return calls
    }
    #expect(last == 4)
    #expect(sampler.series(phase: 0).map(\.values) == [[25], [2], [8]])
  }

  @Test("a body that throws leaves no sample, throws on, and ends its instruments")
  func thrownBody() {
    var notes: [String] = []
    let sampler = Sampler(
      phases: 1, instruments: [Witness("a") { notes.append($0) }], clock: ManualClock())
    #expect(throws: Broken.self) { try sampler.measure(0) { throw Broken() } }
    #expect(notes == ["a begins", "a ends"])
    #expect(sampler.series(phase: 0).map(\.values) == [[], []])
    sampler.measure(0) {}
    #expect(sampler.series(phase: 0).map(\.values) == [[0], [0]])
  }

  @Test("instruments start in their order and end in reverse, around the timed body")
  func order() {
    let clock = ManualClock()
    var notes: [String] = []
    let instruments = ["a", "b"].map {
      Witness($0) {
        notes.append($0)
        clock.advance(by: 1_000)
      }
    }
    let sampler = Sampler(phases: 1, instruments: instruments, clock: clock)
    let result = sampler.measure(0) {
      notes.append("body")
      clock.advance(by: 3)
      return "menu"
    }
    #expect(result == "menu")
    #expect(notes == ["a begins", "b begins", "body", "b ends", "a ends"])
    #expect(sampler.series(phase: 0).first?.values == [3])
  }

  @Test("each instrument's values belong to its own metric")
  func columns() {
    let counters = ManualAllocator()
    let witness = Witness("a") { _ in }
    witness.value = 7
    let sampler = Sampler(
      phases: 1, instruments: [witness, AllocatorInstrument(counters)], clock: ManualClock())
    sampler.measure(0) { counters.allocate(64) }
    #expect(sampler.metrics.map(\.id) == sampler.series(phase: 0).map(\.metric.id))
    #expect(
      sampler.metrics.map(\.id) == [
        "wall", "witness", "allocations", "allocated_bytes", "peak_heap_bytes",
      ])
    #expect(sampler.series(phase: 0).flatMap(\.values) == [0, 7, 1, 64, 64])
  }

  @Test("samples beyond the capacity are kept")
  func growth() {
    let clock = ManualClock()
    let sampler = Sampler(phases: 2, capacity: 1, clock: clock)
    for time in 0..<1_000 { sampler.measure(1) { clock.advance(by: UInt64(time)) } }
    #expect(sampler.series(phase: 1).first?.values == (0..<1_000).map(Double.init))
    #expect(sampler.series(phase: 0).first?.values == [])
  }

  @Test("a resumed sample has the values of both parts, and nothing from between")
  func resumed() throws {
    let clock = ManualClock()
    let allocator = ManualAllocator()
    let sampler = Sampler(
      phases: 1, instruments: [AllocatorInstrument(allocator)], clock: clock)
    sampler.measure(0) { clock.advance(by: 1) }
    sampler.measure(0) {
      clock.advance(by: 20)
      allocator.allocate(100)
    }
    clock.advance(by: 4_000)
    allocator.allocate(1_000)
    let result = sampler.resume(0) {
      clock.advance(by: 300)
      allocator.allocate(70)
      return "menu"
    }
    #expect(result == "menu")
    func values(_ metric: Metric) -> [Double]? {
      sampler.series(phase: 0).first { $0.metric == metric }?.values
    }
    #expect(values(.wall) == [1, 320])
    #expect(values(.allocations) == [0, 2])
    #expect(values(.allocatedBytes) == [0, 170])
    #expect(values(.peakHeapBytes) == [0, 100])
    #expect(throws: Broken.self) { try sampler.resume(0) { throw Broken() } }
    #expect(values(.wall) == [1, 320])
    allocator.answers = false
    sampler.resume(0) {}
    #expect(values(.allocations) == [0])
  }

  @Test("a resumed sample without a first part is a whole sample, and a reset forgets it")
  func resumedFirst() {
    let clock = ManualClock()
    let sampler = Sampler(phases: 1, clock: clock)
    sampler.resume(0) { clock.advance(by: 7) }
    #expect(sampler.series(phase: 0) == [Samples(metric: .wall, values: [7])])
    sampler.reset()
    sampler.measure(0) { clock.advance(by: 2) }
    #expect(sampler.series(phase: 0).first?.values == [2])
  }

  @Test("a reading that failed is counted as lost and never reported")
  func lostReadings() {
    let witness = Witness("a") { _ in }
    let sampler = Sampler(phases: 1, instruments: [witness], clock: ManualClock())
    for value in [1, .nan, 3] {
      witness.value = value
      sampler.measure(0) {}
    }
    #expect(sampler.series(phase: 0).last?.values == [1, 3])
    #expect(sampler.series(phase: 0).map(\.lost) == [0, 1])
  }

  @Test("odd sizes give a sampler that works", arguments: [Int.min, -1, 0, 1, Int.max])
  func oddSizes(size: Int) {
    let sampler = Sampler(phases: min(size, 3), capacity: size, clock: ManualClock())
    #expect(sampler.phases == max(0, min(size, 3)))
    #expect(sampler.counts == Array(repeating: 0, count: sampler.phases))
    #expect(
      Sampler(phases: 1, clock: ManualClock()).series(phase: size == 0 ? 1 : size) == [
        Samples(metric: .wall, values: [])
      ])
  }

  @Test("nested wall-only samples of one phase are all kept, the inner first")
  func nested() {
    let clock = ManualClock()
    let sampler = Sampler(phases: 1, clock: clock)
    sampler.measure(0) {
      clock.advance(by: 1)
      sampler.measure(0) { clock.advance(by: 10) }
    }
    #expect(sampler.series(phase: 0).first?.values == [10, 11])
  }
}
