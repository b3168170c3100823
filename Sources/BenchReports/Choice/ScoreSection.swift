import BenchAnalysis

/// How the scores come about: every multiple with its weight, so that a reader can do the sum.
enum ScoreSection {
  static func parts(_ answer: Recommendation) -> [Part] {
    guard !answer.ranked.isEmpty else { return [] }
    let groups = ChoiceText.fitting(answer.weighted.map(\.column), figure: 7, room: 56)
    let tables = groups.indices.map { index in
      Part.table(table(answer, groups[index], hasScore: index == groups.count - 1))
    }
    return [.heading("How they score")] + tables + [.paragraph(formula(answer.weighted))]
  }

  private static func table(
    _ answer: Recommendation, _ columns: [CostColumn], hasScore: Bool
  ) -> TextTable {
    let places = columns.compactMap { column in
      answer.weighted.firstIndex { $0.column == column }
    }
    let titles = ChoiceText.titles(answer.weighted.map(\.column))
    return TextTable(
      columns: [.text("storage", shrinksTo: 12)] + places.map { .number(titles[$0]) }
        + [.number("score", isOptional: true)],
      rows: [
        ["weight"] + places.map { ChoiceText.weight(answer.weighted[$0].weight) } + [""]
      ]
        + answer.ranked.map { storage in
          [storage.backend] + places.map { ChoiceText.multiple(storage.terms[$0].multiple) }
            + [hasScore ? Wording.multiple(storage.score) : ""]
        })
  }

  /// `(save^6 × load^3)^(1/9)`.
  private static func formula(_ weighted: [WeightedColumn]) -> String {
    let titles = ChoiceText.titles(weighted.map(\.column))
    let factors = zip(titles, weighted).map { "\($0)^\(ChoiceText.weight($1.weight))" }
    let total = ChoiceText.weight(weighted.reduce(0) { $0 + $1.weight })
    return
      "score = (\(factors.joined(separator: " × ")))^(1/\(total)), the weighted geometric mean of"
      + " the multiples of the best in the tables below; 1.00× would be the best at everything"
  }
}

/// The storages that are not ranked, and why.
enum RefusalSection {
  /// Reasons of one storage that are shown; a page of them says no more.
  private static let most = 3

  static func parts(_ answer: Recommendation) -> [Part] {
    guard !answer.refused.isEmpty else { return [] }
    return [
      .heading("Not ranked"),
      .list(answer.refused.map { "\($0.backend): \(reasons($0.reasons))" }),
    ]
  }

  private static func reasons(_ reasons: [String]) -> String {
    let shown = reasons.prefix(most).joined(separator: "; ")
    return reasons.count > most ? "\(shown); and \(reasons.count - most) more" : shown
  }
}
