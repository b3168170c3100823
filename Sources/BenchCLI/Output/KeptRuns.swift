import Basics
import BenchAnalysis
import Foundation

/// The folders of runs without `--out`, such as `20261124-224501-run`, and a link next to them to
/// the newest run that measured anything.
///
/// Only the newest runs are kept. Runs saved by `--out` or as a baseline are elsewhere.
struct KeptRuns {
  var most = 50
  var folder = "Reports/runs"
  var link = "Reports/latest"

  /// Whether a file, which would be replaced, or a folder has the link's place.
  private var isTaken: Bool { SafeFile.exists(link) && SafeFile.linkTarget(of: link) == nil }

  /// Makes the folder of a new run.
  func newFolder(of command: String, at time: Date = Date()) throws -> String {
    guard !isTaken else {
      throw CLIError(
        "\(link) is not a link to the newest run",
        help: "move it away, or choose a folder with --out")
    }
    sweep()
    do {
      try makeFolder(folder)
    } catch {
      throw unusable(systemReason(error))
    }
    let start = "\(folder)/\(Self.stamp(time))-\(command)"
    for number in 1... {
      let path = number == 1 ? start : "\(start)-\(number)"
      if mkdir(path, 0o755) == 0 { return path }
      guard errno == EEXIST else { throw unusable(errnoMessage()) }
    }
    return start
  }

  /// Points the link at a run's folder, and removes the oldest runs beyond `most`.
  func show(_ path: String) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // The target is relative to the folder of the link.
    let target = "\(folder.split(separator: "/").last ?? "")/\(name)"
    let aside = "\(link).\(getpid()).aside"
    unlink(aside)
    defer { unlink(aside) }
    let isTaken = isTaken
    guard !isTaken, symlink(target, aside) == 0, rename(aside, link) == 0 else {
      throw CLIError(
        "\(link) cannot be linked to the run: \(errnoMessage(isTaken ? EEXIST : errno))",
        help: "the run is kept. Move \(link) away, or choose a folder with --out")
    }
    for old in names().dropLast(most) where !FolderLock.isHeld("\(folder)/\(old)") {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(old)")
    }
  }

  /// Returns how many runs back a name counts, such as 1 for `latest~1`, or nil for other names.
  private static func count(_ name: String) -> Int? {
    name.wholeMatch(of: /(?:Reports\/)?latest(?:~([0-9]{1,6}))?/).map { match in
      match.1.flatMap { Int($0) } ?? 0
    }
  }

  /// Whether a name counts runs back, such as `latest` or `latest~1`.
  static func isCount(_ name: String) -> Bool { count(name) != nil }

  /// The error for a name that counts back further than there are runs.
  func noSuch(_ name: String) -> CLIError {
    let kept = Wording.plural(whole().count, "run")
    return CLIError(
      "no run '\(name)': \(kept) \(kept == "1 run" ? "is" : "are") kept in \(folder)",
      help: "make one with 'bench run', or give a run.json or the folder that holds one")
  }

  /// The names of runs that finished. Others left an empty folder or a part of their results.
  private func whole() -> [String] {
    names().filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/run.json") }
  }

  /// Returns the folder of a kept run by its name, by `latest`, or by `latest~1` for the one before.
  func path(of name: String) -> String? {
    if names().contains(name) { return "\(folder)/\(name)" }
    guard let back = Self.count(name) else { return nil }
    let runs = whole()
    return back < runs.count ? "\(folder)/\(runs[runs.count - 1 - back])" : nil
  }

  /// The names of all kept runs, oldest first.
  func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.wholeMatch(of: /[0-9]{8}-[0-9]{6}-[a-z]+(-[0-9]+)?/) != nil }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  /// Removes the empty folders of runs that left no files.
  private func sweep() {
    for name in names() where !FolderLock.isHeld("\(folder)/\(name)") { rmdir("\(folder)/\(name)") }
  }

  /// Formats a time as `20261124-224501`, in UTC.
  private static func stamp(_ time: Date) -> String {
    time.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
      .replacing("T", with: "-").replacing("Z", with: "")
  }

  private func unusable(_ reason: String) -> CLIError {
    CLIError(
      "no folder for the run can be made in \(folder): \(reason)", help: "choose one with --out")
  }
}
