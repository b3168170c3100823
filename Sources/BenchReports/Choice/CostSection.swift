import BenchAnalysis
import BenchResults

/// What storages cost with one menu: a table a workload, each figure with its multiple of the best.
enum CostSection {
  static func parts(_ sheet: CostSheet) -> [Part] {
    var seen: Set<Place> = []
    let places = sheet.columns.map(Place.init).filter { seen.insert($0).inserted }
    return places.flatMap { place in
      workload(sheet, place, sheet.columns.filter { Place($0) == place })
    }
  }

  private struct Place: Hashable {
    var workload: String
    var durability: String

    init(_ column: CostColumn) {
      (workload, durability) = (column.workload, column.durability)
    }
  }

  private static func workload(
    _ sheet: CostSheet, _ place: Place, _ columns: [CostColumn]
  ) -> [Part] {
    let hasRoute = columns.contains { column in
      sheet.backends.contains { sheet.route($0, column) != nil }
    }
    let tables = ChoiceText.fitting(
      columns, figure: CostTable.figureWidth, room: hasRoute ? 36 : 56
    ).map { Part.table(CostTable.table(sheet, $0, endingIn: .route)) }
    return [.heading("\(sheet.menu) · \(place.workload) at durability \(place.durability)")]
      + tables + legend(columns)
  }

  /// What the columns are made of, where their names do not say it.
  static func legend(_ columns: [CostColumn]) -> [Part] {
    let texts = columns.compactMap { column -> String? in
      guard column.phases != [column.name] else { return nil }
      return "\(column.name): \(column.phases.joined(separator: " + "))"
    }
    return texts.isEmpty ? [] : [.paragraph(texts.joined(separator: "; "))]
  }
}

/// Backends in rows, costs in columns.
enum CostTable {
  /// What a figure and its multiple usually take: `36.1 ms  1.82×`.
  static let figureWidth = 14

  /// What stands behind the figures.
  enum Ending {
    /// The route, where there is more than one, and the promises.
    case route
    /// The promises alone.
    case promises
  }

  /// A table of all backends, or of some; what keeps nothing comes last.
  static func table(
    _ sheet: CostSheet, _ columns: [CostColumn], of backends: [String]? = nil,
    endingIn ending: Ending
  ) -> TextTable {
    let backends = backends ?? sheet.backends
    let rows = backends.filter(sheet.keeps) + backends.filter { !sheet.keeps($0) }
    return TextTable(
      columns: [.text("storage", shrinksTo: 12)]
        + ChoiceText.titles(columns).map { .number($0) }
        + [.text("promises"), .text("route", isOptional: true)],
      rows: rows.map { backend in
        let routes = ending == .route ? columns.compactMap { sheet.route(backend, $0) } : []
        return [backend] + columns.map { figure($0, sheet.entry(backend, $0)) }
          + [PromiseMarks.text(sheet, backend), route(routes)]
      })
  }

  private static func figure(_ column: CostColumn, _ entry: CostEntry) -> String {
    switch entry {
    case .absent(let lack): return lack.word
    case .figure(let figure, let multiple):
      let text = ChoiceText.multiple(multiple)
      let gap = String(repeating: " ", count: max(0, 6 - text.displayWidth))
      return ChoiceText.value(figure, column) + " " + gap + text
    }
  }

  private static func route(_ routes: [String]) -> String {
    var seen: Set<String> = []
    let each = routes.filter { seen.insert($0).inserted }
    return each.isEmpty ? TextTable.unknown : each.joined(separator: ", ")
  }
}
