import Basics
import BenchEngine
import BenchProcesses
import BenchResults
import Foundation
import RevisionBuild
import Synchronization

/// A program to measure: this one, another executable, or a revision that is built first.
struct GateProgram: Sendable {
  /// The path to start it by.
  var path: String
  /// The executable's path for records, which stays valid after this process has ended.
  var file: String
  /// The revision it was built from, or nil if unknown.
  var revision: String?

  static func own() async -> GateProgram {
    let path = OwnExecutable.path
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return GateProgram(
      path: path, file: file, revision: await GitRepository.currentRevision())
  }

  /// Finds a program by name: an executable file, otherwise a git revision.
  ///
  /// - Throws: a ``CLIError`` or `Refusal` if it is neither or does not build, or `CancellationError`.
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
          + "and not a git revision: \(error)",
        help: "give the executable of a bench, or a git revision", status: .unmeasured)
    }
  }

  private static var ownName: String {
    let path = Bundle.main.executablePath ?? CommandLine.arguments.first ?? "bench"
    return URL(fileURLWithPath: path).lastPathComponent
  }

  /// Builds a revision, and shows the progress.
  ///
  /// - Parameter product: The executable product, or nil for this program's name.
  /// - Throws: `Refusal` or `CancellationError`.
  private static func built(from ref: String, product: String?) async throws -> GateProgram {
    let repository = try await GitRepository(at: FileManager.default.currentDirectoryPath)
    let commit = try await repository.resolve(ref)
    // A build prints nothing in its first seconds.
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

/// Shows a build's progress: its last line on a terminal, elsewhere a line every 30 seconds.
private final class BuildDisplay: Sendable {
  private let name: String
  private let showsBar = Console.showsProgressBar
  private let start = ContinuousClock.now
  /// The time of the last note, or nil if there was none.
  private let said = Mutex(ContinuousClock.Instant?.none)

  init(of name: String) { self.name = name }

  /// The seconds so far, including the wait for another build.
  var seconds: Int64 { start.duration(to: .now).components.seconds }

  /// Shows a line of the build's output.
  func show(_ line: String) {
    Console.detail("build: \(line)")
    guard RevisionBuild.isProgress(line) else { return }
    // The time comes first, since the compiler's line may be too long to fit.
    let text = "building \(name), \(seconds) s of some minutes: \(line)"
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

/// One side of a gate: a program and its worker.
struct GateSide: Sendable {
  let program: GateProgram
  let worker: SubprocessWorker
  private let link: String
  private let identity: String?

  /// Prepares a program to be started through a link whose name has one letter. The length of the
  /// path would move the stack, and so change the times.
  init(_ side: Pairing.Side, _ program: GateProgram, in storage: ScratchFolder) throws {
    self.program = program
    let letter = side == .baseline ? "b" : "c"
    link = "\(storage.path)/\(letter)"
    guard symlink(program.path, link) == 0 else {
      throw CLIError("\(link) cannot be made: \(errnoMessage())")
    }
    worker = SubprocessWorker(
      executable: link, arguments: ["worker"], scratch: "\(storage.path)/callgrind-\(letter)")
    identity = Self.identity(link)
  }

  /// Asks the program to describe itself and the documents of some cells.
  ///
  /// - Throws: ``WorkerHelloError`` that names the program instead of the link.
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

  /// Checks that the program's file has not changed since the gate started.
  ///
  /// - Throws: a ``CLIError`` if it has, since the figures would be of two programs.
  func checkUnchanged() throws {
    guard Self.identity(link) == identity else {
      throw CLIError("\(program.file) changed while it was measured", help: "run the gate again")
    }
  }

  /// Identifies the file that a link leads to by path, inode, size and modification time. A build
  /// may write a new program into the old one's file.
  private static func identity(_ link: String) -> String? {
    guard let path = resolvedPath(link),
      let found = try? FileManager.default.attributesOfItem(atPath: path)
    else { return nil }
    let modified = (found[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return "\(path) \(found[.systemFileNumber] ?? 0) \(found[.size] ?? 0) \(modified)"
  }
}
