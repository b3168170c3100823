import Basics
import BenchAnalysis
import BenchResults

/// Storages set side by side; as a page what to take, the sum that says so, charts, every figure, how it
/// was measured.
extension RecommendationReport: Published {
  package func parts(on medium: Medium) -> [Part] {
    RecommendationDocument.parts(of: self, on: medium)
  }
  package var csv: String { RecommendationCSV.render(self) }
  package static var formats: [DocumentFormat] { DocumentFormat.allCases }
  package func json() throws -> String { try RecommendationJSON.text(self) }

  package var page: String {
    HTMLPage(
      title: title,
      sections: [
        .answer(
          RecommendationDocument.answer(self, .page) + RecommendationDocument.growth(self, .page)
            + ConclusionSection.parts(run, on: .page)),
        HTMLPage.Section(id: "sums", title: "The sums", body: sums),
        .charts(RunCharts.all(run).html(of: run.record)),
        .figures(RecommendationDocument.figures(self, .page).html { $0 == "sums" ? $0 : nil }),
        .measured(run),
      ]
    ).text
  }

  private var title: String {
    // Shapes by hand are as long as a line.
    let menus = sheets.map(\.menu)
    let named = menus.filter { !$0.contains("=") }
    let count = sheets.first?.backends.count ?? 0
    return
      "\(Wording.plural(count, "backend")) side by side: \(Wording.list(named + menus.filter { $0.contains("=") }, most: min(max(named.count, 1), 4)))"
  }

  private var sums: String {
    let sums = answers.compactMap { answer in
      AnswerSection(answer, of: self).flatMap { section in
        ScoreChart.chart(section, name: ScoreChart.name(section.occasion))?.figure
      }
    }
    return sums.isEmpty
      ? "<p>Fewer than two storages are ranked; say what counts with --weight.</p>"
      : "<div class=\"figures\">\n\(sums.joined(separator: "\n"))\n</div>"
  }
}

/// How costs grow; as a page the answer, a chart a cost, every figure, how it was measured.
extension ScaleReport: Published {
  package func parts(on medium: Medium) -> [Part] { ScaleDocument(scale: self).parts(on: medium) }
  package var csv: String { ScaleCSV.render(self) }

  package var page: String {
    let document = ScaleDocument(scale: self)
    let charts = GrowthChart.charts(self)
    return HTMLPage(
      title: "How costs grow with the menu",
      sections: [
        .answer(document.answer + ConclusionSection.parts(run, on: .page)),
        .charts(charts.html(of: record)),
        .figures(
          document.figures(on: .page).html { name in
            charts.contains { $0.name == name } ? "chart-\(name)" : nil
          }),
        .measured(run),
      ]
    ).text
  }
}

extension [Chart] {
  /// The charts of a run with what their words mean.
  func html(of record: RunRecord) -> String {
    guard !isEmpty else { return "<p>There is no figure to draw.</p>" }
    return HTMLPage.words(oneProcess: record.settings.oneProcess == true)
      + "\n<div class=\"figures\">\n"
      + map(\.figure).joined(separator: "\n") + "\n</div>"
  }
}
