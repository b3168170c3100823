import BackendKit
import Basics
import BenchDocuments
import BenchResults

/// The backends, workloads and documents that can be measured.
///
/// The built-in suite measures menus. Another package can make a suite for its own document type,
/// or add its backends to ours, and gets the same commands.
public struct Suite<Document: BenchDocument>: Sendable {
  /// The backends, in report order.
  public var backends: [BackendEntry<Document>]
  /// The codecs. Each of them makes a backend in each place, named `CODEC@PLACE`.
  public var codecs: [CodecEntry<Document>]
  /// The places for encoded documents.
  public var places: [PlaceEntry]
  /// The workloads, in report order.
  public var workloads: [any Workload<Document>]
  /// Makes documents from names on the command line.
  public var source: any DocumentSource<Document>

  /// Makes a suite.
  public init(
    backends: [BackendEntry<Document>], codecs: [CodecEntry<Document>] = [],
    places: [PlaceEntry] = [], workloads: [any Workload<Document>],
    source: any DocumentSource<Document>
  ) {
    self.backends = backends
    self.codecs = codecs
    self.places = places
    self.workloads = workloads
    self.source = source
  }
}

extension Suite {
  /// All named backends, then every other pair of a codec and a place.
  package var allBackends: [BackendEntry<Document>] {
    let named = Set(backends.compactMap(\.pair))
    return backends
      + codecs.flatMap { codec in places.map { BackendEntry(codec, in: $0) } }
      .filter { entry in entry.pair.map { !named.contains($0) } ?? true }
  }

  /// Returns the backend with a name, or nil if there is none. A name is an id, perhaps with a setting
  /// (`sqlite:mmap_size=0`), or `CODEC@PLACE`. A backend with an id of its own also has its pair's name.
  package func backend(named name: String) -> BackendEntry<Document>? {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      return backends.first { $0.id == name || $0.pair?.description == name } ?? pair(named: name)
    }
    let setting = parts[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard setting.count == 2, let entry = backend(named: String(parts[0])) else { return nil }
    return entry.settings.first { $0.name == setting[0] }?.backend(String(setting[1]))
  }

  /// Returns the backend for a name such as `protobuf@lmdb`, or nil if the codec or the place is unknown.
  private func pair(named name: String) -> BackendEntry<Document>? {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let codec = codecs.first(where: { $0.id == parts[0] }),
      let place = places.first(where: { $0.id == parts[1] })
    else { return nil }
    return BackendEntry(codec, in: place)
  }

  /// Returns the backend with an id; throws ``WorkloadFailure`` if there is none.
  package func backend(_ id: String) throws -> BackendEntry<Document> {
    guard let entry = backend(named: id) else {
      throw WorkloadFailure("this worker does not know the backend '\(id)'")
    }
    return entry
  }

  /// Returns the workloads of an argument such as `roundtrip,patch:changes=100` or `all`, without
  /// duplicates. After a comma, `key=value` is another setting of the workload before it.
  ///
  /// - Throws: ``WorkloadNameError``.
  package func workloads(named argument: String) throws -> [any Workload<Document>] {
    let found =
      argument == "all"
      ? try workloads.flatMap { try $0.all() } : try Self.names(argument).map(workload)
    return found.uniqued(on: \.id)
  }

  /// Returns the workload with a name and settings; throws ``WorkloadNameError``.
  package func workload(_ name: String) throws -> any Workload<Document> {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let workload = workloads.first(where: { $0.name == parts[0] }) else {
      throw WorkloadNameError(
        description: name.isEmpty ? "an empty workload name" : "unknown workload '\(parts[0])'",
        choices: workloads.map(\.name), unknown: String(parts[0]))
    }
    return parts.count == 1 ? workload : try workload.with(String(parts[1]))
  }

