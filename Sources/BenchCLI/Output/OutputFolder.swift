import Basics
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

/// The folder for a run's reports, locked while the run uses it. Each file is replaced as a whole.
/// With `--no-files`, nothing is written.
struct OutputFolder: Sendable {
  let path: String
  private let lock: FolderLock?
  /// Whether it holds an earlier run, whose additional files will be removed.
  private let heldRun: Bool
  /// Whether it is one of the kept runs (``KeptRuns``), made without `--out`.
  private var isKept = false

  private init(path: String, lock: FolderLock?) {
    (self.path, self.lock, heldRun) = (path, lock, false)
  }

  /// Opens the folder that was named, or makes one among the kept runs (``KeptRuns``).
  init(_ options: OutputOptions, of command: String) throws {
    guard !options.noFiles else {
      // The stores are made in the current folder, and removed afterwards.
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

  /// The default folder for the run's stores. If a run is killed, the next one finds and removes
  /// what it left there.
  var storage: String { isKept ? KeptRuns().folder : path }

  /// The note that says where the reports are.
  private var note: String {
    guard lock != nil else { return "no files were kept, as asked" }
    return "reports: " + (isKept ? "\(path), which is \(KeptRuns().link)" : path)
  }

  /// Makes the folder if needed, and checks that it is writable before hours are spent.
  init(_ path: String) throws {
    self.path = path
    do {
      try makeFolder(path)
    } catch {
      throw CLIError(
        "the folder \(path) cannot be made: \(systemReason(error))",
        help: "choose another with --out")
    }
    guard let lock = try FolderLock(path) else {
      throw CLIError("another run is using \(path)", help: "wait for it, or choose another folder")
    }
    self.lock = lock
    heldRun = FileManager.default.fileExists(atPath: path + "/run.json")
    try Self.refuseLinks(in: path)
    try Self.refuseForeign(in: path)
    let probe = path + "/.writable"
    try SafeFile.replace(probe, with: Data("\n".utf8), isFlushed: false)
    unlink(probe)
  }

  /// Refuses to replace or remove a run here that the command reads.
  func refuse(losing inputs: [String]) throws {
    let files = (Self.extras + StoredRun.files).map { "\(path)/\($0)" }
    try StoredRun.refuse("--out", writing: files, losing: inputs)
  }

  /// Refuses a folder with a link that has the name of one of our files, since its target may be
  /// anything. The folder itself may be reached through a link.
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
        help: "remove the link, or choose another folder with --out")
    }
  }

  /// Refuses a folder with other files under the names of reports. No run there could have left them.
  private static func refuseForeign(in path: String) throws {
    let names = ReporterRegistry.all.compactMap(\.fileName)
    guard !RunFile.looksLikeOne(path + "/run.json"),
      let name = names.first(where: { FileManager.default.fileExists(atPath: path + "/" + $0) })
    else { return }
    throw CLIError(
      "\(path)/\(name) would be overwritten, but that folder holds no run of bench that wrote it",
      help: "choose another folder with --out, or move the file")
  }

  /// Saves the results so far, next to the last complete reports.
  func save(partial record: RunRecord) throws {
    guard lock != nil else { return }
    try SafeFile.replace(partialPath, with: try RunFile.encode(record), isFlushed: false)
  }

  /// Writes all reports and additional files, then calls `show`. Results are saved even if a
  /// terminal or pipe fails.
  func finish(
    _ report: Report, and more: @autoclosure () throws -> [(name: String, data: Data)] = [],
    _ show: () throws -> Void
  ) throws {
    let saved = Result { try keep(report, and: try more()) }
    let shown = Result { try show() }
    Console.note(try saved.get())
    try shown.get()
  }

  /// Writes all reports if the run measured anything. Gates and shards are always written: the
  /// gate's files list failures, and a merge needs every shard.
  ///
  /// - Returns: the note to show.
  private func keep(_ report: Report, and more: [(name: String, data: Data)]) throws -> String {
    let isWanted = report.record.split != nil || more.contains { $0.name == Self.gate }
    guard isWanted || report.record.cells.contains(where: { !$0.blocks.isEmpty }) else {
      return "nothing was measured: no report was written" + (lock == nil ? "" : " to \(path)")
    }
    try write(report, and: more)
    return note
  }

  /// Returns the additional files of a gate: its failing rows, and the baseline's run.
  static func files(ofGate report: Report) throws -> [(name: String, data: Data)] {
    var files: [(name: String, data: Data)] = [(gate, try GateFile(report).encoded())]
    if let baseline = report.baseline {
      files.append(("baseline.json", try RunFile.encode(baseline)))
    }
    return files
  }

  private static let gate = "gate.json"

  /// The additional files of some commands. Those of an earlier run in this folder are removed,
  /// since they would seem to belong to this one.
  private static let extras =
    [
      gate, "baseline.json", "compare.md", "compare.html", "scale.md", "scale.html",
    ] + ProfileFile.allCases.map(\.rawValue)

  /// Writes all reports that have a file and the additional files, then removes the partial record.
  ///
  /// All files are written under temporary names before the first is renamed. If the disk fills up, the
  /// earlier reports stay complete, and the partial record holds this whole run if there is space.
  private func write(_ report: Report, and more: [(name: String, data: Data)]) throws {
    guard lock != nil else { return }
    let files = try files(of: report) + more.map { (path + "/" + $0.name, $0.data) }
    do {
      try SafeFile.replace(files)
    } catch {
      // The partial record is one block behind, so the whole run is saved there.
      guard (try? save(partial: report.record)) != nil else { throw error }
      throw CLIError(
        ErrorWording.line(for: error),
        help: "all that was measured is kept: solve the problem, then bench report \(partialPath)")
    }
    let names = more.map(\.name)
    for name in Self.extras where heldRun && !names.contains(name) { unlink(path + "/" + name) }
    unlink(partialPath)
    if isKept { try KeptRuns().show(path) }
  }

  /// Renders the report in every format that has a file.
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
