import Foundation

/// All that a build says, in a file, and its last lines.
actor BuildLog {
  nonisolated let path: String
  private let file: FileHandle
  private(set) var lastLines: [String] = []

  /// Starts an empty file.
  ///
  /// - Throws: ``RevisionBuildError/unusableCache(path:reason:)``.
  init(path: String) throws {
    self.path = path
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else {
      throw RevisionBuildError.unusableCache(path: path, reason: String(cString: strerror(errno)))
    }
    self.file = file
  }

  /// Adds a line. A full disk must not end a build that may yet succeed, nor hide why one failed.
  func add(_ line: String) {
    try? file.write(contentsOf: Data((line + "\n").utf8))
    lastLines.append(line)
    if lastLines.count > 30 { lastLines.removeFirst() }
  }

  /// Removes the file: nobody asks how a build went well.
  func discard() {
    try? file.close()
    try? FileManager.default.removeItem(atPath: path)
  }
}
