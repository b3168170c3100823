import BenchAnalysis
import BenchEngine
import MenuWorkloads
import RevisionBuild
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// Everything that a gate was told, found in the suite.
struct GateSetup<App: BenchApp>: Sendable {
  var chosen: Selection.Chosen<App.Document>
  /// Whether every backend was asked for, those that are gone by now included.
  var takesAllBackends: Bool
  var limits: GateLimits
  var tier: GateTier
  var tolerances: Tolerances
  var injection: Injection?
  var out: String
  /// The seed of every order that is drawn.
  var seed: UInt64
}

/// What a gate measured, and where it goes.
struct MeasuredGate {
  var report: Report
  var folder: OutputFolder
}

extension GateSetup {
  /// Measures and compares.
  ///
  /// - Throws: a ``CLIError`` where there is nothing to compare with; `CancellationError`.
  func compare(with reference: Reference) async throws -> MeasuredGate {
    switch reference {
    case .program(let name, let product): try await compare(withProgram: name, product)
    case .storedRun(let name, let judgesTimes):
      try await compare(withStored: name, judgesTimes: judgesTimes)
    }
  }

  /// Compares this program with another one, in pairs of blocks.
  private func compare(withProgram name: String, _ product: String?) async throws -> MeasuredGate {
    let folder = try OutputFolder(out)
    let program = try await Program.named(name, product: product)
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? out, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let sides = try Sides(
      baseline: GateSide(.baseline, program, in: storage),
      candidate: GateSide(.candidate, await Program.own(), in: storage))
    let gate = try await PairedGate(self, sides: sides, storage: storage)
    let records = try await gate.measure()
    return MeasuredGate(
      report: Report(
        record: records.candidate, baseline: records.baseline, tolerances: tolerances),
      folder: folder)
  }

  /// Compares this program with a run that was measured before, block by block as `bench run` does.
  private func compare(withStored name: String, judgesTimes: Bool) async throws -> MeasuredGate {
    let stored = try StoredRun.baseline(name)
    let baseline = try stored.limited(to: Set(chosen.cells.map(\.cell)).union(gone(from: stored)))
    let folder = try OutputFolder(out)
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? out, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let gate = try await StoredGate(self, judgesTimes: judgesTimes, storage: storage)
    return MeasuredGate(
      report: Report(
        record: await gate.measure(into: folder), baseline: gate.limited(baseline),
        tolerances: tolerances, gatesTimes: judgesTimes),
      folder: folder)
  }

  /// The cells of a stored run whose backend is gone by now, where all were asked for.
  private func gone(from stored: RunRecord) -> [Cell] {
    guard takesAllBackends else { return [] }
    let known = Set(App.suite.backends.map(\.id))
    let places = Set(chosen.cells.map { Place($0.cell) })
    return stored.cells.map(\.cell).filter {
      !known.contains($0.backend) && places.contains(Place($0))
    }
  }

  /// A cell without its backend.
  private struct Place: Hashable {
    var menu: String
    var workload: String
    var durability: String

    init(_ cell: Cell) {
      (menu, workload, durability) = (cell.menu, cell.workload, cell.durability)
    }
  }
}

extension GateSetup {
  /// What is known of one side before anything is measured.
  func record(
    of side: GateSide, _ hello: WorkerHello, _ metrics: GateMetrics, _ storage: ScratchFolder
  ) async -> RunRecord {
    var tool = hello.tool
    tool.revision = side.program.revision
    var machine = hello.machine
    if metrics.tracesInstructions { await machine.findInstructionCounter() }
    return RunRecord(
      tool: tool, machine: machine,
      settings: Settings(
        started: Date().formatted(.iso8601), blocks: nil, budgetSeconds: limits.budget,
        targetPrecision: Limits.usualPrecision, scheduleSeed: seed, storage: storage.parent,
        fileSystem: storage.fileSystem),
      backends: chosen.backends, menus: chosen.menus, workloads: chosen.workloads,
      warnings: injection.map { ["injected into the candidate to try the gate: \($0)"] } ?? [])
  }
}

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

/// The cells whose instructions are counted where nobody asked for those of a particular menu: under
/// Callgrind a large menu takes minutes, and a small one takes the same paths through the code.
struct Sample {
  /// The cells, those of larger menus replaced by the sample's.
  private(set) var cells: [PlannedCell]
  /// The sample's menu, where it is not among those chosen anyway.
  private(set) var menus: [MenuInfo] = []

  /// Takes the suite's sample for every larger menu; the cells as they are where metrics were named.
  ///
  /// - Throws: whatever the suite's source throws for its sample.
  init<Document: BenchDocument>(
    of chosen: Selection.Chosen<Document>, in suite: Suite<Document>
  ) throws {
    cells = chosen.cells
    guard chosen.metrics == nil, let name = suite.source.sample else { return }
    let sample = try suite.source.load(name).info
    let larger = Set(chosen.menus.filter { $0.size > sample.size }.map(\.name))
    guard !larger.isEmpty else { return }
    var seen: Set<PlannedCell> = []
    cells = chosen.cells.map { cell in
      larger.contains(cell.cell.menu) ? cell.of(sample, named: name) : cell
    }.filter { seen.insert($0).inserted }
    if !chosen.menus.contains(where: { $0.name == sample.name }) { menus = [sample] }
  }
}

extension MenuInfo {
  /// How many things it holds.
  fileprivate var size: Int { counts.reduce(0) { $0 + $1.count } }
}

extension PlannedCell {
  /// The same cell of another menu.
  fileprivate func of(_ menu: MenuInfo, named name: String) -> PlannedCell {
    var cell = cell
    cell.menu = menu.name
    return PlannedCell(cell: cell, documentName: name, fingerprint: menu.fingerprint)
  }
}
