import Basics
import BenchResults

/// Times phases, reads instruments around them, and keeps every sample in preallocated memory.
///
/// ```swift
/// let sampler = Sampler(phases: 1, clock: MonotonicClock())
/// let payload = try sampler.measure(0) { try encoder.encode(menu) }
/// sampler.series(phase: 0)  // one element: wall, with one value
/// ```
/// Without instruments an empty sample costs two clock readings and a few instructions. Use a sampler
/// on one thread: allocations and instructions are counted for that thread.
public final class Sampler<Wall: WallClock> {
  /// The number of phases, which are numbered from 0.
  public let phases: Int

  @usableFromInline let clock: Wall
  @usableFromInline let isInstrumented: Bool
  // A pointer, since an array would be checked for uniqueness and exclusivity at each access.
  @usableFromInline let stores: UnsafeMutablePointer<SampleStore>
  let instruments: [any Instrument]

  /// Creates a sampler without samples.
  ///
  /// - Parameters:
  ///   - phases: the number of phases. A negative number counts as 0.
  ///   - instruments: the instruments to read in addition to the clock, in order of beginning.
  ///   - capacity: the expected number of samples of a phase, clamped to 1...2^16. The sampler
  ///     grows between samples if there are more.
  ///   - clock: the source of wall time.
  package init(
    phases: Int, instruments: [any Instrument] = [], capacity: Int = 1_024, clock: Wall
  ) {
    self.phases = max(0, phases)
    self.clock = clock
    self.instruments = instruments
    isInstrumented = !instruments.isEmpty
    let width = instruments.reduce(1) { $0 + $1.metrics.count }
    stores = .allocate(capacity: self.phases)
    for phase in 0..<self.phases {
      let store = SampleStore(width: width, capacity: min(max(1, capacity), 1 << 16))
      (stores + phase).initialize(to: store)
    }
  }

  deinit {
    for phase in 0..<phases { stores[phase].deallocate() }
    stores.deallocate()
  }

  /// Runs the body as one sample of a phase and returns its result.
  ///
  /// The instruments begin in order and the clock is read. The body runs, and its result is forced
  /// to exist. Then the clock is read again and the instruments end in reverse order. If the body
  /// throws, there is no sample. Samples may only be nested if there are no instruments.
  ///
  /// Traps if the phase does not exist, as an array does.
  /// - Throws: the body's error.
  @inlinable @inline(__always) @discardableResult
  public func measure<T, Failure: Error>(
    _ phase: Int, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    precondition(phase >= 0 && phase < phases, "the sampler has no such phase")
    if isInstrumented { begin() }
    let result: T
    let start = clock.now()
    preventHoisting()
    do throws(Failure) {
      result = try body()
      blackHole(result)
    } catch {
      if isInstrumented { end() }
      throw error
    }
    let stop = clock.now()
    if isInstrumented { end() }
    keep(phase, wall: stop &- start)
    return result
  }

  /// Runs the body `times` times as one sample of a phase and returns the last result. The sample
  /// holds the mean of each value, for peaks the maximum.
  ///
  /// Use it for a body that takes little longer than reading the clock. Traps if the phase does not
  /// exist or if `times` is below 1.
  /// - Throws: the body's error. There is then no sample.
  @inlinable @discardableResult
  package func measure<T, Failure: Error>(
    _ phase: Int, times: Int, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    precondition(times > 0, "a batch is of one at least")
    let result = try measure(phase) { () throws(Failure) -> T in
      for _ in 1..<times {
        blackHole(try body())
        preventHoisting()
      }
      return try body()
    }
    if times > 1 { shareLast(phase, among: times) }
    return result
  }

  @usableFromInline @inline(never)
  package func shareLast(_ phase: Int, among times: Int) {
    let (metrics, last) = (metrics, stores[phase].last)
    for column in metrics.indices where !metrics[column].isPeak { last[column] /= Double(times) }
  }

  /// The value of a metric in the last sample of a phase, or nil if there is none.
  package func last(_ metric: Metric, phase: Int) -> Double? {
    guard phase >= 0, phase < phases, stores[phase].count > 0,
      let column = metrics.firstIndex(of: metric)
    else { return nil }
    return stores[phase].last[column]
  }

  package var counts: [Int] { (0..<phases).map { stores[$0].count } }

  /// Merges the samples that each phase got since these counts into one: the mean of each value,
  /// for peaks the maximum. A phase with at most one new sample stays as it is.
  package func takeMean(since counts: [Int]) {
    for (phase, before) in zip(0..<phases, counts) where stores[phase].count - before > 1 {
      let added = stores[phase].count - before
      for _ in 1..<added { joinLastTwo(phase) }
      shareLast(phase, among: added)
    }
  }

  /// Removes every sample, for example after the warm-up.
  package func reset() {
    for phase in 0..<phases { stores[phase].removeAll() }
  }

  @usableFromInline @inline(never)
  func begin() {
    for instrument in instruments { instrument.begin() }
  }

  @usableFromInline @inline(never)
  func end() {
    var index = instruments.count
    while index > 0 {
      index -= 1
      instruments[index].end()
    }
  }

  @usableFromInline
  func keep(_ phase: Int, wall: UInt64) {
    let row = stores[phase].next
    // A clock that went backwards gives a negative time, not an absurdly large one.
    row[0] = Double(Int64(bitPattern: wall))
    if isInstrumented { storeReadings(row + 1) }
    stores[phase].keep()
  }

