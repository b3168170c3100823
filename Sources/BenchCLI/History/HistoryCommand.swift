import ArgumentParser
import BenchAnalysis
import BenchReports
import RevisionBuild
import RunHistory

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Keeps the figures of runs, and shows when they changed.",
    discussion: """
      It is one file, \(HistoryPlace.usual), with figures only: you may delete runs that you added.
      Example: bench history add && bench history show
      """,
    subcommands: [
      HistoryAddCommand.self, HistoryShowCommand.self, HistoryListCommand.self,
      HistoryExportCommand.self,
    ])
}

/// The option for the history's file.
struct HistoryPlace: ParsableArguments {
  static let usual = "Reports/history.sqlite"

  @Option(help: "The history's file.")
  var index = HistoryPlace.usual
}

struct HistoryAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Adds stored runs, except those that are already there.")

  @Argument(help: "run.json files, or folders with runs in them. (default: every kept run)")
  var runs: [String] = []

  @OptionGroup var place: HistoryPlace
  @OptionGroup var speech: VerbosityOptions

  func run() throws {
    try speech.apply()
    let sources = try RunSource.all(runs)
    var (added, there) = (0, 0)
    var problems: [CLIError] = []
    // Made for the first run that can be added, so that a mistake leaves no empty history.
    var index: HistoryIndex?
    for source in sources {
      let entries = try source.entries(&problems)
      guard !entries.isEmpty else { continue }
      let opened = try index ?? HistoryIndex(place.index, creating: true)
      let new = try opened.add(entries)
      (index, added, there) = (opened, added + new, there + entries.count - new)
    }
    if let index {
      Console.note(
        "added \(Wording.plural(added, "run")) to \(index.path), which holds "
          + "\(Wording.count(try index.count()))"
          + (there > 0 ? "; already there: \(Wording.count(there))" : ""))
    }
    try refuse(problems, of: sources.count)
  }

  /// Fails if any run could not be added, after the others were.
  private func refuse(_ problems: [CLIError], of all: Int) throws {
    guard let first = problems.first else { return }
    if problems.count == 1, all == 1 { throw first }
    for problem in problems { Console.warn("error: \(problem.message.displayable)") }
    throw CLIError(
      "\(problems.count) of \(Wording.plural(all, "run")) could not be added", help: first.help,
      status: problems.allSatisfy { $0.status == first.status } ? first.status : .failed)
  }
}

struct HistoryShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows how figures developed, when they changed, and with which revision.")

  @Argument(
    help: """
      Series by their names, or by any ids in them: json decode wall. (default: all but floors and \
      controls)
      """)
  var series: [String] = []

  @Option(parsing: .unconditional, help: "Number of newest runs of each series to analyse.")
  var last = 500

  @Option(help: "table, markdown or html (a page with charts).")
  var format = HistoryFormat.table.rawValue

  @OptionGroup var place: HistoryPlace

  func run() async throws {
    let format: HistoryFormat = try ValidNames.choice("format", format)
    try refuse("--last", last, outside: 1...1_000_000)
    let index = try HistoryIndex(place.index)
    let wanted = try SeriesNames(series, in: index)
    var content = try index.content(last: last) { wanted.include($0) || $0.isTimedControl }
    content.ranks = await GitRepository.ranks(
      of: Set(content.lines.flatMap { $0.points.compactMap(\.run.revision) }))
    let report = HistoryReport(content, last: last, where: wanted.include)
    try Console.output(
      format.render(report, width: Console.tableWidth, hasBars: Console.hasBars),
      isForPrograms: format == .html)
  }
}

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the added runs, and the series that they form.")

  @Argument(help: "One kind only: \(HistoryKind.names).")
  var kind: String?

  @Option(parsing: .unconditional, help: "Number of newest runs to list.")
  var last = 20

  @OptionGroup var place: HistoryPlace

  func run() throws {
    let chosen: HistoryKind? = try kind.map { try ValidNames.choice("kind", $0) }
    try refuse("--last", last, outside: 1...1_000_000)
    let index = try HistoryIndex(place.index)
    let texts = try (chosen.map { [$0] } ?? HistoryKind.allCases).map { try text($0, index) }
    try Console.output(texts.joined(separator: "\n"))
  }

  private func text(_ kind: HistoryKind, _ index: HistoryIndex) throws -> String {
    switch kind {
    case .runs:
      return HistoryList.runs(
        try index.runs(last: last), of: try index.count(), width: Console.tableWidth)
    case .series: return HistoryList.series(try index.figures())
    }
  }
}

enum HistoryKind: String, CaseIterable {
  case runs, series
}

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Prints the history as CSV, one line for each run and figure.")

  @Argument(
    help: "Series by their names, or by any ids in them: json decode wall. (default: all)")
  var series: [String] = []

  @OptionGroup var place: HistoryPlace

  func run() throws {
    let index = try HistoryIndex(place.index)
    let wanted = try SeriesNames(series, in: index, takesAll: true)
    try Console.output(HistoryCSV.header, isForPrograms: true)
    try index.read(where: wanted.include) { line, context in
      try Console.output(HistoryCSV.text(line, context), isForPrograms: true)
    }
  }
}

extension GitRepository {
  /// Ranks revisions by their commits, parents first, and otherwise by date. They are ids or their beginnings,
  /// perhaps with `-dirty`. Leaves out those that the repository of the current folder does not have.
  static func ranks(of revisions: Set<String>) async -> [String: Int] {
    let named = revisions.map { (revision: $0, id: $0.replacing("-dirty", with: "")) }
      .filter { $0.id.count > 6 && $0.id.allSatisfy(\.isHexDigit) }
    let list = ["rev-list", "--date-order", "--reverse", "--ignore-missing"] + named.map(\.id)
    let found = try? await GitRepository(at: ".").run(list + ["--"]).output
    let commits = found?.split(separator: "\n") ?? []
    return Dictionary(
      uniqueKeysWithValues: named.compactMap { revision, id in
        commits.firstIndex { $0.hasPrefix(id) }.map { (revision, $0) }
      })
  }
}
