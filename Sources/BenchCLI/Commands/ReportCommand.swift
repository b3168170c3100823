import ArgumentParser

/// `bench report`: any format from a stored run.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Shows a stored run in any format, without measuring again.")

  @Argument(help: "A run.json, or the folder that holds one.")
  var storedRun: String

  @OptionGroup var options: ReportOptions

  func run() throws {
    let record = try StoredRun.read(storedRun)
    try options.show(
      record, against: options.baseline.map { try StoredRun.baseline($0, for: record) })
  }
}

/// `bench diff`: two stored runs.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compares two stored runs: what B is against A.")

  @Argument(help: "The run to compare with: a run.json or its folder.")
  var a: String

  @Argument(help: "The run to judge: a run.json or its folder.")
  var b: String

  @Option(help: "table, csv, markdown, json or another of bench list formats.")
  var format = "table"

  func run() throws {
    let options = ReportOptions(format: format)
    let (old, new) = (try StoredRun.read(a), try StoredRun.read(b))
    try StoredRun.check(old, a, for: new)
    try options.show(new, against: old)
  }
}
