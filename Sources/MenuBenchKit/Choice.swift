import BackendKit
import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import MenuWorkloads

/// What was asked for, found and checked.
struct Choice {
  let suite: Suite<Menu>
  let found: ChosenCells

  /// - Throws: ``MenuBenchRefusal`` for storages, a menu or workloads that there are not, or that one
  ///   process cannot measure.
  init(
    _ storages: [BackendEntry<Menu>], menu: MenuChoice, workloads names: [String],
    _ options: MenuBench.Options
  ) throws {
    try Self.check(storages)
    let loaded = try menu.load()
    suite = Suite(
      backends: storages, workloads: WorkloadRegistry.all, source: HeldMenu(menu: loaded))
    if let misnamed = suite.misnamed {
      throw MenuBenchRefusal(
        misnamed, help: "give it another id, not 'all', without commas and colons")
    }
    let workloads = try Self.workloads(names, in: suite)
    found = ChosenCells(
      storages, workloads, on: [ChosenMenu(loaded, named: loaded.name, for: workloads)],
      options.durability.map { [$0] }, needs: suite.source.needs)
  }

  private static func check(_ storages: [BackendEntry<Menu>]) throws {
    guard !storages.isEmpty else {
      throw MenuBenchRefusal("there is no storage to measure", help: "give one, such as .json")
    }
    let ids = storages.map(\.id)
    guard let twice = ids.first(where: { id in ids.count { $0 == id } > 1 }) else { return }
    throw MenuBenchRefusal("'\(twice)' is there twice", help: "give each storage an id of its own")
  }

  private static func workloads(
    _ names: [String], in suite: Suite<Menu>
  ) throws -> [any Workload<Menu>] {
    guard !names.isEmpty else {
      throw MenuBenchRefusal("there is no workload to measure", help: "give one, such as roundtrip")
    }
    let found = try names.map { name in
      do {
        return try suite.workload(name)
      } catch let error as WorkloadNameError {
        throw MenuBenchRefusal(
          error.description, help: "there are: \(error.choices.joined(separator: ", "))")
      }
    }
    for workload in found { try check(workload, in: suite) }
    let ids = found.map(\.id)
    guard let twice = ids.first(where: { id in ids.count { $0 == id } > 1 }) else { return found }
    throw MenuBenchRefusal("the workload '\(twice)' is there twice", help: "name it once")
  }

  private static func check(_ workload: any Workload<Menu>, in suite: Suite<Menu>) throws {
    if let cold = workload as? any ColdWorkload<Menu>, let first = workload.phases.first,
      cold.coldPhases.contains(first)
    {
      throw MenuBenchRefusal(
        "'\(workload.id)' is about fresh processes, and none can be started from here",
        help: "measure it by bench run, on a Mac or on Linux")
    }
    let ids = suite.backends.map(\.id)
    if let lacking = workload.otherBackends.first(where: { !ids.contains($0) }) {
      throw MenuBenchRefusal(
        "'\(workload.id)' needs the storage '\(lacking)'",
        help: "give it, too; there are: \(ids.joined(separator: ", "))")
    }
  }

  /// What is known before the first block.
  func record(_ plan: RunPlan, _ options: MenuBench.Options, _ place: StoreFolder) -> RunRecord {
    var machine = MachineProbe.describe()
    machine.sqlite = MachineProbe.loadedSQLite
    machine.instructionCounter = nil
    machine.unsupported.merge(OneProcess.refusals) { $1 }
    var record = found.record(
      by: Tool(name: "MenuBenchKit", version: Tool.currentVersion, revision: nil), on: machine,
      plan, in: place, tags: options.tags.isEmpty ? nil : options.tags)
    record.settings.oneProcess = true
    return record
  }
}

extension StoreFolder {
  /// - Throws: ``MenuBenchRefusal`` where it cannot be made, or lies in memory and must survive a power cut.
  init(in folder: URL?, for cells: [PlannedCell]) throws {
    do throws(StoreFolderError) {
      try self.init(
        "menubench-\(UUID().uuidString)",
        in: (folder ?? FileManager.default.temporaryDirectory).path, for: cells)
    } catch {
      let help =
        if case .unmade = error { "give another as" } else { "give a folder on a drive as" }
      throw MenuBenchRefusal(error.message, help: "\(help) Options(folder:)")
    }
  }
}
