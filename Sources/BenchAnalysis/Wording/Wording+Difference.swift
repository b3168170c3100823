import BenchResults

extension Wording {
  /// A difference with its sign and unit: `+1`, `-64 B`; `0` of none.
  public static func difference(_ difference: Double, _ unit: Unit) -> String {
    let text = value(difference, unit)
    return difference > 0 ? "+" + text : text
  }

  /// A row's change: of the hard tier the figure and what it means, `+1 (1.0001× more)`; of others
  /// the meaning alone. Nil where neither is known.
  public static func change(_ row: RowComparison, _ metric: Metric) -> String? {
    let ratio = row.ratio.map { change($0, metric, exact: row.difference != nil) }
    guard let difference = row.difference, difference != 0 else { return ratio }
    let figure = self.difference(difference, metric.unit)
    return ratio.map { "\(figure) (\($0))" } ?? figure
  }
}
