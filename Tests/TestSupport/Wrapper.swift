import BenchEngine
import BenchProbes
import MenuModel
import PersistenceBackends

/// A test's backend around another one. Tests override it to make faults.
open class Wrapper: Backend {
  package let inner: any Backend<Menu>

  /// Wraps a backend.
  public required init(_ inner: any Backend<Menu>) { self.inner = inner }

  open func prepare(_ document: Menu) throws { try inner.prepare(document) }
  open func encode(_ document: Menu) throws -> Menu { document }
  open func write(_ payload: Menu) throws { try inner.put(payload) }
  open func read() throws -> Menu { try inner.whole() }
  open func decode(_ payload: Menu) throws -> Menu { payload }
  open func size(of payload: Menu) -> Size { .unsupported("a menu has no bytes") }
  open func dropCaches() throws { try inner.dropCaches() }
  open func close() throws { try inner.close() }

  /// The wrapper around the backend of an entry.
  package static func around(_ entry: BackendEntry<Menu>) -> BackendEntry<Menu> {
    BackendEntry(
      id: "wrapped", summary: "a backend with a fault", survivesRestart: entry.survivesRestart
    ) { Self(try entry.open($0)) }
  }
}

/// Remembers its reads and writes in their order.
package final class Witness: Wrapper {
  package private(set) var calls: [String] = []

  package override func write(_ payload: Menu) throws {
    calls.append("write")
    try super.write(payload)
  }

  package override func read() throws -> Menu {
    calls.append("read")
    return try super.read()
  }
}

/// Writes, and forgets to say so to its readers: they go on with what was there when they were opened.
package final class StaleReaders: Wrapper, ConcurrentReading {
  package func openReader() throws -> any Backend<Menu> {
    let reader = MemoryBackend<Menu>()
    try reader.save(read())
    return reader
  }
}

/// Appends a tenth of a log, or the given part, with every write, and takes a thousand nanoseconds
/// of its clock to copy it.
package final class Logging: Wrapper, LogKeeping {
  package let clock = ManualClock()
  /// How full the log was, each time that it was copied.
  package private(set) var copied: [Double] = []
  package private(set) var isDeferred = false
  /// How much of its log a write takes.
  package var part = 0.1
  /// How many writes were of the menu that it held already.
  package private(set) var repeated = 0
  private var fill = 0.0

  package var logFill: Double? { fill }
  package func deferCheckpoints(_ isDeferred: Bool) { self.isDeferred = isDeferred }

  package override func write(_ payload: Menu) throws {
    fill += part
    if (try? inner.whole()) == payload { repeated += 1 }
    if !isDeferred, fill >= 1 { checkpoint() }
    try super.write(payload)
  }

  package func checkpoint() {
    copied.append(fill)
    clock.advance(by: 1_000)
    fill = 0
  }
}
