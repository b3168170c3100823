import ArgumentParser
import BenchAnalysis

/// `bench report`: any format from a stored run.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Shows a stored run in any format, without measuring again.",
    usage: "bench report <stored-run> [<options>]")

  @Argument(help: "A run.json, its folder, a kept run (latest, latest~1), or - for standard input.")
  var storedRun: String

  @OptionGroup var options: ShowOptions
  @OptionGroup var against: BaselineOptions

  func run() throws {
    let show = try options.chosen()
    let record = try StoredRun.read(storedRun)
    let baseline = try against.baseline.map {
      try StoredRun.baseline($0, for: record, against.processes)
    }
    let report = Report(record, against: baseline, against.processes)
    try show(report)
    try RunVerdict(report: report, allowsMissing: against.missing.allowMissing).enforce()
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
