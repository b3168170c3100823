import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation

/// One run of this program while it measures: its folders, and the handling of Ctrl-C.
struct Session {
  let folder: OutputFolder
  let storage: ScratchFolder
  private let interruption = Interruption()

  /// Opens the folders for measuring some cells.
  ///
  /// - Parameter inputs: Stored runs that are read, and must not be lost.
  init(
    _ output: OutputOptions, of command: String, _ workers: WorkerLimits, _ cells: [PlannedCell],
    losing inputs: [String] = []
  ) throws {
    folder = try OutputFolder(output, of: command)
    try folder.refuse(losing: inputs)
    storage = try ScratchFolder(in: workers.storage ?? folder.storage, for: cells)
  }

  /// Measures to the end, or until the first Ctrl-C.
  func measure(_ plan: RunPlan, _ record: RunRecord, precision: Double) async throws -> RunRecord {
    let rule = PrecisionRule(
      relativeHalfWidth: precision, emptySample: record.machine.emptySample)
    let worker = SubprocessWorker.own(scratch: plan.storage + "/callgrind")
    Console.note(plan.startLine)
    Console.detail("worker of each block: \(worker.command)")
    return try await interruption.cancelling { [folder] in
      await plan.measure(record, by: worker, into: folder) { rule.isSettled($0) }
    }
  }

  /// Removes the stores. Ends the process by the signal that interrupted it, as its caller expects.
  func end() {
    storage.remove()
    interruption.reraise()
  }
}

extension RunPlan {
  /// Plans the chosen cells, within the limits typed.
  init(
    _ chosen: ChosenCells, _ limits: Limits, countedBlocks: Int = 2, budget: Double?,
    in storage: ScratchFolder
  ) {
    self.init(chosen.cells, chosen.metrics, limits.workers, in: storage)
    blocks = limits.blocks
    self.countedBlocks = countedBlocks
    budgetSeconds = budget
    sampling = .short
  }

  /// Plans some metrics of cells, without a time limit.
  init(
    _ cells: [PlannedCell], _ metrics: Set<String>?, _ workers: WorkerLimits,
    in storage: ScratchFolder
  ) {
    self.init(cells, in: storage.path, seed: workers.anySeed)
    self.metrics = metrics
    memoryLimit = workers.memoryBytes
    timeout = workers.timeout
    width = min(ProcessInfo.processInfo.activeProcessorCount, 4)
  }

  /// Describes what will be measured and, if known, for how long: `measuring json, plist on large:
  /// roundtrip at atomic; 2 cells, at most 40 s, but each once`. Every cell is measured at least once.
  var startLine: String {
    let time =
      budgetSeconds.map { "at most \(Self.seconds($0)), but each once" }
      ?? blocks.map { "\(Wording.plural($0, "block")) each" } ?? "until all are precise"
    return "\(what), \(time)"
  }

  /// Describes the same for a gate: `…; 4 cells, counts first, then times, no further analysis after 180 s`.
  /// Counts, the first interim analysis and any that has begun are always completed.
  var gateLine: String {
    let limit = budgetSeconds.map { ", no further analysis after \(Self.seconds($0))" } ?? ""
    return "\(what), " + (takesTimes ? "counts first, then times\(limit)" : "counts only")
  }

  /// Formats a budget, as one second if it is less.
  static func seconds(_ budget: Double) -> String {
    budget < 1 ? "1 s" : "\(Int(budget.rounded())) s"
  }

  /// Describes what will be measured: `measuring json, plist on large: roundtrip at atomic; 2 cells`.
  private var what: String { "measuring \(cells.words); \(Wording.plural(cells.count, "cell"))" }

  private var takesTimes: Bool {
    metrics?.contains { id in Metric.all.contains { $0.id == id && $0.isTime } } ?? true
  }

  /// Returns the display of its progress. If it takes times, it looks for other programs that do.
  func display(of folder: OutputFolder?) -> ProgressDisplay {
    let timing = takesTimes ? TimingLock(on: NSTemporaryDirectory()) : nil
    return ProgressDisplay(folder: folder, blocks: blocks, timing: timing)
  }

  /// Measures one program, shows the progress, and saves the record after every block.
  func measure(
    _ record: RunRecord, by worker: SubprocessWorker, into folder: OutputFolder,
    isSettled: @escaping @Sendable ([Series]) -> Bool
  ) async -> RunRecord {
    let display = display(of: folder)
    let measured = await Runner.measure(
      self, record: record, worker: worker, clock: MonotonicClock(), isSettled: isSettled,
      observer: display)
    display.finish(measured)
    return measured
  }
}

extension [PlannedCell] {
  /// Describes the cells by their parts: `json, plist on large: roundtrip at atomic`.
  var words: String {
    func names(_ id: KeyPath<Cell, String>) -> String {
      Wording.list(map { $0.cell[keyPath: id] }.distinct)
    }
    return "\(names(\.backend)) on \(names(\.menu)): \(names(\.workload)) at "
      + names(\.durability)
  }
}

extension SubprocessWorker {
  var command: String { ([executable] + arguments).joined(separator: " ") }

  /// Returns a worker that runs this program.
  static func own(scratch: String? = nil) -> SubprocessWorker {
    SubprocessWorker(executable: OwnExecutable.path, arguments: ["worker"], scratch: scratch)
  }
}

/// The path and checksum of this program. It starts its workers by the path.
enum OwnExecutable {
  static var path: String {
    #if os(Linux)
      // This path leads to the running program even if a build replaces its file.
      "/proc/\(getpid())/exe"
    #else
      Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }

  /// Distinguishes this program from others of the same version. Nil if its file cannot be read.
  static var checksum: String? {
    guard let bytes = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else {
      return nil
    }
    let whole = bytes.withUnsafeBytes { bytes in
      // Whole words are faster for a file of a hundred million bytes.
      bytes.bindMemory(to: UInt64.self).reduce(UInt64(bytes.count)) {
        ($0 ^ $1) &* 0x100_0000_01B3
      }
    }
    return whole.hexadecimal
  }
}
