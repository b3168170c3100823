import ArgumentParser
import BenchHarness
import BenchReports
import BenchResults
import MenuModel
import PersistenceBackends

/// `bench list`: what there is to choose from.
struct ListCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list", abstract: "What there is: backends, menus, workloads, formats, metrics.")
  }

  @Argument(help: "One kind only: \(ListKind.names).")
  var kind: String?

  @Flag(help: "Of backends a page each: what they model, promise and stand on.")
  var verbose = false

  func run() throws {
    let chosen = try kind.map { [try Choice(kind: "kind", ids: ListKind.ids).one($0)] }
    let sections = ListKind.allCases.filter { chosen?.contains($0.rawValue) ?? true }
    try Console.output(sections.map(section).joined(separator: "\n"))
  }

  private func section(_ kind: ListKind) -> String {
    kind == .backends && verbose ? pages : table(of: kind)
  }

  /// A page of each backend, an empty line between them.
  private var pages: String {
    let width = Console.outputWidth
    let pages = App.suite.backends.map { BackendPage($0).text(width: width) }
    return (["backends\n"] + pages).joined(separator: "\n")
  }

  private func table(of kind: ListKind) -> String {
    let rows = rows(of: kind)
    let width = rows.map(\.0.count).max() ?? 0
    return "\(kind.rawValue)\n"
      + rows.map { id, text in
        "  \(id)\(String(repeating: " ", count: width - id.count))  \(text)\n"
      }.joined()
  }

  private func rows(of kind: ListKind) -> [(String, String)] {
    switch kind {
    case .backends: App.suite.backends.map { ($0.id, $0.summary) }
    case .menus: App.suite.source.presets.map { ($0.name, $0.summary) }
    case .workloads: App.suite.workloads.map { ($0.name, $0.page) }
    case .durabilities: Durability.allCases.map { ($0.rawValue, $0.meaning) }
    case .formats: App.reporters.map { ($0.id, $0.summary) }
    case .metrics:
      Metric.all.map { ($0.id, "\($0.unit.rawValue), \($0.isExact ? "exact" : "varies")") }
    }
  }
}

private enum ListKind: String, CaseIterable {
  case backends, menus, workloads, durabilities, formats, metrics

  static var ids: [String] { allCases.map(\.rawValue) }
  static var names: String { ids.joined(separator: ", ") }
}

extension Workload {
  /// What it does, and what can be set of it with the standard value.
  fileprivate var page: String {
    let settings = Self.parameters.map {
      "\($0.name)=\($0.standard) (\($0.values)): \($0.summary)"
    }
    return ([summary] + settings).joined(separator: "; ")
  }
}
