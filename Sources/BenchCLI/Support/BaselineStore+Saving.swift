import BenchProbes
import BenchResults
import Foundation

extension BaselineStore {
  /// Keeps a run under a name, unless it is worth less than what has that name now.
  ///
  /// - Throws: a ``CLIError`` of status `regression` or `unmeasured` that says what would be lost.
  func save(_ record: RunRecord, as name: BaselineName) throws {
    try record.checkIsWhole()
    try makeFolder()
    try alone {
      if let old = try replaced(name) {
        let succession = Succession(of: old, by: record, as: name)
        try succession.check()
        if let doubt = succession.doubt { Console.note("note: \(doubt)") }
      }
      try write(RunFile.encode(record), to: path(of: name))
    }
  }

  /// Does something while no other process saves here, so that none can come between the look at the
  /// old baseline and its replacement.
  private func alone(_ body: () throws -> Void) throws {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unusable("opened", String(cString: strerror(errno))) }
    defer {
      // Closing is not enough: a child just being started has a copy that keeps the lock.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw CLIError(
        "another process is saving a baseline in \(folder)", help: "try again", status: .failed)
    }
    try body()
  }

  /// Sees, before anything is measured, that a run could take a name.
  ///
  /// - Throws: a ``CLIError`` that says what it would lack, or why the folder cannot be used.
  func check(_ name: BaselineName, isOpenTo cells: Set<Cell>, _ metrics: Set<String>?) throws {
    try makeFolder()
    guard let old = try replaced(name) else { return }
    try Succession.checkBuild(of: old, by: Build.configuration, as: name)
    try Succession.checkPlan(of: old, by: cells, metrics, as: name)
  }

  /// The run that has a name now; nil where nothing has.
  private func replaced(_ name: BaselineName) throws -> RunRecord? {
    guard holds(name) else { return nil }
    do {
      return try read(name)
    } catch {
      guard var known = ErrorWording.cliError(for: error) else { throw error }
      known.help = "what cannot be read is not replaced: bench baseline remove \(name) first"
      throw known
    }
  }

  private func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw unusable("made", ErrorWording.systemReason(error))
    }
    guard access(folder, W_OK) == 0 else {
      throw unusable("written", String(cString: strerror(errno)))
    }
  }

  private func unusable(_ what: String, _ reason: String) -> CLIError {
    CLIError(
      "the folder \(folder) cannot be \(what): \(reason)",
      help: "baselines are kept in the current folder's \(folder)", status: .failed)
  }

  private func write(_ data: Data, to path: String) throws {
    do {
      try SafeFile.replace(path, with: data)
    } catch var error as CLIError {
      error.help = "free some space, or see that \(folder) can be written"
      throw error
    }
  }
}

extension RunRecord {
  /// Refuses a run that is no measure of anything, or of less than was asked of it.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured`, or `failed` for one that was slowed on purpose.
  fileprivate func checkIsWhole() throws {
    if let injection = pairing?.injection {
      throw CLIError(
        "this run was changed on purpose: \(injection)",
        help: "save a run of the code as it is", status: .failed)
    }
    if let reason = lack {
      throw CLIError(
        "this run cannot be a baseline: \(reason)", help: "measure again, all of it",
        status: .unmeasured)
    }
  }

  private var lack: String? {
    if let failure = failures.first { return "\(failure.cell) failed: \(failure.reason)" }
    let cut = outcomes.first { $0.stop == .interrupted || $0.stop == .running }
    if let cut { return "it ended before \(cut.cell) was measured" }
    return hasFigures ? nil : "it measured nothing"
  }
}
