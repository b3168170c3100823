import ArgumentParser
import BenchHarness
import BenchResults
import MenuModel
import PersistenceBackends

/// Which cells to measure, as typed.
struct Selection: ParsableArguments {
  @Option(help: "Backends, or all: see bench list backends.")
  var backend = "json"

  @Option(help: "Menus: presets, shapes by hand, or files.")
  var menu = "large"

  @Option(help: "Workloads, or all: see bench list workloads.")
  var workload = "roundtrip"

  @Option(help: "none, atomic or durable; several with commas, or all.")
  var durability = "atomic"

  @Option(help: "Metrics to keep, or all: see bench list metrics.")
  var metrics = "all"

  /// What was typed, found in a suite.
  struct Chosen<Document: BenchDocument> {
    var backends: [BackendInfo]
    var menus: [MenuInfo]
    var durabilities: [Durability]
    var metrics: Set<String>?
    var cells: [PlannedCell]
  }

  /// Finds everything that was typed, and generates or reads the menus once.
  ///
  /// - Throws: a ``CLIError`` for an unknown name; whatever the source throws for a menu.
  func resolve<Document: BenchDocument>(
    in suite: Suite<Document>
  ) throws -> Chosen<Document> {
    let backends = try Choice(kind: "backend", ids: suite.backends.map(\.id)).list(backend)
    let workloads = try Choice(kind: "workload", ids: suite.workloads.map(\.id)).list(workload)
    let durabilities = try Choice(
      kind: "durability", plural: "durabilities", ids: Durability.allCases.map(\.rawValue)
    ).list(durability)
    let metrics = try Choice(kind: "metric", ids: Metric.all.map(\.id)).list(metrics)
    let menus = try suite.menus(named: menu)
    let cells = menus.flatMap { menu in
      workloads.flatMap { workload in
        durabilities.flatMap { durability in
          backends.map { backend in
            PlannedCell(
              cell: Cell(
                backend: backend, menu: menu.info.name, workload: workload, durability: durability),
              documentName: menu.argument, fingerprint: menu.info.fingerprint)
          }
        }
      }
    }
    return Chosen(
      backends: suite.backends.filter { backends.contains($0.id) }.map(\.info),
      menus: menus.map(\.info), durabilities: durabilities.compactMap(Durability.init),
      metrics: self.metrics == "all" ? nil : Set(metrics), cells: cells)
  }
}

extension BackendEntry {
  fileprivate var info: BackendInfo { BackendInfo(id: id, summary: summary, caveat: caveat) }
}

extension Suite {
  /// The menus of one argument, each made once to describe it; every one has a name of its own.
  fileprivate func menus(named argument: String) throws -> [(argument: String, info: MenuInfo)] {
    var arguments: [String] = []
    for name in try source.split(argument) where !arguments.contains(name) {
      arguments.append(name)
    }
    var menus = try arguments.map { (argument: $0, info: try source.load($0).info) }
    let names = menus.map(\.info.name)
    for index in menus.indices where names.count(where: { $0 == names[index] }) > 1 {
      // Two files of one name in different folders, or a file called as a preset: named as typed.
      menus[index].info.name = menus[index].argument
    }
    return menus
  }
}

extension LoadedDocument {
  /// What reports say of it.
  var info: MenuInfo {
    MenuInfo(
      name: name, source: origin, fingerprint: document.fingerprint.description,
      counts: document.counts.map { MenuInfo.Count(of: $0.of, count: $0.count) }, notes: notes)
  }
}
