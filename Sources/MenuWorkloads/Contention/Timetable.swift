import Basics
import BenchEngine
import BenchProbes
import Foundation

/// When things are due, counted from some start: as offsets in nanoseconds, by their number from 0.
struct Pace: Sendable {
  /// The offset of the thing of a number.
  let offset: @Sendable (UInt64) -> UInt64

  /// So many a second, the first at once.
  static func reads(_ rate: Int) -> Pace {
    Pace { $0 * 1_000_000_000 / UInt64(rate) }
  }

  /// One every 97 ms, each put off by a seeded part of the time between two reads: at the same
  /// distance from every read the writer would always meet them, or never.
  static func replacements(beside rate: Int) -> Pace {
    let widest = min(1_000_000_000 / rate, Int(replacementInterval))
    return Pace { number in
      var random = SplitMix64(seed: number)
      return (number + 1) * replacementInterval + UInt64(random.below(widest))
    }
  }

  /// Nanoseconds from one replacement to the next, on average.
  static let replacementInterval: UInt64 = 97_000_000
}

/// Reads or writes that are due by a pace, however long those before them took.
///
/// A read's latency counts from when it was due, not from when it could begin. Whoever waits for a
/// slow read before asking again never sees how long the others would have waited: G. Tene's
/// coordinated omission ("How NOT to Measure Latency", 2013).
struct Timetable<Clock: WallClock> {
  private let clock: Clock
  private let wait: (UInt64) -> Void
  private let pace: Pace
  private var start: UInt64
  private var taken: UInt64 = 0
  /// What was done so far, and how long that took.
  private(set) var load = ReadingLoad()

  /// - Parameters:
  ///   - pace: when they are due.
  ///   - start: from when that counts, on the clock.
  ///   - wait: waits until a time of the clock.
  init(_ pace: Pace, from start: UInt64, clock: Clock, wait: @escaping (UInt64) -> Void) {
    self.pace = pace
    self.start = start
    self.clock = clock
    self.wait = wait
  }

  var due: UInt64 { start + pace.offset(taken) }

  func waitForNext() { wait(due) }

  /// How long each that was due by a time, and is not done, had waited by then.
  func overdue(at end: UInt64) -> [UInt64] {
    let dues = (taken...).lazy.map { start + pace.offset($0) }
    return dues.prefix { $0 <= end }.map { end - $0 }
  }

  /// Does the next, and gives its latency in nanoseconds. Checking what was read, or getting ready for
  /// what is written next, is no part of it: where that is still under way when the next is due, all
  /// that follow are put off.
  mutating func take<Found>(
    _ read: () throws -> Found, check: (Found) throws -> Void
  ) rethrows -> UInt64 {
    let wanted = due
    let began = clock.now()
    let found = try read()
    let done = clock.now()
    taken += 1
    load.add(ReadingLoad(reads: 1, busy: done - began))
    let free = max(due, done)
    try check(found)
    let checked = clock.now()
    if checked > free { start += checked - free }
    return done - wanted
  }
}

/// How much was read, and how long that took from when each read began, waiting for a turn included.
struct ReadingLoad: Equatable {
  var reads: UInt64 = 0
  /// In nanoseconds.
  var busy: UInt64 = 0

  mutating func add(_ other: ReadingLoad) {
    reads += other.reads
    busy += other.busy
  }

  /// The percent of its time that a reader works which reads so often a second; nil where nothing was
  /// read. At 100 or more it cannot keep up: those that wait become more and more, so that how long
  /// they wait tells how long the test was, and nothing of the store.
  func utilisation(at rate: Int) -> Double? {
    reads == 0 ? nil : 100 * Double(rate) * service / 1e9
  }

  /// How long a read is under way on average, in nanoseconds: a queue's service time. 0 of no reads.
  var service: Double { reads == 0 ? 0 : Double(busy) / Double(reads) }

  /// How many reads a second one reader reaches that never rests.
  var rate: Double { 1e9 / max(service, 1) }
}

/// Waits of the ``MonotonicClock``.
enum Pause {
  /// How late the system may wake a thread; the rest is waited for by looking at the clock.
  private static let slack: UInt64 = 200_000

  static func until(_ time: UInt64) {
    let clock = MonotonicClock()
    let now = clock.now()
    if time > now + slack {
      Thread.sleep(forTimeInterval: Double(time - slack - now) / 1e9)
    }
    while clock.now() < time {}
  }
}

extension [UInt64] {
  /// The smallest that 99 of 100 do not exceed; nil of none.
  var p99: Double? { isEmpty ? nil : Double(sorted()[(99 * count + 99) / 100 - 1]) }

  /// By how much their median is above that of others, 0 where it is not; nil where either are none.
  func excess(over others: [UInt64]) -> Double? {
    guard let median, let other = others.median else { return nil }
    return Swift.max(median - other, 0)
  }

  /// Of an even count the mean of the two in the middle: the upper one would stand above the median of
  /// an odd count though nothing differed.
  private var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (Double(sorted[(count - 1) / 2]) + Double(sorted[count / 2])) / 2
  }
}
