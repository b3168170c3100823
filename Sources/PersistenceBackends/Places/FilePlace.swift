import Foundation

/// One file, replaced as a whole at the durability asked for.
public final class FilePlace: Place {
  private let file: WholeFile

  /// Keeps bytes in a file of that name in the store's folder.
  public init(_ store: StoreContext, name: String) {
    file = WholeFile(path: store.path(name), durability: store.durability)
  }

  /// Replaces the file.
  public func write(_ bytes: Data) throws {
    try bytes.withUnsafeBytes { try file.write($0) }
  }

  /// The file's bytes.
  public func read() throws -> Data { try file.read() }

  /// The file's length.
  public func storedSize() throws -> Size { .bytes(try file.length()) }
}
