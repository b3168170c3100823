/// An operation on a storage that failed, with the facts; the wording is the CLI's.
public struct StorageError: Error, Hashable, Sendable {
  /// What was being done: `open`, `write`, `rename`.
  public var operation: String
  /// The file or folder.
  public var path: String
  /// What the system or the library said.
  public var reason: String

  /// Makes an error.
  public init(operation: String, path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }
}

extension StorageError: CustomStringConvertible {
  /// One line: `write /tmp/a/menu.json: No space left on device`.
  public var description: String { "\(operation) \(path): \(reason)" }
}
