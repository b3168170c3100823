import BenchEngine
import BenchProbes
import Foundation
import MenuModel
import PersistenceBackends

/// One screen of the app: reads at a fixed rate, on a thread of its own, until the writer is done.
///
/// Used by its thread alone, and by who made it once that has ended.
final class MenuReader: @unchecked Sendable {
  /// The latency of every read, from when it was due.
  private(set) var latencies = Latencies()
  /// How many reads were of neither revision.
  private(set) var torn = 0
  /// What was wrong with the first of those.
  private(set) var fault: String?
  /// Why it stopped before its time.
  private(set) var failure: (any Error)?

  private let editions: Editions
  private let source: any ProductSource
  private let turnstile: Turnstile?
  private var random: SplitMix64

  /// - Parameter seed: of the products that it asks for, one after the other.
  init(
    _ editions: Editions, from backend: some Backend<Menu>, through turnstile: Turnstile?,
    seed: UInt64
  ) {
    self.editions = editions
    source = OpenMenu(backend)
    self.turnstile = turnstile
    random = SplitMix64(seed: seed)
  }

  /// Reads until the writer is done. What was due by then and had to wait for a read before it is not
  /// read any more: it counts as long as it had waited, which is the least that it would have taken.
  func run(_ timetable: Timetable<some WallClock>, until finish: Finish) {
    var timetable = timetable
    do {
      while true {
        timetable.waitForNext()
        if let end = finish.time {
          for waited in timetable.overdue(at: end) { latencies.record(waited) }
          return
        }
        let id = editions.products[random.below(editions.products.count)]
        let latency = try timetable.take {
          try turnstile.take { try source.read(id) }
        } check: {
          look(at: $0, id)
        }
        latencies.record(latency)
      }
    } catch {
      failure = error
    }
  }

  /// Sees that what was stored last is what it reads now; for when its thread has ended.
  ///
  /// - Throws: ``WorkloadFailure`` where it goes on with what was stored before: nothing it then reads
  ///   is torn, and nothing costs less.
  func check(sees edition: Int, _ care: Care) throws {
    for id in [editions.products.first, editions.products.last].compactMap(\.self) {
      guard editions.isOf(edition, try source.read(id), id: id) else {
        throw WorkloadFailure(
          "a reader goes on with an older menu: of product \(id) it does not see what was stored last"
        )
      }
    }
    guard care == .thorough else { return }
    try editions.menus[edition].check(
      try source.whole(), care, "the whole menu of a reader after the last replacement")
  }

  private func look(at found: Sighting, _ id: Int) {
    let wrong =
      switch found {
      case .product(let checksum): editions.fault(in: checksum, id: id)
      case .menu(let menu): editions.fault(in: menu)
      }
    guard let wrong else { return }
    torn += 1
    if fault == nil { fault = wrong }
  }
}

/// What a read gave.
enum Sighting {
  /// A product's checksum; nil where there was none.
  case product(Checksum?)
  /// The whole menu, where nothing less is to be had.
  case menu(Menu)
}

/// Reads of an open store, whatever its type.
private protocol ProductSource {
  func read(_ id: Int) throws -> Sighting
  func whole() throws -> Menu
}

private struct OpenMenu<B: Backend>: ProductSource where B.Document == Menu {
  private let backend: B
  private let access: MenuAccess<B>

  init(_ backend: B) {
    self.backend = backend
    access = MenuAccess(backend)
  }

  func read(_ id: Int) throws -> Sighting {
    guard access.productRoute == .native else { return .menu(try whole()) }
    var checksum = Checksum()
    return .product(try access.product(id, into: &checksum) ? checksum : nil)
  }

  func whole() throws -> Menu { try backend.whole() }
}

/// When the writer was done, for all threads to see.
final class Finish: @unchecked Sendable {
  private let lock = NSLock()
  private var end: UInt64?

  /// The time; nil as long as the writer writes.
  var time: UInt64? { lock.withLock { end } }

  /// Says that the writer is done.
  func set(_ time: UInt64) { lock.withLock { end = time } }
}

/// Replaces one revision of the stored menu by the other, again and again.
struct MenuWriter<B: Backend> where B.Document == Menu {
  /// Which of the two revisions was stored last.
  private(set) var last = 0

  private let backend: B
  private let editions: Editions
  private let turnstile: Turnstile?

  /// Begins with a store of the first revision.
  init(_ backend: B, _ editions: Editions, _ turnstile: Turnstile?) {
    self.backend = backend
    self.editions = editions
    self.turnstile = turnstile
  }

  /// Stores the other revision so many times, each when it is due.
  ///
  /// What the network brings comes beforehand, and nobody waits for it.
  /// - Returns: the nanoseconds from when each was due until it was done, waiting for a turn included.
  mutating func replace(
    _ times: Int, by timetable: Timetable<some WallClock>, _ beat: () -> Void
  ) throws -> [UInt64] {
    var timetable = timetable
    var next = try prepared()
    return try (0..<times).map { _ in
      beat()
      timetable.waitForNext()
      return try timetable.take {
        try turnstile.take { try backend.write(backend.encode(next)) }
      } check: {
        last = 1 - last
        next = try prepared()
      }
    }
  }

  /// Throws ``WorkloadFailure`` unless what was stored last is there.
  func checkLast(_ care: Care) throws {
    try editions.menus[last].check(backend.whole(), care, "the last of the replacements")
  }

  /// Stores the first revision again; for when there are no readers any more.
  mutating func restore() throws {
    guard last != 0 else { return }
    try backend.write(backend.encode(prepared()))
    last = 0
  }

  private func prepared() throws -> Menu {
    let menu = editions.menus[1 - last].document
    try backend.prepare(menu)
    return menu
  }
}

extension ConcurrentReading {
  /// A reader of menus.
  func openMenuReader() throws -> any Backend<Menu> {
    guard let reader = try openReader() as? any Backend<Menu> else {
      throw WorkloadFailure("the backend's reader reads no menus")
    }
    return reader
  }
}

/// Lets threads use one thing one after the other, in the order in which they come: what an app with
/// one context and one queue has. A plain lock would let who just had it have it again.
final class Turnstile: @unchecked Sendable {
  private let condition = NSCondition()
  private var given = 0
  private var admitted = 0

  /// Waits for a turn, and does the work in it.
  func take<Result>(_ work: () throws -> Result) rethrows -> Result {
    condition.lock()
    let mine = given
    given += 1
    while admitted != mine { condition.wait() }
    condition.unlock()
    defer { leave() }
    return try work()
  }

  private func leave() {
    condition.lock()
    admitted += 1
    condition.broadcast()
    condition.unlock()
  }
}

extension Turnstile? {
  /// Takes a turn where there are turns to take.
  func take<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let self else { return try work() }
    return try self.take(work)
  }
}
