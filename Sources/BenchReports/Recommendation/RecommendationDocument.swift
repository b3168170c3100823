import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// What somebody reads who must choose a backend: the answer, how to work it out by hand, what it
/// leaves out, where it changes; then every figure, and how far to trust it.
enum RecommendationDocument {
  static func parts(of report: RecommendationReport, on medium: Medium) -> [Part] {
    answer(report, medium) + growth(report, medium) + figures(report, medium)
      + ConclusionSection.parts(report.run, on: medium) + FactSection(report: report.run).parts
  }

  /// What to take, and how it comes about.
  static func answer(_ report: RecommendationReport, _ medium: Medium) -> [Part] {
    guard report.isOneQuestion, let only = report.answers.first,
      let section = AnswerSection(only, of: report)
    else { return SeveralAnswers(report: report).parts(on: medium) }
    return section.parts + details(only) + TrendSection.parts(only)
  }

  /// How costs grow, of a run of menus of several sizes: a terminal shows what is worse than linear.
  static func growth(_ report: RecommendationReport, _ medium: Medium) -> [Part] {
    guard report.sheets.count >= GrowthCurve.fewestSizes else { return [] }
    let document = ScaleDocument(scale: ScaleReport(of: report.run))
    return [.heading("How costs grow"), .paragraph(document.headline)] + document.conclusions
      + (medium == .page ? document.growth : [])
  }

  /// How an answer comes about.
  static func details(_ answer: Answer) -> [Part] {
    guard let here = answer.here else { return [] }
    return ScoreSection.parts(here, answer.criteria.goodEnough) + refusals(here)
  }

  /// The backends that are not ranked, and why: so many reasons of each, since a page of them says no
  /// more.
  private static func refusals(_ answer: Recommendation) -> [Part] {
    Part.list(
      "Not ranked",
      answer.refused.map { refused in
        let rest = refused.reasons.count - 3
        let shown = refused.reasons.prefix(3) + (rest > 0 ? ["and \(rest) more"] : [])
        return "\(refused.backend): \(shown.joined(separator: "; "))"
      })
  }

  /// A terminal shows the figures behind the answer; those of the other sizes are on the page.
  static func figures(_ report: RecommendationReport, _ medium: Medium) -> [Part] {
    let shown = medium == .terminal ? Array(report.sheets.prefix(1)) : report.sheets
    let rest = report.sheets.dropFirst(shown.count).map(\.menu)
    let tables = shown.indices.flatMap { index in
      CostSection.parts(shown[index]) + others(shown[index], report.answers, index)
        + PromiseSection.parts(shown[index])
    }
    let pointer = Part.paragraph(
      "figures with \(Wording.list(rest, most: 8)) come with --format markdown")
    return tables + ReachNote.parts(report.record) + (rest.isEmpty ? [] : [pointer])
  }

  /// What counts and is no workload's deciding cost nor a size: no score rests on a figure that is not
  /// shown.
  private static func others(_ sheet: CostTable, _ answers: [Answer], _ index: Int) -> [Part] {
    let shown = Set(sheet.columns + sheet.sizes)
    let more = answers.flatMap { $0.recommendations[index].weighted }.map(\.column).distinct
      .filter { !shown.contains($0) }
    guard !more.isEmpty else { return [] }
    return [
      .heading("\(sheet.menu) · what else counts"), .table(CostTableText.table(sheet, more)),
    ]
  }
}
