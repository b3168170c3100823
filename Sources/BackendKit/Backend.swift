import Basics
import BenchDocuments

/// A way of storing: turns a document into what it keeps and back, in four phases that are timed apart.
///
/// A backend is opened in a folder of its own, used from one thread at a time, and closed. Everything
/// that it does once, such as opening a connection or creating tables, belongs in its making; what it
/// does for every document belongs in the phases.
///
/// It need not be `Sendable`, and must not belong to an actor: where a target isolates to the main actor by
/// default its class is `nonisolated`. A phase is over when it returns: one that is `async` within waits.
/// The thread is always the same but under `contention`, where readers and the writer take turns on a
/// backend that is no ``ConcurrentReading``, and what ``ConcurrentReading/openReader()`` gave reads on a
/// thread of its own. What a static variable or a singleton keeps outlives ``close()``, and is
/// no reading of a store.
public protocol Backend<Document>: AnyObject {
  associatedtype Document: BenchDocument
  /// What it makes of a document before anything is stored: bytes, or rows.
  associatedtype Payload

  /// Whether it keeps the network's response as it came: an app that uses it decodes no response
  /// before storing it.
  var keepsResponse: Bool { get }

  /// Takes notice of the document that is encoded next. Never timed: it is for what an app has at
  /// hand before it stores anything, such as the bytes that the network brought. It may change what
  /// ``encode(_:)`` costs, never what it makes: not every document is prepared, such as one that the
  /// app changed itself. Where readers and writer take turns it is called while another thread reads.
  func prepare(_ document: Document) throws
  /// Turns a document into bytes or rows; touches no store.
  func encode(_ document: Document) throws -> Payload
  /// Puts a payload in the place of what was stored, at the durability that the store was made with.
  func write(_ payload: Payload) throws
  /// Fetches what was written last, as bytes or rows.
  func read() throws -> Payload
  /// Turns bytes or rows into a whole document, equal to the one encoded.
  func decode(_ payload: Payload) throws -> Document

  /// How large a payload is.
  func size(of payload: Payload) -> BackendKit.Size
  /// Forgets what is kept in memory only to make the next ``read()`` cheaper. Never timed.
  func dropCaches() throws
  /// Gives back files and connections; nothing is called after it.
  func close() throws
}

extension Backend {
  /// What ``size(of:)`` gives; a `Size` of its own, as Apple's Foundation has another (MacTypes.h).
  public typealias Size = BackendKit.Size

  /// It keeps what it makes of the document.
  public var keepsResponse: Bool { false }
  /// Nothing is at hand.
  public func prepare(_ document: Document) throws {}
  /// Nothing is kept.
  public func dropCaches() throws {}
  /// Nothing is held.
  public func close() throws {}

  /// Encodes and writes a document that has just come.
  public func save(_ document: Document) throws {
    try prepare(document)
    try put(document)
  }

  /// Encodes and writes a document.
  @inlinable
  public func put(_ document: Document) throws { try write(encode(document)) }
}

/// A size in bytes, or why there is none to give.
public enum Size: Hashable, Sendable {
  case bytes(Int)
  case unsupported(String)
}

/// What a crash may cost. One meaning for every backend. Trials kill writers and fail their calls; none
/// can cut the power, so that the order of the calls is tested instead.
public enum Durability: String, CaseIterable, Codable, Comparable, Sendable {
  /// Nothing is promised: a crash half-way may leave neither menu whole.
  case none
  /// A crash of the process or a power cut leaves the old or the new menu, whole, perhaps not the
  /// last save. Files are written aside, flushed and renamed; SQLite runs in WAL mode with
  /// synchronous NORMAL, LMDB with MDB_NOMETASYNC.
  case atomic
  /// The last save is kept as well. The folder is flushed too (and the drive's cache on Apple's
  /// systems, by `F_FULLFSYNC`); SQLite runs in WAL mode with synchronous FULL, LMDB flushes all.
  case durable

  /// By how much is promised, as the cases are listed.
  public static func < (a: Self, b: Self) -> Bool { allCases.prefix { $0 != b }.contains(a) }

  /// What is promised, in a few words.
  public var meaning: String {
    switch self {
    case .none: "nothing is promised: a crash may leave half a menu"
    case .atomic:
      "a crash or a power cut leaves the old or the new menu, whole, perhaps not the last save"
    case .durable: "a crash or a power cut leaves the menu that was saved last"
    }
  }
}

/// An operation on a store that failed, with the facts.
public struct StoreError: Error, Hashable, Sendable {
  /// What was being done: `open`, `write`, `rename`.
  public var operation: String
  /// The file or folder.
  public var path: String
  /// What the system or the library said.
  public var reason: String

  /// Says what failed where, and why.
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

/// What is wrong with a store, found where its path is not known.
package protocol StoreFault: Error {
  var reason: String { get }
}

/// Runs an operation on a store; a fault that it finds becomes a ``StoreError``.
///
/// Inlinable, as it stands around every phase of backends in other modules.
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

/// A fault with its place; any other error as it is.
@usableFromInline
package func placed(_ error: any Error, _ operation: String, _ path: String) -> any Error {
  guard let fault = error as? any StoreFault else { return error }
  return StoreError(operation: operation, path: path, reason: fault.reason)
}
