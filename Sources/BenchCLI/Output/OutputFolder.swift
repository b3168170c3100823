import Basics
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation
import PersistenceBackends

/// The folder that a run's reports go to, each file replaced as a whole; locked while a run has it. Of a
/// run that is to leave no files there is none, and nothing is written.
struct OutputFolder: Sendable {
  let path: String
  private let lock: FolderLock?
  /// Whether an earlier run lies in it: what goes with that goes with it.
  private let heldRun: Bool
  /// How many runs stay of those that named no folder; nil where this one has the folder that was named.
  private var keeping: Int?

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
      keeping = options.keep
      return
    }
    try self.init(out)
  }

  /// Where the run's stores lie unless somebody says where: what a killed run leaves there the next one
  /// finds.
  var storage: String { keeping == nil ? path : KeptRuns().folder }

  /// What to say of what was written.
  var note: String {
    guard lock != nil else { return "no files were kept, as asked" }
    return "reports: " + (keeping == nil ? path : "\(path), which is \(KeptRuns().link)")
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
    lock = try FolderLock(ofRun: path)
    heldRun = FileManager.default.fileExists(atPath: path + "/run.json")
    try Self.refuseLinks(in: path)
    let probe = path + "/.writable"
    try SafeFile.replace(probe, with: Data("\n".utf8))
    unlink(probe)
  }

  /// Refuses to measure into a folder from which something that is compared with would go.
  ///
  /// - Throws: a ``CLIError`` of status `usage`.
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
      try refuseLink(
        "\(path)/\(name)", help: "remove the link, or choose another folder with --out")
    }
  }

  /// Refuses a file of ours that is a link.
  static func refuseLink(_ path: String, help: String) throws {
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    else { return }
    throw CLIError(
      "\(path) is a link to \(target), which would be overwritten", help: help, status: .failed)
  }

  /// Saves what was measured so far, beside the last whole report.
  func save(partial record: RunRecord) throws {
    guard lock != nil else { return }
    try SafeFile.replace(partialPath, with: try RunFile.encode(record))
  }

  /// Writes every report, then shows the one asked for: a terminal or pipe that fails must not cost what
  /// was measured.
  func finish(_ report: Report, _ show: Show) throws {
    let saved = Result { try keep(report) }
    try show(report)
    Console.note(try saved.get())
  }

  /// Writes every report of a run that measured anything, and of a shard whatever it measured: a merge
  /// wants to know that it has all.
  ///
  /// - Returns: what to say of it.
  func keep(_ report: Report, and more: [(name: String, text: String)] = []) throws -> String {
    guard report.record.split != nil || report.record.cells.contains(where: { !$0.blocks.isEmpty })
    else {
      return "nothing was measured: no report was written" + (lock == nil ? "" : " to \(path)")
    }
    try write(report, and: more.map { ($0.name, Data($0.text.utf8)) })
    return note
  }

  /// Writes both sides of a gate, its reports, and what failed.
  func write(gate report: Report) throws {
    var more: [(name: String, data: Data)] = [("gate.json", try GateFile(report).encoded())]
    if let baseline = report.baseline {
      more.append(("baseline.json", try RunFile.encode(baseline)))
    }
    try write(report, and: more)
  }

  /// What some commands leave beside a run's own files. Of an earlier run of this folder it goes: it would be taken
  /// for this one's.
  private static let extras =
    [
      "gate.json", "baseline.json", "compare.md", "compare.html", "scale.md", "scale.html",
      openedPage,
    ] + ProfileFile.allCases.map(\.rawValue)

  /// The page that `bench report --open` makes where the run's own is not what was asked for.
  static let openedPage = "report.opened.html"

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
      try? save(partial: report.record)
      throw error
    }
    let names = more.map(\.name)
    for name in Self.extras where heldRun && !names.contains(name) { unlink(path + "/" + name) }
    unlink(partialPath)
    if let keeping { try KeptRuns().show(path, keeping: keeping) }
  }

  /// The report in every format that has a file.
  private func files(of report: Report) throws -> [(path: String, data: Data)] {
    try ReporterRegistry.all.compactMap { reporter in
      try reporter.fileName.map { (path + "/" + $0, Data(try reporter.render(report).utf8)) }
    }
  }

  private var partialPath: String { path + "/run.partial.json" }
}

