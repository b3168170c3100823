import BenchAnalysis
import BenchReports
import BenchResults
import Foundation
import PersistenceBackends

/// The folder that a run's reports go to, each file replaced as a whole; locked while a run has it.
struct OutputFolder: Sendable {
  let path: String
  private let lock: FolderLock

  /// Makes the folder if need be, and sees that files can be made in it before hours are spent.
  init(_ path: String) throws {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CLIError(
        "the folder \(path) cannot be made: \(error.localizedDescription)",
        help: "choose another with --out", status: .failed)
    }
    lock = try FolderLock(path)
    let probe = path + "/.writable"
    try Self.replace(probe, with: Data("\n".utf8))
    unlink(probe)
  }

  /// Saves what was measured so far, beside the last whole report.
  func save(partial record: RunRecord) throws {
    try Self.replace(path + "/run.partial.json", with: try RunFile.encode(record))
  }

  /// Writes every report that has a file, then drops the partial record.
  ///
  /// All are written aside before the first takes its place: where the disk fills up meanwhile, the
  /// reports of the run before stay together.
  func write(_ report: Report, as reporters: [any Reporter]) throws {
    let files = try reporters.compactMap { reporter in
      try reporter.fileName.map { ($0, Data(try reporter.render(report).utf8)) }
    }
    let aside = files.map { path + "/" + $0.0 + ".aside" }
    defer { for file in aside { unlink(file) } }
    for (file, content) in zip(aside, files) { try Self.replace(file, with: content.1) }
    for (file, content) in zip(aside, files) {
      let name = path + "/" + content.0
      guard rename(file, name) == 0 else {
        throw Self.failure(name, String(cString: strerror(errno)))
      }
    }
    unlink(path + "/run.partial.json")
  }

  /// Replaces a file, or leaves the old one whole.
  ///
  /// - Throws: a ``CLIError`` with the path and the system's reason.
  static func replace(_ path: String, with data: Data) throws {
    do {
      let file = WholeFile(path: path, durability: .atomic)
      try data.withUnsafeBytes { try file.write($0) }
    } catch let error as StorageError {
      throw failure(path, error.reason)
    }
  }

  private static func failure(_ path: String, _ reason: String) -> CLIError {
    let file = path.hasSuffix(".aside") ? String(path.dropLast(".aside".count)) : path
    return CLIError(
      "\(file) cannot be written: \(reason); what was there before is unharmed",
      help: "free some space, or choose another folder", status: .failed)
  }
}
