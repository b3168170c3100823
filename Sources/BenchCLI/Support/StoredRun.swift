import BenchResults
import Foundation

/// Stored runs by path, and baselines by name.
enum StoredRun {
  /// Reads a `run.json`, or the one in a folder.
  ///
  /// - Throws: a ``CLIError`` in the system's words where it is not there; ``RunFileError``.
  static func read(_ path: String) throws -> RunRecord {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isFolder.boolValue else { return try file(path) }
    let partial = path + "/run.partial.json"
    if FileManager.default.fileExists(atPath: partial) {
      Console.note(
        "note: \(path) holds a run that did not end too: \(partial) is what it had measured")
    }
    return try file(path + "/run.json")
  }

  /// Reads the file itself.
  static func file(_ path: String) throws -> RunRecord {
    guard access(path, R_OK) == 0 else {
      throw CLIError(
        "\(path) cannot be read: \(String(cString: strerror(errno)))",
        help: "give the run.json of a 'bench run', or the folder that holds one", status: .failed)
    }
    return try RunFile.read(path)
  }

  /// Reads a baseline: by its name, else a file or folder.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that lists the names there are, or where what
  ///   was found holds no figure: comparing with nothing must not look like a pass.
  static func baseline(_ argument: String) throws -> RunRecord {
    let record = try find(argument)
    guard record.hasFigures else {
      throw CLIError(
        "the baseline \(argument) holds no figure to compare with",
        help: "give a run that measured something", status: .noBaseline)
    }
    return record
  }

  private static func find(_ argument: String) throws -> RunRecord {
    let store = BaselineStore()
    let isPath = FileManager.default.fileExists(atPath: argument)
    if let name = BaselineName(argument), store.holds(name) {
      if isPath {
        Console.note("note: '\(argument)' is read as a baseline; for the file: ./\(name)")
      }
      return try store.read(name)
    }
    guard isPath else { throw store.missing(argument, or: "give a run.json") }
    return try read(argument)
  }
}
