import Basics
import BenchEngine
import BenchProcesses
import BenchResults
import Foundation
import RevisionBuild
import Synchronization

/// A program that can be measured: this one, another executable, or a revision that is built first.
struct GateProgram: Sendable {
  /// The path by which it is started.
  var path: String
  /// The executable's path as it is kept: it is to be found when this process has long ended.
  var file: String
  /// The revision that it was built from; nil if unknown.
  var revision: String?

  static func own() async -> GateProgram {
    let path = OwnExecutable.path
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return GateProgram(
      path: path, file: file, revision: await GitRepository.currentRevision())
  }

  /// The program of a name: an executable file where there is one, else a git revision.
  ///
  /// - Throws: a ``CLIError`` where it is neither or does not build; `CancellationError`.
  static func named(_ name: String, product: String?) async throws -> GateProgram {
    let isFolder = SafeFile.isFolder(name)
    if !isFolder, FileManager.default.isExecutableFile(atPath: name) {
      let path = URL(fileURLWithPath: name).path
      return GateProgram(path: path, file: path, revision: nil)
    }
    do {
      return try await built(from: name, product: product)
    } catch let error as Refusal
      where error.kind != .unmeasured && FileManager.default.fileExists(atPath: name)
    {
      throw CLIError(
        "\(name) is a \(isFolder ? "folder" : "file that cannot be executed"), "
          + "and no git revision: \(error)",
        help: "give the executable of a bench, or a git revision", status: .unmeasured)
    }
  }

  private static var ownName: String {
    let path = Bundle.main.executablePath ?? CommandLine.arguments.first ?? "bench"
    return URL(fileURLWithPath: path).lastPathComponent
  }

  /// Builds a revision, and shows how far that is.
  ///
  /// - Parameter product: the executable product; nil for one of this program's name.
  /// - Throws: `Refusal`; `CancellationError`.
  private static func built(from ref: String, product: String?) async throws -> GateProgram {
    let repository = try await GitRepository(at: FileManager.default.currentDirectoryPath)
    let commit = try await repository.resolve(ref)
    // It takes seconds until a build says its first line.
    Console.note("preparing \(commit)")
    let build = try RevisionBuild(of: repository, product: product ?? ownName)
    let display = BuildDisplay(of: "\(commit)")
    let progress: @Sendable (String) -> Void = { display.show($0) }
    let waiting: @Sendable () -> Void = {
      Console.note("another gate is building: waiting for it")
    }
    let built = try await build.executable(for: commit, progress: progress, waiting: waiting)
    display.finish()
    if !built.wasCached { Console.note("built \(commit) in \(display.seconds) s") }
    return GateProgram(path: built.path, file: built.path, revision: commit.id)
  }
}

/// Shows how far a build is: its last line on a terminal, elsewhere one now and then.
private final class BuildDisplay: Sendable {
  private let name: String
  private let showsBar = Console.showsProgressBar
  private let start = ContinuousClock.now
  /// When something was said last; nil before.
  private let said = Mutex(ContinuousClock.Instant?.none)

  init(of name: String) { self.name = name }

  /// How long it took so far, waiting for another build included.
  var seconds: Int64 { start.duration(to: .now).components.seconds }

  /// Takes a line of the build's.
  func show(_ line: String) {
    Console.detail("build: \(line)")
    guard RevisionBuild.isProgress(line) else { return }
    // The time before what the compiler says, which may be too long for a line.
    let text = "building \(name), \(seconds) s of some minutes: \(Console.printable(line))"
    guard !showsBar else { return Console.redraw(text) }
    let now = ContinuousClock.now
    let isDue = said.withLock { said in
      let isDue = said.map { $0.duration(to: now) >= .seconds(30) } ?? true
      if isDue { said = now }
      return isDue
    }
    if isDue { Console.note(text) }
  }

  func finish() {
    if showsBar { Console.redraw("") }
  }
}

/// One side of a gate: a program, and what starts it.
struct GateSide: Sendable {
  let program: GateProgram
  let worker: SubprocessWorker
  private let link: String
  private let identity: String?

  /// Prepares a program; it is started through a link of one letter, since the length of its path
  /// would move its stack and with it its times.
  init(_ side: Pairing.Side, _ program: GateProgram, in storage: ScratchFolder) throws {
    self.program = program
    let letter = side == .baseline ? "b" : "c"
    link = "\(storage.path)/\(letter)"
    guard symlink(program.path, link) == 0 else {
      throw CLIError(
        "\(link) cannot be made: \(errnoMessage())", status: .failed)
    }
    worker = SubprocessWorker(
      executable: link, arguments: ["worker"], scratch: "\(storage.path)/callgrind-\(letter)")
    identity = Self.identity(link)
  }

  /// Asks the program what it is, and what the documents of some cells are to it.
  ///
  /// - Throws: ``WorkerHelloError`` that names the program and not the link to it.
  func hello(of cells: [PlannedCell]) async throws -> WorkerHello {
    do {
      return try await worker.hello(
        documents: Set(cells.map(\.documentName)).sorted(),
        cells: cells.map(AskedCell.init).distinct)
    } catch var error as WorkerHelloError {
      error.executable = program.file
      throw error
    }
  }

  /// Sees that the program is still the one that was measured first.
  ///
  /// - Throws: a ``CLIError`` where it is not: its figures would be of two.
  func checkUnchanged() throws {
    guard Self.identity(link) == identity else {
      throw CLIError(
        "\(program.file) changed while it was measured", help: "run the gate again", status: .failed
      )
    }
  }

  /// Which file a link leads to, how long it is, and when it changed last: a build may write a new program
  /// into the old one's file.
  private static func identity(_ link: String) -> String? {
    guard let path = resolvedPath(link),
      let found = try? FileManager.default.attributesOfItem(atPath: path)
    else { return nil }
    let modified = (found[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return "\(path) \(found[.systemFileNumber] ?? 0) \(found[.size] ?? 0) \(modified)"
  }
}
