import ArgumentParser
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchReports
import BenchResults
import PersistenceBackends

/// `bench list`: what there is to choose from.
struct ListCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: "What there is: backends, codecs, places, menus, workloads, formats, metrics.")
  }

  @Argument(help: "One kind only: \(ListKind.names).")
  var kind: String?

  @Flag(help: "Of backends a page each: what they model, promise and stand on.")
  var verbose = false

  @Option(help: "table or json, which has everything that --verbose shows.")
  var format = PlainFormat.table.rawValue

  func run() throws {
    let format: PlainFormat = try ValidNames.choice("format", format)
    let chosen: ListKind? = try kind.map { try ValidNames.choice("kind", $0) }
    let sections = chosen.map { [$0] } ?? ListKind.allCases
    if format == .json {
      return try Console.output(
        try ListJSON(suite: App.suite).text(sections), isForPrograms: true)
    }
    try Console.output(sections.map(section).joined(separator: "\n"))
  }

  private func section(_ kind: ListKind) -> String {
    switch kind {
    case .backends where verbose: pages
    case .pairs: pairs
    default: table(of: kind)
    }
  }

  /// Which codec stands in which place: the name of its own, where the pair has one.
  private var pairs: String {
    let suite = App.suite
    let codecs = suite.codecs.map(\.id)
    let rows =
      [[""] + suite.places.map(\.id)]
      + codecs.map { codec in
        [codec]
          + suite.places.map { place in
            let pair = CodecAndPlace(codec: codec, place: place.id)
            return suite.backends.first { $0.pair == pair }?.id ?? "@"
          }
      }
    let widths = rows.columnWidths
    let lines = rows.map { row in
      zip(row.dropLast(), widths).map { $0.padded(to: $1) + "  " }.joined() + (row.last ?? "")
    }
    let legend = "@: by the name CODEC@PLACE alone; others also by the name that stands there"
    return "pairs\n" + (lines + [legend]).map { "  \($0)\n" }.joined()
  }

  /// A page of each backend, an empty line between them.
  private var pages: String {
    let width = Console.outputWidth
    let pages = App.suite.backends.map { BackendPage($0).text(width: width) }
    return (["backends\n"] + pages).joined(separator: "\n")
  }

  private func table(of kind: ListKind) -> String {
    let rows = rows(of: kind)
    let width = rows.map(\.0.count).max() ?? 0
    let margin = String(repeating: " ", count: width + 4)
    return "\(kind.rawValue)\n"
      + rows.map { id, texts in
        let lines = texts.flatMap { $0.wrapped(to: max(Console.outputWidth - margin.count, 20)) }
        return "  \(id.padded(to: width))  \(lines.joined(separator: "\n" + margin))\n"
      }.joined()
  }

  /// The ids of a kind, and what is said of each, every point in lines of its own.
  private func rows(of kind: ListKind) -> [(String, [String])] {
    switch kind {
    case .backends: App.suite.backends.map { ($0.id, [$0.summary]) }
    case .codecs: App.suite.codecs.map { ($0.id, [$0.summary]) }
    case .places: App.suite.places.map { ($0.id, [$0.summary]) }
    case .pairs: []
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

/// A format of what is no table of figures.
enum PlainFormat: String, CaseIterable {
  /// For a terminal.
  case table
  /// For scripts.
  case json
}

/// A kind of thing that can be chosen.
enum ListKind: String, CaseIterable {
  case backends, codecs, places, pairs, menus, workloads, durabilities, formats, metrics
}

extension Workload {
  /// What it does, and what can be set of it with the standard value.
  fileprivate var page: [String] {
    [summary]
      + Self.parameters.map { "\($0.name)=\($0.standard) (\($0.values)): \($0.summary)" }
  }
}

/// All that is known of a backend before it is measured, as `bench list --verbose` shows it.
struct BackendPage {
  /// The backend's id.
  let id: String
  /// What is said, and of what; each point of several begins a line of its own.
  let facts: [(title: String, points: [String])]

  init(_ entry: BackendEntry<some BenchDocument>) {
    let others = BackendPromise.allCases.filter { !entry.promises.contains($0) }.map(\.rawValue)
    let promises = entry.promises.map { "\($0.rawValue): \($0.meaning)" }
    id = entry.id
    facts =
      [("models", [entry.summary])] + Self.makeUp(entry) + [
        ("caveat", [entry.caveat ?? "none"]),
        ("promises", promises.isEmpty ? ["nothing"] : promises),
        ("not", [others.isEmpty ? "nothing" : others.joined(separator: ", ")]),
        ("restart", [entry.survivesRestart ? "keeps what was written" : "keeps nothing"]),
      ] + Self.belowFloor(entry.belowFloor) + [
        ("library", Self.each(entry.libraries, \.name)),
        ("licence", Self.each(entry.libraries, \.licence)),
        ("adds", Self.each(entry.libraries, Self.addition)),
      ] + Self.settings(entry) + Self.advice(entry.advice)
  }

  private static let unknown = "not stated"

  /// What a backend is made of, or what it does beyond such a pair; nothing where none comes near.
  private static func makeUp(
    _ entry: BackendEntry<some BenchDocument>
  ) -> [(title: String, points: [String])] {
    (entry.pair?.description ?? entry.beyond).map { [("is", [$0])] } ?? []
  }

  /// What can be set; nothing of a backend with no settings.
  private static func settings<Document>(
    _ entry: BackendEntry<Document>
  ) -> [(title: String, points: [String])] {
    entry.settings.isEmpty
      ? [] : [("settings", entry.settings.map { "\(entry.id):\($0.name)=…: \($0.summary)" })]
  }

  /// What authors recommend, with its source, and what becomes of it here.
  private static func advice(_ advice: [Advice]) -> [(title: String, points: [String])] {
    advice.isEmpty
      ? [] : [("advice", advice.flatMap { ["\($0.says): \($0.here)", $0.source] })]
  }

  /// Why phases may be faster than their floors; nothing of a backend that says of none.
  private static func belowFloor(
    _ reasons: [String: String]
  ) -> [(title: String, points: [String])] {
    let points = reasons.sorted { $0.key < $1.key }.map {
      "\($0.key) is below its floor: \($0.value)"
    }
    return points.isEmpty ? [] : [("floors", points)]
  }

  /// What is said of each library, every thing once.
  private static func each(_ libraries: [Library], _ fact: (Library) -> String) -> [String] {
    libraries.isEmpty ? [unknown] : libraries.map(fact).distinct
  }

  /// What a library adds to an app, part by part.
  private static func addition(of library: Library) -> String {
    guard library.id != nil else {
      return library == Library.none ? "nothing" : "nothing: it comes with the system or with Swift"
    }
    return library.size.map(wording) ?? "not measured"
  }

  /// A size in words.
  static func wording(of size: LibrarySize) -> String {
    let code = size.code > 0 ? ["\(Wording.bytes(Double(size.code))) of code in the binary"] : []
    let shared = size.shared.sorted { $0.key < $1.key }
      .map { "\(Wording.bytes(Double($0.value))) as the system's \($0.key)" }
    return (code + shared).joined(separator: ", ")
  }

  /// The page in lines of at most so many columns, ending in a line break.
  func text(width: Int) -> String {
    let lines = facts.flatMap { title, points in
      // No terminal is so narrow that nothing fits beside the titles.
      // An address stays whole, for whoever follows it.
      let texts = points.flatMap {
        $0.hasPrefix("http") ? [$0] : $0.wrapped(to: max(width - Self.indent, 20))
      }
      let titles = [title] + texts.dropFirst().map { _ in "" }
      return zip(titles, texts).map { "    \($0.padded(to: Self.indent - 4))\($1)\n" }
    }
    return "  \(id)\n" + lines.joined()
  }

  /// The column at which everything said begins.
  private static let indent = 14
}
