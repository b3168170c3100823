import BenchEngine
import BenchResults
import Foundation
import MenuModel
import MenuWorkloads
import PersistenceBackends

@testable import BenchCLI

/// The suite of `bench` itself.
let suite = OwnSuite.suite

/// `bench` as its commands take it.
enum OwnSuite: BenchApp {
  static let suite = Suite(
    backends: BackendRegistry.all, workloads: WorkloadRegistry.all, source: MenuSource())
}

func cell(_ backend: String = "json", menu: String = "large") -> Cell {
  Cell(backend: backend, menu: menu, workload: "roundtrip", durability: "atomic")
}

/// A count that two blocks agree on.
func count(
  _ value: Double, _ metric: Metric = .allocations, phase: String = "decode", in cell: Cell = cell()
) -> Series {
  Series(cell: cell, phase: phase, metric: metric, blocks: [[value], [value]])
}

/// A whole run of hand-made series.
func run(
  _ cells: [Series], build: String = "release", fingerprint: String = "00000000000000aa"
) -> RunRecord {
  RunRecord(
    tool: Tool(name: "bench", version: "0.1", revision: "abc"),
    machine: Machine(cpu: "EPYC", cores: 2, build: build)
      .with(\.system, "Debian 12").with(\.swift, "6.3.1"),
    settings: Settings(
      started: "2026-01-01T00:00:00Z", targetPrecision: 0.03, scheduleSeed: 1, storage: "."
    ).with(\.blocks, 2).with(\.fileSystem, "ext4")
  ).with(\.cells, cells).with(
    \.menus,
    Set(cells.map(\.cell.menu)).sorted().map {
      MenuInfo(name: $0, source: "shape", fingerprint: fingerprint, counts: [])
    })
}

/// Runs a test in an empty folder, and removes it.
func inFolder(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try body(folder)
}

/// Runs a test over an empty store of baselines.
func inStore(_ body: (BaselineStore) throws -> Void) throws {
  try inFolder { try body(BaselineStore(folder: $0 + "/baselines")) }
}

/// The error that a body throws, as the user sees it, or nil if it throws none of ours.
func refusal(_ body: () throws -> Void) -> CLIError? {
  do {
    try body()
    return nil
  } catch {
    return ErrorWording.cliError(for: error)
  }
}
