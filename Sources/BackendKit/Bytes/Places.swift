import Foundation

/// Keeps one sequence of bytes. Together with a ``Codec`` it is a backend.
public protocol Place: AnyObject {
  /// Its name in errors, such as a file's path.
  var location: String { get }
  /// Replaces the kept bytes.
  func write(_ bytes: Data) throws
  func read() throws -> Data
  /// Drops memory that only makes the next read cheaper.
  func dropCaches() throws
  /// Closes files and connections.
  func close() throws
}

extension Place {
  /// A general name by default.
  public var location: String { "the store" }
  /// Does nothing by default.
  public func dropCaches() throws {}
  /// Does nothing by default.
  public func close() throws {}
}

/// A place that a second handle can read, from another thread, while the first one writes.
public protocol ConcurrentPlace: Place {
  /// Whether a second handle may read while this one writes, at the store's durability.
  var readsBesideWriter: Bool { get }
  /// Opens a reader of the same place. It sees the last bytes that were written whole, and is
  /// closed before the place is.
  func openReader() throws -> Self
}

extension ConcurrentPlace {
  /// True at every durability.
  public var readsBesideWriter: Bool { true }
}

/// One file, replaced as a whole at the store's durability.
///
/// At `atomic` and `durable` a new file takes the old one's name, so a reader of the old file reads
/// it to its end. At `none` the file is rewritten in place, and a reader could see half of each.
public final class FilePlace: ConcurrentPlace {
  /// Whether a second handle may read while this one writes. False at `none`.
  public let readsBesideWriter: Bool
  /// The file's path.
  public var location: String { file.path }
  private let file: WholeFile

  /// Keeps bytes in a file with this name in the store's folder.
  public init(_ store: StoreContext, name: String) {
    file = WholeFile(path: store.path(name), durability: store.durability)
    readsBesideWriter = store.durability != .none
  }

  /// Returns itself, because nothing is kept between calls.
  public func openReader() -> FilePlace { self }

  /// Replaces the file.
  public func write(_ bytes: Data) throws {
    try bytes.withUnsafeBytes { try file.write($0) }
  }

  /// Returns the file's bytes.
  public func read() throws -> Data { try file.read() }
}

/// The process's memory, which shows the cost of a codec if keeping its bytes costs nothing.
public final class MemoryPlace: Place {
  private var kept: Data?

  /// Makes an empty place.
  public init() {}

  /// Keeps the bytes, which share their storage with the caller's.
  public func write(_ bytes: Data) { kept = bytes }

  /// Returns the kept bytes. Throws ``StoreError`` if nothing was written.
  public func read() throws -> Data {
    guard let kept else {
      throw StoreError(operation: "read", path: "memory", reason: "nothing was written")
    }
    return kept
  }
}

/// A value under one key of the preferences store, by `UserDefaults`.
///
/// A suite that is named by an absolute path is kept at this path and not in the user's home:
/// CFPreferences resolves a suite's name against its preferences folder. On Linux, Foundation keeps
/// a suite as an XML property list, with bytes as Base64. At every durability it rewrites the file
/// in place, flushes it and reads it again. Apple's systems leave the file to a daemon, which
/// caches its content.
///
/// Bytes that could not be written stay in the process, which tries again with the next write.
public final class UserDefaultsPlace: Place {
  private static let key = "document"

  /// A caveat for readers of its figures, which depends on the platform's Foundation.
  static var caveat: String {
    #if os(Linux)
      "The figures are for Foundation on Linux, not for Apple's. It keeps bytes as Base64 in XML, "
        + "parsed after a save. A later read copies them, which takes longer than decoding. It "
        + "rewrites and flushes its file in place at every durability: a crash may leave no menu"
    #else
      "On Apple's systems, a daemon writes the file at a time of its choice, at every durability"
    #endif
  }

  /// The path of the preferences' file.
  public let location: String
  private let suite: String
  private let defaults: UserDefaults
  private let file: WholeFile

  /// Keeps bytes in the preferences with this name in the store's folder.
  ///
  /// - Throws: ``StoreError`` if Foundation refuses the name.
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

  /// Sets the value and has Foundation write the file.
  ///
  /// - Throws: ``StoreError`` if the file is not written. Foundation does not give the reason.
  public func write(_ bytes: Data) throws {
    defaults.set(bytes, forKey: Self.key)
    guard defaults.synchronize() || holds(bytes) else {
      throw StoreError(
        operation: "write", path: location,
        reason: "Foundation could not synchronize the preferences, and does not say why")
    }
  }

  /// Returns the value.
  ///
  /// - Throws: ``StoreError`` if there is none: Foundation treats a file that it can't read as
  ///   empty.
  public func read() throws -> Data {
    // `data(forKey:)` would look for this user and all users, on this host and all hosts. With an
    // absolute path these are all one file, which it would read each time.
    if let bytes = defaults.persistentDomain(forName: suite)?[Self.key] as? Data { return bytes }
    let count = try file.length()
    throw StoreError(
      operation: "read", path: location,
      reason: "its \(count) bytes are not preferences with our value")
  }

  /// Makes Foundation forget the file's content, which it does if there is nothing to write.
  public func dropCaches() throws { defaults.synchronize() }

  /// Makes Foundation forget the file's content.
  public func close() throws { try dropCaches() }

  /// Whether the file has the value. Foundation on Linux synchronizes all suites of the process at
  /// once, so the failure may be another suite's.
  private func holds(_ bytes: Data) -> Bool {
    guard let list = try? file.read() else { return false }
    let values = try? PropertyListSerialization.propertyList(from: list, format: nil)
    return (values as? [String: Any])?[Self.key] as? Data == bytes
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    #if os(Linux)
      // The same length in every checkout, because the name is allocated with every use.
      return "/proc/self/cwd/" + path
    #else
      return FileManager.default.currentDirectoryPath + "/" + path
    #endif
  }
}
