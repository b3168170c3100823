import Basics
import Foundation

/// Files of the user's: replaced as a whole, or left as they were.
enum SafeFile {
  /// How most files get another place.
  static let usual = "choose another place with --out"

  /// Replaces one file; what is no regular file, such as a pipe or a device, is written into.
  ///
  /// - Parameters:
  ///   - isFlushed: As of ``replace(_:isFlushed:help:)``.
  ///   - help: What to do where it cannot be written.
  static func replace(
    _ path: String, with data: Data, isFlushed: Bool = true, help: String = usual
  ) throws {
    let path = try realPath(path, help)
    guard let mode = mode(of: path), mode & S_IFMT != S_IFREG else {
      return try replace([(path, data)], isFlushed: isFlushed, help: help)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path, errnoMessage(), help) }
    let isWritten = data.withUnsafeBytes { writeAll($0, to: descriptor) }
    let reason = errnoMessage()
    guard close(descriptor) == 0, isWritten else {
      throw failure(path, isWritten ? errnoMessage() : reason, help)
    }
  }

  /// Replaces several files together: all are written aside before the first takes its place.
  ///
  /// - Parameter isFlushed: Whether their bytes are to be on the drive before their names lead to them: after a power
  ///   cut some file systems hold an empty file otherwise. What is written while something is measured does without.
  /// - Throws: a ``CLIError`` with the path, the system's reason and what was replaced by then.
  static func replace(
    _ files: [(path: String, data: Data)], isFlushed: Bool = true, help: String = usual
  ) throws {
    let files = try files.map { (path: try realPath($0.path, help), data: $0.data) }
    var asides: [AsideFile] = []
    defer {
      for aside in asides {
        unlink(aside.path)
        aside.close()
      }
    }
    for (path, data) in files {
      AsideFile.removeLeftovers(of: path, in: AsideFile.folder(of: path))
      // Who could not read the old file shall not read the new one, not even while it is written.
      let mode = mode(of: path).map { $0 & 0o7777 }
      guard let aside = AsideFile(beside: path, mode: (mode ?? 0o644) | 0o200) else {
        throw failure(path, errnoMessage(), help)
      }
      asides.append(aside)
      guard data.withUnsafeBytes({ writeAll($0, to: aside.descriptor) }),
        mode.map({ chmod(aside.path, $0) == 0 }) ?? true,
        // A file system that cannot flush says EINVAL (fsync(2)).
        !isFlushed || fsync(aside.descriptor) == 0 || errno == EINVAL
      else { throw failure(path, errnoMessage(), help) }
    }
    for (index, file) in files.enumerated() {
      guard rename(asides[index].path, file.path) == 0 else {
        throw failure(file.path, errnoMessage(), help, replaced: files.prefix(index).map(\.path))
      }
    }
  }

  /// Where links lead, whether or not anything is there yet.
  private static func realPath(_ path: String, _ help: String, links: Int = 40) throws -> String {
    if let resolved = resolvedPath(path) { return resolved }
    guard links > 0 else { throw failure(path, errnoMessage(ELOOP), help) }
    guard let target = linkTarget(of: path) else { return path }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return try realPath(target.hasPrefix("/") ? target : folder + target, help, links: links - 1)
  }

  /// The path in a link; nil of everything else.
  static func linkTarget(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
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

  static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT } == S_IFDIR }

  private static func failure(
    _ path: String, _ reason: String, _ help: String, replaced: [String] = []
  ) -> CLIError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains { reason == errnoMessage($0) }
    let rest = mode(of: path) == nil ? "" : "; what was there before is unharmed"
    let others = replaced.isEmpty ? "" : "; replaced by then: " + replaced.joined(separator: ", ")
    return CLIError(
      "\(path) cannot be written: \(reason)\(rest)\(others)",
      help: (isFull ? "free some space, or " : "") + help, status: .failed)
  }
}
