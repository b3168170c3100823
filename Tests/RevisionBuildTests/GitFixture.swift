import Foundation
import RevisionBuild

/// A git repository of a test's own, with a one-file package, removed with the last reference to it.
final class GitFixture: Sendable {
  /// Without symbolic links, as git has it.
  let path: String

  /// Whether this machine has git at all.
  static let hasGit = (try? GitFixture.run(["git", "--version"], in: "/")) != nil

  /// Whether the thread sanitizer watches. It does not see `Mutex`, by which Subprocess guards its
  /// processes, and takes every command for a race there.
  static let hasThreadSanitizer = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil

  /// An empty repository.
  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gate-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Self.run(["git", "init", "--quiet", "--initial-branch=main"], in: folder)
    path = try Self.run(["git", "rev-parse", "--show-toplevel"], in: folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    let who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    return try Self.run(["git"] + who + arguments, in: path)
  }

  func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Writes a package `tiny` whose executable has this source, and commits everything.
  func commit(_ source: String, in folder: String = "") throws {
    try write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "tiny", targets: [.executableTarget(name: "tiny")])
      """, to: folder + "Package.swift")
    try write(source, to: folder + "Sources/tiny/main.swift")
    try git("add", "--all")
    try git("commit", "--quiet", "--message", "Change tiny")
  }

  /// Git's state of the files and of its worktrees, which must be the same before and after a
  /// build.
  func state() throws -> [String] {
    [
      try git("status", "--porcelain"), try git("worktree", "list"), try git("branch", "--list"),
    ]
  }

  /// Runs a program and returns its output. Fails if the program fails.
  @discardableResult
  static func run(_ command: [String], in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(command: command) }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// A command of a fixture that should have worked.
  struct Failed: Error {
    var command: [String]
  }
}
