import Basics
import BenchResults

/// The costs of a run's backends, and the recommended backend for each need.
package struct RecommendationReport: Sendable {
  package let record: RunRecord
  /// One table of costs per menu, in the record's order. The first menu is the one asked about.
  package let sheets: [CostTable]
  /// The answers, in the order of the questions. If there are several questions, an answer needs at
  /// least half of its weights to count.
  package let answers: [Answer]
  package let unanswered: [Answer]
  /// Whether there was only one question.
  package let isOneQuestion: Bool
  /// What a backend's libraries add to an app, in words by its id, as far as it is known.
  package let additions: [String: String]
  package let run: Report

  /// The share of weights that must count for an answer to one of several questions.
  package static let leastShare = 0.5

  /// Compares the backends of a run and answers one question, or one per need if no need was named.
  /// All questions must agree on which backends may be ranked. Tables compare with the reference, or with the best.
  package init(
    record: RunRecord, questions: [Criteria], additions: [String: String] = [:],
    reference: String? = nil
  ) {
    let takesVolatile = questions.first?.takesVolatile ?? false
    let menus = record.menus.uniqued(on: \.name)
    let floors = FloorBound.all(record)
    let sheets = menus.map {
      CostTable(
        menu: $0.name, of: record, floors: floors, takesVolatile: takesVolatile,
        reference: reference)
    }
    let answers = questions.map { Answer($0, on: sheets, menus) }
    let isOne = questions.count == 1
    isOneQuestion = isOne
    (self.record, self.sheets, self.additions) = (record, sheets, additions)
    self.answers = answers.filter { isOne || $0.countedShare >= Self.leastShare }
    unanswered = answers.filter { !isOne && $0.countedShare < Self.leastShare }
    run = Report(record: record, reference: reference)
  }
}

package struct Answer: Sendable {
  package let criteria: Criteria
  /// The recommendations for all menus, in the record's order. The first menu is the one asked about.
  package let recommendations: [Recommendation]
  /// How the answer changes with the menu's size. Nil with fewer than two sizes, or with a ``trendGap``.
  package let trend: AnswerTrend?
  /// A backend that leads at one size, and a menu with which it is not ranked. Nil if there is none.
  package let trendGap: (backend: String, menu: String)?

  init(_ criteria: Criteria, on sheets: [CostTable], _ menus: [MenuInfo]) {
    let recommendations = sheets.map { Recommendation(criteria, on: $0) }
    (self.criteria, self.recommendations) = (criteria, recommendations)
    let answers = zip(menus, recommendations).map { (menu: $0, recommendation: $1) }
    trendGap = AnswerTrend.gap(in: answers)
    trend = trendGap == nil ? AnswerTrend(answers) : nil
  }

  /// The recommendation for the menu asked about, or nil without menus.
  package var here: Recommendation? { recommendations.first }

  /// The share of the weights that counts with the menu asked about.
  package var countedShare: Double { here?.countedShare ?? 0 }
}
