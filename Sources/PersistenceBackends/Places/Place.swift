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
