import Foundation

/// The folder that keeps built executables, each in a folder of its own with what it needs beside it.
struct ExecutableCache: Sendable {
  /// Absolute and without symbolic links.
  let path: String
  /// How many executables and logs are kept.
  static let limit = 8

  /// Makes the folder, which git then ignores whatever the repository's own rules are.
  ///
  /// - Throws: ``RevisionBuildError/unusableCache(path:reason:)``.
  init(path: String) throws {
    self.path = try Self.explaining(path) {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data("*\n".utf8).write(to: URL(fileURLWithPath: path + "/.gitignore"))
      return try FileManager.default.canonicalPath(path)
    }
  }

  /// Where the files of the commit being built are; one place for all, since compilers rebuild what
  /// has moved.
  var tree: String { path + "/tree" }
  /// Where builds keep what they can use again.
  var scratch: String { path + "/scratch" }
  /// Where all that a failed build said is.
  func log(of commit: Commit) -> String { "\(path)/\(commit.id).log" }

  /// The executable of an entry, which counts as used now; nil where there is none.
  func executable(_ product: String, of entry: String) -> String? {
    let executable = "\(path)/\(entry)/\(product)"
    guard FileManager.default.isExecutableFile(atPath: executable) else { return nil }
    try? FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: "\(path)/\(entry)")
    return executable
  }

  /// Keeps an executable, and the resources and libraries that lie beside it; whole or not at all.
  ///
  /// - Throws: ``RevisionBuildError/unusableCache(path:reason:)``.
  func store(_ product: String, from folder: String, as entry: String) throws -> String {
    let files = FileManager.default
    let aside = "\(path)/\(entry).partial"
    return try Self.explaining(path) {
      try? files.removeItem(atPath: aside)
      try files.createDirectory(atPath: aside, withIntermediateDirectories: true)
      for name in try files.contentsOfDirectory(atPath: folder)
      where name == product || Self.isNeededBeside(name) {
        try files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(aside)/\(name)")
      }
      try? files.removeItem(atPath: "\(path)/\(entry)")
      try files.moveItem(atPath: aside, toPath: "\(path)/\(entry)")
      return "\(path)/\(entry)/\(product)"
    }
  }

  private static func isNeededBeside(_ name: String) -> Bool {
    [".resources", ".bundle", ".so", ".dylib"].contains { name.hasSuffix($0) }
  }

  /// Turns what the file system refuses into the system's own words, and where.
  static func explaining<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
      let reason =
        cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
      throw RevisionBuildError.unusableCache(path: path, reason: reason)
    }
  }
}

extension FileManager {
  /// A path without symbolic links.
  fileprivate func canonicalPath(_ path: String) throws -> String {
    guard let resolved = realpath(path, nil) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
