import ArgumentParser
import Basics
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
    try refuse(losing: shards.map(\.name))
    var record = try RunRecord.merging(shards)
    if !allowMissing, let lack = record.lackOfShards {
      throw CLIError(
        lack, help: "give every shard, measured to its end. --allow-missing merges the rest",
        status: .unmeasured)
    }
    if let tags { record.settings.tags = (record.settings.tags ?? [:]).merging(tags) { $1 } }
    let report = Report(record: record)
    try OutputFolder(output, of: "merge").finish(report) { try show(report) }
    try report.enforce()
  }

  /// Refuses an output folder that holds the run of one of the shards.
  private func refuse(losing shards: [String]) throws {
    func file(of shard: String) -> String? {
      resolvedPath(StoredRun.folder(of: shard).map { $0 + "/run.json" } ?? shard)
    }
    guard let out = output.out, let replaced = resolvedPath(out + "/run.json"),
      let shard = shards.first(where: { file(of: $0) == replaced })
    else { return }
    throw CLIError(
      "the merged run would replace \(shard), which is one of its shards",
      help: "choose another folder with --out", status: .usage)
  }

  /// Reads the stored runs that a path refers to.
  private static func read(_ path: String) throws -> [(name: String, record: RunRecord)] {
    let paths = try StoredRun.paths(in: path)
    guard !paths.isEmpty else {
      throw CLIError(
        "neither \(path) nor a folder in it holds a run.json", help: "give the shards' folders",
        status: .failed)
    }
    return try paths.map { (name: $0, record: try StoredRun.read($0)) }
  }
}
