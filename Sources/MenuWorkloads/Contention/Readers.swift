import BackendKit
import BenchEngine
import BenchProbes
import Foundation
import MenuModel

/// One screen of the app, which reads at a fixed rate on its own thread until the writer is done.
///
/// Only its thread uses it, and its creator once that thread has ended.
final class MenuReader: @unchecked Sendable {
  /// The latency of every read, from when it was due.
  private(set) var latencies: [UInt64] = []
  private(set) var load = ReadingLoad()
  /// The number of reads that belong to neither revision.
  private(set) var torn = 0
  /// The fault of the first of those.
  private(set) var fault: String?
  /// The error that stopped it early.
  private(set) var failure: (any Error)?

  private let revisions: Revisions
  private let turns: TicketLock?
  private let read: (Int) throws -> ReadResult
  private let whole: () throws -> Menu
  private var random: SplitMix64

  /// - Parameters:
  ///   - turns: the lock for turns, or nil if readers read while the writer writes.
  ///   - seed: the seed of the sequence of products to read.
  init(
    _ revisions: Revisions, from backend: some Backend<Menu>, inTurns turns: TicketLock?,
    seed: UInt64
  ) {
    self.revisions = revisions
    self.turns = turns
    random = SplitMix64(seed: seed)
    let access = MenuAccess(backend)
    whole = { try backend.whole() }
    read = { id in
      guard access.productRoute == .native else { return .menu(try backend.whole()) }
      return .product(try access.product(id))
    }
  }

  /// Reads something, so that the handle has done its one-time work.
  func readOnce() throws { _ = try revisions.products.first.map(read) }

  /// Reads until the writer is done. Reads that were due by then, but had to wait, are skipped.
  /// Their wait counts as their latency, because they would have taken at least that.
  func run(_ timetable: Timetable<some WallClock>, until threads: ReaderThreads) {
    var timetable = timetable
    defer { load = timetable.load }
    do {
      while true {
        timetable.waitForNext()
        if let end = threads.end {
          latencies += timetable.overdue(at: end)
          return
        }
        let id = revisions.products[random.below(revisions.products.count)]
        let latency = try timetable.take {
          try turns.withTurn { try read(id) }
        } check: {
          look(at: $0, id)
        }
        latencies.append(latency)
      }
    } catch {
      failure = error
    }
  }

  /// Checks that it now reads what was stored last. For use after its thread has ended.
  ///
  /// - Throws: ``WorkloadFailure`` if it still reads an older menu, which would never be torn and
  ///   cost the least.
  func check(sees revision: Int, byValue: Bool) throws {
    for id in [revisions.products.first, revisions.products.last].compactMap(\.self) {
      guard revisions.isOf(revision, try read(id), id: id) else {
        throw WorkloadFailure(
          "a reader keeps an older menu: it does not see the last version of product \(id)")
      }
    }
    guard byValue else { return }
    try revisions.menus[revision].check(
      try whole(), byValue: true, "the whole menu of a reader after the last replacement")
  }

  private func look(at found: ReadResult, _ id: Int) {
    guard let wrong = revisions.fault(in: found, id: id) else { return }
    torn += 1
    if fault == nil { fault = wrong }
  }
}

enum ReadResult {
  /// A product, or nil if there was none.
  case product(Product?)
  /// The whole menu, if the backend can't read less.
  case menu(Menu)
}

/// The threads of readers, which run until the writer is done.
final class ReaderThreads: @unchecked Sendable {
  private let condition = NSCondition()
  private var working = 0
  private var finished: UInt64?

  /// The time at which the writer was done, or nil while it writes.
  var end: UInt64? { condition.withLock { finished } }

  func start(_ work: @escaping @Sendable () -> Void) {
    condition.withLock { working += 1 }
    let thread = Thread { [self] in
      work()
      condition.withLock {
        working -= 1
        condition.signal()
      }
    }
    // As much as the main thread has, because a decoder may recurse deeply.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Records when the writer was done, and waits until every thread has seen it. Calls `heartbeat`
  /// meanwhile.
  func finish(at time: UInt64, _ heartbeat: () -> Void) {
    condition.withLock {
      finished = time
      while working > 0 {
        heartbeat()
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.5))
      }
    }
  }
}

/// Replaces one revision of the stored menu by the other, repeatedly.
struct MenuWriter<B: Backend<Menu>> {
  /// The index of the revision that was stored last.
  private(set) var last = 0

  private let backend: B
  private let revisions: Revisions
  private let turns: TicketLock?

  /// Begins with a store that has the first revision.
  init(_ backend: B, _ revisions: Revisions, _ turns: TicketLock?) {
    self.backend = backend
    self.revisions = revisions
    self.turns = turns
  }

  /// Stores the other revision `times` times, each when it is due.
  ///
  /// The network's data is prepared beforehand, untimed.
  /// - Returns: the nanoseconds of each replacement, waiting for a turn included. They do not count
  ///   from the due time. No app replaces menus so often, and a slow replacement's lateness would
  ///   only show how long the test was.
  mutating func replace(
    _ times: Int, by timetable: Timetable<some WallClock>, _ heartbeat: () -> Void
  ) throws -> [UInt64] {
    var timetable = timetable
    var next = try prepared()
    return try (0..<times).map { _ in
      heartbeat()
      timetable.waitForNext()
      let before = timetable.load.busy
      _ = try timetable.take {
        try turns.withTurn { try backend.put(next) }
      } check: {
        last = 1 - last
        next = try prepared()
      }
      return timetable.load.busy - before
    }
  }

  /// Throws ``WorkloadFailure`` unless the store has the revision that was stored last.
  func checkLast(byValue: Bool) throws {
    try revisions.menus[last].check(
      backend.whole(), byValue: byValue, "the last of the replacements")
  }

  /// Stores the first revision again, after the readers have ended.
  mutating func restore() throws {
    guard last != 0 else { return }
    try backend.put(prepared())
    last = 0
  }

  private func prepared() throws -> Menu {
    let menu = revisions.menus[1 - last].document
    try backend.prepare(menu)
    return menu
  }
}

extension ConcurrentReading {
  func openMenuReader() throws -> any Backend<Menu> {
    guard let reader = try openReader() as? any Backend<Menu> else {
      throw WorkloadFailure("the backend's reader cannot read menus")
    }
    return reader
  }
}

/// Lets threads use one resource in the order in which they come, as in an app with one context and
/// one queue. A plain lock might give the same thread another turn at once.
final class TicketLock: @unchecked Sendable {
  private let condition = NSCondition()
  private var given = 0
  private var admitted = 0

  /// Waits for a turn, then does the work.
  func withTurn<Result>(_ work: () throws -> Result) rethrows -> Result {
    condition.lock()
    let mine = given
    given += 1
    while admitted != mine { condition.wait() }
    condition.unlock()
    defer {
      condition.lock()
      admitted += 1
      condition.broadcast()
      condition.unlock()
    }
    return try work()
  }
}

extension TicketLock? {
  /// Takes a turn if there is a lock, and does the work.
  func withTurn<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let self else { return try work() }
    return try self.withTurn(work)
  }
}
