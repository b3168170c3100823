/// A backend whose store can be read by a second handle, from another thread, while the first one
/// writes.
public protocol ConcurrentReading: Backend {
  /// Opens a reader of the same store. It sees the last document that was written whole, never a
  /// torn one, and is closed before the backend is.
  func openReader() throws -> any Backend<Document>
}
