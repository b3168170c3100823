import Foundation

/// A file that ships with the project.
enum ShippedFile {
  /// - Parameter path: the path from the package's root.
  static func url(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: path)
  }
}
