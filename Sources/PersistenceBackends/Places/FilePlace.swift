import Foundation

/// One file, replaced as a whole at the durability asked for.
///
/// At `atomic` and `durable` a new file takes the old one's name: who has opened the old one reads it
/// to its end. At `none` the file is rewritten in place, and a reader could see half of each.
public final class FilePlace: ConcurrentPlace {
  /// Whether a second handle may read while this one writes: not at `none`.
  public let readsBesideWriter: Bool
  private let file: WholeFile

  /// Keeps bytes in a file of that name in the store's folder.
  public init(_ store: StoreContext, name: String) {
    file = WholeFile(path: store.path(name), durability: store.durability)
    readsBesideWriter = store.durability != .none
  }

  private init(reading place: FilePlace) {
    file = place.file
    readsBesideWriter = place.readsBesideWriter
  }

  /// Another handle on the file.
  public func openReader() -> FilePlace { FilePlace(reading: self) }

  /// Replaces the file.
  public func write(_ bytes: Data) throws {
    try bytes.withUnsafeBytes { try file.write($0) }
  }

  /// The file's bytes.
  public func read() throws -> Data { try file.read() }

  /// The file's length.
  public func storedSize() throws -> Size { .bytes(try file.length()) }
}
