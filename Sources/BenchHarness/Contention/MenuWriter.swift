import BenchProbes
import MenuModel
import PersistenceBackends

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
