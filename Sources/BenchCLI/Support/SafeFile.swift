import Foundation
import PersistenceBackends

/// Files of the user's: replaced as a whole, or left as they were.
enum SafeFile {
  /// Replaces one file; what is no regular file, such as a pipe or a device, is written into.
  ///
  /// - Throws: a ``CLIError`` with the path and the system's reason.
  static func replace(_ path: String, with data: Data) throws {
    let path = realPath(path)
    guard let mode = mode(of: path), mode & S_IFMT != S_IFREG else {
      return try replace([(path, data)])
    }
    do {
      let file = WholeFile(path: path, durability: .none)
      try data.withUnsafeBytes { try file.write($0) }
    } catch let error as StorageError {
      throw failure(path, error.reason)
    }
  }

  /// Replaces several files together: all are written aside before the first takes its place.
  ///
  /// - Throws: a ``CLIError`` with the path and the system's reason.
  static func replace(_ files: [(path: String, data: Data)]) throws {
    let files = files.map { (path: realPath($0.path), data: $0.data) }
    let asides = files.map { "\($0.path).\(getpid()).aside" }
    defer { for aside in asides { unlink(aside) } }
    for (file, aside) in zip(files, asides) { try write(file.data, aside, for: file.path) }
    for (file, aside) in zip(files, asides) {
      guard rename(aside, file.path) == 0 else { throw failure(file.path, systemReason()) }
    }
  }

  private static func write(_ data: Data, _ aside: String, for path: String) throws {
    // Who could not read the old file shall not read the new one, not even while it is written.
    let mode = mode(of: path).map { $0 & 0o7777 }
    unlink(aside)
    let descriptor = open(
      aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode ?? 0o644) | 0o200)
    guard descriptor >= 0 else { throw failure(path, systemReason()) }
    close(descriptor)
    do {
      let file = WholeFile(path: aside, durability: .none)
      try data.withUnsafeBytes { try file.write($0) }
    } catch let error as StorageError {
      throw failure(path, error.reason)
    }
    if let mode, chmod(aside, mode) != 0 { throw failure(path, systemReason()) }
  }

  /// Where links lead, whether or not anything is there yet.
  private static func realPath(_ path: String, links: Int = 40) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    guard links > 0,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    else { return path }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return realPath(target.hasPrefix("/") ? target : folder + target, links: links - 1)
  }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func systemReason() -> String { String(cString: strerror(errno)) }

  private static func failure(_ path: String, _ reason: String) -> CLIError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains { reason == String(cString: strerror($0)) }
    let rest = mode(of: path) == nil ? "" : "; what was there before is unharmed"
    return CLIError(
      "\(path) cannot be written: \(reason)\(rest)",
      help: isFull
        ? "free some space, or choose another place with --out"
        : "choose another place with --out", status: .failed)
  }
}
