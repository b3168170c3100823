import Basics
import BenchDocuments
import Foundation

/// A backend as a suite lists it: its id, its description, and how to open it.
public struct BackendEntry<Document: BenchDocument>: Sendable {
  /// The id used on the command line, in CSV and in `run.json`. It is unique in its suite, is not
  /// `all`, and contains no commas or colons.
  public let id: String
  /// One line that describes it and names its library.
  public let summary: String
  /// A caveat for readers of its figures, such as that nothing survives a restart.
  public let caveat: String?
  /// A few words under tables of its figures, on what they do not stand for. Nil for most backends.
  public internal(set) var note: String?
  /// Whether written data is still there when the store is opened again.
  public let survivesRestart: Bool
  /// The lowest durability at which every save is flushed to the drive before it returns. From it
  /// on, the floor of a write is flushed too. At `atomic`, SQLite flushes its log only when it is
  /// copied into the database.
  public let flushedFrom: Durability
  /// The libraries that do the work. Empty if none were given.
  public let libraries: [Library]
  /// The codec and the place that it consists of. Nil if it is more than such a pair.
  public let pair: CodecAndPlace?
  /// The recommendations of its parts' authors, and whether they are followed.
  public internal(set) var advice: [Advice]
  /// Its difference from the most similar pair of a codec and a place. Nil for a pair, and if no
  /// pair is similar.
  public internal(set) var beyond: String?
  /// The settings that it accepts.
  public internal(set) var settings: [BackendSetting<Document>] = []
  /// Its promises beyond keeping a document.
  package var promises: [BackendPromise] { BackendPromise.all(of: type, upTo: durability) }
  /// The reasons, by phase id, why a phase may take less than its floor. Without a reason such a
  /// figure is a measurement error.
  public let belowFloor: [String: String]
  /// Opens a store.
  public let open: @Sendable (StoreContext) throws -> any Backend<Document>
  /// The backend's type, whose conformances are its promises. They are looked up on demand, because
  /// that takes far longer than making the rest of a suite.
  let type: Any.Type
  let durability: Durability
}

extension BackendEntry {
  /// Describes a backend. Its type's conformances are its promises. A type can't tell what a crash
  /// costs, so `durability` does.
  ///
  /// - Parameters:
  ///   - caveat: a caveat for readers of its figures, a sentence without a full stop.
  ///   - survivesRestart: false if the data ends with the process. Then nothing is read from a
  ///     reopened store, and there is no size at rest.
  ///   - library: the library that keeps the document, or nil if not given.
  ///   - coder: the library that encodes its parts, if it is another one.
  ///   - durability: the highest one at which a crash leaves the old or the new document, by
  ///     default none. Others can be measured too. MenuBench's tests check only its own backends'
  ///     promises.
  ///   - open: opens a backend that keeps everything in the store's folder. Called several times in
  ///     a block, with different folders.
  public init<B: Backend<Document> & SendableMetatype>(
    id: String, summary: String, caveat: String? = nil, survivesRestart: Bool = true,
    flushedFrom: Durability = .atomic, library: Library? = nil, codedBy coder: Library? = nil,
    promises durability: Durability = .none, belowFloor: [String: String] = [:],
    open: @escaping @Sendable (StoreContext) throws -> B
  ) {
    self.init(
      id: id, summary: summary, caveat: caveat, survivesRestart: survivesRestart,
      flushedFrom: flushedFrom, libraries: Library.together([library, coder]), pair: nil,
      advice: [], belowFloor: belowFloor, open: open, type: B.self, durability: durability)
  }
}

/// The folder and the durability of a store.
public struct StoreContext: Hashable, Sendable {
  /// An existing folder for everything that the backend stores. Files elsewhere are not counted,
  /// and stay when the store is emptied. Relative in a worker, to keep the allocated strings short.
  public let folder: String
  /// The guarantee after a crash.
  public let durability: Durability

  /// Describes a store.
  public init(folder: String, durability: Durability) {
    self.folder = folder
    self.durability = durability
  }

  /// Returns the path of a file in the store's folder.
  public func path(_ name: String) -> String { folder + "/" + name }

  /// Returns a store with this name next to this one, of the same durability. Creates nothing.
  package func beside(_ name: String) -> StoreContext {
    StoreContext(folder: folder + "-" + name, durability: durability)
  }

  /// Returns the total size in bytes of all files in the store's folder and its subfolders.
  ///
  /// - Throws: the file system's error. A file that is removed meanwhile counts as 0 bytes.
  package func bytes() throws -> Int {
    let files = FileManager.default
    return try files.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
      let facts = try? files.attributesOfItem(atPath: path(name))
      guard facts?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (facts?[.size] as? Int ?? 0)
    }
  }

  /// Empties the store's folder. Creates it if it does not exist.
  package func empty() throws {
    if FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder)
    }
    try makeFolder(folder)
  }
}

