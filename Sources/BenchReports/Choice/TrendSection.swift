import BenchAnalysis

/// Whether the answer changes with the size of the menu, and where.
enum TrendSection {
  static func parts(_ choice: ChoiceReport) -> [Part] {
    let heading = Part.heading("Does the menu's size change it?")
    guard let trend = choice.trend else {
      let note = choice.sizeNote ?? "one size only was measured: give several menus with --menu"
      return [heading, .paragraph("Not known: \(note)")]
    }
    return [heading, .paragraph(sentence(trend)), .table(table(trend))]
  }

  private static func sentence(_ trend: AnswerTrend) -> String {
    guard !trend.changes.isEmpty else {
      let leaders = trend.answers.map(\.recommendation.leaders)
      let common = leaders.dropFirst().reduce(leaders[0]) { $0.filter($1.contains) }
      return "No: \(ChoiceText.either(common)) at every size measured."
    }
    return trend.changes.map { "Yes: \(change($0, trend.noun))." }.joined(separator: " ")
  }

  private static func change(_ change: AnswerChange, _ noun: String) -> String {
    let about = change.about.map { ", at about \(ChoiceText.about($0))" } ?? ""
    return "from \(ChoiceText.either(change.from)) to \(ChoiceText.either(change.to)) between"
      + " \(Wording.count(change.below)) and \(Wording.count(change.above)) \(noun)\(about)"
  }

  private static func table(_ trend: AnswerTrend) -> TextTable {
    TextTable(
      columns: [
        .number(trend.noun), .text("first", shrinksTo: 12), .number("score"),
        .text("next", shrinksTo: 12), .number("score"), .text("ahead by"),
      ],
      rows: trend.answers.map { answer in
        let ranked = answer.recommendation.ranked
        let scores = ranked.prefix(2).map { [$0.backend, Wording.multiple($0.score)] }
        let next = scores.count > 1 ? scores[1] : [TextTable.unknown, TextTable.unknown]
        return [Wording.count(answer.size)] + (scores.first ?? []) + next
          + [answer.recommendation.leads.first.map(ahead) ?? TextTable.unknown]
      })
  }

  private static func ahead(_ lead: Lead) -> String {
    let ratio = Wording.multiple(lead.ratio)
    return lead.isClose ? "\(ratio), too close" : lead.isUnproven ? "\(ratio), unproven" : ratio
  }
}
