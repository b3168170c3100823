import Basics
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

/// The folder that a run's reports go to, each file replaced as a whole; locked while a run has it. Of a
/// run that is to leave no files there is none, and nothing is written.
struct OutputFolder: Sendable {
  let path: String
  private let lock: FolderLock?
  /// Whether an earlier run lies in it: what goes with that goes with it.
  private let heldRun: Bool
  /// Whether it is one of the kept runs, which named no folder.
  private var isKept = false

  private init(path: String, lock: FolderLock?) {
    (self.path, self.lock, heldRun) = (path, lock, false)
  }

  /// Takes the folder that was named, or makes one among the kept runs (``KeptRuns``).
  init(_ options: OutputOptions, of command: String) throws {
    guard !options.noFiles else {
      // Where the stores lie, which leave nothing.
      self.init(path: ".", lock: nil)
      return
    }
    guard let out = options.out else {
      try self.init(KeptRuns().newFolder(of: command))
      isKept = true
      return
    }
    try self.init(out)
  }

  /// Where the run's stores lie unless somebody says where: what a killed run leaves there the next one
  /// finds.
  var storage: String { isKept ? KeptRuns().folder : path }

  /// What to say of what was written.
  private var note: String {
    guard lock != nil else { return "no files were kept, as asked" }
    return "reports: " + (isKept ? "\(path), which is \(KeptRuns().link)" : path)
  }

  /// Makes the folder if need be, and sees that files can be made in it before hours are spent.
  init(_ path: String) throws {
    self.path = path
    do {
      try makeFolder(path)
    } catch {
      throw CLIError(
        "the folder \(path) cannot be made: \(systemReason(error))",
        help: "choose another with --out", status: .failed)
    }
    lock = try FolderLock(path)
    heldRun = FileManager.default.fileExists(atPath: path + "/run.json")
    try Self.refuseLinks(in: path)
    try Self.refuseForeign(in: path)
    let probe = path + "/.writable"
    try SafeFile.replace(probe, with: Data("\n".utf8), isFlushed: false)
    unlink(probe)
  }

  /// Refuses to measure into a folder from which something that is compared with would go.
  func refuse(losing input: String?) throws {
    guard let input, let file = resolvedPath(input), let folder = resolvedPath(path),
      Self.extras.contains(where: { file == folder + "/" + $0 })
    else { return }
    throw CLIError(
      "\(input) is a file of the run in \(path), which this one replaces",
      help: "choose another folder with --out", status: .usage)
  }

  /// Refuses a folder in which one of our files is a link: what it leads to may be anybody's. The folder
  /// itself may be reached by one.
  private static func refuseLinks(in path: String) throws {
    let ours = [
      "run.", "report.", "gate.", "baseline.", "compare.", "scale.", "profile", ".writable",
    ]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted() where ours.contains(where: name.hasPrefix) {
      let file = "\(path)/\(name)"
      guard let target = SafeFile.linkTarget(of: file) else { continue }
      throw CLIError(
        "\(file) is a link to \(target), which would be overwritten",
        help: "remove the link, or choose another folder with --out", status: .failed)
    }
  }

  /// Refuses a folder in which somebody's own files have the names of reports: no run is there that could have left them.
  private static func refuseForeign(in path: String) throws {
    let names = ReporterRegistry.all.compactMap(\.fileName)
    guard !RunFile.looksLikeOne(path + "/run.json"),
      let name = names.first(where: { FileManager.default.fileExists(atPath: path + "/" + $0) })
    else { return }
    throw CLIError(
      "\(path)/\(name) would be overwritten, and no run of bench lies there that could have left it",
      help: "choose another folder with --out, or move the file", status: .failed)
  }

  /// Saves what was measured so far, beside the last whole report.
  func save(partial record: RunRecord) throws {
    guard lock != nil else { return }
    try SafeFile.replace(partialPath, with: try RunFile.encode(record), isFlushed: false)
  }

  /// Writes every report and what goes with them, then shows what was asked for: a terminal or pipe that fails must
  /// not cost what was measured.
  func finish(
    _ report: Report, and more: @autoclosure () throws -> [(name: String, data: Data)] = [],
    _ show: () throws -> Void
  ) throws {
    let saved = Result { try keep(report, and: try more()) }
    let shown = Result { try show() }
    Console.note(try saved.get())
    try shown.get()
  }

  /// Writes every report of a run that measured anything, and of a gate and a shard whatever it measured: what failed
  /// is in the gate's files, and a merge wants to know that it has all.
  ///
  /// - Returns: what to say of it.
  private func keep(_ report: Report, and more: [(name: String, data: Data)]) throws -> String {
    let isWanted = report.record.split != nil || more.contains { $0.name == Self.gate }
    guard isWanted || report.record.cells.contains(where: { !$0.blocks.isEmpty }) else {
      return "nothing was measured: no report was written" + (lock == nil ? "" : " to \(path)")
    }
    try write(report, and: more)
    return note
  }

  /// The files that a gate leaves with its reports: its failing rows, and the other side.
  static func files(ofGate report: Report) throws -> [(name: String, data: Data)] {
    var files: [(name: String, data: Data)] = [(gate, try GateFile(report).encoded())]
    if let baseline = report.baseline {
      files.append(("baseline.json", try RunFile.encode(baseline)))
    }
    return files
  }

  private static let gate = "gate.json"

  /// What some commands leave beside a run's own files. Of an earlier run of this folder it goes: it would be taken
  /// for this one's.
  private static let extras =
    [
      gate, "baseline.json", "compare.md", "compare.html", "scale.md", "scale.html",
    ] + ProfileFile.allCases.map(\.rawValue)

  /// Writes every report that has a file and what goes with them, then drops the partial record.
  ///
  /// All are written aside before the first takes its place: where the disk fills up meanwhile, the
  /// reports of the run before stay together, and the partial record then holds all of this run if
  /// there is room for it.
  private func write(_ report: Report, and more: [(name: String, data: Data)]) throws {
    guard lock != nil else { return }
    let files = try files(of: report) + more.map { (path + "/" + $0.name, $0.data) }
    do {
      try SafeFile.replace(files)
    } catch {
      // The partial record is a block behind: all of this run is worth more.
      guard (try? save(partial: report.record)) != nil else { throw error }
      throw CLIError(
        ErrorWording.line(for: error),
        help: "all that was measured is in \(partialPath): mend that, then bench report \(path)",
        status: .failed)
    }
    let names = more.map(\.name)
    for name in Self.extras where heldRun && !names.contains(name) { unlink(path + "/" + name) }
    unlink(partialPath)
    if isKept { try KeptRuns().show(path) }
  }

  /// The report in every format that has a file.
  private func files(of report: Report) throws -> [(path: String, data: Data)] {
    try ReporterRegistry.all.compactMap { reporter in
      try reporter.fileName.map { (path + "/" + $0, Data(try reporter.render(report).utf8)) }
    }
  }

  private var partialPath: String { path + "/run.partial.json" }
}

enum ProfileFile: String, CaseIterable {
  case json = "profile.json"
  case before = "profile-before.json"
  case collapsed = "profile.collapsed"
  case graph = "profile.html"
  case page = "profile.md"
}
