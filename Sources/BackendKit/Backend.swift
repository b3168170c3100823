import Basics
import BenchDocuments

/// Stores documents and reads them back, in four phases that are timed separately.
///
/// A backend is opened in its own folder, used from one thread at a time, and closed. One-time
/// work, such as opening a connection or creating tables, belongs in its initializer. Work for each
/// document belongs in the phases.
///
/// It need not be `Sendable`, and must not belong to an actor. If its target isolates to the main
/// actor by default, its class is `nonisolated`. A phase is over when it returns, so one with
/// `async` calls waits for them. The thread is always the same, except in `contention`. There,
/// readers and the writer take turns on a backend that is not ``ConcurrentReading``, and a reader
/// from ``ConcurrentReading/openReader()`` has its own thread. Static variables and singletons
/// outlive ``close()``, so reading from them does not count as reading a store.
public protocol Backend<Document>: AnyObject {
  associatedtype Document: BenchDocument
  /// The encoded form of a document before it is stored: bytes or rows.
  associatedtype Payload

  /// Announces the document that is encoded next. Never timed: it provides what an app has before
  /// it stores anything, such as the network's bytes. It may change the cost of ``encode(_:)``, but
  /// not the result, because a document that the app changed itself is not announced. If readers
  /// and writer take turns, it is called while another thread reads.
  func prepare(_ document: Document) throws
  /// Turns a document into bytes or rows, without touching the store.
  func encode(_ document: Document) throws -> Payload
  /// Replaces the stored document by a payload, at the store's durability.
  func write(_ payload: Payload) throws
  /// Reads the bytes or rows that were written last.
  func read() throws -> Payload
  /// Turns bytes or rows into a whole document, equal to the encoded one.
  func decode(_ payload: Payload) throws -> Document

  /// Returns the size of a payload.
  func size(of payload: Payload) -> BackendKit.Size
  /// Drops memory that only makes the next ``read()`` cheaper. Never timed.
  func dropCaches() throws
  /// Closes files and connections. Nothing is called after it.
  func close() throws
}

extension Backend {
  /// The result of ``size(of:)``, as Apple's Foundation has another `Size` (MacTypes.h).
  public typealias Size = BackendKit.Size

  /// Does nothing by default.
  public func prepare(_ document: Document) throws {}
  /// Does nothing by default.
  public func dropCaches() throws {}
  /// Does nothing by default.
  public func close() throws {}

  /// Prepares, encodes and writes a document that has just arrived.
  public func save(_ document: Document) throws {
    try prepare(document)
    try put(document)
  }

  /// Encodes and writes a document.
  @inlinable
  public func put(_ document: Document) throws { try write(encode(document)) }
}

/// A size in bytes, or the reason why there is none.
public enum Size: Hashable, Sendable {
  case bytes(Int)
  case unsupported(String)
}

/// The guarantee after a crash, with the same meaning for every backend. Tests kill writers and
/// make their calls fail. They can't cut the power, so they check the order of the calls instead.
public enum Durability: String, CaseIterable, Codable, Comparable, Sendable {
  /// No guarantee: a crash during a save may leave neither menu whole.
  case none
  /// A crash of the process or a power cut leaves the old or the new menu whole, perhaps not the
  /// last save. Files are written under a temporary name, flushed and renamed. SQLite runs in WAL
  /// mode with synchronous NORMAL, LMDB with MDB_NOMETASYNC.
  case atomic
  /// The last save is kept as well. Flushes the folder too, and on Apple's systems the drive's
  /// cache (`F_FULLFSYNC`). SQLite runs in WAL mode with synchronous FULL, LMDB flushes everything.
  case durable

  /// Orders by how much is promised, as the cases are listed.
  public static func < (a: Self, b: Self) -> Bool { allCases.prefix { $0 != b }.contains(a) }

  /// A short description of the guarantee.
  public var meaning: String {
    switch self {
    case .none: "no promise: a crash may leave half a menu"
    case .atomic:
      "a crash or a power cut leaves the whole old or new menu, but may lose the last saves"
    case .durable: "a crash or a power cut leaves the last saved menu"
    }
  }
}

/// A failed operation on a store, with the facts.
public struct StoreError: Error, Hashable, Sendable {
  /// The operation that failed, such as `open`, `write` or `rename`.
  public var operation: String
  /// The file or folder.
  public var path: String
  /// The message of the system or the library.
  public var reason: String

  /// Describes a failed operation, its path and its reason.
  public init(operation: String, path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }
}

extension StoreError: CustomStringConvertible, UserFacingError {
  /// One line: `write /tmp/a/menu.json: No space left on device`.
  public var description: String { "\(operation) \(path): \(reason)" }
}

/// A fault in a store, found by code that does not know the store's path.
package protocol StoreFault: Error {
  var reason: String { get }
}

/// Runs an operation on a store and turns a ``StoreFault`` into a ``StoreError``.
///
/// Inlinable because backends in other modules call it around every phase.
@inlinable
package func located<Result>(
  _ operation: String, _ path: String, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch {
    throw placed(error, operation, path)
  }
}

/// Returns a fault as a ``StoreError`` with its path, and any other error as it is.
@usableFromInline
package func placed(_ error: any Error, _ operation: String, _ path: String) -> any Error {
  guard let fault = error as? any StoreFault else { return error }
  return StoreError(operation: operation, path: path, reason: fault.reason)
}
