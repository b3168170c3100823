@_exported import BackendKit
import BenchEngine
import BenchProbes
@_exported import BenchResults
import Foundation
@_exported import MenuModel
import MenuWorkloads
import Synchronization

/// Measures how a menu is stored in the process that asks: an app, on a phone, or its tests.
///
/// ```swift
/// let run = try await MenuBench.run([.json, .plist, .memory], menu: .large)
/// try RunFile.write(run, to: path)
/// ```
///
/// The record is that of `bench run`: `bench report`, `compare --run` and `diff` read it, on a Mac or in
/// CI. It says that all was measured in one process, and what that cannot give: nothing is cold, and
/// counts, memory and I/O are the whole app's. `bench` compares it with a run of fresh processes only
/// where it is asked to.
public enum MenuBench {
  /// Measures storages, each in blocks with a fresh store, in an order that is drawn anew each round.
  ///
  /// Everything that is read back is checked before anything is timed. A storage that loses or changes
  /// what it was given, or throws, has no figures: `failures` of the record says why. One that crashes
  /// takes the process along. A task that is cancelled ends after the block under way, and gives what was
  /// measured until then. Runs of one process, such as those of several tests, wait for each other.
  ///
  /// - Parameters:
  ///   - storages: what to measure, in the order of reports; your own as a `BackendEntry`.
  ///   - menu: what to store.
  ///   - workloads: as `bench list workloads` names them, with settings: `patch:changes=100`.
  ///   - progress: called after each block with how many are done, of how many.
  /// - Throws: ``MenuBenchRefusal`` where what was asked for cannot be measured here; `CancellationError` where
  ///   the task is cancelled while it waits.
  public static func run(
    _ storages: [BackendEntry<Menu>], menu: MenuChoice = .large,
    workloads: [String] = ["roundtrip"], options: Options = Options(),
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> RunRecord {
    try options.check()
    while isTaken.exchange(true, ordering: .acquiring) {
      try await Task.sleep(for: .milliseconds(500))
    }
    defer { isTaken.store(false, ordering: .releasing) }
    let chosen = try Choice(storages, menu: menu, workloads: workloads, options)
    let folder = options.folder ?? FileManager.default.temporaryDirectory
    let place: StoreFolder
    do {
      place = try StoreFolder("menubench-\(UUID())", in: folder.path, for: chosen.found.cells)
    } catch {
      throw MenuBenchRefusal(
        error.message, help: "give another, on a drive, as Options(folder:)")
    }
    defer { place.remove() }
    var plan = RunPlan(
      chosen.found.cells, in: place.path, seed: .random(in: 0...0xFFFF_FFFF))
    plan.blocks = options.blocks
    plan.countedBlocks = 1
    plan.metrics = Set(Metric.all.map(\.id)).subtracting(OneProcess.refusals.keys)
    plan.sampling = .short
    let total = plan.cells.count { $0.refusal == nil } * (options.blocks + plan.countedBlocks)
    return await Runner.measure(
      plan, record: chosen.record(plan, options, place),
      worker: InProcessWorker(chosen.suite, refusals: OneProcess.refusals), clock: MonotonicClock(),
      isSettled: { _ in false }, observer: Progress { progress($0, total) })
  }

  /// Whether a run is under way: two at once would measure each other.
  private static let isTaken = Atomic(false)

  /// What is seldom set of a run.
  public struct Options: Sendable {
    /// What a crash may cost; nil for each workload's own, which is `atomic` of most.
    public var durability: Durability?
    /// Timed blocks of each storage under each workload. With fewer than six, reports have no intervals.
    public var blocks: Int
    /// Where the stores are made and removed again; nil for the folder of temporary files.
    public var folder: URL?
    /// What the run is called by in reports: `["device": "iPhone 15"]`.
    public var tags: [String: String]
    /// Whether a build without optimisation is measured all the same: its figures say nothing of an app.
    public var allowsDebugBuild: Bool

    /// Makes options; what is left out is at its default.
    public init(
      durability: Durability? = nil, blocks: Int = 10, folder: URL? = nil,
      tags: [String: String] = [:], allowsDebugBuild: Bool = false
    ) {
      self.durability = durability
      self.blocks = blocks
      self.folder = folder
      self.tags = tags
      self.allowsDebugBuild = allowsDebugBuild
    }
  }
}

/// Why a run was refused before anything was measured.
public struct MenuBenchRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, with the offending value, and what to do, in one line.
  public let description: String

  init(_ reason: String, help: String? = nil) {
    description = help.map { "\(reason): \($0)" } ?? reason
  }
}

extension MenuBench.Options {
  /// Refuses what makes no sense, and an unoptimised build unless somebody insists.
  package func check(isDebug: Bool = Build.isDebug) throws {
    guard (1...10_000).contains(blocks) else {
      throw MenuBenchRefusal("\(blocks) blocks cannot be measured", help: "give 1 to 10,000")
    }
    guard !isDebug || allowsDebugBuild else {
      throw MenuBenchRefusal(
        "this is a debug build: its figures say nothing about an app",
        help: "build for release, or insist with Options(allowsDebugBuild: true)")
    }
  }
}

/// What one process can measure, and what not.
enum OneProcess {
  /// Why metrics, by their ids, are not given: all that is counted for a whole process.
  static let refusals = Dictionary(
    uniqueKeysWithValues: Probe.allCases.flatMap(\.metrics).map {
      ($0.id, "it is counted for a whole process, and the app is in this one, too")
    })
}

private final class Progress: RunObserver {
  private let done = Atomic(0)
  private let tell: @Sendable (_ done: Int) -> Void

  init(_ tell: @escaping @Sendable (_ done: Int) -> Void) { self.tell = tell }

  func blockEnded(_ progress: RunProgress, record: RunRecord) {
    tell(done.add(1, ordering: .relaxed).newValue)
  }
}
