import BenchProbes
import BenchResults
import PersistenceBackends

/// Adds what a backend takes out of a mapped file to the bytes read, which system calls alone count.
final class MappedReads: Instrument {
  private let inner: any Instrument
  private let count: () -> Int
  private let column: Int
  private var before = 0
  private var after = 0

  /// Wraps the instrument that counts bytes read; nil where this is not the one.
  private init?(_ inner: any Instrument, count: @escaping () -> Int) {
    guard let column = inner.metrics.firstIndex(of: .readBytes) else { return nil }
    self.inner = inner
    self.count = count
    self.column = column
  }

  /// The instruments, that of file I/O wrapped where the backend reads through a mapping.
  static func watching(
    _ backend: any Backend, with instruments: [any Instrument]
  ) -> [any Instrument] {
    guard let mapped = backend as? any MappedBackend else { return instruments }
    return instruments.map { MappedReads($0) { mapped.mappedBytesRead } ?? $0 }
  }

  var metrics: [Metric] { inner.metrics }

  func begin() {
    before = count()
    inner.begin()
  }

  func end() {
    inner.end()
    after = count()
  }

  func store(into values: UnsafeMutablePointer<Double>) {
    inner.store(into: values)
    values[column] += Double(after - before)
  }
}

/// Counts what a backend takes out of a mapped file, and nothing else.
final class MappedBytes: Instrument {
  private let backend: any MappedBackend
  private var before = 0
  private var after = 0

  init(_ backend: any MappedBackend) { self.backend = backend }

  var metrics: [Metric] { [.readBytes] }

  func begin() { before = backend.mappedBytesRead }

  func end() { after = backend.mappedBytesRead }

  func store(into values: UnsafeMutablePointer<Double>) { values[0] = Double(after - before) }
}
