import Basics
import BenchResults

/// Backends side by side: their costs, and which one to take for what somebody needs.
package struct RecommendationReport: Sendable {
  package let record: RunRecord
  /// The costs, a sheet a menu, in the record's order: the first is the one asked about.
  package let sheets: [CostTable]
  /// What to take for each question, in their order; of several those alone of whose weights half or
  /// more count.
  package let answers: [Answer]
  package let unanswered: [Answer]
  /// Whether somebody asked for one answer.
  package let isOneQuestion: Bool
  package let run: Report

  /// The part of a need's weights that must count for an answer that nobody asked for.
  package static let leastShare = 0.5

  /// Sets the backends of a run side by side, and answers one question, or each of several needs that
  /// are asked because nobody named one. All of them let the same backends be ranked.
  package init(record: RunRecord, questions: [Criteria]) {
    let takesVolatile = questions.first?.takesVolatile ?? false
    let menus = record.menus.uniqued(on: \.name)
    let floors = FloorBound.all(record)
    let sheets = menus.map {
      CostTable(menu: $0.name, of: record, floors: floors, takesVolatile: takesVolatile)
    }
    let answers = questions.map { Answer($0, on: sheets, menus) }
    let isOne = questions.count == 1
    isOneQuestion = isOne
    (self.record, self.sheets) = (record, sheets)
    self.answers = answers.filter { isOne || $0.countedShare >= Self.leastShare }
    unanswered = answers.filter { !isOne && $0.countedShare < Self.leastShare }
    run = Report(record: record)
  }
}

package struct Answer: Sendable {
  package let criteria: Criteria
  /// What to take with each menu, in the record's order: the first is the one asked about.
  package let recommendations: [Recommendation]
  /// Whether the answer changes with the menu's size; nil where one size alone has an answer.
  package let trend: AnswerTrend?
  /// What leads at one size and is not ranked with this menu: nothing is known of the sizes between. Nil of none.
  package let trendGap: (backend: String, menu: String)?

  init(_ criteria: Criteria, on sheets: [CostTable], _ menus: [MenuInfo]) {
    let recommendations = sheets.map { Recommendation(criteria, on: $0) }
    (self.criteria, self.recommendations) = (criteria, recommendations)
    let answers = zip(menus, recommendations).map { (menu: $0, recommendation: $1) }
    trendGap = AnswerTrend.gap(in: answers)
    trend = trendGap == nil ? AnswerTrend(answers) : nil
  }

  /// What to take with the menu asked about; nil where there is no menu.
  package var here: Recommendation? { recommendations.first }

  /// The part of the weights that counts with the menu asked about.
  package var countedShare: Double { here?.countedShare ?? 0 }
}