  private func storeReadings(_ row: UnsafeMutablePointer<Double>) {
    var row = row
    for instrument in instruments {
      instrument.store(into: row)
      row += instrument.metrics.count
    }
  }
}

extension Sampler where Wall == MonotonicClock {
  /// Creates a sampler with the system's clock. See ``init(phases:instruments:capacity:clock:)``.
  package convenience init(
    phases: Int, instruments: [any Instrument] = [], capacity: Int = 1_024
  ) {
    self.init(
      phases: phases, instruments: instruments, capacity: capacity, clock: MonotonicClock())
  }
}

extension Sampler {
  /// Runs the body as a continuation of the phase's last sample and returns its result. Work
  /// between the two parts belongs to no sample.
  ///
  /// Each value is added to the last sample's value. Of two peaks the higher one is kept. Each part
  /// counts its peak from its own beginning. If the phase has no sample, it gets one. If the body
  /// throws, the last sample stays unchanged.
  ///
  /// Traps if the phase does not exist, as an array does.
  /// - Throws: the body's error.
  @inlinable @inline(__always) @discardableResult
  public func resume<T, Failure: Error>(
    _ phase: Int, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    let result = try measure(phase, body)
    joinLastTwo(phase)
    return result
  }

  @usableFromInline @inline(never)
  func joinLastTwo(_ phase: Int) {
    let metrics = metrics
    stores[phase].joinLastTwo { column, first, second in
      guard metrics[column].isPeak else { return first + second }
      // A failed reading is NaN, which `max` might drop.
      return (first + second).isNaN ? .nan : max(first, second)
    }
  }
}

extension Metric {
  fileprivate var isPeak: Bool { [.peakHeapBytes, .peakRSSBytes].contains(self) }
}

extension Sampler {
  /// The columns of a sample: wall time first, then the metrics of the instruments.
  package var metrics: [Metric] { [.wall] + instruments.flatMap(\.metrics) }

  /// Returns the samples of one phase so far. They are empty if the phase does not exist.
  package func series(phase: Int) -> [Samples] {
    let store = phase >= 0 && phase < phases ? stores[phase] : nil
    let metrics = metrics
    let refusals =
      [nil] + instruments.flatMap { [String?](repeating: $0.refusal, count: $0.metrics.count) }
    return metrics.enumerated().map { column, metric in
      let all = (0..<(store?.count ?? 0)).compactMap { row in
        store?.rows[row * metrics.count + column]
      }
      return Samples(
        metric: metric, values: all.filter(\.isFinite), lost: all.count(where: \.isNaN),
        refusal: all.contains(.infinity) ? refusals[column] : nil)
    }
  }
}

/// All values of one metric of one phase.
package struct Samples: Hashable, Sendable {
  package let metric: Metric
  /// The values in the order in which they were taken.
  package let values: [Double]
  /// The number of samples without a value, since a counter could not be read.
  package var lost = 0
  /// The reason why a value was refused, or nil if none was.
  package var refusal: String?
}

/// The samples of one phase: rows with one value per metric, with room for one more row.
@usableFromInline
struct SampleStore {
  private(set) var rows: UnsafeMutablePointer<Double>
  private(set) var count = 0
  private var capacity: Int
  private let width: Int

  init(width: Int, capacity: Int) {
    self.width = width
    self.capacity = capacity
    rows = .allocate(capacity: width * capacity)
    // Touches every page in advance, so that no phase pays for a page fault.
    rows.initialize(repeating: 0, count: width * capacity)
  }

  var next: UnsafeMutablePointer<Double> { rows + count * width }

  /// The last row. The store must not be empty.
  var last: UnsafeMutablePointer<Double> { rows + (count - 1) * width }

  mutating func keep() {
    count += 1
    if count == capacity { grow() }
  }

  /// Merges the last two rows column by column.
  mutating func joinLastTwo(_ join: (_ column: Int, Double, Double) -> Double) {
    guard count > 1 else { return }
    let row = rows + (count - 2) * width
    for column in 0..<width { row[column] = join(column, row[column], row[column + width]) }
    count -= 1
  }

  mutating func removeAll() { count = 0 }

  func deallocate() { rows.deallocate() }

  private mutating func grow() {
    let old = self
    self = SampleStore(width: width, capacity: capacity * 2)
    count = old.count
    rows.update(from: old.rows, count: count * width)
    old.deallocate()
  }
}

/// Uses a value in a way that is opaque to the optimiser, so that it must be computed by now.
///
/// The value's address goes to the C library, whose effects the compiler cannot know. The function
/// refuses it at once, since the thread-specific key does not exist.
@inlinable @inline(__always)
public func blackHole<T>(_ value: T) {
  withUnsafePointer(to: value) { address in
    _ = pthread_setspecific(pthread_key_t.max, address)
  }
}

/// Keeps the optimiser from moving the following code before the clock reading.
///
/// The optimiser moves pure code out of a loop and past the clock, unless it might never run.
@inlinable @inline(__always)
func preventHoisting() {
  if pthread_setspecific(pthread_key_t.max, nil) == 0 { neverCalled() }
}

/// Never runs, but the optimiser must assume that it might.
@usableFromInline @inline(never)
func neverCalled() -> Never {
  preconditionFailure("there is no such thread-specific key")
}
