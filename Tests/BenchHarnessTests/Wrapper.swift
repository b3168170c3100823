import MenuModel
import PersistenceBackends

@testable import BenchEngine

/// A backend of a test around another one; overridden where it is to go wrong.
class Wrapper: Backend {
  let inner: any Backend<Menu>

  required init(_ inner: any Backend<Menu>) { self.inner = inner }

  func prepare(_ document: Menu) throws { try inner.prepare(document) }
  func encode(_ document: Menu) throws -> Menu { document }
  func write(_ payload: Menu) throws { try inner.put(payload) }
  func read() throws -> Menu { try inner.whole() }
  func decode(_ payload: Menu) throws -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("a menu has no bytes") }
  func storedSize() throws -> Size { try inner.storedSize() }
  func dropCaches() throws { try inner.dropCaches() }
  func close() throws { try inner.close() }

  /// The wrapper around the backend of an entry.
  static func around(_ entry: BackendEntry<Menu>) -> BackendEntry<Menu> {
    BackendEntry(
      id: "wrapped", summary: "a backend with a fault", survivesRestart: entry.survivesRestart
    ) { Self(try entry.open($0)) }
  }
}

/// Writes, and forgets to say so to its readers: they go on with what was there when they were opened.
final class StaleReaders: Wrapper, ConcurrentReading {
  func openReader() throws -> any Backend<Menu> {
    let reader = MemoryBackend<Menu>()
    try reader.save(read())
    return reader
  }
}
