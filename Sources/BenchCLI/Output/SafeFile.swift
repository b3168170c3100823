import Basics
import Foundation

/// Replaces the user's files as a whole, or leaves them as they were.
enum SafeFile {
  /// The usual help text if a file cannot be written.
  static let usual = "choose another place with --out"

  /// Replaces one file. Writes directly into other kinds, such as a pipe or a device.
  ///
  /// - Parameters:
  ///   - isFlushed: See ``replace(_:isFlushed:help:)``.
  ///   - help: The help text if it cannot be written.
  static func replace(
    _ path: String, with data: Data, isFlushed: Bool = true, help: String = usual
  ) throws {
    let path = try realPath(path, help)
    guard let mode = mode(of: path), mode & S_IFMT != S_IFREG else {
      return try replace([(path, data)], isFlushed: isFlushed, help: help)
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    var descriptor = open(path, flags | O_NONBLOCK, 0o644)
    if descriptor < 0, errno == ENXIO, mode & S_IFMT == S_IFIFO {
      Console.note("waiting for a program that reads \(path)")
      descriptor = open(path, flags, 0o644)
    }
    guard descriptor >= 0 else { throw failure(path, errnoMessage(), help) }
    // Writing must wait while a pipe is full.
    _ = fcntl(descriptor, F_SETFL, 0)
    let isWritten = data.withUnsafeBytes { writeAll($0, to: descriptor) }
    let reason = errnoMessage()
    guard close(descriptor) == 0, isWritten else {
      throw failure(path, isWritten ? errnoMessage() : reason, help)
    }
  }

  /// Replaces several files together: all are written to temporary files before the first is renamed.
  ///
  /// - Parameter isFlushed: Whether to flush the files before renaming them. Otherwise some file systems
  ///   leave an empty file after a power cut. Files written while measuring are not flushed.
  /// - Throws: a ``CLIError`` with the path, the system's reason and the files replaced so far.
  static func replace(
    _ files: [(path: String, data: Data)], isFlushed: Bool = true, help: String = usual
  ) throws {
    let files = try files.map { (path: try realPath($0.path, help), data: $0.data) }
    var asides: [TemporarySibling] = []
    defer {
      for aside in asides {
        unlink(aside.path)
        aside.close()
      }
    }
    for (path, data) in files {
      TemporarySibling.removeLeftovers(of: path, in: TemporarySibling.folder(of: path))
      // Users who could not read the old file must not read the new one, even while it is written.
      let mode = mode(of: path).map { $0 & 0o7777 }
      guard let aside = TemporarySibling(beside: path, mode: (mode ?? 0o644) | 0o200) else {
        throw failure(path, errnoMessage(), help)
      }
      asides.append(aside)
      guard data.withUnsafeBytes({ writeAll($0, to: aside.descriptor) }),
        mode.map({ chmod(aside.path, $0) == 0 }) ?? true,
        // A file system that cannot flush returns EINVAL (fsync(2)).
        !isFlushed || fsync(aside.descriptor) == 0 || errno == EINVAL
      else { throw failure(path, errnoMessage(), help) }
    }
    for (index, file) in files.enumerated() {
      guard rename(asides[index].path, file.path) == 0 else {
        throw failure(file.path, errnoMessage(), help, replaced: files.prefix(index).map(\.path))
      }
    }
  }

  /// Follows symbolic links, even if nothing exists at the end yet.
  private static func realPath(_ path: String, _ help: String, links: Int = 40) throws -> String {
    if let resolved = resolvedPath(path) { return resolved }
    guard links > 0 else { throw failure(path, errnoMessage(ELOOP), help) }
    guard let target = linkTarget(of: path) else { return path }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return try realPath(target.hasPrefix("/") ? target : folder + target, help, links: links - 1)
  }

  /// Returns the target of a symbolic link, or nil for anything else.
  static func linkTarget(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Returns a file's type and permissions, following links, or nil if there is none.
  static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  /// Whether anything is at a path, including a broken link.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT } == S_IFDIR }

  private static func failure(
    _ path: String, _ reason: String, _ help: String, replaced: [String] = []
  ) -> CLIError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains { reason == errnoMessage($0) }
    let rest = mode(of: path) == nil ? "" : ". The old file is unchanged"
    let others = replaced.isEmpty ? "" : ". Already replaced: " + replaced.joined(separator: ", ")
    return CLIError(
      "\(path) cannot be written: \(reason)\(rest)\(others)",
      help: (isFull ? "free some space, or " : "") + help)
  }
}
