import Basics
import BenchAnalysis
import BenchResults

/// Storages set side by side as one page: what to take, the sum that says so, charts, every figure, how it
/// was measured.
struct RecommendationPage {
  let report: RecommendationReport

  /// HTML5.
  var text: String {
    let run = report.run
    return HTMLPage(
      title: title,
      sections: [
        HTMLPage.Section(
          id: "answer", title: nil,
          body: (RecommendationDocument.answer(report, .page)
            + RecommendationDocument.growth(report, .page)
            + ConclusionSection.parts(run, on: .page)).html),
        HTMLPage.Section(id: "sums", title: "The sums", body: sums),
        HTMLPage.Section(
          id: "charts", title: "Charts", body: RunCharts.html(run).html),
        HTMLPage.Section(
          id: "figures", title: "Figures",
          body: HTMLPage.filter
            + RecommendationDocument.figures(report, .page).html { cell in
              cell.column == "backend" ? "#sums" : nil
            }),
        HTMLPage.Section.measured(run),
      ]
    ).text
  }

  private var title: String {
    // Shapes by hand are as long as a line.
    let menus = report.sheets.map(\.menu)
    let named = menus.filter { !$0.contains("=") }
    let count = report.sheets.first?.backends.count ?? 0
    return
      "\(Wording.plural(count, "backend")) side by side: \(Wording.list(named + menus.filter { $0.contains("=") }, most: min(max(named.count, 1), 4)))"
  }

  private var sums: String {
    let sums = report.answers.compactMap { answer in
      AnswerSection(answer, of: report).flatMap { section in
        ScoreChart.chart(section, name: ScoreChart.name(section.occasion))?.figure
      }
    }
    return sums.isEmpty
      ? "<p>Fewer than two storages are ranked; say what counts with --weight.</p>"
      : "<div class=\"figures\">\n\(sums.joined(separator: "\n"))\n</div>"
  }
}

/// How costs grow as one page: the answer, a chart a cost, every figure, how it was measured.
struct ScalePage {
  let scale: ScaleReport

  /// HTML5.
  var text: String {
    let document = ScaleDocument(scale: scale)
    let charts = GrowthChart.charts(scale)
    let names = document.costs.map { ($0.title, GrowthChart.name(of: $0.cost)) }
    return HTMLPage(
      title: "How costs grow with the menu",
      sections: [
        HTMLPage.Section(
          id: "answer", title: nil,
          body: (document.answer + ConclusionSection.parts(scale.run, on: .page)).html),
        HTMLPage.Section(id: "charts", title: "Charts", body: charts.html(of: scale.record)),
        HTMLPage.Section(
          id: "figures", title: "Figures",
          body: HTMLPage.filter
            + document.figures(on: .page).html { cell in
              guard cell.column == "cost", let name = names.first(where: { $0.0 == cell.text })?.1,
                charts.contains(where: { $0.name == name })
              else { return nil }
              return "#chart-\(name)"
            }),
        HTMLPage.Section.measured(scale.run),
      ]
    ).text
  }
}

extension [Chart] {
  /// The charts of a run with what their words mean.
  func html(of record: RunRecord, withValues: Bool = true) -> String {
    guard !isEmpty else { return "<p>There is no figure to draw.</p>" }
    return HTMLPage.words(
      oneProcess: record.settings.oneProcess == true,
      hasScores: contains { $0.name.hasPrefix(ScoreChart.name("")) })
      + "\n<div class=\"figures\">\n"
      + map { $0.figure(withValues: withValues) }.joined(separator: "\n") + "\n</div>"
  }
}
