import BenchProbes
import MenuModel
import PersistenceBackends

/// Replaces one revision of the stored menu by the other, again and again.
struct MenuWriter<B: Backend> where B.Document == Menu {
  private let backend: B
  private let editions: Editions
  private let turnstile: Turnstile?
  private let clock = MonotonicClock()
  private var last = 0

  /// Begins with a store of the first revision.
  init(_ backend: B, _ editions: Editions, _ turnstile: Turnstile?) {
    self.backend = backend
    self.editions = editions
    self.turnstile = turnstile
  }

  /// Stores the other revision.
  ///
  /// - Returns: the nanoseconds that it took, waiting for a turn included.
  mutating func replace() throws -> UInt64 {
    last = 1 - last
    let menu = editions.menus[last].document
    try turnstile.take { try backend.prepare(menu) }
    let start = clock.now()
    try turnstile.take { try backend.write(backend.encode(menu)) }
    return clock.now() - start
  }

  /// Throws ``WorkloadFailure`` unless what was stored last is there.
  func checkLast() throws {
    let kept = try backend.decode(backend.read())
    let expected = editions.menus[last]
    guard kept.fingerprint != expected.fingerprint else { return }
    let place = firstDifference(expected.document, kept) ?? "the order or form of some part"
    throw WorkloadFailure("the last of the replacements is not what is stored: \(place)")
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
