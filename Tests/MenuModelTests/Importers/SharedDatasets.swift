import Foundation

/// Real menus that are not part of the project.
enum SharedDatasets {
  /// The root of the package.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The path that a shared file has, if it is there: in the folder that
  /// `MENUBENCH_SHARED_DATASETS` names, else beside the package.
  static func path(_ name: String) -> String {
    let named = ProcessInfo.processInfo.environment["MENUBENCH_SHARED_DATASETS"]
    let folder =
      named.map { URL(fileURLWithPath: $0) }
      ?? package.deletingLastPathComponent().appending(path: "shared/datasets")
    return folder.appending(path: name).path
  }

  static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }
}
