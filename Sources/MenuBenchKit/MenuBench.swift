@_exported import BackendKit
import BenchEngine
import BenchProbes
@_exported import BenchResults
import Foundation
@_exported import MenuModel
import MenuWorkloads
import Synchronization

/// Measures how a menu is stored, within the calling process: an app on a phone, or its tests.
///
/// ```swift
/// let run = try await MenuBench.run([.json, .plist, .memory], menu: .large)
/// try RunFile.write(run, to: path)
/// ```
///
/// The record is like that of `bench run`. `bench report`, `compare --run` and `diff` read it, on a Mac or
/// in CI. It is marked as measured in one process. In one process nothing is cold, and counts, memory and
/// I/O would be those of the whole app. `bench` only compares it with a run of fresh processes on request.
public enum MenuBench {
  /// Measures storages in blocks. Each block has a fresh store, and each round has a new random order.
  ///
  /// All results are checked before anything is timed. A storage that throws, or that loses or changes
  /// data, has no figures; the record's `failures` has the reason. A storage that crashes takes the process
  /// down. A cancelled task ends after the current block and returns what was measured so far. Concurrent
  /// runs in one process, such as those of several tests, wait for each other.
  ///
  /// - Parameters:
  ///   - storages: what to measure, in report order. Pass your own storage as a `BackendEntry`.
  ///   - menu: the menu to store.
  ///   - workloads: names from `bench list workloads`, perhaps with settings, such as `patch:changes=100`.
  ///   - progress: called after each block with the number of finished blocks and their total.
  /// - Throws: ``MenuBenchRefusal`` if the request cannot be measured here; `CancellationError` if
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

  /// Whether a run is active. Two runs at once would disturb each other.
  private static let isTaken = Atomic(false)

  /// Further options of a run, with defaults that suit most apps.
  public struct Options: Sendable {
    /// The durability of saves, or nil for each workload's default, usually `atomic`.
    public var durability: Durability?
    /// Timed blocks per storage and workload. With fewer than three, reports have no intervals.
    public var blocks: Int
    /// The folder for stores, which are removed again, or nil for the folder of temporary files.
    public var folder: URL?
    /// Tags that identify the run in reports, such as `["device": "iPhone 15"]`.
    public var tags: [String: String]
    /// Whether to measure a build without optimisation. Its figures say nothing about an app.
    public var allowsDebugBuild: Bool

    /// Makes options. All of them have defaults.
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

/// The reason why a run was refused before anything was measured.
public struct MenuBenchRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem with the offending value, and what to do about it, in one line.
  public let description: String

  init(_ reason: String, help: String? = nil) {
    description = help.map { "\(reason): \($0)" } ?? reason
  }
}

extension MenuBench.Options {
  /// Throws for invalid options, and for an unoptimised build unless it is allowed.
  package func check(isDebug: Bool = Build.isDebug) throws {
    guard (1...10_000).contains(blocks) else {
      throw MenuBenchRefusal("\(blocks) blocks cannot be measured", help: "give 1 to 10,000")
    }
    guard !isDebug || allowsDebugBuild else {
      throw MenuBenchRefusal(
        "this is a debug build: its figures say nothing about an app",
        help: "build for release, or set Options(allowsDebugBuild: true)")
    }
  }
}

/// The limits of measuring in one process.
enum OneProcess {
  /// Reasons, by metric id, why metrics of the whole process are not measured.
  static let refusals = Dictionary(
    uniqueKeysWithValues: Probe.allCases.flatMap(\.metrics).map {
      ($0.id, "it is counted for a whole process, and this one also runs the app")
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
