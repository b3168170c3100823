import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults
import PersistenceBackends

/// Which cells, as typed.
struct CellOptions: ParsableArguments {
  @Option(help: "Backends, CODEC@PLACE, or all: see bench list backends and bench list pairs.")
  var backend = "json"

  @Option(help: "Menus: presets, shapes by hand or by bench shape, or files.")
  var menu = "large"

  @Option(help: "Workloads, or all; settings as patch:changes=100: see bench list workloads.")
  var workload = "roundtrip"

  @Option(
    help: """
      none, atomic or durable; several with commas, or all. (default: atomic, or the workload's own)
      """)
  var durability: String?
}

/// Which cells to measure, and what of them, as typed.
@dynamicMemberLookup
struct Selection: ParsableArguments {
  @OptionGroup var cells: CellOptions

  @Option(help: "Metrics to keep, or all: see bench list metrics.")
  var metrics = "all"

  init() {}

  /// What a command with options of its own measures of every metric.
  init(backend: String, menu: String, workload: String = "roundtrip", durability: String? = nil) {
    cells = CellOptions()
    (cells.backend, cells.menu, cells.workload) = (backend, menu, workload)
    (cells.durability, metrics) = (durability, "all")
  }

  /// The same of every metric.
  init(_ cells: CellOptions) {
    (self.cells, metrics) = (cells, "all")
  }

  subscript(dynamicMember part: WritableKeyPath<CellOptions, String>) -> String {
    get { cells[keyPath: part] }
    set { cells[keyPath: part] = newValue }
  }

  /// What was typed, found in a suite.
  struct Chosen<Document: BenchDocument> {
    var backends: [BackendInfo]
    var menus: [MenuInfo]
    var workloads: [WorkloadInfo]
    var needs: [NeedInfo]
    var durabilities: [Durability]
    var metrics: Set<String>?
    var cells: [PlannedCell]
    /// Which of the backends, the workloads and the metrics were all asked for, those that are gone by now included.
    var takesAll: [Settings.Part]?
  }

  /// Finds everything that was typed, and generates or reads the menus once.
  ///
  /// - Throws: a ``CLIError`` for an unknown name; whatever the source throws for a menu.
  func resolve<Document: BenchDocument>(
    in suite: Suite<Document>
  ) throws -> Chosen<Document> {
    let entries = try BackendNames(suite).list(cells.backend)
    let workloads = try suite.workloads(typed: cells.workload)
    let known = ValidNames(kind: "backend", ids: suite.backends.map(\.id))
    for other in workloads.flatMap(\.otherBackends) { _ = try known.one(other) }
    let durabilities = try cells.durability.map {
      try ValidNames.durabilities.list($0).compactMap(Durability.init)
    }
    let metrics = try ValidNames.metrics.list(metrics)
    let menus = try suite.menus(named: cells.menu, for: workloads)
    let order = suite.allBackends.map(\.id)
    // What is set stands beside what it is set of.
    func place(of entry: BackendEntry<Document>) -> Int {
      order.firstIndex { $0 == entry.id.prefix { $0 != ":" } } ?? order.count
    }
    let planned = menus.flatMap { menu in
      workloads.flatMap { workload in
        (durabilities ?? [workload.ownDurability]).flatMap { durability in
          entries.map {
            PlannedCell(
              $0, workload, on: menu.info, named: menu.argument, durability,
              refusal: menu.refusals[workload.id])
          }
        }
      }
    }
    let typed: [(part: Settings.Part, names: String)] = [
      (.backends, cells.backend), (.workloads, cells.workload), (.metrics, self.metrics),
    ]
    let takesAll = typed.filter { $0.names == "all" }.map(\.part)
    return Chosen(
      backends: entries.sorted { place(of: $0) < place(of: $1) }.map(\.info),
      menus: menus.map(\.info), workloads: workloads.map { $0.info },
      needs: suite.source.needs,
      durabilities: Durability.allCases.filter { level in
        planned.contains { $0.cell.durability == level.rawValue }
      }, metrics: self.metrics == "all" ? nil : Set(metrics), cells: planned,
      takesAll: takesAll.isEmpty ? nil : takesAll)
  }

  /// The same with each of these menus, one after the other.
  ///
  /// - Throws: what ``resolve(in:)`` throws.
  func resolve<Document: BenchDocument>(
    menus names: [String], in suite: Suite<Document>
  ) throws -> Chosen<Document> {
    let each = try names.map { name in
      var selection = self
      selection.cells.menu = name
      return try selection.resolve(in: suite)
    }
    guard var all = each.first else { return try resolve(in: suite) }
    all.cells = each.flatMap(\.cells)
    all.menus = each.flatMap(\.menus)
    return all
  }
}

extension Selection.Chosen {
  /// Those cells of a stored run that this one is to be set against.
  func cells(of stored: RunRecord) -> Set<Cell> {
    stored.cells(besideRunOf: cells.map(\.cell), takingAll: takesAll ?? [])
  }
}

extension Suite {
  /// The workloads that were typed.
  ///
  /// - Throws: a ``CLIError`` of status `usage` for a name or a setting that there is not.
  func workloads(typed argument: String) throws -> [any Workload<Document>] {
    do {
      return try workloads(named: argument)
    } catch let error as WorkloadNameError {
      let all = error.choices.joined(separator: ", ")
      guard let name = error.unknown else {
        throw CLIError(
          error.description, help: all.isEmpty ? "it has no settings" : "settings: \(all)",
          status: .usage)
      }
      throw CLIError(
        error.description,
        help: ValidNames(kind: "workload", ids: error.choices).help(for: name), status: .usage)
    }
  }
}

/// A menu that was typed, as it was found.
private struct ChosenMenu {
  let argument: String
  var info: MenuInfo
  /// Why workloads, by their ids, make no sense with it.
  let refusals: [String: String]
}

extension Suite {
  /// The menus of one argument, each made once to describe it and to try the workloads' plans; every
  /// one has a name of its own.
  fileprivate func menus(
    named argument: String, for workloads: [any Workload<Document>]
  ) throws -> [ChosenMenu] {
    var menus = try source.split(argument).distinct.map { argument in
      let loaded = try source.load(argument)
      let refusals = workloads.compactMap { workload in
        workload.refusal(of: loaded.document).map { (workload.id, $0) }
      }
      return ChosenMenu(
        argument: argument, info: loaded.info,
        refusals: Dictionary(refusals) { first, _ in first })
    }
    let names = menus.map(\.info.name)
    for index in menus.indices where names.count(where: { $0 == names[index] }) > 1 {
      // Two files of one name in different folders, or a file called as a preset: named as typed.
      menus[index].info.name = menus[index].argument
    }
    return menus
  }
}
