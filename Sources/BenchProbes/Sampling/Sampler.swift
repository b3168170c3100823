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
  public init(
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

  /// The wall time of a phase's last sample in nanoseconds; nil where it has none.
  public func lastWall(phase: Int) -> Double? {
    guard phase >= 0, phase < phases, stores[phase].count > 0 else { return nil }
    return stores[phase].last[0]
  }

  /// Forgets every sample, such as those of the warm-up.
  public func reset() {
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
  public convenience init(
    phases: Int, instruments: [any Instrument] = [], capacity: Int = 1_024
  ) {
    self.init(
      phases: phases, instruments: instruments, capacity: capacity, clock: MonotonicClock())
  }
}
