import BenchAnalysis
import BenchResults
import Foundation

/// The parts of scores: one bar per storage, on an axis of multiples, with a part for each cost that
/// counts. The logarithm of a score is a sum, so its parts lie one after the other and end at the score.
enum ScoreChart {
  /// Returns nil if fewer than two storages are ranked.
  static func chart(_ section: AnswerSection) -> Chart? {
    let answer = section.answer
    guard answer.ranked.count > 1 else { return nil }
    let titles = CostText.titles(answer.weighted.map(\.column))
    return Chart(
      name: Chart.plain("score-\(section.occasion)"),
      title: "Parts of the scores for \(section.occasion)",
      sentence: sentence(section), drawing: drawing(answer, titles),
      table: Table(
        columns: ["backend"] + titles + ["score", "between"],
        rows: answer.ranked.map { ranked in
          [Table.Cell(ranked.backend)]
            + ranked.terms.map { term in
              // A star marks a damped multiple.
              let star = ScoreSection.isDamped(term) ? "*" : ""
              return Table.Cell(Wording.multiple(term.multiple) + star, term.multiple)
            }
            + [.multiple(ranked.score), Table.Cell(ScoreSection.between(ranked.standing).text)]
        }))
  }

  /// Returns `4.23× the best`, or for a good enough figure `20.8× the best, which counts as 4.23×`.
  private static func words(_ term: ScoreTerm) -> String {
    let counted = Wording.boundedMultiple(term.multiple)
    guard ScoreSection.isDamped(term) else { return "\(counted) the best" }
    let (own, best) = (term.own.figure.counted, term.best.figure.counted)
    let isLower = term.weighted.column.metric.better == .lower
    let whole = isLower ? own / best : best / own
    return whole.isFinite
      ? "\(Wording.boundedMultiple(whole)) the best, which counts as \(counted)"
      : "counts as \(counted)"
  }

  private static func drawing(_ answer: Recommendation, _ titles: [String]) -> Drawing {
    let whole = answer.weighted.reduce(0) { $0 + $1.weight }
    let ends = answer.ranked.compactMap(\.standing.interval).flatMap { [$0.low, $0.high] }
    let rows = answer.ranked.map { ranked in
      var sum = 0.0
      var lane = RowPlot.Lane(
        interval: ranked.standing.interval, text: Wording.multiple(ranked.score))
      for (place, term) in ranked.terms.enumerated() where term.product > 0 {
        sum += term.product / whole
        lane.parts.append((place, exp(sum), "\(ranked.backend) \(titles[place]): \(words(term))"))
      }
      return RowPlot.Row(name: ranked.backend, lanes: [lane])
    }
    return RowPlot(
      axis: { Axis(logarithmicOver: [1] + answer.ranked.map(\.score) + ends, from: $0, to: $1) },
      origin: 1,
      legend: zip(titles, answer.weighted).map { "\($0), weight \(CostText.weight($1.weight))" },
      rows: rows, tick: Wording.multiple
    ).drawing
  }

  private static func sentence(_ section: AnswerSection) -> String {
    let ranked = section.answer.ranked
    let span = Chart.span(ranked.map { ($0.backend, Wording.multiple($0.score)) })
    let notes = [
      section.isAnswered ? section.counted.map { "It counts \($0)." } : nil,
      ranked.flatMap(\.terms).contains(where: ScoreSection.isDamped)
        ? "It shows what counts: \(ScoreSection.dampedCount(section.criteria.goodEnough))." : nil,
      "The axis is logarithmic, so parts add up to the score: multiples by shares of the weights.",
    ]
    return (["\(section.verdict). Scores are \(span)."] + notes.compactMap(\.self))
      .joined(separator: " ")
  }
}
