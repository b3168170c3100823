import Foundation

/// Keeps one run of bytes; composed with a ``Codec`` it is a backend.
public protocol Place: AnyObject {
  /// Puts the bytes in the place of what was kept.
  func write(_ bytes: Data) throws
  /// The bytes written last.
  func read() throws -> Data
  /// How much is kept, every file counted.
  func storedSize() throws -> Size
  /// Forgets what only makes the next read cheaper.
  func dropCaches() throws
  /// Gives back files and connections.
  func close() throws
}

extension Place {
  /// Nothing is kept.
  public func dropCaches() throws {}
  /// Nothing is held.
  public func close() throws {}
}

/// A place that a second handle can read, from another thread, while the first one writes.
public protocol ConcurrentPlace: Place {
  /// Whether that holds at the store's durability.
  var readsBesideWriter: Bool { get }
  /// Opens a reader of the same place, which sees the last bytes that were written whole; it is
  /// closed before the place is.
  func openReader() throws -> Self
}

extension ConcurrentPlace {
  /// It holds at every durability.
  public var readsBesideWriter: Bool { true }
}

/// A place whose files keep room that its bytes no longer need.
public protocol CompactingPlace: Place {
  /// Makes the files as small as the bytes allow.
  func compact() throws
}
