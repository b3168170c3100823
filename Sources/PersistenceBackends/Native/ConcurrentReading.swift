/// A backend whose store can be read by a second handle, from another thread, while the first one
/// writes.
public protocol ConcurrentReading: Backend {
  /// Whether that holds of this store: of a file that is rewritten in place it does not, and handles
  /// then have to take turns.
  var readsBesideWriter: Bool { get }
  /// Opens a reader of the same store. It sees the last document that was written whole, never a
  /// torn one, and is closed before the backend is.
  func openReader() throws -> any Backend<Document>
}

extension ConcurrentReading {
  /// It holds at every durability.
  public var readsBesideWriter: Bool { true }
}

extension Backend {
  /// It as one that is read while it writes; nil where handles have to take turns.
  public var concurrent: (any ConcurrentReading)? {
    guard let reading = self as? any ConcurrentReading, reading.readsBesideWriter else {
      return nil
    }
    return reading
  }
}
