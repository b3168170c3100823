import Basics
import BenchResults
import Foundation

/// The recommendation for a menu of one size.
package struct SizedAnswer: Sendable {
  package let size: Double
  package let recommendation: Recommendation
}

/// Whether the recommended backend changes with the menu's size, and where.
package struct AnswerTrend: Sendable {
  /// The answers, the smallest menu first.
  package let answers: [SizedAnswer]
  /// The sizes where the answer changes, in ascending order. Empty if all answers are the same.
  package let changes: [Crossover]
  /// The unit of the sizes, such as `slot options`.
  package let noun: String

  /// Compares the answers by size. Returns nil if fewer than two sizes have one.
  package init?(_ answers: [(menu: MenuInfo, recommendation: Recommendation)]) {
    let answered = answers.filter { !$0.recommendation.leaders.isEmpty }
    let unit = MenuSizeUnit(of: answered.map(\.menu))
    let sized = answered.map { answer in
      SizedAnswer(size: unit.size(of: answer.menu), recommendation: answer.recommendation)
    }.sorted { $0.size < $1.size }
    guard Set(sized.map(\.size)).count > 1 else { return nil }
    self.answers = sized
    noun = unit.noun
    changes = Self.changes(sized)
  }

  /// Returns the first backend that leads at one size and is not ranked at another, with that menu.
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

  /// Returns the changes. An answer holds as long as one of its leaders is among the next size's.
  /// Only common leaders stay, so that two close backends do not look like a change.
  private static func changes(_ answers: [SizedAnswer]) -> [Crossover] {
    var changes: [Crossover] = []
    var holding = answers[0].recommendation.leaders
    var since = 0
    for index in answers.indices.dropFirst() {
      let leaders = answers[index].recommendation.leaders
      let common = holding.filter(leaders.contains)
      if common.isEmpty {
        changes.append(Crossover(from: holding, to: leaders, answers[since...index]))
        since = index
      }
      holding = common.isEmpty ? leaders : common
    }
    return changes
  }
}

extension Crossover {
  /// Finds the crossover in answers of ascending size. `from` leads in the first, `to` in the last.
  fileprivate init(from: [String], to: [String], _ answers: ArraySlice<SizedAnswer>) {
    // The logarithm of the new one's score over the old one's: above 0 while the old one is ahead.
    let points = answers.compactMap { answer -> (size: Double, distance: Double)? in
      let scores = [to[0], from[0]].compactMap { name in
        answer.recommendation.ranked.first { $0.backend == name }?.score
      }
      return scores.count == 2 ? (answer.size, log(scores[0] / scores[1])) : nil
    }
    let found = Statistics.crossing(points)
    let ends = [answers[answers.startIndex], answers[answers.endIndex - 1]]
    self.init(
      from: from, to: to, below: found?.below ?? ends[0].size, above: found?.above ?? ends[1].size,
      about: found?.about,
      isProven: !ends.contains { $0.recommendation.leads.contains(where: \.isUnproven) })
  }
}
