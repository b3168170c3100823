import Basics
import BenchResults
import Foundation

/// Backends side by side: their costs, and which one to take for what somebody needs.
package struct RecommendationReport: Sendable {
  /// The run.
  package let record: RunRecord
  /// The costs, a sheet a menu, in the record's order: the first is the one asked about.
  package let sheets: [CostTable]
  /// What to take for each question, in their order; of several those alone of whose weights half or
  /// more count.
  package let answers: [Answer]
  /// The others of several.
  package let unanswered: [Answer]
  /// Whether somebody asked for one answer.
  package let isOneQuestion: Bool
  /// Why one size alone was measured, in words; nil where that is not known.
  package let sizeNote: String?
  /// The run as any other report shows it.
  package let run: Report

  /// The part of a need's weights that must count for an answer that nobody asked for.
  package static let leastShare = 0.5

  /// Sets the backends of a run side by side, and answers one question, or each of several needs that
  /// are asked because nobody named one. All of them let the same backends be ranked.
  package init(record: RunRecord, questions: [Criteria], sizeNote: String? = nil) {
    self.init(Report(record: record), questions: questions, sizeNote: sizeNote)
  }

  /// The same of a run that is analysed already.
  package init(_ run: Report, questions: [Criteria], sizeNote: String? = nil) {
    let record = run.record
    let takesVolatile = questions.first?.takesVolatile ?? false
    let menus = record.menus.uniqued(on: \.name)
    let floors = FloorBound.all(record)
    let sheets = menus.map {
      CostTable(menu: $0.name, of: record, floors: floors, takesVolatile: takesVolatile)
    }
    let answers = questions.map { Answer($0, on: sheets, menus) }
    let isOne = questions.count == 1
    isOneQuestion = isOne
    self.record = record
    self.sheets = sheets
    self.sizeNote = sizeNote
    self.answers = answers.filter { isOne || $0.countedShare >= Self.leastShare }
    unanswered = answers.filter { !isOne && $0.countedShare < Self.leastShare }
    self.run = run
  }
}

/// What to take for one question.
package struct Answer: Sendable {
  /// What to choose by.
  package let criteria: Criteria
  /// What to take with each menu, in the record's order: the first is the one asked about.
  package let recommendations: [Recommendation]
  /// Whether the answer changes with the menu's size; nil where one size alone has an answer.
  package let trend: AnswerTrend?
  /// What leads at one size and is not ranked with this menu, so that nothing is known of the sizes between; nil where
  /// nothing is.
  package let trendGap: (backend: String, menu: String)?

  init(_ criteria: Criteria, on sheets: [CostTable], _ menus: [MenuInfo]) {
    let recommendations = sheets.map { Recommendation(criteria, on: $0) }
    self.criteria = criteria
    self.recommendations = recommendations
    let answers = zip(menus, recommendations).map { (menu: $0, recommendation: $1) }
    trendGap = AnswerTrend.gap(in: answers)
    trend = trendGap == nil ? AnswerTrend(answers) : nil
  }

  /// What to take with the menu asked about; nil where there is no menu.
  package var here: Recommendation? { recommendations.first }

  /// The part of the weights that counts with the menu asked about.
  package var countedShare: Double { here?.countedShare ?? 0 }
}

/// What a question comes to with a menu of one size.
package struct SizedAnswer: Sendable {
  /// The menu's name.
  package let menu: String
  /// How large it is, in ``AnswerTrend/noun``.
  package let size: Double
  /// What to take, and why.
  package let recommendation: Recommendation
}

/// Whether the answer changes with the menu's size, and where.
package struct AnswerTrend: Sendable {
  /// The answers, the smallest menu first.
  package let answers: [SizedAnswer]
  /// Where the answer changes, from small to large; empty where it is the same at every size.
  package let changes: [AnswerChange]
  /// What sizes are counted in, such as `slot options`.
  package let noun: String

  /// Looks along the sizes; nil of fewer than two that have an answer.
  package init?(_ answers: [(menu: MenuInfo, recommendation: Recommendation)]) {
    let answered = answers.filter { !$0.recommendation.leaders.isEmpty }
    let unit = MenuSizeUnit(of: answered.map(\.menu))
    let sized = answered.map { answer in
      SizedAnswer(
        menu: answer.menu.name, size: unit.size(of: answer.menu),
        recommendation: answer.recommendation)
    }.sorted { $0.size < $1.size }
    guard Set(sized.map(\.size)).count > 1 else { return nil }
    self.answers = sized
    noun = unit.noun
    changes = Self.changes(sized)
  }

  /// The first that leads at one size and is not ranked at another: a change between them would be one of who is ranked.
  static func gap(
    in answers: [(menu: MenuInfo, recommendation: Recommendation)]
  ) -> (backend: String, menu: String)? {
    let answered = answers.filter { !$0.recommendation.leaders.isEmpty }
    let leaders = answered.flatMap(\.recommendation.leaders)
    for answer in answered {
      let ranked = Set(answer.recommendation.ranked.map(\.backend))
      if let absent = leaders.first(where: { !ranked.contains($0) }) {
        return (absent, answer.menu.name)
      }
    }
    return nil
  }

  /// An answer holds as long as one of its leaders is among the next size's; what remains of them goes
  /// on, so that two close backends do not look like a change.
  private static func changes(_ answers: [SizedAnswer]) -> [AnswerChange] {
    var changes: [AnswerChange] = []
    var holding = answers[0].recommendation.leaders
    var since = 0
    for index in answers.indices.dropFirst() {
      let leaders = answers[index].recommendation.leaders
      let common = holding.filter(leaders.contains)
      if common.isEmpty {
        changes.append(AnswerChange(from: holding, to: leaders, answers[since...index]))
        since = index
      }
      holding = common.isEmpty ? leaders : common
    }
    return changes
  }
}

/// A size at which another backend becomes the one to take.
package struct AnswerChange: Equatable, Sendable {
  /// What is ahead below it: one, or several too close to call.
  package let from: [String]
  /// What is ahead above it.
  package let to: [String]
  /// The largest size measured at which the old answer is still ahead of the new.
  package let below: Double
  /// The smallest size measured at which the new one is ahead.
  package let above: Double
  /// About where they are level: a straight line between those two sizes, of the logarithm of their
  /// scores' ratio over the logarithm of the size. Nil where one of them has no score there.
  package let about: Double?

  /// Finds it within answers of ascending size, in whose first `from` leads and in whose last `to`.
  fileprivate init(from: [String], to: [String], _ answers: ArraySlice<SizedAnswer>) {
    self.from = from
    self.to = to
    let steps = zip(answers, answers.dropFirst()).compactMap { last, next in
      let (left, right) = (Self.distance(from[0], to[0], last), Self.distance(from[0], to[0], next))
      guard let left, let right, left > 0, right <= 0 else { return nil as (Point, Point)? }
      return ((last.size, left), (next.size, right))
    }
    below = steps.last?.0.size ?? answers[answers.startIndex].size
    above = steps.last?.1.size ?? answers[answers.endIndex - 1].size
    about = steps.last.flatMap(Statistics.level)
  }

  private typealias Point = (size: Double, distance: Double)

  /// The logarithm of the new one's score over the old one's: above 0 while the old one is ahead.
  private static func distance(_ old: String, _ new: String, _ answer: SizedAnswer) -> Double? {
    let scores = [new, old].compactMap { name in
      answer.recommendation.ranked.first { $0.backend == name }?.score
    }
    return scores.count == 2 ? log(scores[0] / scores[1]) : nil
  }
}
