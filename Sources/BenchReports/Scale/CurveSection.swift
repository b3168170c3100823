import BenchAnalysis
import BenchResults

/// The figures: a table a cost, a row a size, a column a storage.
enum CurveSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    scale.costs.flatMap { cost in
      [Part.heading(title(cost.column))] + tables(cost, scale.noun) + legend(cost.column)
    }
  }

  private static func title(_ column: CostColumn) -> String {
    let whole = column.name == column.metric.id ? " of \(column.workload)" : ""
    return "\(column.title)\(whole) at durability \(column.durability)"
  }

  private static func tables(_ cost: ScaledCost, _ noun: String) -> [Part] {
    ChoiceText.fitting(cost.curves, titles: cost.curves.map(\.backend), figure: 8, room: 64).map {
      .table(table($0, cost.column, noun))
    }
  }

  private static func table(_ curves: [GrowthCurve], _ column: CostColumn, _ noun: String)
    -> TextTable
  {
    let sizes = curves.first?.points.map(\.size) ?? []
    return TextTable(
      columns: [.number(noun)] + curves.map { .number($0.backend) },
      rows: sizes.indices.map { index in
        [Wording.count(sizes[index])] + curves.map { text($0.points[index].entry, column) }
      })
  }

  private static func text(_ entry: CostEntry, _ column: CostColumn) -> String {
    switch entry {
    case .absent(let lack): lack.word
    case .figure(let figure, _): ChoiceText.value(figure, column)
    }
  }

  private static func legend(_ column: CostColumn) -> [Part] {
    column.name == column.metric.id ? [] : CostSection.legend([column])
  }
}
