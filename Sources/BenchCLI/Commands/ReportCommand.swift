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

  @Option(
    help: """
      A folder of bench profile of the baseline: what changed between the two is shown of the rows that \
      changed. (default: the baseline's own)
      """)
  var baselineProfile: String?

  @Flag(
    help: """
      Open the page with charts in a browser, instead of showing anything here: that of the command that \
      measured, a new one for --baseline or --profile.
      """)
  var open = false

  func run() throws {
    guard baselineProfile == nil || against.baseline != nil else {
      throw CLIError(
        "--baseline-profile is of no use without a baseline", help: "name one with --baseline",
        status: .usage)
    }
    let chosen = try options.chosen()
    guard
      options.chart == nil
        || ([chosen.format] + chosen.exports.map(\.format)).contains(where: { $0 is SVGReporter })
    else {
      throw CLIError(
        "--chart is of no use without the format svg", help: "add --format svg", status: .usage)
    }
    let record = try StoredRun.read(storedRun)
    // What was not asked for is not missing, as of the run itself.
    let asked = record.outcomes.map(\.cell) + record.cells.map(\.cell) + record.missingCells
    let baseline = try against.baseline.map {
      let stored = try StoredRun.baseline($0, for: record, against.comparing)
      if record.isOfOneGate(as: stored) { return stored }
      // What another shard was to measure is not missing in this one, but in what was merged without it.
      let others =
        record.mergedShards.isEmpty
        ? Set(record.missingCells).subtracting(record.outcomes.map(\.cell)) : []
      return try stored.limited(
        to: stored.cells(besideRunOf: asked.distinct, takingAll: record.settings.takesAll ?? [])
          .subtracting(others))
    }
    var report = Report(record, against: baseline, against.comparing)
    let flames = try addProfiles(to: &report)
    if open {
      try chosen.with(flames).export { try $0.render(report) }
      try Browser.show(try page(report, flames))
    } else {
      try chosen.with(flames)(report)
    }
    try RunVerdict(report: report).enforce()
  }

  /// Adds what was profiled of both sides, and tells what was of the run alone; where nobody says where, what lies
  /// beside each.
  private func addProfiles(to report: inout Report) throws -> [FlameGraph] {
    let old = try profiles(
      in: baselineProfile, "--baseline-profile",
      else: against.baseline.flatMap(StoredRun.folder(ofBaseline:)))
    let new = try profiles(in: profile, "--profile", else: StoredRun.folder(of: storedRun))
    if let old, report.comparison != nil {
      let lack = report.explain(from: old.profiles, to: new?.profiles ?? [])
      if baselineProfile != nil, let lack {
        Console.note(
          "note: no profiles are set against each other: "
            + (new == nil ? "of the run itself nothing was profiled; give --profile" : lack))
      }
    }
    let others = (new?.profiles ?? []).map(\.cell).distinct.filter { cell in
      !report.record.cells.contains { $0.cell == cell }
    }
    if let first = others.first {
      Console.note(
        "note: \(first) was profiled, and is no cell of this run"
          + (others.count > 1 ? "; so are \(others.count - 1) more" : ""))
    }
    let foreign = (new?.profiles ?? []).filter { !report.record.hasMenu(of: $0) }
    if let first = foreign.first {
      Console.note(
        "note: \(first.cell) was profiled with another menu of that name, which is not shown")
    }
    let shown = report.profiles.map { ProfileSubject($0.new) } + foreign.map { ProfileSubject($0) }
    return try new.map { try StoredProfiles.graphs(in: $0.folder, besides: Set(shown)) } ?? []
  }

  /// The profiles of the folder that is named; where none is, of that of a run, if any lie there.
  private func profiles(
    in typed: String?, _ option: String, else own: String?
  ) throws -> (folder: String, profiles: [Profile])? {
    guard let folder = typed ?? own else { return nil }
    if let profiles = try StoredProfiles.read(folder) { return (folder, profiles) }
    guard typed == nil else {
      throw CLIError(
        "\(folder) holds no profiles",
        help: "give \(option) a folder that bench profile wrote", status: .failed)
    }
    return nil
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
