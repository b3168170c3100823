import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults
import PersistenceBackends

/// The cells to measure, as typed.
struct CellOptions: ParsableArguments {
  @Option(help: "Backends, CODEC@PLACE, or all: see bench list.")
  var backend = "json"

  @Option(help: "Menus: presets, shapes (typed or from bench shape), or files.")
  var menu = "large"

  @Option(help: "Workloads with settings (patch:changes=100), or all: see bench list workloads.")
  var workload = "roundtrip"

  @Option(
    help: """
      none, atomic, durable, several with commas, or all. (default: atomic, or the workload's own)
      """)
  var durability: String?
}

/// The cells and metrics to measure, as typed.
struct Selection: ParsableArguments {
  @OptionGroup var cells: CellOptions

  @Option(help: "Metrics to keep, or all: see bench list metrics.")
  var metrics = "all"

  init() {}

  /// Selects the cells with all metrics.
  init(_ cells: CellOptions) {
    (self.cells, metrics) = (cells, "all")
  }

  /// Finds everything that was typed, and generates or reads the menus once.
  ///
  /// - Parameter menus: The menus to use instead of those typed.
  func resolve<Document: BenchDocument>(
    in suite: Suite<Document>, menus: [String]? = nil
  ) throws -> ChosenCells {
    let entries = try BackendNames(suite: suite).list(cells.backend)
    let workloads = try suite.workloads(named: cells.workload)
    let known = ValidNames(kind: "backend", ids: suite.backends.map(\.id))
    for other in workloads.flatMap(\.otherBackends) { _ = try known.one(other) }
    let durabilities = try cells.durability.map {
      try ValidNames.durabilities.list($0).compactMap(Durability.init)
    }
    let metrics = try ValidNames.metrics.list(metrics)
    let names = try menus ?? suite.source.split(cells.menu)
    var chosen = ChosenCells(
      entries, workloads, on: try suite.menus(named: names.distinct, for: workloads), durabilities)
    let order = suite.allBackends.map(\.id)
    // A backend with settings comes next to the backend itself.
    func place(of backend: BackendInfo) -> Int {
      order.firstIndex { $0 == backend.id.prefix { $0 != ":" } } ?? order.count
    }
    chosen.backends.sort { place(of: $0) < place(of: $1) }
    chosen.metrics = self.metrics == "all" ? nil : Set(metrics)
    let typed: [(part: Settings.Part, names: String)] = [
      (.backends, cells.backend), (.workloads, cells.workload), (.metrics, self.metrics),
    ]
    let takesAll = typed.filter { $0.names == "all" }.map(\.part)
    chosen.takesAll = takesAll.isEmpty ? nil : takesAll
    return chosen
  }
}

extension Suite {
  /// Makes each menu once, to describe it and to try the workloads' plans. Every menu has its own name.
  fileprivate func menus(
    named arguments: [String], for workloads: [any Workload<Document>]
  ) throws -> [ChosenMenu] {
    var menus = try arguments.map {
      ChosenMenu(try source.load($0), named: $0, for: workloads)
    }
    let names = menus.map(\.info.name)
    for index in menus.indices where names.count(where: { $0 == names[index] }) > 1 {
      // Files in different folders, or a file and a preset, may share a name: use the typed one.
      menus[index].info.name = menus[index].argument
    }
    return menus
  }
}
