import Basics
import BenchAnalysis
import Foundation

/// The folders of runs that named none of their own, one a run, `20261124-224501-run`; and the link to
/// the newest that measured anything, which lies beside their folder.
///
/// The newest stay, the others go; what the user keeps by `--out` or as a baseline is elsewhere.
struct KeptRuns {
  var most = 50
  var folder = "Reports/runs"
  var link = "Reports/latest"

  /// Makes the folder of a run that begins now.
  func newFolder(of command: String, at time: Date = Date()) throws -> String {
    // Before anything is measured: a file in the link's place would be lost, and a folder is in the way.
    let found = try? FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
    guard found ?? .typeSymbolicLink == .typeSymbolicLink else {
      throw CLIError(
        "\(link) is no link to the newest run",
        help: "move it away, or choose a folder with --out", status: .failed)
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

  /// Lets the link lead to a run's folder, and removes the oldest beyond those that stay.
  func show(_ path: String) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // As it is seen from where the link is.
    let target = "\(folder.split(separator: "/").last ?? "")/\(name)"
    let aside = "\(link).\(getpid()).aside"
    unlink(aside)
    defer { unlink(aside) }
    guard symlink(target, aside) == 0, rename(aside, link) == 0 else {
      throw CLIError(
        "\(link) cannot be made to lead to the run: \(errnoMessage())",
        help: "the run is kept all the same; move \(link) away, or choose a folder with --out",
        status: .failed)
    }
    for old in names().dropLast(most) where !FolderLock.isHeld("\(folder)/\(old)") {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(old)")
    }
  }

  /// How many runs back a name counts: none of `latest`, 1 of `latest~1`; nil of another name.
  private static func count(_ name: String) -> Int? {
    name.wholeMatch(of: /(?:Reports\/)?latest(?:~([0-9]{1,6}))?/).map { match in
      match.1.flatMap { Int($0) } ?? 0
    }
  }

  /// Whether a name counts runs back: `latest`, `latest~1`.
  static func isCount(_ name: String) -> Bool { count(name) != nil }

  /// There are not so many runs as a name counts back.
  func noSuch(_ name: String) -> CLIError {
    let kept = Wording.plural(whole().count, "run")
    return CLIError(
      "no run '\(name)': \(kept) \(kept == "1 run" ? "is" : "are") kept in \(folder)",
      help: "make one with 'bench run', or give a run.json or the folder that holds one",
      status: .failed)
  }

  /// The names of runs that ended: others left an empty folder, or the part that they had measured.
  private func whole() -> [String] {
    names().filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/run.json") }
  }

  /// The folder of a name: that of a kept run, or `latest`, `latest~1` for the one before it.
  func path(of name: String) -> String? {
    if names().contains(name) { return "\(folder)/\(name)" }
    guard let back = Self.count(name) else { return nil }
    let runs = whole()
    return back < runs.count ? "\(folder)/\(runs[runs.count - 1 - back])" : nil
  }

  /// The names of runs that are there, the oldest first.
  func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.wholeMatch(of: /[0-9]{8}-[0-9]{6}-[a-z]+(-[0-9]+)?/) != nil }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  /// Removes folders of runs that left nothing in them.
  private func sweep() {
    for name in names() where !FolderLock.isHeld("\(folder)/\(name)") { rmdir("\(folder)/\(name)") }
  }

  /// `20261124-224501`, in UTC.
  private static func stamp(_ time: Date) -> String {
    time.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
      .replacing("T", with: "-").replacing("Z", with: "")
  }

  private func unusable(_ reason: String) -> CLIError {
    CLIError(
      "no folder for the run can be made in \(folder): \(reason)", help: "choose one with --out",
      status: .failed)
  }
}
