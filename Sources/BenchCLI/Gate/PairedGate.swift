import BenchAnalysis
import BenchEngine
import MenuWorkloads
import RevisionBuild
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import Synchronization

/// One gate between two programs under way.
struct PairedGate: Sendable {
  var plan: PairPlan
  var sides: Sides<GateSide>
  var records: Sides<RunRecord>
  /// Decides from all that was measured how many pairs each cell is to have next.
  var nextPairs: PairRunner.NextPairs
  var display: GateDisplay

  /// Measures to the end, or until the task is cancelled.
  ///
  /// - Throws: a ``CLIError`` where an executable changed meanwhile: its figures would be of two.
  func measure() async throws -> Sides<RunRecord> {
    let runner = PairRunner(
      plan, records: records, workers: sides.map { $0.worker as any Worker },
      clock: MonotonicClock(), nextPairs: nextPairs, observer: display)
    let measured = await runner.run()
    display.finish()
    for side in Pairing.Side.allCases { try sides[side].checkUnchanged() }
    return measured
  }
}

/// One of the two programs.
struct GateSide: Sendable {
  /// The program.
  let program: Program
  /// What starts it.
  let worker: SubprocessWorker
  private let link: String
  private let identity: FileIdentity?

  /// Prepares a program; it is started through a link of one letter, since the length of its path
  /// would move its stack and with it its times.
  init(_ side: Pairing.Side, _ program: Program, in storage: ScratchFolder) throws {
    self.program = program
    let link = storage.path + (side == .baseline ? "/b" : "/c")
    guard symlink(program.path, link) == 0 else {
      throw CLIError(
        "\(link) cannot be made: \(String(cString: strerror(errno)))", status: .failed)
    }
    let scratch = storage.path + (side == .baseline ? "/callgrind-b" : "/callgrind-c")
    worker = SubprocessWorker(executable: link, arguments: ["worker"], scratch: scratch)
    self.link = link
    identity = try? FileIdentity(of: link)
  }

  /// Asks the program what it is.
  ///
  /// - Throws: ``WorkerHelloError`` that names the program and not the link to it.
  func hello(_ documents: [String]) async throws -> WorkerHello {
    do {
      return try await worker.hello(documents: documents)
    } catch let error as WorkerHelloError {
      throw error.naming(program.file)
    }
  }

  /// Sees that the program is still the one that was measured first.
  func checkUnchanged() throws {
    guard (try? FileIdentity(of: link)) == identity else {
      throw CLIError(
        "\(program.file) changed while it was measured", help: "run the gate again", status: .failed
      )
    }
  }
}

extension WorkerHelloError {
  /// The same of an executable by another path.
  fileprivate func naming(_ executable: String) -> WorkerHelloError {
    switch self {
    case .notStarted(_, let reason): .notStarted(executable: executable, reason: reason)
    case .noWorker(_, let said): .noWorker(executable: executable, said: said)
    case .otherVersion(_, let found, let ours):
      .otherVersion(executable: executable, found: found, ours: ours)
    }
  }
}

extension PairedGate {
  /// Asks both programs what they are, and plans what to measure of them.
  ///
  /// - Throws: a ``CLIError`` where a program cannot be asked, or has another menu of the same name.
  init<App: BenchApp>(
    _ setup: GateSetup<App>, sides: Sides<GateSide>, storage: ScratchFolder
  ) async throws {
    let sample = try Sample(of: setup.chosen, in: App.suite)
    let documents = Set((setup.chosen.cells + sample.cells).map(\.documentName)).sorted()
    let hellos = Sides(
      baseline: try await sides.baseline.hello(documents),
      candidate: try await sides.candidate.hello(documents))
    let cells = try SharedCells(setup.chosen.cells, hellos, takesAll: setup.takesAllBackends)
    let traced = try SharedCells(sample.cells, hellos, takesAll: false).both
    let metrics = try GateMetrics(
      tier: setup.tier, named: setup.chosen.metrics,
      instructionCounter: hellos.candidate.machine.instructionCounter, tracesUnasked: true)
    let plan = PairPlan(
      cells: cells.both, lonely: cells.lonely, counters: metrics.counters, times: metrics.times,
      traced: metrics.tracesInstructions ? traced : [], budgetSeconds: setup.limits.budget,
      injection: setup.injection, memoryLimit: setup.limits.workers.memoryBytes,
      timeout: setup.limits.workers.timeout,
      width: min(ProcessInfo.processInfo.activeProcessorCount, 4), storage: storage.path,
      seed: setup.seed)
    self.plan = plan
    self.sides = sides
    let tolerances = setup.tolerances
    nextPairs = { records in
      let test = SequentialTest(
        candidate: records.candidate, baseline: records.baseline, tolerances: tolerances)
      return switch test?.nextStep {
      case .screening(let pairs), .confirmation(let pairs): pairs
      case .done, nil: [:]
      }
    }
    display = GateDisplay(showsBar: Console.showsProgressBar)
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    records = Sides(
      baseline: await setup.record(of: sides.baseline, hellos.baseline, metrics, storage),
      candidate: await setup.record(of: sides.candidate, hellos.candidate, metrics, storage))
    for side in Pairing.Side.allCases {
      if metrics.tracesInstructions { records[side].menus += sample.menus }
      records[side].pairing = Pairing(
        id: id, side: side, executable: sides[side].program.file,
        revision: sides[side].program.revision, looks: LookPlan(),
        injection: side == .candidate ? setup.injection?.description : nil)
    }
    if !metrics.times.isEmpty { try refuseOtherMachines() }
  }

