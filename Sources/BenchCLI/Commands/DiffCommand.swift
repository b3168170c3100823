import ArgumentParser
import BenchAnalysis
import BenchReports
import BenchResults

struct DiffCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "diff", abstract: "Compares two stored runs: A (before) and B (after).",
      usage: "bench diff <a> <b> [<options>]")
  }

  @Argument(
    help: "The run to compare with: a run.json, its folder, a kept run (latest~1) or a baseline.")
  var a: String

  @Argument(help: "The run to judge: a run.json, its folder, a kept run (latest) or a baseline.")
  var b: String

  @OptionGroup var options: ShowOptions
  @OptionGroup var comparing: ComparingOptions

  func run() throws {
    let show = try options.chosen()
    try show.refuse(losing: [a, b])
    let (old, new) = (try StoredRun.orBaseline(a), try StoredRun.orBaseline(b))
    try StoredRun.check(old, a, for: new, comparing)
    let judgement = try comparing.judgement(in: App.suite, of: new.rowKeys)
    let report = Report(new, against: old.limited(toMetricsOf: new), judgement)
    try show(report)
    try report.enforce()
  }
}
