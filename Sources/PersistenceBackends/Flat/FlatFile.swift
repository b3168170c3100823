import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The store's one file: replaced as a whole, read through a mapping.
///
/// A writer never changes a file that somebody may have mapped, at no durability: `atomic` and
/// `durable` rename another over it, and at `none`, where ``WholeFile`` would cut the file short
/// under its readers, its name is taken away first. What stays mapped stays whole. A foreign program
/// that cuts the file short in place still costs a process that reads it a SIGBUS.
final class FlatFile {
  let path: String
  private let durability: Durability
  private let file: WholeFile
  private var current: MappedFile?

  init(_ store: StoreContext, name: String) {
    path = store.path(name)
    durability = store.durability
    file = WholeFile(path: path, durability: durability)
  }

  /// Replaces the file.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if durability == .none, unlink(path) != 0, errno != ENOENT {
      throw StorageError(
        operation: "unlink", path: path, reason: String(cString: strerror(errno)))
    }
    try file.write(bytes)
  }

  /// The length.
  func length() throws -> Int { try file.length() }

  /// The file's bytes as they are now: the mapping that there is, unless the file was replaced. A
  /// mapped file keeps its number from being given to another, so the number tells.
  func mapping() throws -> MappedFile {
    if let current, current.identity == (try? FileIdentity(of: path)) { return current }
    let mapping = try MappedFile(path)
    current = mapping
    return mapping
  }

  /// Lets go of the mapping; whoever still reads in it keeps it.
  func drop() { current = nil }
}
