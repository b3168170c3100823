import BenchAnalysis

/// By which power of the menu's size costs grow.
enum ExponentSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    guard scale.menus.count >= GrowthCurve.fewestSizes, !scale.costs.isEmpty else { return [] }
    return [.heading("By which power costs grow"), .table(table(scale)), .paragraph(legend(scale))]
  }

  private static func table(_ scale: ScaleReport) -> TextTable {
    let titles = ChoiceText.titles(scale.costs.map(\.column))
    return TextTable(
      columns: [
        .text("cost", shrinksTo: 12), .text("storage", shrinksTo: 10), .number("all sizes"),
        .number("large end"), .number("10× costs"),
      ],
      rows: zip(scale.costs, titles).flatMap { cost, title in
        cost.curves.map { curve in
          [title, curve.backend]
            + [curve.whole, curve.largeEnd].map { $0.map(Wording.growth) ?? TextTable.unknown }
            + [curve.largeEnd.map { Wording.multiple($0.tenfold) } ?? TextTable.unknown]
        }
      }, isGrouped: true)
  }

  private static func legend(_ scale: ScaleReport) -> String {
    let end = scale.menus.suffix(GrowthCurve.fewestSizes).map { Wording.count($0.size) }
    return "1 is linear: twice the menu costs twice as much; at 2 it costs four times as much. All"
      + " sizes: a line through the logarithms of the medians; its interval, by Student's t at 95 %,"
      + " is wide where they scatter or bend. Large end: of \(end.joined(separator: ", "))"
      + " \(scale.noun) alone, where fixed costs no longer flatten it; its interval is a 95 %"
      + " bootstrap over blocks, and 10× costs is what ten times the menu costs there."
  }
}
