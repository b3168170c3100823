import Basics
import BenchResults
import Foundation
import PersistenceBackends

/// Files of the user's: replaced as a whole, or left as they were.
enum SafeFile {
  /// Replaces one file; what is no regular file, such as a pipe or a device, is written into.
  ///
  /// - Parameters:
  ///   - isFlushed: As of ``replace(_:isFlushed:)``.
  ///   - option: By which another place is chosen.
  /// - Throws: a ``CLIError`` with the path, the system's reason and that option.
  static func replace(
    _ path: String, with data: Data, isFlushed: Bool = true, option: String = usual
  ) throws {
    do {
      try replaceWhole(path, with: data, isFlushed: isFlushed)
    } catch var error as CLIError {
      error.help = error.help?.replacing(usual, with: option)
      throw error
    }
  }

  /// The option by which most files get their place.
  static let usual = "--out"

  private static func replaceWhole(_ path: String, with data: Data, isFlushed: Bool) throws {
    let path = try realPath(path)
    guard let mode = mode(of: path), mode & S_IFMT != S_IFREG else {
      return try replace([(path, data)], isFlushed: isFlushed)
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
  /// - Parameter isFlushed: Whether their bytes are to be on the drive before their names lead to them: after a power
  ///   cut some file systems hold an empty file otherwise. What is written while something is measured does without.
  /// - Throws: a ``CLIError`` with the path, the system's reason and what was replaced by then.
  static func replace(_ files: [(path: String, data: Data)], isFlushed: Bool = true) throws {
    let files = try files.map { (path: try realPath($0.path), data: $0.data) }
    for file in files { removeLeftovers(of: file.path) }
    let asides = files.map { "\($0.path).\(getpid()).aside" }
    defer { for aside in asides { unlink(aside) } }
    for (file, aside) in zip(files, asides) {
      try write(file.data, aside, for: file.path, isFlushed: isFlushed)
    }
    for (index, file) in files.enumerated() {
      guard rename(asides[index], file.path) == 0 else {
        throw failure(file.path, errnoMessage(), replaced: files.prefix(index).map { $0.path })
      }
    }
  }

  /// Removes what writers of a file that were killed left beside it. One on another machine or in another container
  /// cannot be seen to live, so what it wrote is to be an hour old as well.
  private static func removeLeftovers(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    let start = String(path.dropFirst(path.hasPrefix(folder) ? folder.count : 0)) + "."
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix(start), name.hasSuffix(".aside"),
        let writer = pid_t(name.dropFirst(start.count).dropLast(".aside".count)), writer > 0,
        kill(writer, 0) != 0, errno == ESRCH,
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder + name),
        let written = attributes[.modificationDate] as? Date, written.timeIntervalSinceNow < -3_600
      else { continue }
      unlink(folder + name)
    }
  }

  private static func write(
    _ data: Data, _ aside: String, for path: String, isFlushed: Bool
  ) throws {
    // Who could not read the old file shall not read the new one, not even while it is written.
    let mode = mode(of: path).map { $0 & 0o7777 }
    unlink(aside)
    let descriptor = open(
      aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode ?? 0o644) | 0o200)
    guard descriptor >= 0 else { throw failure(path, errnoMessage()) }
    defer { close(descriptor) }
    do {
      let file = WholeFile(path: aside, durability: .none)
      try data.withUnsafeBytes { try file.write($0) }
    } catch let error as StoreError {
      throw failure(path, error.reason)
    }
    if let mode, chmod(aside, mode) != 0 { throw failure(path, errnoMessage()) }
    // A file system that cannot flush says EINVAL (fsync(2)).
    if isFlushed, fsync(descriptor) != 0, errno != EINVAL { throw failure(path, errnoMessage()) }
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

  /// Whether anything is at a path, be it a link that leads nowhere.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT } == S_IFDIR }

  private static func failure(
    _ path: String, _ reason: String, replaced: [String] = []
  ) -> CLIError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains { reason == errnoMessage($0) }
    let rest = mode(of: path) == nil ? "" : "; what was there before is unharmed"
    let others = replaced.isEmpty ? "" : "; replaced by then: " + replaced.joined(separator: ", ")
    return CLIError(
      "\(path) cannot be written: \(reason)\(rest)\(others)",
      help: isFull
        ? "free some space, or choose another place with \(usual)"
        : "choose another place with \(usual)", status: .failed)
  }
}
