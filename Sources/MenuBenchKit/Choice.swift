import BackendKit
import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import MenuWorkloads

/// The arguments of ``MenuBench/run(_:menu:workloads:options:progress:)``, looked up and checked.
struct Choice {
  let suite: Suite<Menu>
  let found: ChosenCells

  /// - Throws: ``MenuBenchRefusal`` if storages, menu or workloads are missing, unknown or invalid.
  init(
    _ storages: [BackendEntry<Menu>], menu: MenuChoice, workloads names: [String],
    _ options: MenuBench.Options
  ) throws {
    guard !storages.isEmpty else {
      throw MenuBenchRefusal("there is no storage to measure", help: "give one, such as .json")
    }
    guard !names.isEmpty else {
      throw MenuBenchRefusal("there is no workload to measure", help: "give one, such as roundtrip")
    }
    let loaded = try menu.load()
    let suite = Suite(
      backends: storages, workloads: WorkloadRegistry.all, source: HeldMenu(menu: loaded))
    if let misnamed = suite.misnamed {
      throw MenuBenchRefusal(
        misnamed, help: "give each a unique id, not 'all', without commas and colons")
    }
    let workloads: [any Workload<Menu>]
    do {
      workloads = try names.map { try suite.workload($0) }.uniqued(on: \.id)
    } catch let error as WorkloadNameError {
      throw MenuBenchRefusal(
        error.description, help: "expected: \(error.choices.joined(separator: ", "))")
    }
    self.suite = suite
    found = ChosenCells(
      storages, workloads, on: [ChosenMenu(loaded, named: loaded.name, for: workloads)],
      options.durability.map { [$0] })
  }

  /// Returns the record before the first block.
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
