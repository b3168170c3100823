import BenchAnalysis

/// Where the cheaper of two storages changes.
enum CrossoverSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    guard scale.backends.count > 1, scale.menus.count > 1 else { return [] }
    let rows = rows(scale)
    let heading = Part.heading("Where another becomes cheaper")
    guard !rows.isEmpty else {
      return [heading, .paragraph("Nowhere among these sizes, as far as these blocks can tell.")]
    }
    let table = TextTable(
      columns: [
        .text("cost", shrinksTo: 12), .text("cheaper below", shrinksTo: 10),
        .text("cheaper above", shrinksTo: 10), .text(scale.noun), .number("about"),
        .text("proof", isOptional: true),
      ], rows: rows)
    let legend =
      "about: where a straight line between sizes, in logarithms, puts both level; sizes at which"
      + " they are too close to call are looked past"
    return [heading, .table(table), .paragraph(legend)]
  }

  private static func rows(_ scale: ScaleReport) -> [[String]] {
    let titles = ChoiceText.titles(scale.costs.map(\.column))
    return zip(scale.costs, titles).flatMap { cost, title in
      cost.crossovers.map { crossover in
        [
          title, crossover.from, crossover.to,
          "\(Wording.count(crossover.below)) to \(Wording.count(crossover.above))",
          crossover.about.map(ChoiceText.about) ?? TextTable.unknown,
          crossover.isProven ? "" : "unproven",
        ]
      }
    }
  }
}
