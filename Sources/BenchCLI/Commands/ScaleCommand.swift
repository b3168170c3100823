import ArgumentParser
import BenchAnalysis
import BenchProbes
import BenchReports
import BenchResults

/// `bench scale`: how costs grow with the menu.
struct ScaleCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "scale",
      abstract: "Measures how costs grow with the menu, and where another storage becomes cheaper.",
      discussion: "Example: bench scale --backend json,sqlite --from 100 --to 100000")
  }

  @OptionGroup(title: "What to measure") var selection: ScaleSelection
  @OptionGroup(title: "How long and where") var limits: Limits

  @Option(
    name: .customLong("run"),
    help: "Stored runs of several menus to analyse instead of measuring: RUN.json[,RUN.json].")
  var storedRuns: String?

  @Option(help: "table, markdown or csv.")
  var format = ChoiceFormat.table.rawValue

  @Option(help: "The folder for run.json, scale.md, report.csv and report.md.")
  var out = "Reports/latest"

  @Flag(help: "Measure a debug build all the same; its figures say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    let id = try Choice(kind: "format", ids: ChoiceFormat.allCases.map(\.rawValue)).one(format)
    let format = ChoiceFormat(rawValue: id) ?? .table
    if let storedRuns {
      try StoredComparison.refuseMeasuring(selection.given, limits)
      let scale = ScaleReport(record: try StoredComparison.read(storedRuns))
      try checkHasSizes(scale, storedRuns)
      return try show(scale, as: format)
    }
    try Build.refuseDebug(unless: allowDebug)
    try limits.check()
    let selected = selection.selection
    let names = try selection.grid().menus(like: selected.menu, from: App.suite.source)
    let chosen = try selected.resolve(menus: names, in: App.suite)
    let measuring = SideBySide(
      chosen: chosen, limits: limits, budget: limits.seconds(for: chosen.cells.count), out: out)
    try await measuring.measure { record, folder in
      let scale = ScaleReport(record: record)
      // Files first: a terminal or pipe that fails must not cost what was measured.
      let page = (name: "scale.md", text: ChoiceFormat.markdown.render(scale))
      let saved = Result { try folder.keep(scale.report, as: App.reporters, and: [page]) }
      try show(scale, as: format)
      Console.note(try saved.get())
    }
  }

  private func show(_ scale: ScaleReport, as format: ChoiceFormat) throws {
    try Console.output(format.render(scale, width: Console.outputWidth))
  }

  /// Of one size nothing can be said of growth.
  private func checkHasSizes(_ scale: ScaleReport, _ paths: String) throws {
    guard scale.menus.count < 2 else { return }
    throw CLIError(
      "\(paths) holds menus of one size alone",
      help: "measure several: bench scale, or bench run --menu small,medium,large",
      status: .unmeasured)
  }
}
