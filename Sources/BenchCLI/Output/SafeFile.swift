import Basics
import BenchResults
import Foundation

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
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path, errnoMessage()) }
    let isWritten = data.withUnsafeBytes { writeAll($0, to: descriptor) }
    let reason = errnoMessage()
    guard close(descriptor) == 0 else { throw failure(path, isWritten ? errnoMessage() : reason) }
    guard isWritten else { throw failure(path, reason) }
  }

  /// Replaces several files together: all are written aside before the first takes its place.
  ///
  /// - Parameter isFlushed: Whether their bytes are to be on the drive before their names lead to them: after a power
  ///   cut some file systems hold an empty file otherwise. What is written while something is measured does without.
  /// - Throws: a ``CLIError`` with the path, the system's reason and what was replaced by then.
  static func replace(_ files: [(path: String, data: Data)], isFlushed: Bool = true) throws {
    let files = try files.map { (path: try realPath($0.path), data: $0.data) }
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
        throw failure(path, errnoMessage())
      }
      asides.append(aside)
      guard data.withUnsafeBytes({ writeAll($0, to: aside.descriptor) }),
        mode.map({ chmod(aside.path, $0) == 0 }) ?? true,
        // A file system that cannot flush says EINVAL (fsync(2)).
        !isFlushed || fsync(aside.descriptor) == 0 || errno == EINVAL
      else { throw failure(path, errnoMessage()) }
    }
    for (index, file) in files.enumerated() {
      guard rename(asides[index].path, file.path) == 0 else {
        throw failure(file.path, errnoMessage(), replaced: files.prefix(index).map { $0.path })
      }
    }
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
