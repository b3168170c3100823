import BenchHarness
import Foundation

/// A program that can be measured: this one, another executable, or a revision that is built first.
struct Program: Sendable {
  /// The path by which it is started.
  var path: String
  /// The executable's path as it is kept: it is to be found when this process has long ended.
  var file: String
  /// The revision that it was built from; nil if unknown.
  var revision: String?

  /// This very program.
  static func own() async -> Program {
    let path = OwnExecutable.path
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return Program(path: path, file: file, revision: await GitRevision.current())
  }

  /// The program of a name: an executable file where there is one, else a git revision.
  ///
  /// - Throws: a ``CLIError`` where it is neither or does not build; `CancellationError`.
  static func named(_ name: String, product: String?) async throws -> Program {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
    if exists, !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: name) {
      let path = URL(fileURLWithPath: name).path
      return Program(path: path, file: path, revision: nil)
    }
    do {
      return try await built(from: name, product: product ?? ownName)
    } catch let error as GitError where exists {
      throw CLIError(
        "\(name) is a \(isFolder.boolValue ? "folder" : "file that cannot be executed"), "
          + "and no git revision: \(error)",
        help: "give the executable of a bench, or a git revision", status: .unmeasured)
    }
  }

  private static var ownName: String {
    let path = Bundle.main.executablePath ?? CommandLine.arguments.first ?? "bench"
    return URL(fileURLWithPath: path).lastPathComponent
  }

  private static func built(from ref: String, product: String) async throws -> Program {
    let repository = try await GitRepository(at: FileManager.default.currentDirectoryPath)
    let commit = try await repository.resolve(ref)
    let shown = BuildProgress(commit)
    let built = try await RevisionBuild(of: repository, product: product).executable(
      for: commit, progress: shown.show, waiting: shown.wait)
    shown.finish(built)
    return Program(path: built.executable, file: built.executable, revision: commit.id)
  }
}

/// Shows how far the build of a revision is.
private struct BuildProgress: Sendable {
  private let commit: Commit
  private let showsBar = Console.showsProgressBar

  init(_ commit: Commit) {
    self.commit = commit
  }

  @Sendable func show(_ line: String) {
    if showsBar { Console.redraw("building \(commit): \(Console.printable(line).prefix(60))") }
  }

  @Sendable func wait() {
    Console.note("another gate is building: waiting for it")
  }

  func finish(_ built: BuiltRevision) {
    if showsBar { Console.redraw("") }
    guard !built.wasCached else { return }
    Console.note("built \(commit) in \(Int(built.seconds.rounded())) s")
  }
}
