import BackendKit
import Basics
import BenchDocuments
import BenchResults

/// Everything that can be measured: backends, workloads, and where documents come from.
///
/// The built-in suite measures menus. Another package makes one of its own document type, or adds
/// its backends to ours, and gets the same commands.
public struct Suite<Document: BenchDocument>: Sendable {
  /// The backends, in the order in which reports show them.
  public var backends: [BackendEntry<Document>]
  /// The codecs that make a backend in any of the places, as `CODEC@PLACE`.
  public var codecs: [CodecEntry<Document>]
  /// The places in which any of the codecs makes a backend.
  public var places: [PlaceEntry]
  /// The workloads, in the same order.
  public var workloads: [any Workload<Document>]
  /// What turns a name from the command line into a document.
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
  /// The backends with names of their own, then every pair of a codec and a place that has none.
  package var allBackends: [BackendEntry<Document>] {
    let named = Set(backends.compactMap(\.pair))
    return backends
      + codecs.flatMap { codec in places.map { BackendEntry(codec, in: $0) } }
      .filter { entry in entry.pair.map { !named.contains($0) } ?? true }
  }

  /// The backend of a name: an id, perhaps with a setting (`sqlite:mmap_size=0`), or `CODEC@PLACE`, whose
  /// backend may have a name of its own; nil where there is none.
  package func backend(named name: String) -> BackendEntry<Document>? {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      return backends.first { $0.id == name || $0.pair?.description == name } ?? pair(named: name)
    }
    let setting = parts[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard setting.count == 2, let entry = backend(named: String(parts[0])) else { return nil }
    return entry.settings.first { $0.name == setting[0] }?.backend(String(setting[1]))
  }

  /// The codec at the place of a name such as `protobuf@lmdb`; nil where the suite lacks either.
  private func pair(named name: String) -> BackendEntry<Document>? {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let codec = codecs.first(where: { $0.id == parts[0] }),
      let place = places.first(where: { $0.id == parts[1] })
    else { return nil }
    return BackendEntry(codec, in: place)
  }

  /// Throws ``WorkloadFailure`` when the suite has none of that id.
  package func backend(_ id: String) throws -> BackendEntry<Document> {
    guard let entry = backend(named: id) else {
      throw WorkloadFailure("this worker knows no backend \(id)")
    }
    return entry
  }

  /// The workloads of an argument such as `roundtrip,patch:changes=100` or `all`, each once.
  ///
  /// A comma before `key=value` goes on with the settings of the workload before it.
  /// - Throws: ``WorkloadNameError``.
  package func workloads(named argument: String) throws -> [any Workload<Document>] {
    let found =
      argument == "all"
      ? try workloads.flatMap { try $0.all() } : try Self.names(argument).map(workload)
    return found.uniqued(on: \.id)
  }

  /// The workload of a name with its settings; throws ``WorkloadNameError``.
  package func workload(_ name: String) throws -> any Workload<Document> {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let workload = workloads.first(where: { $0.name == parts[0] }) else {
      throw WorkloadNameError(
        description: name.isEmpty ? "an empty workload name" : "unknown workload '\(parts[0])'",
        choices: workloads.map(\.name), unknown: String(parts[0]))
    }
    return parts.count == 1 ? workload : try workload.with(String(parts[1]))
  }

  /// Why something in it could never be measured, as all is found by its name; nil where all can be.
  package var misnamed: String? {
    let ids = backends.map(\.id)
    // One with a setting, as `sqlite:mmap_size=0`, is found where it is set.
    let found = Set(ids.filter { $0.contains(":") && backend(named: $0)?.id == $0 })
    // `json@file` is an earlier backend that is made of these before it is the one that is called so.
    let hidden = ids.first { backend(named: $0)?.id != $0 }
    return Self.misnamed("backend", ids, but: found)
      ?? hidden.map { "two backends are called '\($0)'" }
      ?? Self.misnamed("codec", codecs.map(\.id))
      ?? Self.misnamed("place", places.map(\.id))
      ?? Self.misnamed("workload", workloads.map(\.name))
  }

  /// - Parameter found: names that are found though they look as if they were not.
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

/// Turns names from the command line into documents.
public protocol DocumentSource<Document>: Sendable {
  associatedtype Document: BenchDocument
  /// The documents that need no file, as `bench list` shows them.
  var presets: [(name: String, summary: String)] { get }
  /// The preset that is small enough for tools that slow a program down fiftyfold, and takes the same
  /// paths through the code as larger ones; nil where there is none.
  var quickPreset: String? { get }
  /// The needs of apps that store such documents, as `bench compare --for` takes them.
  var needs: [NeedInfo] { get }
  /// Splits one argument into the names of documents: `small,large,menu.json`; at every comma unless
  /// the source knows better.
  func split(_ argument: String) throws -> [String]
  /// The name of a document of the same proportions and about a given size: so many of what
  /// `BenchDocument/sizedBy` names, of all things counted where it names none; nil where there is none, as
  /// of a file.
  func sized(_ name: String, at size: Int) -> String?
  /// Makes the document of one name. The same name gives an equal document in every process.
  ///
  /// - Throws: ``UnknownDocument`` for a name that means nothing.
  func load(_ name: String) throws -> LoadedDocument<Document>
}

extension DocumentSource {
  /// There is none.
  public var quickPreset: String? { nil }

  /// No need is known.
  public var needs: [NeedInfo] { [] }

  /// No document can be had at a given size.
  public func sized(_ name: String, at size: Int) -> String? { nil }

  /// The names between the commas.
  public func split(_ argument: String) throws -> [String] {
    argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// The error for a name that is no preset's, where there is nothing but presets.
  public func unknown(_ name: String) -> UnknownDocument {
    UnknownDocument(name, known: presets.map(\.name))
  }
}

/// A document with what to say of it.
public struct LoadedDocument<Document: BenchDocument>: Sendable {
  /// The short name used in cells and reports.
  public var name: String
  /// Where it came from: a shape with its seed, or a file and its format.
  public var origin: String
  /// The document.
  public var document: Document
  /// What a reader of its figures must know.
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
  /// What was typed.
  public var name: String
  /// The names that there are.
  public var known: [String]

  /// Makes an error; the command line then ends with status 64, and says the nearest known name.
  public init(_ name: String, known: [String]) {
    self.name = name
    self.known = known
  }
}

extension UnknownDocument: CustomStringConvertible, UserFacingError {
  /// One line.
  public var description: String {
    name.isEmpty ? "an empty menu name" : "unknown menu '\(name)'"
  }

  package var help: String? {
    NearestMatch.hint(name, among: known) + "menus: \(known.joined(separator: ", "))"
  }

  package var kind: FailureKind { .usage }
}
