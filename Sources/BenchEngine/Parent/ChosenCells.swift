import BackendKit
import BenchDocuments
import BenchResults
import Foundation

/// The cells to measure, and the parts of a record that describe them. Built from a user's selection.
package struct ChosenCells: Sendable {
  package var backends: [BackendInfo]
  package var menus: [MenuInfo]
  package var workloads: [WorkloadInfo]
  package var cells: [PlannedCell]
  /// The metrics to keep, or nil for all.
  package var metrics: Set<String>?
  /// The parts that were selected as a whole, with `all`. This covers members that no longer exist.
  package var takesAll: [Settings.Part]?

  /// Plans each workload on each backend with each document, by default at the workload's own durability.
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

  /// Returns the record as it is known before the first block.
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

/// A requested document, described and checked. The document itself is not kept.
package struct ChosenMenu: Sendable {
  /// The document's name in the suite's source.
  package let argument: String
  package var info: MenuInfo
  /// Why workloads make no sense with the document, by workload id.
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
