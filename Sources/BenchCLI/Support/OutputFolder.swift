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
  func write(_ report: Report, as reporters: [any Reporter]) throws {
    for reporter in reporters {
      guard let name = reporter.fileName else { continue }
      try Self.replace(path + "/" + name, with: Data(try reporter.render(report).utf8))
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
      throw CLIError(
        "\(path) cannot be written: \(error.reason); what was there before is unharmed",
        help: "free some space, or choose another folder", status: .failed)
    }
  }
}
