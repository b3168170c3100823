import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults
import PersistenceBackends

/// The cells to measure, as typed. Nil means the command's default.
struct CellOptions: ParsableArguments {
  @Option(
    help: "Backends, CODEC@PLACE, or all: see bench list. (default: json, or all for compare)")
  var backend: String?

  @Option(
    help: """
      Menus: presets, shapes (typed or from bench shape), or files. scale makes all sizes from one \
      generated menu. (default: large)
      """)
  var menu: String?

  @Option(
    help: """
      Workloads with settings (patch:changes=100), or all: see bench list workloads. (default: \
      roundtrip, or those that count for compare)
      """)
  var workload: String?

  @Option(
    help: """
      none, atomic, durable, several with commas, or all. (default: atomic, or the workload's own)
      """)
  var durability: String?

  var backends: String { backend ?? "json" }
  var menus: String { menu ?? "large" }
  var workloads: String { workload ?? "roundtrip" }

  /// The options given that only make sense for measuring.
  var given: [String] {
    [
      ("--backend", backend != nil), ("--menu", menu != nil), ("--workload", workload != nil),
      ("--durability", durability != nil),
    ].filter(\.1).map(\.0)
  }
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
    let entries = try BackendNames(suite: suite).list(cells.backends)
    let workloads = try suite.workloads(named: cells.workloads)
    let known = ValidNames(kind: "backend", ids: suite.backends.map(\.id))
    for other in workloads.flatMap(\.otherBackends) { _ = try known.one(other) }
    let durabilities = try cells.durability.map {
      try ValidNames.durabilities.list($0).compactMap(Durability.init)
    }
    let metrics = try ValidNames.metrics.list(metrics)
    let names = try menus ?? suite.source.split(cells.menus)
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
      (.backends, cells.backends), (.workloads, cells.workloads), (.metrics, self.metrics),
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
