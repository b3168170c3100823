import Basics
import BenchResults

/// Times phases and reads instruments around them, and keeps every sample in memory laid out before.
///
/// ```swift
/// let sampler = Sampler(phases: 1, clock: MonotonicClock())
/// let payload = try sampler.measure(0) { try encoder.encode(menu) }
/// sampler.series(phase: 0)  // one element: wall, with one value
/// ```
/// With no instruments an empty sample costs two readings of the clock and a few instructions. Use
/// it on one thread, which is the one that allocation and instruction counts are about.
public final class Sampler<Wall: WallClock> {
  /// How many phases there are, numbered from 0.
  public let phases: Int

  @usableFromInline let clock: Wall
  @usableFromInline let isInstrumented: Bool
  // Reached through a pointer: an array would be checked for uniqueness and exclusivity each time.
  @usableFromInline let stores: UnsafeMutablePointer<SampleStore>
  let instruments: [any Instrument]

  /// Makes a sampler with no samples.
  ///
  /// - Parameters:
  ///   - phases: how many phases; less than 0 counts as 0.
  ///   - instruments: what to read around a phase besides the clock, in the order to begin.
  ///   - capacity: samples of a phase that are expected; more are kept too, by growing between
  ///     samples. What is out of 1 to 2^16 counts as the nearest of them.
  ///   - clock: what tells the time.
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

  /// Runs the body as one sample of a phase, and gives what the body gave.
  ///
  /// The instruments begin in their order, the clock is read, the body runs, its result is made sure
  /// to exist, the clock is read again, and the instruments end in reverse order. If the body throws
  /// there is no sample. Samples may be nested only where there are no instruments.
  ///
  /// Traps if there is no such phase, as an array does.
  /// - Throws: what the body throws.
  @inlinable @inline(__always) @discardableResult
  public func measure<T, Failure: Error>(
    _ phase: Int, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    precondition(phase >= 0 && phase < phases, "the sampler has no such phase")
    if isInstrumented { begin() }
    let result: T
    let start = clock.now()
    holdBack()
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

  /// Runs the body so many times over as one sample of a phase, whose values are the mean of them, of peaks
  /// the highest; and gives what it gave last.
  ///
  /// What takes little longer than reading the clock cannot be told from it otherwise. Traps if there is
  /// no such phase, and where `times` is below 1.
  /// - Throws: what the body throws; there is then no sample.
  @inlinable @discardableResult
  package func measure<T, Failure: Error>(
    _ phase: Int, times: Int, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    precondition(times > 0, "a batch is of one at least")
    let result = try measure(phase) { () throws(Failure) -> T in
      for _ in 1..<times {
        blackHole(try body())
        holdBack()
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

  /// The wall time of a phase's last sample in nanoseconds; nil where it has none.
  package func lastWall(phase: Int) -> Double? {
    guard phase >= 0, phase < phases, stores[phase].count > 0 else { return nil }
    return stores[phase].last[0]
  }

  package var counts: [Int] { (0..<phases).map { stores[$0].count } }

  /// Makes one sample of those that each phase got since it had so many: the mean of every value, of
  /// peaks the highest. A phase that got none or one stays as it is.
  package func takeMean(since counts: [Int]) {
    for (phase, before) in zip(0..<phases, counts) where stores[phase].count - before > 1 {
      let added = stores[phase].count - before
      for _ in 1..<added { joinLastTwo(phase) }
      shareLast(phase, among: added)
    }
  }

  /// Forgets every sample, such as those of the warm-up.
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
    // A clock that went back shows as a negative time rather than as an absurd one.
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
  /// Makes a sampler on the system's clock; see ``init(phases:instruments:capacity:clock:)``.
  package convenience init(
    phases: Int, instruments: [any Instrument] = [], capacity: Int = 1_024
  ) {
    self.init(
      phases: phases, instruments: instruments, capacity: capacity, clock: MonotonicClock())
  }
}

extension Sampler {
  /// Runs the body as more of a phase's last sample, and gives what the body gave; what was done
  /// between the two belongs to no sample.
  ///
  /// Every value is added to the last sample's; of peaks the higher stays, each counted from where
  /// its part began. A phase that has no sample gets one. If the body throws, the last sample stays
  /// as it was: without what the body would have added.
  ///
  /// Traps if there is no such phase, as an array does.
  /// - Throws: what the body throws.
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
      // What could not be read is not a number, which `max` might lose.
      return (first + second).isNaN ? .nan : max(first, second)
    }
  }
}

extension Metric {
  fileprivate var isPeak: Bool { [.peakHeapBytes, .peakRSSBytes].contains(self) }
}

extension Sampler {
  /// What each sample holds, in order: wall time, then what the instruments measure.
  package var metrics: [Metric] { [.wall] + instruments.flatMap(\.metrics) }

  /// The samples of one phase so far; none for a phase that does not exist.
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
  /// The values, in the order in which they were taken.
  package let values: [Double]
  /// How many samples have no value because a counter could not be read then.
  package var lost = 0
  /// Why the values say nothing of the phase; nil where none was refused.
  package var refusal: String?
}

/// The samples of one phase: rows of one value for each metric, with room for one more at any time.
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
    // Touches every page, so that no phase pays for it.
    rows.initialize(repeating: 0, count: width * capacity)
  }

  var next: UnsafeMutablePointer<Double> { rows + count * width }

  /// The row that was kept last; there must be one.
  var last: UnsafeMutablePointer<Double> { rows + (count - 1) * width }

  mutating func keep() {
    count += 1
    if count == capacity { grow() }
  }

  /// Makes one of the last two rows: the values of each column joined.
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

/// Uses a value in a way that the optimiser cannot see through, so that it must be computed by now.
///
/// The value's address goes to the C library, whose effects no compiler knows: it is offered for a
/// thread-specific key that cannot exist, which is refused at once.
@inlinable @inline(__always)
public func blackHole<T>(_ value: T) {
  withUnsafePointer(to: value) { address in
    _ = pthread_setspecific(pthread_key_t.max, address)
  }
}

/// Keeps the optimiser from running what follows ahead of its turn.
///
/// It moves pure code out of a loop, past the clock, unless for all it knows the code may never run.
@inlinable @inline(__always)
func holdBack() {
  if pthread_setspecific(pthread_key_t.max, nil) == 0 { neverCalled() }
}

/// What the optimiser must take for possible.
@usableFromInline @inline(never)
func neverCalled() -> Never {
  preconditionFailure("there is no such thread-specific key")
}
