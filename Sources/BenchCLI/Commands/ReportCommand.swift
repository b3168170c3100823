import ArgumentParser
import Basics
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

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

  @Flag(
    help: """
      Open the page with charts in a browser, instead of showing anything here: that of the command that \
      measured, a new one for --baseline or --profile.
      """)
  var open = false

  func run() throws {
    let chosen = try options.chosen()
    let record = try StoredRun.read(storedRun)
    let flames = try graphs()
    // What was not asked for is not missing, as of the run itself.
    let asked = record.outcomes.map(\.cell) + record.cells.map(\.cell) + record.missingCells
    let baseline = try against.baseline.map {
      let stored = try StoredRun.baseline($0, for: record, against.processes)
      if record.isOfOneGate(as: stored) { return stored }
      // What another shard was to measure is not missing in this one, but in what was merged without it.
      let others =
        record.mergedShards.isEmpty
        ? Set(record.missingCells).subtracting(record.outcomes.map(\.cell)) : []
      return try stored.limited(
        to: stored.cells(besideRunOf: asked.distinct, takingAll: record.settings.takesAll ?? [])
          .subtracting(others))
    }
    let report = Report(record, against: baseline, against.processes, against.missing)
    if open {
      try chosen.with(flames).export { try $0.render(report) }
      try Browser.show(try page(report, flames))
    } else {
      try chosen.with(flames)(report)
    }
    try RunVerdict(report: report).enforce()
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

  /// The file of the page to open: that which the run's command left, where it is what is asked for. It is never
  /// written anew: a gate's verdicts are nowhere else.
  private func page(_ report: Report, _ flames: [FlameGraph]) throws -> String {
    guard let folder = StoredRun.folder(of: storedRun) else {
      throw CLIError(
        "there is no folder of '\(storedRun)' for the page to lie in",
        help: "write it with --export html=FILE, and open that", status: .usage)
    }
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }
    // What was profiled into the folder after the run is in no page that the run left.
    let left =
      ["compare.html", "scale.html"] + (flames.isEmpty || has("gate.json") ? ["report.html"] : [])
    if against.baseline == nil, profile == nil, let own = left.first(where: has) {
      return "\(folder)/\(own)"
    }
    let page = "\(folder)/\(OutputFolder.openedPage)"
    try OutputFolder.refuseLink(page, help: "remove the link")
    try SafeFile.replace(
      page, with: Data(HTMLReporter(graphs: flames).render(report).utf8),
      option: "--export html=FILE")
    return page
  }
}
