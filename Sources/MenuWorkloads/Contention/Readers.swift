import BackendKit
import BenchEngine
import BenchProbes
import Foundation
import MenuModel

/// One screen of the app: reads at a fixed rate, on a thread of its own, until the writer is done.
///
/// Used by its thread alone, and by who made it once that has ended.
final class MenuReader: @unchecked Sendable {
  /// The latency of every read, from when it was due.
  private(set) var latencies: [UInt64] = []
  /// How much it read, and how long that took.
  private(set) var load = ReadingLoad()
  /// How many reads were of neither revision.
  private(set) var torn = 0
  /// What was wrong with the first of those.
  private(set) var fault: String?
  /// Why it stopped before its time.
  private(set) var failure: (any Error)?

  private let revisions: Revisions
  private let turns: TicketLock?
  private let read: (Int) throws -> ReadResult
  private let whole: () throws -> Menu
  private var random: SplitMix64

  /// - Parameters:
  ///   - turns: nil where readers read beside the writer.
  ///   - seed: of the products that it asks for, one after the other.
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

  /// Reads something, so that what a handle does once is done.
  func readOnce() throws { _ = try revisions.products.first.map(read) }

  /// Reads until the writer is done. What was due by then and had to wait for a read before it is not
  /// read any more: it counts as long as it had waited, which is the least that it would have taken.
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

  /// Sees that what was stored last is what it reads now; for when its thread has ended.
  ///
  /// - Throws: ``WorkloadFailure`` where it goes on with what was stored before: nothing it then reads
  ///   is torn, and nothing costs less.
  func check(sees revision: Int, byValue: Bool) throws {
    for id in [revisions.products.first, revisions.products.last].compactMap(\.self) {
      guard revisions.isOf(revision, try read(id), id: id) else {
        throw WorkloadFailure(
          "a reader goes on with an older menu: of product \(id) it does not see what was stored last"
        )
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
  /// A product; nil where there was none.
  case product(Product?)
  /// The whole menu, where nothing less is to be had.
  case menu(Menu)
}

/// The threads of readers, which go on until the writer is done.
final class ReaderThreads: @unchecked Sendable {
  private let condition = NSCondition()
  private var working = 0
  private var finished: UInt64?

  /// When the writer was done; nil as long as it writes.
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
    // As much as the main thread has: a decoder may go deep.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Says that the writer was done at a time, and waits for every thread to see it; `beat` is called
  /// all the while.
  func finish(at time: UInt64, _ beat: () -> Void) {
    condition.withLock {
      finished = time
      while working > 0 {
        beat()
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.5))
      }
    }
  }
}

/// Replaces one revision of the stored menu by the other, again and again.
struct MenuWriter<B: Backend<Menu>> {
  /// Which of the two revisions was stored last.
  private(set) var last = 0

  private let backend: B
  private let revisions: Revisions
  private let turns: TicketLock?

  /// Begins with a store of the first revision.
  init(_ backend: B, _ revisions: Revisions, _ turns: TicketLock?) {
    self.backend = backend
    self.revisions = revisions
    self.turns = turns
  }

  /// Stores the other revision so many times, each when it is due.
  ///
  /// What the network brings comes beforehand, and nobody waits for it.
  /// - Returns: the nanoseconds that each was under way, waiting for a turn included. Not from when it was
  ///   due: nobody replaces a menu ten times a second but to meet readers, and where one takes longer than
  ///   that, how long it was overdue tells how long the test was.
  mutating func replace(
    _ times: Int, by timetable: Timetable<some WallClock>, _ beat: () -> Void
  ) throws -> [UInt64] {
    var timetable = timetable
    var next = try prepared()
    return try (0..<times).map { _ in
      beat()
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

  /// Throws ``WorkloadFailure`` unless what was stored last is there.
  func checkLast(byValue: Bool) throws {
    try revisions.menus[last].check(
      backend.whole(), byValue: byValue, "the last of the replacements")
  }

  /// Stores the first revision again; for when there are no readers any more.
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
      throw WorkloadFailure("the backend's reader reads no menus")
    }
    return reader
  }
}

/// Lets threads use one thing one after the other, in the order in which they come: what an app with
/// one context and one queue has. A plain lock would let who just had it have it again.
final class TicketLock: @unchecked Sendable {
  private let condition = NSCondition()
  private var given = 0
  private var admitted = 0

  /// Waits for a turn, and does the work in it.
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
  /// Takes a turn where there are turns to take.
  func withTurn<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let self else { return try work() }
    return try self.withTurn(work)
  }
}
