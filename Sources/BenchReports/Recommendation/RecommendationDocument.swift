import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// The report for choosing a backend: the answer, the sums behind it, what it leaves out, where it
/// changes. Every figure follows, with how far to trust it.
extension RecommendationReport: Published {
  package func parts(on medium: Medium) -> [Part] {
    answer(on: medium) + growth(on: medium) + figures(on: medium)
      + ConclusionSection.parts(run, on: medium) + FactSection(report: run).parts
  }

  package var csv: String { RecommendationCSV.render(self) }
  package static var formats: [DocumentFormat] { DocumentFormat.allCases }
  package func json() throws -> String { try RecommendationJSON.text(self) }

  package var page: String {
    // The names of menus that are given as shapes are as long as a line.
    let menus = sheets.map(\.menu)
    let named = menus.filter { !$0.contains("=") }
    let count = sheets.first?.backends.count ?? 0
    let listed = Wording.list(
      named + menus.filter { $0.contains("=") }, most: min(max(named.count, 1), 4))
    let sums = answers.compactMap { answer in
      AnswerSection(answer, of: self).flatMap(ScoreChart.chart)?.figure
    }
    return HTMLPage(
      title: "\(Wording.plural(count, "backend")) side by side: \(listed)", of: run.record,
      sections: [
        .answer(answer(on: .page) + growth(on: .page) + ConclusionSection.parts(run, on: .page)),
        HTMLPage.Section(
          id: "sums", title: "Parts of the scores",
          body: sums.isEmpty
            ? "<p>Fewer than two backends are ranked. Use --weight to set what counts.</p>"
            : "<div class=\"figures\">\n\(sums.joined(separator: "\n"))\n</div>"),
        .charts(RunCharts.all(run).html),
        .figures(figures(on: .page).html { $0 == "sums" ? $0 : nil }), .measured(run),
      ]
    ).text
  }

  private func answer(on medium: Medium) -> [Part] {
    guard isOneQuestion, let only = answers.first, let section = AnswerSection(only, of: self)
    else { return severalAnswers(on: medium) }
    return section.parts + Self.details(only) + TrendSection.parts(only)
  }

  /// Returns how costs grow, for a run with menus of several sizes. A terminal shows what is worse than linear.
  private func growth(on medium: Medium) -> [Part] {
    guard sheets.count >= GrowthCurve.fewestSizes else { return [] }
    let scale = ScaleReport(of: run)
    return [.heading("Growth of costs"), .paragraph(scale.headline)] + scale.found
      + (medium == .page ? scale.growth : [])
  }

  static func details(_ answer: Answer) -> [Part] {
    guard let here = answer.here else { return [] }
    let refusals = here.refused.map { refused in
      // A few reasons say as much as a page of them.
      let rest = refused.reasons.count - 3
      let shown = refused.reasons.prefix(3) + (rest > 0 ? ["and \(rest) more"] : [])
      return "\(refused.backend): \(shown.joined(separator: "; "))"
    }
    return ScoreSection.parts(here, answer.criteria.goodEnough) + Part.list("Not ranked", refusals)
  }

  /// Returns the figures behind the answer. A terminal leaves out those of other sizes.
  private func figures(on medium: Medium) -> [Part] {
    let shown = medium == .terminal ? Array(sheets.prefix(1)) : sheets
    let rest = sheets.dropFirst(shown.count).map(\.menu)
    let tables = shown.enumerated().flatMap { index, sheet in
      CostSection.parts(sheet) + others(sheet, index) + CostSection.promises(sheet)
    }
    let pointer = Part.paragraph(
      "--format markdown also has figures with \(Wording.list(rest, most: 8))")
    return tables + ReachNote.parts(record) + (rest.isEmpty ? [] : [pointer])
  }

  /// Returns columns that count although they are neither a workload's deciding cost nor a size:
  /// every figure in a score must be shown.
  private func others(_ sheet: CostTable, _ index: Int) -> [Part] {
    let shown = Set(sheet.columns + sheet.sizes)
    let more = answers.flatMap { $0.recommendations[index].weighted }.map(\.column).distinct
      .filter { !shown.contains($0) }
    guard !more.isEmpty else { return [] }
    return [
      .heading("\(sheet.menu) · other weighted costs"), .table(CostSection.table(sheet, more)),
    ]
  }
}
