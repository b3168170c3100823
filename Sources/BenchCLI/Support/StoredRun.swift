import BenchResults
import Foundation

/// Stored runs by path, and baselines by name.
enum StoredRun {
  /// Where named baselines are kept.
  static let baselines = "Reports/baselines"

  /// Reads a `run.json`, or the one in a folder.
  static func read(_ path: String) throws -> RunRecord {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isFolder.boolValue else { return try RunFile.read(path) }
    let partial = path + "/run.partial.json"
    if FileManager.default.fileExists(atPath: partial) {
      Console.note(
        "note: \(path) holds a run that did not end too: \(partial) is what it had measured")
    }
    return try RunFile.read(path + "/run.json")
  }

  /// Reads a baseline: a file or folder if it is there, else a name.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that lists the names there are.
  static func baseline(_ argument: String) throws -> RunRecord {
    if FileManager.default.fileExists(atPath: argument) { return try read(argument) }
    let named = "\(baselines)/\(argument).json"
    guard !argument.contains("/"), FileManager.default.fileExists(atPath: named) else {
      throw CLIError("no baseline '\(argument)'", help: help, status: .noBaseline)
    }
    return try read(named)
  }

  private static var help: String {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: baselines)) ?? []
    let names = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    return names.isEmpty
      ? "give a run.json; there are no baselines in \(baselines)"
      : "give a run.json or one of: \(names.joined(separator: ", "))"
  }
}
