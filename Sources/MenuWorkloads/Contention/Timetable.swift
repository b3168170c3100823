import Basics
import BenchEngine
import BenchProbes
import Foundation

/// The due times of reads or writes, numbered from 0, as offsets in nanoseconds from a start.
struct Pace: Sendable {
  let offset: @Sendable (UInt64) -> UInt64

  /// Makes a pace of `rate` reads a second, the first at once.
  static func reads(_ rate: Int) -> Pace {
    Pace { $0 * 1_000_000_000 / UInt64(rate) }
  }

  /// Makes a pace of one every 97 ms, each delayed by a seeded part of the time between two reads.
  /// At a fixed distance from reads the writer would meet each of them, or none.
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

/// Reads or writes at the due times of a pace, however long the earlier ones take.
///
/// A read's latency counts from its due time, not from when it could begin. A reader that waits for
/// a slow read before it asks again hides how long the others would have waited. See G. Tene on
/// coordinated omission ("How NOT to Measure Latency", 2013).
struct Timetable<Clock: WallClock> {
  private let clock: Clock
  private let wait: (UInt64) -> Void
  private let pace: Pace
  private var start: UInt64
  private var taken: UInt64 = 0
  private(set) var load = ReadingLoad()

  /// - Parameters:
  ///   - pace: the due times.
  ///   - start: the time on the clock from which they count.
  ///   - wait: waits until a time on the clock.
  init(_ pace: Pace, from start: UInt64, clock: Clock, wait: @escaping (UInt64) -> Void) {
    self.pace = pace
    self.start = start
    self.clock = clock
    self.wait = wait
  }

  var due: UInt64 { start + pace.offset(taken) }

  func waitForNext() { wait(due) }

  /// Returns how long each overdue item had waited at a time on the clock.
  func overdue(at end: UInt64) -> [UInt64] {
    let dues = (taken...).lazy.map { start + pace.offset($0) }
    return dues.prefix { $0 <= end }.map { end - $0 }
  }

  /// Does the next one and returns its latency in nanoseconds. Checking what was read, or preparing
  /// the next write, does not count. If that continues past the next due time, all later ones are
  /// delayed.
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

/// The number of reads, and their total duration from when each began, waiting for a turn included.
struct ReadingLoad: Equatable {
  var reads: UInt64 = 0
  /// The total duration, in nanoseconds.
  var busy: UInt64 = 0

  mutating func add(_ other: ReadingLoad) {
    reads += other.reads
    busy += other.busy
  }

  /// Returns the percentage of time for which a reader with a rate per second works, or nil if
  /// nothing was read. At 100 or more it can't keep up: the waits grow with the length of the test,
  /// and show nothing about the store.
  func utilisation(at rate: Int) -> Double? {
    reads == 0 ? nil : 100 * Double(rate) * service / 1e9
  }

  /// The mean duration of a read in nanoseconds: a queue's service time. 0 if there were no reads.
  var service: Double { reads == 0 ? 0 : Double(busy) / Double(reads) }

  /// The number of reads a second of one reader that never pauses.
  var rate: Double { 1e9 / max(service, 1) }
}

/// Waits for times on the ``MonotonicClock``.
enum Pause {
  /// How late the system may wake a thread. The remaining time is spent polling the clock.
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
  /// The smallest value that 99 of 100 do not exceed, or nil if there are none.
  var p99: Double? { isEmpty ? nil : Double(sorted()[(99 * count + 99) / 100 - 1]) }

  /// Returns how far the median is above that of others, at least 0, or nil if either is empty.
  func excess(over others: [UInt64]) -> Double? {
    guard let median, let other = others.median else { return nil }
    return Swift.max(median - other, 0)
  }

  /// For an even count it is the mean of the middle two: the upper one would exceed the median of
  /// an odd count although nothing differed.
  private var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (Double(sorted[(count - 1) / 2]) + Double(sorted[count / 2])) / 2
  }
}