  /// Times of other builds or allocators are another question than what a change of the code costs.
  private func refuseOtherMachines() throws {
    let differences = Comparability(candidate: records.candidate, baseline: records.baseline)
      .machineDifferences
    guard !differences.isEmpty else { return }
    throw CLIError(
      "the times of the two cannot be compared, since they differ in "
        + differences.joined(separator: "; "),
      help: "--tier exact compares what they count", status: .unmeasured)
  }
}

/// Which cells both programs have, and which only one of them has.
struct SharedCells {
  /// The cells to compare.
  var both: [PlannedCell] = []
  /// The cells of one side.
  var lonely: [Pairing.Side: [PlannedCell]] = [:]

  /// Sorts the cells asked for.
  ///
  /// - Throws: a ``CLIError`` where a menu of one name is another menu there: what was measured
  ///   could not be compared.
  init(_ cells: [PlannedCell], _ hellos: Sides<WorkerHello>, takesAll: Bool) throws {
    let gone = hellos.baseline.backends.filter { !hellos.candidate.backends.contains($0) }
    let cells = cells + (takesAll ? Self.cells(of: gone, like: cells) : [])
    for cell in cells {
      let sides = Pairing.Side.allCases.filter { hellos[$0].has(cell) }
      if sides.count == 2 {
        both.append(cell)
      } else {
        for side in sides { lonely[side, default: []].append(cell) }
      }
    }
    for (name, fingerprint) in hellos.candidate.documents {
      guard let other = hellos.baseline.documents[name], other != fingerprint else { continue }
      throw CLIError(
        "the menu '\(name)' is not the same menu there: fingerprint \(fingerprint), baseline "
          + other,
        help: "make it a file with 'bench generate' and give that: both then read the same",
        status: .unmeasured)
    }
  }

  /// The cells that backends would have, for every menu, workload and durability chosen.
  private static func cells(of backends: [String], like cells: [PlannedCell]) -> [PlannedCell] {
    var seen: Set<PlannedCell> = []
    return backends.flatMap { backend in
      cells.map { cell in
        var cell = cell
        cell.cell.backend = backend
        return cell
      }
    }.filter { seen.insert($0).inserted }
  }
}

extension WorkerHello {
  /// Settings it does not know fail when they are asked for.
  private func has(workload id: String) -> Bool {
    workloads.contains(String(id.prefix { $0 != ":" }))
  }

  fileprivate func has(_ cell: PlannedCell) -> Bool {
    backends.contains(cell.cell.backend) && has(workload: cell.cell.workload)
      && documents[cell.documentName] != nil
  }
}

/// Shows how far a gate is: a bar on a terminal, a line every tenth part elsewhere.
final class GateDisplay: GateObserver {
  private let showsBar: Bool
  private let last = Mutex("")

  init(showsBar: Bool) { self.showsBar = showsBar }

  func advanced(_ progress: GateProgress) {
    showsBar ? draw(progress) : report(progress)
  }

  /// Takes the bar away.
  func finish() {
    if showsBar { Console.redraw("") }
  }

  private func draw(_ progress: GateProgress) {
    let width = 20
    let full = width * progress.done / max(progress.total, 1)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let cell = Console.printable(progress.cell.description).prefix(28)
    Console.redraw("\(bar) \(progress.stage.words): \(progress.done)/\(progress.total)  \(cell)")
  }

  /// A line when a stage begins, and one when it ends.
  private func report(_ progress: GateProgress) {
    let tenth = 10 * progress.done / max(progress.total, 1)
    guard tenth == 10 || tenth == 5 else { return }
    let line = "\(progress.stage.words): \(tenth * 10) % of \(progress.total)"
    let isNew = last.withLock { last in
      defer { last = line }
      return last != line
    }
    if isNew { Console.note("\(line), \(Int(progress.elapsedSeconds)) s") }
  }
}

extension GateProgress.Stage {
  /// What is being done.
  fileprivate var words: String {
    switch self {
    case .counting: "counting"
    case .tracing: "counting instructions"
    case .timing(let step): step == 1 ? "timing pairs" : "timing more pairs (\(step))"
    }
  }
}
