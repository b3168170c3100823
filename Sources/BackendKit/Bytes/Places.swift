import Foundation

/// Keeps one run of bytes; composed with a ``Codec`` it is a backend.
public protocol Place: AnyObject {
  /// What errors call it: a file's path.
  var location: String { get }
  /// Puts the bytes in the place of what was kept.
  func write(_ bytes: Data) throws
  func read() throws -> Data
  /// Forgets what only makes the next read cheaper.
  func dropCaches() throws
  /// Gives back files and connections.
  func close() throws
}

extension Place {
  /// No name of its own.
  public var location: String { "the store" }
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

/// One file, replaced as a whole at the durability asked for.
///
/// At `atomic` and `durable` a new file takes the old one's name: who has opened the old one reads it
/// to its end. At `none` the file is rewritten in place, and a reader could see half of each.
public final class FilePlace: ConcurrentPlace {
  /// Whether a second handle may read while this one writes: not at `none`.
  public let readsBesideWriter: Bool
  /// The file's path.
  public var location: String { file.path }
  private let file: WholeFile

  /// Keeps bytes in a file of that name in the store's folder.
  public init(_ store: StoreContext, name: String) {
    file = WholeFile(path: store.path(name), durability: store.durability)
    readsBesideWriter = store.durability != .none
  }

  /// Itself: nothing is kept between calls.
  public func openReader() -> FilePlace { self }

  /// Replaces the file.
  public func write(_ bytes: Data) throws {
    try bytes.withUnsafeBytes { try file.write($0) }
  }

  /// The file's bytes.
  public func read() throws -> Data { try file.read() }
}

/// The process's memory: what a codec costs where keeping its bytes costs nothing.
public final class MemoryPlace: Place {
  private var kept: Data?

  /// Keeps nothing yet.
  public init() {}

  /// Keeps the bytes, which share their storage with the caller's.
  public func write(_ bytes: Data) { kept = bytes }

  /// Throws ``StoreError`` where nothing was written.
  public func read() throws -> Data {
    guard let kept else {
      throw StoreError(operation: "read", path: "memory", reason: "nothing was written")
    }
    return kept
  }
}

/// A value under one key of the preferences store, by `UserDefaults`.
///
/// A suite named by an absolute path is kept there and not in the user's home: CFPreferences
/// resolves a suite's name against its folder of preferences. On Linux Foundation keeps a suite as an
/// XML property list, in which bytes are Base64; it rewrites the file in place, flushes it and reads
/// it again, at every durability. Apple's systems leave the file to a daemon, which keeps what it
/// read in its own memory.
///
/// Bytes that could not be written stay in the process, which tries again with the next write.
public final class UserDefaultsPlace: Place {
  private static let key = "document"

  /// What a reader of its figures must know, by the Foundation that there is.
  static var caveat: String {
    #if os(Linux)
      "the figures are of Linux's Foundation, not of Apple's: it keeps bytes as Base64 in XML, which "
        + "each reading parses, and rewrites its file in place and flushes it at every durability, so "
        + "that a crash may leave no menu"
    #else
      "Apple's systems leave the file to a daemon, which writes it when it sees fit, at every durability"
    #endif
  }

  /// The preferences' file.
  public let location: String
  private let suite: String
  private let defaults: UserDefaults
  private let file: WholeFile

  /// Keeps bytes in the preferences of that name in the store's folder.
  ///
  /// - Throws: ``StoreError`` where Foundation refuses the name.
  public init(_ store: StoreContext, name: String) throws {
    location = store.path(name + ".plist")
    file = WholeFile(path: location, durability: store.durability)
    suite = Self.absolute(store.path(name))
    guard let defaults = UserDefaults(suiteName: suite) else {
      throw StoreError(operation: "open", path: location, reason: "Foundation refuses such a suite")
    }
    self.defaults = defaults
    try dropCaches()
  }

  /// Sets the value and has the file written.
  ///
  /// - Throws: ``StoreError`` where it is not, for which Foundation gives no reason.
  public func write(_ bytes: Data) throws {
    defaults.set(bytes, forKey: Self.key)
    guard defaults.synchronize() || holds(bytes) else {
      throw StoreError(
        operation: "write", path: location,
        reason: "Foundation could not synchronize the preferences, and does not say why")
    }
  }

  /// The value.
  ///
  /// - Throws: ``StoreError`` where there is none: Foundation takes a file that it cannot read for
  ///   an empty one.
  public func read() throws -> Data {
    // Not `data(forKey:)`, which looks in the folders of this and of every user, in turn for this and
    // for every host: an absolute path is the same file in all of them, which it reads each time.
    if let bytes = defaults.persistentDomain(forName: suite)?[Self.key] as? Data { return bytes }
    let count = try file.length()
    throw StoreError(
      operation: "read", path: location,
      reason: "its \(count) bytes are no preferences with a value of ours")
  }

  /// Makes Foundation forget the file's content, which it does when there is nothing to write.
  public func dropCaches() throws { defaults.synchronize() }

  /// Makes Foundation forget the file's content.
  public func close() throws { try dropCaches() }

  /// Whether the file has the value: Foundation on Linux synchronizes all suites of the process at
  /// once, and what failed may be another's.
  private func holds(_ bytes: Data) -> Bool {
    guard let list = try? file.read() else { return false }
    let values = try? PropertyListSerialization.propertyList(from: list, format: nil)
    return (values as? [String: Any])?[Self.key] as? Data == bytes
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    #if os(Linux)
      // As long in one checkout as in another: the name is allocated with every use.
      return "/proc/self/cwd/" + path
    #else
      return FileManager.default.currentDirectoryPath + "/" + path
    #endif
  }
}
