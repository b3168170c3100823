import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// What scores are made of: a bar a storage, on an axis of multiples, with a part for each cost that counts. The
/// logarithm of a score is a sum, so that its parts lie one after the other and end at the score.
enum ScoreChart {
  /// What `--chart` calls that of a need with the first menu.
  static func name(_ need: String) -> String { "score-\(need)" }

  /// Nil where nothing is set against another.
  ///
  /// - Parameter withMenu: Whether the page does not say with which menu.
  static func chart(_ section: AnswerSection, withMenu: Bool = false, name: String) -> Chart? {
    let answer = section.answer
    guard answer.ranked.count > 1 else { return nil }
    let titles = CostText.titles(answer.weighted.map(\.column))
    return Chart(
      name,
      title: "What the scores are made of: for \(section.occasion)"
        + (withMenu ? " with \(section.sheet.menu)" : ""),
      sentence: sentence(section, titles), drawing(answer, titles),
      table: ChartTable(
        columns: ["storage"] + titles + ["score", "between"],
        rows: answer.ranked.map { ranked in
          [ChartTable.Value(ranked.backend)]
            + ranked.terms.map { ChartTable.Value(counted($0), $0.multiple) }
            + [
              ChartTable.Value(Wording.multiple(ranked.score), ranked.score),
              ChartTable.Value(ScoreSection.between(ranked.standing)),
            ]
        }))
  }

  /// What counts of a multiple; with a star where that is not the figure's own.
  private static func counted(_ term: ScoreTerm) -> String {
    Wording.multiple(term.multiple) + (ScoreSection.isDamped(term) ? "*" : "")
  }

  /// `4.23× the best`, or of what is good enough `20.8× the best, which counts as 4.23×`.
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
    var drawing = Drawing()
    let whole = answer.weighted.reduce(0) { $0 + $1.weight }
    let names = zip(titles, answer.weighted).map { "\($0), weight \(CostText.weight($1.weight))" }
    let top = drawing.legend(names)
    let ends = answer.ranked.compactMap(\.standing.interval).flatMap { [$0.low, $0.high] }
    let axis = Axis(logarithmicOver: [1] + answer.ranked.map(\.score) + ends, from: 8, to: 300)
    let bottom = top + Double(answer.ranked.count) * 32
    drawing.horizontalAxis(axis, top: top, bottom: bottom) { Wording.multiple($0) }
    // Beside the line of 1.
    let left = axis.place(1) + 5
    for (number, ranked) in answer.ranked.enumerated() {
      let y = top + Double(number) * 32
      drawing.text(ranked.backend, left, y + 11, room: 352 - left)
      var sum = 0.0
      var parts: [Drawing.BarPart] = []
      for (place, term) in ranked.terms.enumerated() where term.product > 0 {
        let next = sum + term.product / whole
        parts.append(
          (
            place, axis.place(exp(sum)), axis.place(exp(next)), y + 15,
            "\(ranked.backend) \(titles[place]): \(words(term))"
          ))
        sum = next
      }
      drawing.parts(parts)
      drawing.whiskers(ranked.standing.interval.map { [($0, y + 21)] } ?? [], on: axis)
      let end = max(ranked.score, ranked.standing.interval?.high ?? 1)
      drawing.text(Wording.multiple(ranked.score), axis.place(end) + 5, y + 25)
    }
    drawing.line(axis.place(1), top, axis.place(1), bottom, style: "axis")
    drawing.height = bottom + 18
    return drawing
  }

  private static func sentence(_ section: AnswerSection, _ titles: [String]) -> String {
    let answer = section.answer
    let (first, last) = (answer.ranked[0], answer.ranked[answer.ranked.count - 1])
    let longest = zip(titles, last.terms).max { $0.1.product < $1.1.product }
    let why = longest.flatMap { title, term in
      term.product > 0 ? ", of which the largest part is \(title), \(words(term))" : nil
    }
    let doubt = answer.leads.contains(where: \.isUnproven) ? ", unproven" : ""
    let lead =
      answer.leaders.count > 1
      ? "\(CostText.either(answer.leaders)) is nearest to the best at everything, too close to call"
      : "\(first.backend) is nearest to the best at everything with "
        + "\(Wording.multiple(first.score))\(doubt)"
    // Who may be the first is not called the last.
    let end =
      answer.leaders.contains(last.backend)
      ? "."
      : "; furthest is \(last.backend) with \(Wording.multiple(last.score))\(why ?? "")."
    let notes = [
      section.counted.map { "It is by \($0)." },
      section.isCutShort ? "The run was interrupted before it had everything." : nil,
      answer.lacking > 0
        ? "\(Wording.list(answer.refused.filter(\.lacksFigure).map(\.backend))) "
          + "\(answer.lacking == 1 ? "lacks a figure, and has" : "lack figures, and have") no score."
        : nil,
      answer.ranked.flatMap(\.terms).contains(where: ScoreSection.isDamped)
        ? "Drawn is what counts: \(ScoreSection.dampedCount(section.criteria.goodEnough))." : nil,
      "The axis is of logarithms, so that parts add up to the score: a multiple by its share of the weights.",
    ]
    return ([lead + end] + notes.compactMap(\.self)).joined(separator: " ")
  }
}
