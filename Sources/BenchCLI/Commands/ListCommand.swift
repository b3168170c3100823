import ArgumentParser
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchReports
import BenchResults
import PersistenceBackends

struct ListCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: "Lists backends, codecs, places, menus, workloads, durabilities, formats, metrics.")
  }

  @Argument(help: "One kind only: \(ListKind.names).")
  var kind: String?

  @Flag(help: "Print a page of each backend: what it models, promises and depends on.")
  var verbose = false

  func run() throws {
    let chosen: ListKind? = try kind.map { try ValidNames.choice("kind", $0) }
    let sections = chosen.map { [$0] } ?? ListKind.allCases
    try Console.output(sections.map(section).joined(separator: "\n"))
  }

  /// A page for each backend, with empty lines between them.
  private var pages: String {
    let width = Console.outputWidth
    let pages = App.suite.backends.map { BackendPage($0).text(width: width) }
    return (["backends\n"] + pages).joined(separator: "\n")
  }

  private func section(_ kind: ListKind) -> String {
    if kind == .backends, verbose { return pages }
    let rows = rows(of: kind)
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.flatMap { id, texts in
      texts.lines(behind: "  \(id.padded(to: width))  ", columns: Console.outputWidth)
    }
    return ([kind.rawValue] + lines).map { $0 + "\n" }.joined()
  }

  /// Returns the ids of a kind with their descriptions. Each point begins a new line.
  private func rows(of kind: ListKind) -> [(String, [String])] {
    switch kind {
    case .backends: App.suite.backends.map { ($0.id, [$0.summary]) }
    case .codecs: App.suite.codecs.map { ($0.id, [$0.summary]) }
    case .places: App.suite.places.map { ($0.id, [$0.summary]) }
    case .menus:
      App.suite.source.presets.map { ($0.name, [$0.summary]) }
        + (App.documentCommands.isEmpty
          ? [] : [("your own", ["a file, or its shape: bench shape FILE prints one for --menu"])])
    case .workloads: App.suite.workloads.map { ($0.name, $0.page) }
    case .durabilities: Durability.allCases.map { ($0.rawValue, [$0.meaning]) }
    case .formats: ReporterRegistry.all.map { ($0.id, [$0.summary]) }
    case .metrics:
      Metric.all.map { ($0.id, ["\($0.unit.rawValue), \($0.isExact ? "exact" : "varies")"]) }
    }
  }
}

enum ListKind: String, CaseIterable {
  case backends, codecs, places, menus, workloads, durabilities, formats, metrics
}

extension Workload {
  /// The summary, and the settings with their standard values.
  fileprivate var page: [String] {
    [summary]
      + Self.parameters.map { "\($0.name)=\($0.standard) (\($0.values)): \($0.summary)" }
  }
}

/// Describes a backend before it is measured, for `bench list --verbose`.
struct BackendPage {
  let id: String
  /// The titles, each with its points. Each point begins a new line.
  let facts: [(title: String, points: [String])]

  init<Document>(_ entry: BackendEntry<Document>) {
    let others = BackendPromise.allCases.filter { !entry.promises.contains($0) }.map(\.rawValue)
    let promises = entry.promises.map { "\($0.rawValue): \($0.meaning)" }
    id = entry.id
    let all: [(title: String, points: [String])] = [
      ("models", [entry.summary]),
      // A codec at a place, or what the backend does beyond such a pair.
      ("is", [entry.pair?.description ?? entry.beyond].compactMap(\.self)),
      ("caveat", [entry.caveat ?? "none"]),
      ("promises", promises.isEmpty ? ["nothing"] : promises),
      ("not", [others.isEmpty ? "nothing" : others.joined(separator: ", ")]),
      ("restart", [entry.survivesRestart ? "keeps what was written" : "keeps nothing"]),
      (
        "floors",
        entry.belowFloor.sorted { $0.key < $1.key }
          .map { "\($0.key) is below its floor: \($0.value)" }
      ),
      ("library", Self.each(entry.libraries, \.name)),
      ("licence", Self.each(entry.libraries, \.licence)),
      ("adds", Self.each(entry.libraries, Self.addition)),
      ("settings", entry.settings.map { "\(entry.id):\($0.name)=…: \($0.summary)" }),
      // The authors' advice and how it is followed here, then its source.
      ("advice", entry.advice.flatMap { ["\($0.says): \($0.here)", $0.source] }),
    ]
    facts = all.filter { !$0.points.isEmpty }
  }

  /// Lists a fact about each library, without repetition.
  private static func each(_ libraries: [Library], _ fact: (Library) -> String) -> [String] {
    libraries.isEmpty ? ["not stated"] : libraries.map(fact).distinct
  }

  /// Describes what a library adds to an app, part by part.
  private static func addition(of library: Library) -> String {
    guard library.id != nil else {
      return library == Library.none ? "nothing" : "nothing: it comes with the system or with Swift"
    }
    return library.size.map(wording) ?? "not measured"
  }

  /// Names a backend's libraries with their sizes. Nil if it adds none of a known size.
  static func additions(of entry: BackendEntry<some BenchDocument>) -> String? {
    let known = entry.libraries.compactMap { library in
      library.size.map { "\(library.name), \(wording(of: $0))" }
    }
    return known.isEmpty ? nil : known.joined(separator: "; ")
  }

  static func wording(of size: LibrarySize) -> String {
    let code = size.code > 0 ? ["\(Wording.bytes(Double(size.code))) of code in the binary"] : []
    let shared = size.shared.sorted { $0.key < $1.key }
      .map { "\(Wording.bytes(Double($0.value))) as the system's \($0.key)" }
    return (code + shared).joined(separator: ", ")
  }

  /// Returns the page in lines of at most this width, ending in a line break.
  func text(width: Int) -> String {
    let lines = facts.flatMap { title, points in
      points.lines(behind: "    " + title.padded(to: 10), columns: width)
    }
    return (["  \(id)"] + lines).map { $0 + "\n" }.joined()
  }
}
