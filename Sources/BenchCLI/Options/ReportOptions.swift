import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchReports
import BenchResults
import Foundation

/// The options for showing a report and writing it to files.
struct ShowOptions: ParsableArguments {
  @Option(help: "table, csv, markdown, json or another: see bench list formats.")
  var format = "table"

  @Option(
    help: "The chart of the format svg, such as phases or ratios. (default: the first)")
  var chart: String?

  @OptionGroup var output: ShownOptions

  /// Finds the formats that were typed.
  func chosen() throws -> Show<any Reporter> {
    let exports = try output.exports(example: "junit=report.xml") { try self.reporter($0) }
    var reporter = try reporter(format)
    if reporter is TableReporter {
      reporter = TableReporter(
        width: output.wide ? Terminal.unlimitedWidth : Console.tableWidth,
        hasColours: Console.hasColours)
    }
    return Show(format: reporter, exports: exports)
  }

  private func reporter(_ format: String) throws -> any Reporter {
    let reporter = try ValidNames.choice("format", format, among: ReporterRegistry.all, by: \.id)
    return reporter is SVGReporter ? SVGReporter(chart: chart) : reporter
  }
}

/// The options for additional files, and for how much is printed.
struct ShownOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Also write the report to PATH in FORMAT; repeatable.",
      valueName: "format=path"))
  var export: [String] = []

  @Flag(help: "Show all columns of tables, even on a narrow terminal.")
  var wide = false

  @OptionGroup var speech: VerbosityOptions

  /// Returns the files typed, each with its format. Also applies `--quiet` and `--verbose`.
  func exports<Format>(
    example: String, _ find: (String) throws -> Format
  ) throws -> [(format: Format, path: String)] {
    try speech.apply()
    var taken: Set<String> = []
    return try export.map { text in
      guard let sign = text.firstIndex(of: "="), text.index(after: sign) < text.endIndex else {
        throw CLIError(
          "'\(text)' is not FORMAT=PATH", help: "for example: --export \(example)", status: .usage)
      }
      let (name, path) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
      guard path != "-" else {
        throw CLIError(
          "--export \(text) names no file", help: "to print the report, give --format \(name)",
          status: .usage)
      }
      try Self.checkPlace(path)
      guard taken.insert(URL(filePath: path).standardizedFileURL.path).inserted else {
        throw CLIError(
          "\(path) is given twice: the second report would replace the first",
          help: "give each --export a file of its own", status: .usage)
      }
      let format = try find(name)
      if !(format is JSONReporter) { try StoredRun.refuse("--export", replacingRunAt: path) }
      return (format, path)
    }
  }

  /// Checks that a file can be written, before hours are spent.
  private static func checkPlace(_ path: String) throws {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
    errno = 0
    let exists = SafeFile.mode(of: path) != nil
    let reason: Int32
    if SafeFile.isFolder(path) {
      reason = EISDIR
    } else if errno == ELOOP {
      reason = ELOOP
    } else {
      guard access(exists ? path : folder, W_OK) != 0 else { return }
      reason = errno
    }
    throw CLIError(
      "\(path) cannot be written: \(errnoMessage(reason))",
      help: "choose another place with --export")
  }
}

/// The backend that the tables of costs compare with.
struct ReferenceOptions: ParsableArguments {
  @Option(help: "Show costs as multiples of this backend's, such as your present one's.")
  var reference: String?

  /// Returns the backend typed, if any. Refuses one that is not measured.
  func chosen(among measured: [String]) throws -> String? {
    try reference.map { try ValidNames(kind: "reference", ids: measured.distinct).one($0) }
  }
}

/// The options for how much is printed in addition to the requested output.
struct VerbosityOptions: ParsableArguments {
  @Flag(help: "Print only the report and errors: no progress, no notes.")
  var quiet = false

  @Flag(help: "Also print each finished block, each started command and the output of builds.")
  var verbose = false

  /// Applies the options from now on.
  func apply() throws {
    guard !quiet || !verbose else {
      throw CLIError(
        "--quiet and --verbose cannot be combined", help: "give one of them", status: .usage)
    }
    Console.verbosity = quiet ? .quiet : verbose ? .verbose : .usual
  }
}

/// The formats of standard output and of files.
struct Show<Format> {
  let format: Format
  let exports: [(format: Format, path: String)]

  /// Refuses to replace a menu or a run that the command reads.
  func refuse(losing inputs: [String]) throws {
    try StoredRun.refuse("--export", writing: exports.map { $0.path }, losing: inputs)
  }

  /// Writes the files, then standard output. If one fails, the other is still written.
  ///
  /// - Parameter isForPrograms: See ``Console/output(_:isForPrograms:)``.
  func write(isForPrograms: Bool, _ render: (Format) throws -> String) throws {
    let exported = Result {
      for (format, path) in exports {
        try SafeFile.replace(
          path, with: Data(render(format).utf8), help: "choose another place with --export")
      }
    }
    try Console.output(try render(format), isForPrograms: isForPrograms)
    try exported.get()
  }
}

extension Show<any Reporter> {
  /// Returns the same formats, with flame graphs in HTML pages.
  func with(_ graphs: [FlameGraph]) -> Self {
    func with(_ reporter: any Reporter) -> any Reporter {
      reporter is HTMLReporter ? HTMLReporter(graphs: graphs) : reporter
    }
    return Self(format: with(format), exports: exports.map { (with($0.format), $0.path) })
  }

  func callAsFunction(_ report: Report) throws {
    let isForPeople = format is TableReporter || format is MarkdownReporter
    try write(isForPrograms: !isForPeople || Console.hasColours) { try $0.render(report) }
  }
}

/// The options of `run` and `report` for the run to compare with.
struct BaselineOptions: ParsableArguments {
  @Option(help: "A run to compare with: a name in Reports/baselines, or a run.json.")
  var baseline: String?

  @OptionGroup var comparing: ComparingOptions
}

/// How two runs that were measured apart are compared.
struct ComparingOptions: ParsableArguments {
  @OptionGroup var verdict: VerdictOptions

  @Option(help: "What to compare: all, or exact (only counts, on any machine).")
  var tier = GateTier.all.rawValue

  @Flag(help: "Compare even a run of one process with a run of fresh processes.")
  var mixProcesses = false

  func judgement<Document: BenchDocument>(
    in suite: Suite<Document>, of rows: [Series.Key]
  ) throws -> Judgement {
    var judgement = try verdict.judgement(in: suite, of: rows)
    judgement.gatesTimes =
      try ValidNames.choice("tier", tier, among: [GateTier.all, .exact], by: \.rawValue) == .all
    judgement.mixesProcesses = mixProcesses
    return judgement
  }
}
