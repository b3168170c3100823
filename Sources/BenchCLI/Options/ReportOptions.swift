import ArgumentParser
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

/// How a report is shown, and where else it goes.
struct ShowOptions: ParsableArguments {
  @Option(help: "table, csv, markdown, json or another of bench list formats.")
  var format = "table"

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Write the report to a file in a format of its own, too; as often as there are files.",
      valueName: "format=path"))
  var export: [String] = []

  @Flag(help: "Give tables all their columns, however narrow the terminal.")
  var wide = false

  @Flag(help: "Say nothing but the report and what is wrong: no progress, no notes.")
  var quiet = false

  /// What was typed, found.
  ///
  /// - Throws: a ``CLIError`` where there is no format of a name, or an export is no `FORMAT=PATH`.
  func chosen() throws -> Show {
    Console.isQuiet = quiet
    let exports = try export.map { text in
      guard let sign = text.firstIndex(of: "="), text.index(after: sign) < text.endIndex else {
        throw CLIError(
          "'\(text)' does not say what goes where", help: "--export junit=report.xml",
          status: .usage)
      }
      return (try Self.reporter(String(text[..<sign])), String(text[text.index(after: sign)...]))
    }
    var reporter = try Self.reporter(format)
    if reporter is TableReporter {
      reporter = TableReporter(width: wide ? TableReporter.unlimitedWidth : Console.tableWidth)
    }
    return Show(reporter: reporter, exports: exports)
  }

  private static func reporter(_ format: String) throws -> any Reporter {
    guard let reporter = ReporterRegistry.all.first(where: { $0.id == format }) else {
      throw ValidNames(kind: "format", ids: ReporterRegistry.all.map(\.id)).unknown(format)
    }
    return reporter
  }
}

/// The reporter of standard output, and those of files.
struct Show {
  let reporter: any Reporter
  let exports: [(reporter: any Reporter, path: String)]

  /// Writes a report to its files, then to standard output: a terminal or pipe that fails must not cost
  /// the files.
  ///
  /// - Throws: a ``CLIError`` where something cannot be written.
  func callAsFunction(_ report: Report) throws {
    for (reporter, path) in exports {
      try SafeFile.replace(path, with: Data(reporter.render(report).utf8))
    }
    try Console.output(try reporter.render(report))
  }
}

/// What a run is set against, by `run` and `report` alike.
struct BaselineOptions: ParsableArguments {
  @Option(help: "A run to compare with: a name in Reports/baselines, or a run.json.")
  var baseline: String?

  @OptionGroup var missing: MissingOptions
}

/// Whether a comparison may lack something.
struct MissingOptions: ParsableArguments {
  @Flag(help: "Do not fail where the run compared with has cells or figures that are missing now.")
  var allowMissing = false
}

extension Report {
  /// A run beside another, of which only the metrics that the run was asked for count.
  init(_ record: RunRecord, against baseline: RunRecord?) {
    self.init(record: record, baseline: baseline?.limited(toMetricsOf: record))
  }
}
