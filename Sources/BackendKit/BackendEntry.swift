import Basics
import BenchDocuments
import Foundation

/// A backend as the registry lists it: its id, what to say of it, and how to open it.
public struct BackendEntry<Document: BenchDocument>: Sendable {
  /// The id used on the command line, in CSV and in `run.json`: no other backend's of its suite, not
  /// `all`, without commas and colons.
  public let id: String
  /// One line: what it is and by which library.
  public let summary: String
  /// What a reader of its figures must know, such as that nothing survives a restart.
  public let caveat: String?
  /// Whether what was written is there when the store is opened again.
  public let survivesRestart: Bool
  /// The least durability at which every save is flushed to the drive before it returns; it is the one
  /// at which the floor of a write is flushed too. SQLite's log, at `atomic`, is flushed when it is
  /// copied into the database.
  public let flushedFrom: Durability
  /// The libraries that do the work; none where nobody said.
  public let libraries: [Library]
  /// The codec and the place that it is made of; nil where it is more than that.
  public let pair: CodecAndPlace?
  /// What the authors of its parts recommend, and what is made of it.
  public internal(set) var advice: [Advice]
  /// What it does that the nearest pair of a codec and a place does not; nil of a pair, and where nothing
  /// comes near.
  public internal(set) var beyond: String?
  /// What can be set of it.
  public internal(set) var settings: [BackendSetting<Document>] = []
  /// What it promises beyond keeping a document; a promise that is not among them is not made.
  package var promises: [BackendPromise] { BackendPromise.all(of: type, upTo: durability) }
  /// Why phases, by their ids, may take less than their floors: `encode`, "hands out the response
  /// that it was given". Without these words such a figure is an error of the measurement.
  public let belowFloor: [String: String]
  /// Opens a store.
  public let open: @Sendable (StoreContext) throws -> any Backend<Document>
  /// Its conformances say what it promises. They are looked up when somebody asks: the runtime takes far longer for
  /// them than for the rest of a suite, which every command and every worker makes.
  let type: Any.Type
  let durability: Durability
}

extension BackendEntry {
  /// Describes a backend. What its type conforms to it promises; what a crash may cost no type can
  /// say: it promises the highest durability at which a crash leaves the old or the new document.
  ///
  /// - Parameters:
  ///   - caveat: what a reader of its figures must know, in a sentence without a full stop.
  ///   - survivesRestart: false of what goes with the process: nothing is then read from a store opened
  ///     anew, and there is no size at rest.
  ///   - durability: of another durability than this it may be measured all the same; without a word it
  ///     promises nothing. Nobody tries the promise of a backend that is not MenuBench's own.
  ///   - library: what keeps the document; nil where nobody said.
  ///   - coder: what makes bytes of its parts, where that is another library.
  ///   - open: makes the backend of a store, in whose folder it keeps everything; called several times a
  ///     block, with other folders.
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

/// Where a backend keeps its files and how safely.
public struct StoreContext: Hashable, Sendable {
  /// An existing folder that nobody else uses, for everything that the backend stores: what lies elsewhere
  /// is not counted, and is there when the next store is to be empty. Relative to the working folder in a
  /// worker, where a longer path would be a longer string to allocate.
  public let folder: String
  /// What a crash may cost.
  public let durability: Durability

  /// Describes a store.
  public init(folder: String, durability: Durability) {
    self.folder = folder
    self.durability = durability
  }

  /// The path of a file in the store's folder.
  public func path(_ name: String) -> String { folder + "/" + name }

  /// A store of that name beside this one, of the same durability; nothing is made.
  package func beside(_ name: String) -> StoreContext {
    StoreContext(folder: folder + "-" + name, durability: durability)
  }

  /// The bytes of every file in the store's folder, however deep.
  ///
  /// - Throws: the file system's error; of a file that goes meanwhile none, it counts for nothing.
  package func bytes() throws -> Int {
    let files = FileManager.default
    return try files.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
      let facts = try? files.attributesOfItem(atPath: path(name))
      guard facts?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (facts?[.size] as? Int ?? 0)
    }
  }