/// The files that a profile may leave.
enum ProfileFile: String, CaseIterable {
  case json = "profile.json"
  case before = "profile-before.json"
  case collapsed = "profile.collapsed"
  case speedscope = "profile.speedscope.json"
  case pprof = "profile.pb"
  case graph = "profile.html"
  case page = "profile.md"
}

/// Keeps a second run out of a folder; the system lets go of it when the process ends, however it does.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks the folder itself (flock(2)), so that no lock file is left behind.
  ///
  /// - Throws: a ``CLIError`` that says what cannot be opened and why, or that another process has it.
  init(
    _ path: String, unusable: (String) -> CLIError, taken: CLIError
  ) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unusable(errnoMessage()) }
    // What is thrown from here on ends in deinit, which closes it.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw taken }
  }

  /// Locks the folder of a run.
  convenience init(ofRun path: String) throws {
    try self.init(
      path,
      unusable: {
        CLIError(
          "the folder \(path) cannot be opened: \($0)", help: "choose another with --out",
          status: .failed)
      },
      taken: CLIError(
        "another run is using \(path)", help: "wait for it, or choose another folder",
        status: .failed))
  }

  /// Lets go of it now. Closing is not enough where processes are started meanwhile: a child just being
  /// started has a copy that keeps the lock.
  func release() { flock(descriptor, LOCK_UN) }

  /// Whether some process has locked a folder; false of one that cannot be opened.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  deinit { close(descriptor) }
}

/// Files of the user's: replaced as a whole, or left as they were.
enum SafeFile {
  /// Replaces one file; what is no regular file, such as a pipe or a device, is written into.
  ///
  /// - Throws: a ``CLIError`` with the path and the system's reason.
  static func replace(_ path: String, with data: Data) throws {
    let path = try realPath(path)
    guard let mode = mode(of: path), mode & S_IFMT != S_IFREG else {
      return try replace([(path, data)])
    }
    do {
      let file = WholeFile(path: path, durability: .none)
      try data.withUnsafeBytes { try file.write($0) }
    } catch let error as StoreError {
      throw failure(path, error.reason)
    }
  }

  /// Replaces several files together: all are written aside before the first takes its place.
  ///
  /// - Throws: a ``CLIError`` with the path and the system's reason.
  static func replace(_ files: [(path: String, data: Data)]) throws {
    let files = try files.map { (path: try realPath($0.path), data: $0.data) }
    let asides = files.map { "\($0.path).\(getpid()).aside" }
    defer { for aside in asides { unlink(aside) } }
    for (file, aside) in zip(files, asides) { try write(file.data, aside, for: file.path) }
    for (file, aside) in zip(files, asides) {
      guard rename(aside, file.path) == 0 else { throw failure(file.path, errnoMessage()) }
    }
  }

  private static func write(_ data: Data, _ aside: String, for path: String) throws {
    // Who could not read the old file shall not read the new one, not even while it is written.
    let mode = mode(of: path).map { $0 & 0o7777 }
    unlink(aside)
    let descriptor = open(
      aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode ?? 0o644) | 0o200)
    guard descriptor >= 0 else { throw failure(path, errnoMessage()) }
    close(descriptor)
    do {
      let file = WholeFile(path: aside, durability: .none)
      try data.withUnsafeBytes { try file.write($0) }
    } catch let error as StoreError {
      throw failure(path, error.reason)
    }
    if let mode, chmod(aside, mode) != 0 { throw failure(path, errnoMessage()) }
  }

  /// Where links lead, whether or not anything is there yet.
  private static func realPath(_ path: String, links: Int = 40) throws -> String {
    if let resolved = resolvedPath(path) { return resolved }
    guard links > 0 else { throw failure(path, errnoMessage(ELOOP)) }
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    else { return path }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return try realPath(target.hasPrefix("/") ? target : folder + target, links: links - 1)
  }

  /// What kind of file a path leads to, and who may use it; nil where nothing is there.
  static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func failure(_ path: String, _ reason: String) -> CLIError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains { reason == errnoMessage($0) }
    let rest = mode(of: path) == nil ? "" : "; what was there before is unharmed"
    return CLIError(
      "\(path) cannot be written: \(reason)\(rest)",
      help: isFull
        ? "free some space, or choose another place with --out"
        : "choose another place with --out", status: .failed)
  }
}
