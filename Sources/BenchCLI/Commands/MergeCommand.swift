import ArgumentParser
import BenchAnalysis
import BenchResults

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins the shards of a suite into one run, in which each cell keeps its machine.",
    usage: "bench merge <stored-run> ... [<options>]",
    discussion: "Example: bench merge shards --out merged")

  @Argument(
    help: ArgumentHelp(
      "Each shard's run.json, its folder, or a folder of such folders.", valueName: "stored-run"))
  var storedRuns: [String]

  @OptionGroup(title: "Output") var options: ShowOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @Flag(help: "Do not fail if a shard is missing or did not end.")
  var allowMissing = false

  func run() throws {
    let show = try options.chosen()
    try output.check()
    let tags = try output.tags()
    let shards = try storedRuns.flatMap(Self.read)
    try show.refuse(losing: shards.map(\.name))
    var record = try RunRecord.merging(shards)
    if !allowMissing, let lack = record.lackOfShards {
      throw CLIError(
        lack, help: "give every shard, measured to its end. --allow-missing merges the rest",
        status: .unmeasured)
    }
    if let tags { record.settings.tags = (record.settings.tags ?? [:]).merging(tags) { $1 } }
    let report = Report(record: record)
    let folder = try OutputFolder(output, of: "merge")
    try folder.refuse(losing: shards.map(\.name))
    try folder.finish(report) { try show(report) }
    try report.enforce()
  }

  /// Reads the stored runs that a path refers to.
  private static func read(_ path: String) throws -> [(name: String, record: RunRecord)] {
    let paths = try StoredRun.paths(in: path)
    guard !paths.isEmpty else {
      throw CLIError(
        "neither \(path) nor a folder in it holds a run.json", help: "give the shards' folders")
    }
    return try paths.map { (name: $0, record: try StoredRun.read($0)) }
  }
}
