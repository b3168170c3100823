import ArgumentParser
import BenchAnalysis
import BenchReports

/// `bench report`: any format from a stored run.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Shows a stored run in any format, without measuring again.",
    usage: "bench report <stored-run> [<options>]")

  @Argument(help: "A run.json, its folder, a kept run (latest, latest~1), or - for standard input.")
  var storedRun: String

  @OptionGroup var options: ShowOptions
  @OptionGroup var against: BaselineOptions

  @Option(
    help: """
      A folder of bench profile, of which a page shows the flame graphs. (default: the run's own, \
      where bench profile --out wrote into it)
      """)
  var profile: String?

  @Flag(help: "Open the page with charts in a browser, instead of showing anything here.")
  var open = false

  func run() throws {
    let chosen = try options.chosen()
    let record = try StoredRun.read(storedRun)
    let flames = try graphs()
    let baseline = try against.baseline.map {
      try StoredRun.baseline($0, for: record, against.processes)
    }
    let report = Report(record, against: baseline, against.processes)
    if open {
      try Browser.show(HTMLReporter(graphs: flames).render(report), at: try page())
    } else {
      try chosen.with(flames)(report)
    }
    try RunVerdict(report: report, allowsMissing: against.missing.allowMissing).enforce()
  }

  /// What was profiled; where nobody says where, what lies beside the run.
  private func graphs() throws -> [FlameGraph] {
    guard let profile else {
      return try StoredRun.folder(of: storedRun).map { try StoredProfiles.graphs(in: $0) } ?? []
    }
    let graphs = try StoredProfiles.graphs(in: profile)
    guard !graphs.isEmpty else {
      throw CLIError(
        "\(profile) holds no profiles", help: "give a folder that bench profile wrote",
        status: .failed)
    }
    return graphs
  }

  /// The file of the page that is opened: the run's own where it is set against nothing.
  private func page() throws -> String {
    guard let folder = StoredRun.folder(of: storedRun) else {
      throw CLIError(
        "there is no folder of '\(storedRun)' for the page to lie in",
        help: "write it with --export html=FILE, and open that", status: .usage)
    }
    return folder + (against.baseline == nil ? "/report.html" : "/report.comparison.html")
  }
}

/// `bench diff`: two stored runs.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compares two stored runs: what B is against A.",
    usage: "bench diff <a> <b> [<options>]")

  @Argument(help: "The run to compare with: a run.json, its folder, or a kept run: latest~1.")
  var a: String

  @Argument(help: "The run to judge: a run.json, its folder, or a kept run: latest.")
  var b: String

  @OptionGroup var options: ShowOptions
  @OptionGroup var missing: MissingOptions
  @OptionGroup var processes: ProcessOptions

  func run() throws {
    let show = try options.chosen()
    let (old, new) = (try StoredRun.read(a), try StoredRun.read(b))
    try StoredRun.check(old, a, for: new, processes)
    let report = Report(new, against: old, processes)
    try show(report)
    try RunVerdict(report: report, allowsMissing: missing.allowMissing).enforce()
  }
}