  /// Makes the store's folder an empty one, whatever it holds.
  package func empty() throws {
    if FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder)
    }
    try makeFolder(folder)
  }
}

/// What a backend promises beyond keeping a document; the laws of every backend try each.
package enum BackendPromise: String, CaseIterable, Sendable {
  /// A crash or a power cut leaves the old or the new document, whole, at durability `atomic`.
  case atomic
  /// A crash or a power cut leaves the document that was saved last, at durability `durable`.
  case durable
  /// A product or a resolved combo is read without the rest.
  case partialRead = "partial-read"
  /// Products are found by name, and by category and price, without reading the rest into the program.
  case query
  /// A reader of its own goes on reading the last whole document while a writer replaces it, at
  /// durability `atomic` and `durable`.
  case concurrentReader = "concurrent-reader"
  /// A store written by an older program is brought up to date, or read as it is, in every change that
  /// `upgrade` tries.
  case schemaChange = "schema-change"

  package var meaning: String {
    switch self {
    case .atomic: "a crash or a power cut leaves the old or the new menu (durability atomic)"
    case .durable: "a crash or a power cut leaves the last menu saved (durability durable)"
    case .partialRead: "one product or combo is read without the rest"
    case .query: "products are found by name, category and price without reading the rest"
    case .concurrentReader:
      "readers go on while a writer replaces the menu (not at durability none)"
    case .schemaChange:
      "an older program's menu is brought up to date or read as it is, as upgrade tries it"
    }
  }

  /// What a type of backends promises by what it conforms to, and what it keeps in a crash up to a
  /// durability.
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

/// A library that a backend stands on, as `bench list backends --verbose` names it.
public struct Library: Hashable, Sendable {
  /// Its name, with what it wraps: `GRDB (SQLite)`.
  public let name: String
  /// Its licence's SPDX identifier, or `public domain`.
  public let licence: String
  /// The id under which `scripts/measure-libraries` measures what it adds to a binary; nil where it
  /// comes with the system or with Swift.
  public let id: String?

  /// Describes a library.
  public init(name: String, licence: String, id: String? = nil) {
    self.name = name
    self.licence = licence
    self.id = id
  }
}

extension Library {
  /// The libraries of several parts, each once; no library goes without saying beside another.
  static func together(_ parts: [Library?]) -> [Library] {
    let all = parts.compactMap { $0 }.distinct
    return all.count > 1 ? all.filter { $0 != .none } : all
  }

  /// No library: the package's own code.
  public static let none = Library(name: "none", licence: "the project's own")
  /// Foundation, which comes with Swift.
  public static let foundation = Library(name: "Foundation", licence: "Apache-2.0")
  /// GRDB over the system's SQLite.
  public static let grdb = Library(name: "GRDB (SQLite)", licence: "MIT", id: "grdb")
  /// LMDB over the system's memory map.
  public static let lmdb = Library(name: "LMDB", licence: "OLDAP-2.8", id: "lmdb")
  /// simdjson, a JSON parser in C++.
  public static let simdjson = Library(name: "simdjson", licence: "Apache-2.0", id: "simdjson")
  /// The Swift library of Protocol Buffers, Apple's.
  public static let swiftProtobuf = Library(
    name: "swift-protobuf", licence: "Apache-2.0", id: "swift-protobuf")
  /// libzstd, dual-licensed.
  public static let zstd = Library(
    name: "libzstd", licence: "BSD-3-Clause OR GPL-2.0-only", id: "zstd")
}

/// What a library adds to what an app ships, in bytes, as `scripts/measure-libraries` measured it.
package struct LibrarySize: Hashable, Sendable {
  /// What a stripped release executable grows by, all packages linked into it.
  package let code: Int
  /// The shared objects that the system has, or the app must bring: name and size of the file.
  package let shared: [String: Int]

  package init(code: Int, shared: [String: Int] = [:]) {
    self.code = code
    self.shared = shared
  }

  package var total: Int { shared.values.reduce(code, +) }
}

extension Library {
  /// What it adds; nil where it was not measured.
  package var size: LibrarySize? { id.flatMap { LibrarySize.measured[$0] } }
}
