import BenchResults
import Foundation

/// Named baselines: runs in files of their own, `NAME.json`, all in one folder.
struct BaselineStore {
  /// The folder.
  var folder = "Reports/baselines"

  /// Where a baseline is kept.
  func path(of name: BaselineName) -> String { "\(folder)/\(name).json" }

  /// Whether there is a file of that name, of whatever worth.
  func holds(_ name: BaselineName) -> Bool {
    var status = stat()
    return lstat(path(of: name), &status) == 0
  }

  /// The names of all files that could be baselines, sorted; whether they can be read is not asked.
  ///
  /// - Throws: a ``CLIError`` where the folder is there and cannot be read.
  func files() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }
        .sorted()
    } catch {
      throw CLIError(
        "\(folder) cannot be read: \(ErrorWording.systemReason(error))", status: .failed)
    }
  }

  /// Reads a baseline.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that names those there are; whatever is wrong
  ///   with the file.
  func read(_ name: BaselineName) throws -> RunRecord {
    guard holds(name) else { throw missing(name.description) }
    try checkPlace(name)
    return try StoredRun.file(path(of: name))
  }

  /// Removes a baseline, broken or whole; of a link, the link.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that names those there are.
  func remove(_ name: BaselineName) throws {
    guard unlink(path(of: name)) != 0 else { return }
    if errno == ENOENT { throw missing(name.description) }
    throw CLIError(
      "\(path(of: name)) cannot be removed: \(String(cString: strerror(errno)))", status: .failed)
  }

  /// There is no baseline of that name; those there are, the one most likely meant first.
  func missing(_ name: String, or alternative: String? = nil) -> CLIError {
    let names = ((try? files()) ?? []).filter { BaselineName($0) != nil }
    let nearest = NearestMatch.of(name, among: names).map { "did you mean '\($0)'? " } ?? ""
    let others =
      names.isEmpty
      ? "there are no baselines in \(folder): make one with 'bench baseline save NAME'"
      : "baselines: \(names.joined(separator: ", "))"
    return CLIError(
      "no baseline '\(name)'", help: nearest + others + (alternative.map { "; or \($0)" } ?? ""),
      status: .noBaseline)
  }

  /// Sees that a baseline is a regular file in the folder, not a link that leads elsewhere nor a
  /// pipe that would be waited for.
  ///
  /// - Throws: a ``CLIError`` that says what it is instead.
  func checkPlace(_ name: BaselineName) throws {
    let path = path(of: name)
    guard let home = Self.realPath(folder), let found = Self.realPath(path) else {
      throw refused(name, "is a link that leads nowhere")
    }
    guard found.hasPrefix(home + "/") else {
      throw refused(name, "is a link that leads out of \(folder)")
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw refused(name, "is no regular file", help: "remove it by hand")
    }
  }

  private func refused(
    _ name: BaselineName, _ reason: String, help: String? = nil
  ) -> CLIError {
    CLIError(
      "\(path(of: name)) \(reason)", help: help ?? "remove it: bench baseline remove \(name)",
      status: .failed)
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