  /// Describes a name that is ambiguous or cannot be typed. Returns nil if every part can be found by its name.
  package var misnamed: String? {
    let ids = backends.map(\.id)
    // An id with a setting, such as `sqlite:mmap_size=0`, is fine if the setting finds that backend.
    let found = Set(ids.filter { $0.contains(":") && backend(named: $0)?.id == $0 })
    // The name `json@file` finds an earlier backend of that pair before a backend with that id.
    let hidden = ids.first { backend(named: $0)?.id != $0 }
    return Self.misnamed("backend", ids, but: found)
      ?? hidden.map { "two backends are called '\($0)'" }
      ?? Self.misnamed("codec", codecs.map(\.id))
      ?? Self.misnamed("place", places.map(\.id))
      ?? Self.misnamed("workload", workloads.map(\.name))
  }

  /// - Parameter found: names that can be found although they contain a colon.
  private static func misnamed(
    _ kind: String, _ names: [String], but found: Set<String> = []
  ) -> String? {
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      return "two \(kind)s are called '\(twice)'"
    }
    let untypable = names.first {
      !found.contains($0)
        && ($0.isEmpty || $0 == "all" || $0.contains(",") || $0.contains(":"))
    }
    return untypable.map { "a \(kind) cannot be called '\($0)'" }
  }

  private static func names(_ argument: String) -> [String] {
    var names: [String] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if let last = names.last, last.contains(":"), part.contains("="), !part.contains(":") {
        names[names.count - 1] = last + "," + part
      } else {
        names.append(part)
      }
    }
    return names
  }
}

/// Makes documents from names on the command line.
public protocol DocumentSource<Document>: Sendable {
  associatedtype Document: BenchDocument
  /// The documents that need no file, as shown by `bench list`.
  var presets: [(name: String, summary: String)] { get }
  /// The preset for tools that slow a program down fiftyfold. It is small, but uses the same code
  /// paths as larger ones. Nil if there is none.
  var quickPreset: String? { get }
  /// The needs of apps that store such documents, for `bench compare --for`.
  var needs: [NeedInfo] { get }
  /// Splits an argument such as `small,large,menu.json` into document names, by default at every comma.
  func split(_ argument: String) throws -> [String]
  /// Returns the name of a document with the same proportions and about the given size. The size is the
  /// number of things named by `BenchDocument/sizedBy`, or of all counted things if that is nil. Returns
  /// nil if there is no such document, for example for a file.
  func sized(_ name: String, at size: Int) -> String?
  /// Makes the document with a name. The same name gives an equal document in every process.
  ///
  /// - Throws: ``UnknownDocument`` if the name is unknown.
  func load(_ name: String) throws -> LoadedDocument<Document>
}

extension DocumentSource {
  /// Nil: there is no quick preset.
  public var quickPreset: String? { nil }

  /// No needs.
  public var needs: [NeedInfo] { [] }

  /// Nil: documents cannot be scaled.
  public func sized(_ name: String, at size: Int) -> String? { nil }

  /// Splits the argument at every comma.
  public func split(_ argument: String) throws -> [String] {
    argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the error for an unknown name in a source that has only presets.
  public func unknown(_ name: String) -> UnknownDocument {
    UnknownDocument(name, known: presets.map(\.name))
  }
}

/// A document with the facts that reports show about it.
public struct LoadedDocument<Document: BenchDocument>: Sendable {
  /// The short name in cells and reports.
  public var name: String
  /// The origin: a shape with its seed, or a file and its format.
  public var origin: String
  /// The document.
  public var document: Document
  /// Notes for the readers of its figures.
  public var notes: [String]

  /// Makes a loaded document.
  public init(name: String, origin: String, document: Document, notes: [String] = []) {
    self.name = name
    self.origin = origin
    self.document = document
    self.notes = notes
  }
}

/// A name from the command line for which a ``DocumentSource`` has no document.
public struct UnknownDocument: Error, Hashable, Sendable {
  /// The name that was typed.
  public var name: String
  /// The known names.
  public var known: [String]

  /// Makes an error. The command line exits with status 64 and suggests the nearest known name.
  public init(_ name: String, known: [String]) {
    self.name = name
    self.known = known
  }
}

extension UnknownDocument: CustomStringConvertible, UserFacingError {
  /// A one-line message.
  public var description: String {
    name.isEmpty ? "an empty menu name" : "unknown menu '\(name)'"
  }

  package var help: String? {
    NearestMatch.hint(name, among: known) + "menus: \(known.joined(separator: ", "))"
  }

  package var kind: FailureKind { .usage }
}
