import BackendKit
import BenchDocuments
import BenchResults
import Foundation

/// A selection as it was found in a suite: the cells to measure, and the words of a record on them.
package struct ChosenCells: Sendable {
  package var backends: [BackendInfo]
  package var menus: [MenuInfo]
  package var workloads: [WorkloadInfo]
  package var cells: [PlannedCell]
  /// The metrics to keep; nil for all.
  package var metrics: Set<String>?
  /// Which of the backends, the workloads and the metrics were all asked for, those that are gone by now included.
  package var takesAll: [Settings.Part]?

  /// Plans each workload on each backend with each document, at these durabilities or at its own.
  package init<Document: BenchDocument>(
    _ backends: [BackendEntry<Document>], _ workloads: [any Workload<Document>],
    on menus: [ChosenMenu], _ durabilities: [Durability]?
  ) {
    self.backends = backends.map(\.info)
    self.menus = menus.map(\.info)
    self.workloads = workloads.map { $0.info }
    cells = menus.flatMap { menu in
      workloads.flatMap { workload in
        (durabilities ?? [workload.ownDurability]).flatMap { durability in
          backends.map {
            PlannedCell(
              $0, workload, on: menu.info, named: menu.argument, durability,
              refusal: menu.refusals[workload.id])
          }
        }
      }
    }
  }

  /// The head of a record, as it is known before the first block.
  package func record(
    by tool: Tool, on machine: Machine, _ plan: RunPlan, in folder: StoreFolder,
    tags: [String: String]?
  ) -> RunRecord {
    let settings = Settings(
      started: Date().formatted(.iso8601), targetPrecision: RunPlan.usualPrecision,
      scheduleSeed: plan.seed, storage: folder.parent
    ).with(\.blocks, plan.blocks).with(\.budgetSeconds, plan.budgetSeconds)
      .with(\.fileSystem, folder.fileSystem).with(\.tags, tags).with(\.takesAll, takesAll)
    return RunRecord(tool: tool, machine: machine, settings: settings)
      .with(\.backends, backends).with(\.menus, menus).with(\.workloads, workloads)
  }
}

/// A document that was asked for, described and tried. It is not kept.
package struct ChosenMenu: Sendable {
  /// Its name as the suite's source understands it.
  package let argument: String
  package var info: MenuInfo
  /// Why workloads, by their ids, make no sense with it.
  let refusals: [String: String]

  package init<Document: BenchDocument>(
    _ loaded: LoadedDocument<Document>, named argument: String,
    for workloads: [any Workload<Document>]
  ) {
    self.argument = argument
    info = loaded.info
    let refusals = workloads.compactMap { workload in
      workload.refusal(of: loaded.document).map { (workload.id, $0) }
    }
    self.refusals = Dictionary(refusals) { first, _ in first }
  }
}
