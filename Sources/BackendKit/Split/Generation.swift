import Basics
import Foundation

/// Several files that are replaced together: a folder a generation, and a file that names the current one.
///
/// At `atomic` a new generation's files are written and flushed, then its folder and the folder around it,
/// then the file that names it is replaced (``WholeFile``), and that name is flushed before the old files
/// are removed: whenever the power fails, the name leads to files that are whole, the old or the new.
/// `durable` flushes the new name before a save is over in any case. At `none` nothing is flushed.
///
/// Two writers have a folder each, and the one that names its own last wins. A writer holds a lock on its
/// folder (flock(2)) until it is named: of what others left those are removed that nobody writes and that
/// are not named. A reader that finds its files removed meanwhile begins anew with the new name.
final class Generations: Sendable {
  /// Where the current generation's name is kept.
  let path: String
  private let store: StoreContext
  private let name: WholeFile

  /// Describes generations in a store's folder, and removes what writers that died left there.
  init(_ store: StoreContext) {
    self.store = store
    path = store.path("current")
    name = WholeFile(path: path, durability: store.durability)
    removeOthers()
  }

  /// Puts files in the place of the current ones.
  ///
  /// - Throws: ``StoreError`` with the system's reason. The old files are then still the current ones,
  ///   unless the operation was `flush folder`, as ``WholeFile/write(_:)`` says.
  func replace(with files: [(name: String, bytes: Data)]) throws {
    let folder = try GenerationFolder(in: store)
    do {
      for file in files { try folder.add(file.name, file.bytes) }
      try folder.flush()
      try Array(folder.name.utf8).withUnsafeBytes { try name.write($0) }
    } catch {
      if isNamed(folder.name) { folder.close() } else { folder.remove() }
      throw error
    }
    folder.close()
    removeOthers(flushed: store.durability == .durable ? folder.name : nil)
  }

  /// Runs reads of the current generation's files; again where they were replaced meanwhile.
  ///
  /// - Throws: ``StoreError`` where nothing was written, or a file is missing.
  func reading<Result>(_ body: (_ generation: String) throws -> Result) throws -> Result {
    var generation = try current()
    while true {
      do { return try body(generation) } catch let error as StoreError {
        let now = try current()
        guard now != generation else { throw error }
        generation = now
      }
    }
  }

  /// The bytes of one of a generation's files.
  func bytes(_ file: String, of generation: String) throws -> Data {
    try WholeFile(reading: store.path("\(generation)/\(file)")).read()
  }

  /// The names of a generation's files: all of them, since none is removed before another generation
  /// is named.
  func files(of generation: String) throws -> [String] {
    let path = store.path(generation)
    guard let names = GenerationFolder.names(in: path) else {
      throw StoreError.system("read", path)
    }
    guard try current() == generation else {
      throw StoreError(operation: "read", path: path, reason: "it was replaced meanwhile")
    }
    return names
  }

  /// The current generation's name.
  private func current() throws -> String {
    let bytes = try name.read()
    let text = String(decoding: bytes, as: UTF8.self)
    guard GenerationFolder.isName(text) else {
      throw StoreError(
        operation: "read", path: path, reason: "its \(bytes.count) bytes name no generation")
    }
    return text
  }

  /// Whether a generation is the current one, or may be: a name that cannot be read may be its own.
  private func isNamed(_ generation: String) -> Bool {
    do { return try current() == generation } catch {
      return access(path, F_OK) == 0 || errno != ENOENT
    }
  }

  /// Removes the generations that nobody writes and that are not the current one. What can't be removed
  /// costs room and nothing else.
  ///
  /// Each only after a flush of the folder: a name that replaced its own may not have reached the drive,
  /// and nothing keeps the removal from getting there before (fsync(2)).
  ///
  /// - Parameter flushed: the generation whose name is flushed already, as that of a `durable` save is:
  ///   while it is the current one, no second flush is needed.
  private func removeOthers(flushed: String? = nil) {
    for name in GenerationFolder.names(in: store.folder) ?? [] where GenerationFolder.isName(name) {
      guard !isNamed(name), let folder = GenerationFolder(leftIn: store, name) else { continue }
      // Whose lock is ours has no writer any more: it was named by now, or never will be.
      let isLeftOver = !isNamed(name) && isOnDrive(flushed)
      if isLeftOver { folder.remove() } else { folder.close() }
    }
  }

  /// Whether the current generation's name has reached the drive, by a flush where that is not known.
  private func isOnDrive(_ flushed: String?) -> Bool {
    if let flushed, let named = try? current(), named == flushed { return true }
    return (try? store.flushNames()) != nil
  }
}

extension StoreContext {
  /// Flushes the names in the store's folder, unless nothing is flushed.
  fileprivate func flushNames() throws {
    guard durability != .none else { return }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError.system("open", folder) }
    defer { _ = Foundation.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError.system("flush", folder) }
  }
}

/// The folder of one generation, locked: `generation-abcdefghijklmnop`.
private struct GenerationFolder {
  private static let start = "generation-"

  let name: String
  private let path: String
  private let store: StoreContext
  private let descriptor: Int32

  /// Makes one under a name that nobody has.
  init(in store: StoreContext) throws {
    while true {
      let name = Self.start + RandomLetters.make()
      let path = store.path(name)
      guard mkdir(path, 0o755) == 0 else {
        if errno == EEXIST { continue }
        throw StoreError.system("make", path)
      }
      // Somebody who looked for what is left over may have come between the two calls.
      guard let folder = Self(leftIn: store, name) else { continue }
      self = folder
      return
    }
  }

  /// Takes one that nobody writes; nil where somebody does, or it is gone.
  init?(leftIn store: StoreContext, _ name: String) {
    let path = store.path(name)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileIdentity.hasName(descriptor) else {
      _ = Foundation.close(descriptor)
      return nil
    }
    (self.name, self.path, self.store, self.descriptor) = (name, path, store, descriptor)
  }

  /// Adds a file; at `atomic` and `durable` its bytes are flushed.
  func add(_ file: String, _ bytes: Data) throws {
    let path = "\(path)/\(file)"
    try bytes.withUnsafeBytes { try WholeFile.make(path, $0, store.durability) }
  }

  /// Flushes the files' names and the folder's own.
  func flush() throws {
    guard store.durability != .none else { return }
    guard fsync(descriptor) == 0 else { throw StoreError.system("flush", path) }
    try store.flushNames()
  }

  /// Gives the lock back.
  func close() { _ = Foundation.close(descriptor) }

  /// Removes it with its files, and gives the lock back.
  func remove() {
    for file in Self.names(in: path) ?? [] { unlink("\(path)/\(file)") }
    rmdir(path)
    close()
  }

  /// The names in a folder; nil where it cannot be read.
  static func names(in folder: String) -> [String]? {
    guard let list = opendir(folder) else { return nil }
    defer { closedir(list) }
    var names: [String] = []
    // A menu's files fit: by how much an array grows depends on what the allocator has at hand just then.
    names.reserveCapacity(32)
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func isName(_ text: String) -> Bool {
    text.hasPrefix(start) && RandomLetters.match(text.utf8.dropFirst(start.utf8.count))
  }
}
