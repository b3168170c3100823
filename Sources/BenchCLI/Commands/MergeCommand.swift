import ArgumentParser
import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// `bench merge`: the shards of a suite as one run.
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

  @OptionGroup(title: "What to show") var options: ShowOptions
  @OptionGroup(title: "What to show") var output: OutputOptions

  @Flag(help: "Do not fail where a shard is missing or did not end.")
  var allowMissing = false

  func run() throws {
    let show = try options.chosen()
    try output.check()
    let tags = try output.tags()
    var record = try RunRecord.merging(storedRuns.flatMap(Self.read))
    if !allowMissing, let lack = record.lackOfShards {
      throw CLIError(
        lack, help: "give every shard, measured to its end; --allow-missing goes without",
        status: .unmeasured)
    }
    if let tags { record.settings.tags = (record.settings.tags ?? [:]).merging(tags) { $1 } }
    let report = Report(record: record)
    try OutputFolder(output, of: "merge").finish(report, show)
    try RunVerdict(report: report).enforce()
    try record.checkIsMeasured()
  }

  /// The stored run of a path, or those in the folders of a folder that holds none itself.
  private static func read(_ path: String) throws -> [(name: String, record: RunRecord)] {
    let manager = FileManager.default
    guard SafeFile.isFolder(path), !manager.fileExists(atPath: path + "/run.json") else {
      return try [(name: path, record: StoredRun.read(path))]
    }
    let names: [String]
    do { names = try manager.contentsOfDirectory(atPath: path) } catch {
      throw CLIError("\(path) cannot be read: \(systemReason(error))", status: .failed)
    }
    let folders = names.map { "\(path)/\($0)" }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    let ended = folders.filter { manager.fileExists(atPath: $0 + "/run.json") }
    for folder in folders where !ended.contains(folder) {
      guard manager.fileExists(atPath: folder + "/run.partial.json") else { continue }
      Console.note("note: \(folder) holds a run that did not end")
    }
    guard !ended.isEmpty else {
      throw CLIError(
        "\(path) holds no run.json, nor does a folder in it", help: "give the shards' folders",
        status: .failed)
    }
    return try ended.map { (name: $0, record: try StoredRun.read($0)) }
  }
}
