import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

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
        "the folder \(path) cannot be made: \(ErrorWording.systemReason(error))",
        help: "choose another with --out", status: .failed)
    }
    lock = try FolderLock(path)
    let probe = path + "/.writable"
    try SafeFile.replace(probe, with: Data("\n".utf8))
    unlink(probe)
  }

  /// Saves what was measured so far, beside the last whole report.
  func save(partial record: RunRecord) throws {
    try SafeFile.replace(partialPath, with: try RunFile.encode(record))
  }

  /// Writes every report of a run that measured anything.
  ///
  /// - Returns: what to say of it.
  func keep(
    _ report: Report, as reporters: [any Reporter], and more: [(name: String, text: String)] = []
  ) throws -> String {
    guard report.record.cells.contains(where: { !$0.blocks.isEmpty }) else {
      return "nothing was measured: no report was written to \(path)"
    }
    try write(report, as: reporters, and: more)
    return "reports: \(path)"
  }

  /// Writes every report that has a file, then drops the partial record.
  ///
  /// All are written aside before the first takes its place: where the disk fills up meanwhile, the
  /// reports of the run before stay together, and the partial record then holds all of this run if
  /// there is room for it.
  private func write(
    _ report: Report, as reporters: [any Reporter], and more: [(name: String, text: String)]
  ) throws {
    let files =
      try reporters.compactMap { reporter in
        try reporter.fileName.map { (path + "/" + $0, Data(try reporter.render(report).utf8)) }
      } + more.map { (path + "/" + $0.name, Data($0.text.utf8)) }
    do {
      try SafeFile.replace(files)
    } catch {
      // The partial record is a block behind: all of this run is worth more.
      try? save(partial: report.record)
      throw error
    }
    unlink(partialPath)
  }

  /// Writes both sides of a gate, its reports, and what failed: all of them, or none.
  func write(gate report: Report, as reporters: [any Reporter]) throws {
    var files = try reporters.compactMap { reporter in
      try reporter.fileName.map { (path + "/" + $0, Data(try reporter.render(report).utf8)) }
    }
    files.append((path + "/gate.json", try GateFile(report).encoded()))
    if let baseline = report.baseline {
      files.append((path + "/baseline.json", try RunFile.encode(baseline)))
    }
    try SafeFile.replace(files)
    unlink(partialPath)
  }

  private var partialPath: String { path + "/run.partial.json" }
}
