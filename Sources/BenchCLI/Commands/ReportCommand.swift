import ArgumentParser
import Basics
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

struct ReportCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "report",
      abstract: "Shows a stored run in any format, without measuring again.",
      usage: "bench report <stored-run> [<options>]")
  }

  @Argument(
    help: "A run.json, its folder, a kept run (latest~1), a baseline, or - for standard input.")
  var storedRun: String

  @OptionGroup var options: ShowOptions
  @OptionGroup var against: BaselineOptions
  @OptionGroup var beside: ReferenceOptions

  @Option(
    help: """
      A folder of bench profile. A page shows its flame graphs. (default: the run's own folder, if \
      bench profile --out wrote into it)
      """)
  var profile: String?

  func run() throws {
    let chosen = try options.chosen()
    guard
      options.chart == nil
        || ([chosen.format] + chosen.exports.map(\.format)).contains(where: { $0 is SVGReporter })
    else {
      throw CLIError("--chart needs the format svg", help: "add --format svg", status: .usage)
    }
    let inputs = [storedRun, against.baseline, profile.map { $0 + "/profile.json" }]
    try chosen.refuse(losing: inputs.compactMap(\.self))
    let record = try StoredRun.orBaseline(storedRun)
    let reference = try beside.chosen(among: record.cells.map(\.cell.backend))
    // As in the run itself, cells that were not asked for do not count as missing.
    let asked = record.outcomes.map(\.cell) + record.cells.map(\.cell) + record.missingCells
    let baseline = try against.baseline.map {
      let stored = try StoredRun.baseline($0, for: record, against.comparing)
      if record.isOfOneGate(as: stored) { return stored }
      // A shard does not miss the cells of others. A merge without their shards does.
      let others =
        record.mergedShards.isEmpty
        ? Set(record.missingCells).subtracting(record.outcomes.map(\.cell)) : []
      return try stored.limited(
        toRunOf: asked.distinct, takingAll: record.settings.takesAll, without: others)
    }
    let judgement = try against.comparing.judgement(in: App.suite, of: record.rowKeys)
    let report = Report(
      record, against: baseline?.limited(toMetricsOf: record), judgement, reference)
    try chosen.with(try graphs(of: record))(report)
    try report.enforce()
  }

  /// Returns the flame graphs of the folder that was named, otherwise of the run's own. Notes
  /// profiles of another menu.
  private func graphs(of record: RunRecord) throws -> [FlameGraph] {
    guard let folder = profile ?? StoredRun.folder(of: storedRun) else { return [] }
    guard let profiles = try StoredProfiles.read(folder) else {
      guard profile != nil else { return [] }
      throw CLIError(
        "\(folder) holds no profiles", help: "give --profile a folder that bench profile wrote")
    }
    let foreign = profiles.filter { !record.hasMenu(of: $0) }
    if let first = foreign.first {
      Console.note(
        "note: \(first.cell) was profiled with another menu of that name, so it is not shown")
    }
    return try StoredProfiles.graphs(in: folder, besides: Set(foreign.map { ProfileSubject($0) }))
  }
}