/// A promise of a backend beyond keeping a document. Tests check those of built-in backends.
package enum BackendPromise: String, CaseIterable, Sendable {
  /// A crash or a power cut leaves the old or the new document whole, at durability `atomic`.
  case atomic
  /// A crash or a power cut leaves the document that was saved last, at durability `durable`.
  case durable
  /// A product or a resolved combo is read without the rest.
  case partialRead = "partial-read"
  /// Products are found by name, category and price without reading the rest into the program.
  case query
  /// A separate reader can read the last whole document while a writer replaces it, at durability
  /// `atomic` and `durable`.
  case concurrentReader = "concurrent-reader"
  /// A store of an older program is migrated, or read as it is, for every change that `upgrade`
  /// tests.
  case schemaChange = "schema-change"

  package var meaning: String {
    switch self {
    case .atomic: "a crash or a power cut leaves the old or the new menu (durability atomic)"
    case .durable: "a crash or a power cut leaves the last menu saved (durability durable)"
    case .partialRead: "one product or combo is read without the rest"
    case .query: "products are found by name, category and price without reading the rest"
    case .concurrentReader:
      "readers continue while a writer replaces the menu (not at durability none)"
    case .schemaChange:
      "an older program's menu is migrated or read as it is (workload upgrade)"
    }
  }

  /// Returns the promises of a backend type: those of its conformances, and those about crashes up
  /// to a durability.
  static func all(of type: Any.Type, upTo durability: Durability) -> [Self] {
    allCases.filter { promise in
      switch promise {
      case .atomic: durability != .none
      case .durable: durability == .durable
      case .partialRead: type is any ProductReading.Type && type is any ComboReading.Type
      case .query: type is any NameSearching.Type && type is any ProductFiltering.Type
      case .concurrentReader: type is any ConcurrentReading.Type
      case .schemaChange: type is any SchemaChanging.Type
      }
    }
  }
}

/// A library that a backend uses, as `bench list backends --verbose` names it.
public struct Library: Hashable, Sendable {
  /// The name, with the library that it wraps: `GRDB (SQLite)`.
  public let name: String
  /// The SPDX identifier of its licence, or `public domain`.
  public let licence: String
  /// The id by which `scripts/measure-libraries` measures its size. Nil if it comes with the system
  /// or with Swift.
  public let id: String?

  /// Describes a library.
  public init(name: String, licence: String, id: String? = nil) {
    self.name = name
    self.licence = licence
    self.id = id
  }
}

extension Library {
  /// Returns the libraries of several parts, each once. Leaves out `none` if there are others.
  static func together(_ parts: [Library?]) -> [Library] {
    let all = parts.compactMap { $0 }.distinct
    return all.count > 1 ? all.filter { $0 != .none } : all
  }

  /// No library: the package's own code.
  public static let none = Library(name: "none", licence: "the project's own")
  /// Foundation, which comes with Swift.
  public static let foundation = Library(name: "Foundation", licence: "Apache-2.0")
  /// GRDB, which wraps the system's SQLite.
  public static let grdb = Library(name: "GRDB (SQLite)", licence: "MIT", id: "grdb")
  /// LMDB, a memory-mapped key-value store.
  public static let lmdb = Library(name: "LMDB", licence: "OLDAP-2.8", id: "lmdb")
  /// simdjson, a JSON parser in C++.
  public static let simdjson = Library(name: "simdjson", licence: "Apache-2.0", id: "simdjson")
  /// Apple's Swift library for Protocol Buffers.
  public static let swiftProtobuf = Library(
    name: "swift-protobuf", licence: "Apache-2.0", id: "swift-protobuf")
  /// libzstd, dual-licensed.
  public static let zstd = Library(
    name: "libzstd", licence: "BSD-3-Clause OR GPL-2.0-only", id: "zstd")
}

/// The bytes that a library adds to a shipped app, as `scripts/measure-libraries` measured them.
package struct LibrarySize: Hashable, Sendable {
  /// The growth of a stripped release executable, with all packages linked into it.
  package let code: Int
  /// The file sizes of shared objects, by name, that the system has or the app must bring.
  package let shared: [String: Int]

  package init(code: Int, shared: [String: Int] = [:]) {
    self.code = code
    self.shared = shared
  }

  package var total: Int { shared.values.reduce(code, +) }
}

extension Library {
  /// The bytes that it adds, or nil if they were not measured.
  package var size: LibrarySize? { id.flatMap { LibrarySize.measured[$0] } }
}
