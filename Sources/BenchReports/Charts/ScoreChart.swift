import Basics
import BenchAnalysis
import Foundation

/// What scores are made of: a bar a storage, on an axis of multiples, with a part for each cost that counts. The
/// logarithm of a score is a sum, so that its parts lie one after the other and end at the score.
enum ScoreChart {
  /// What `--chart` calls that of a need.
  static func name(_ need: String) -> String { "score-\(need)" }

  /// Nil where nothing is ranked.
  ///
  /// - Parameter menu: said where the page does not.
  static func chart(
    _ answer: Recommendation, for occasion: String, with menu: String? = nil, name: String
  ) -> Chart? {
    guard let first = answer.ranked.first, let last = answer.ranked.last else { return nil }
    let titles = CostText.titles(answer.weighted.map(\.column))
    return Chart(
      name,
      title: "What the scores are made of: for \(occasion)"
        + (menu.map { " with \($0)" } ?? ""),
      sentence: sentence(answer, first, last, titles), drawing(answer, titles),
      table: ChartTable(
        columns: ["storage"] + titles + ["score", "between"],
        rows: answer.ranked.map { ranked in
          [ChartTable.Value(ranked.backend)]
            + ranked.terms.map { ChartTable.Value(Wording.multiple($0.multiple), $0.multiple) }
            + [
              ChartTable.Value(Wording.multiple(ranked.score), ranked.score),
              ChartTable.Value(ScoreSection.between(ranked.standing)),
            ]
        }))
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
    for (number, ranked) in answer.ranked.enumerated() {
      let y = top + Double(number) * 32
      // Beside the line of 1.
      drawing.text(ranked.backend, 13, y + 11, room: 339)
      var sum = 0.0
      var parts: [Drawing.BarPart] = []
      for (place, term) in ranked.terms.enumerated() where term.product > 0 {
        let next = sum + term.product / whole
        parts.append(
          (
            place, axis.place(exp(sum)), axis.place(exp(next)), y + 15,
            "\(ranked.backend) \(titles[place]): \(Wording.multiple(term.multiple)) the best"
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

  private static func sentence(
    _ answer: Recommendation, _ first: RankedBackend, _ last: RankedBackend, _ titles: [String]
  ) -> String {
    let longest = zip(titles, last.terms).max { $0.1.product < $1.1.product }
    let why = longest.flatMap { title, term in
      term.product > 0
        ? ", of which the largest part is \(title), \(Wording.multiple(term.multiple)) the best"
        : nil
    }
    let doubt = answer.leads.contains(where: \.isUnproven) ? ", unproven" : ""
    let lead =
      answer.leaders.count > 1
      ? "\(CostText.either(answer.leaders)) is nearest to the best at everything, too close to call"
      : "\(first.backend) is nearest to the best at everything with "
        + "\(Wording.multiple(first.score))\(doubt)"
    // Who may be the first is not called the last.
    guard !answer.leaders.contains(last.backend) else { return "\(lead)." }
    return "\(lead); furthest is \(last.backend) with \(Wording.multiple(last.score))\(why ?? "")."
  }
}
