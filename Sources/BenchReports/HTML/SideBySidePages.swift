import Basics
import BenchAnalysis
import BenchResults

/// Storages set side by side as one page: what to take, the sum that says so with sliders to redo it, charts,
/// every figure, how it was measured.
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
    let sums = report.answers.enumerated().compactMap { number, answer -> String? in
      guard let here = answer.here, let section = AnswerSection(answer, of: report) else {
        return nil
      }
      let occasion = section.occasion
      return ScoreChart.chart(section, name: ScoreChart.name(occasion)).map {
        "<div class=\"sum\">\n\($0.figure)\n"
          + "\(Sliders(answer: here, occasion: occasion, number: number).html)\n</div>"
      }
    }
    return sums.isEmpty
      ? "<p>Fewer than two storages are ranked; say what counts with --weight.</p>"
      : sums.joined(separator: "\n")
  }
}

/// The weights of one answer, to be moved, and the ranking by them: the sum is redone in the page, from the same
/// multiples. How sure a score is cannot be: that takes the blocks.
private struct Sliders {
  let answer: Recommendation
  /// What is weighed for.
  let occasion: String
  let number: Int

  var html: String {
    let titles = CostText.titles(answer.weighted.map(\.column))
    let inputs = zip(titles, answer.weighted).enumerated().map { place, entry in
      let id = "weight-\(number)-\(place)"
      let weight = entry.1.weight.digits
      return """
        <p><label for="\(id)">\(entry.0.markupEscaped)</label>
        <input type="range" id="\(id)" min="0" max="\(most.digits)" step="any" value="\(weight)" data-weight="\(weight)">
        <output for="\(id)">\(CostText.weight(entry.1.weight))</output></p>
        """
    }
    let rows = answer.ranked.map { ranked in
      let multiples = ranked.terms.map(\.multiple.digits).joined(separator: " ")
      return
        "<tr data-multiples=\"\(multiples)\"><th scope=\"row\">\(ranked.backend.markupEscaped)</th>"
        + "<td>\(Wording.multiple(ranked.score))</td></tr>"
    }
    let named = "aria-label=\"Ranking for \(occasion.markupEscaped)\""
    return """
      <div class="redo" data-close="\(Lead.leastRatio.digits)">
      <fieldset hidden><legend>Weigh it yourself</legend>
      \(inputs.joined(separator: "\n"))
      <p><button type="button">As it was</button></p>
      </fieldset>
      <div class="scroll" tabindex="0" role="group" \(named)><table \(named)>
      <thead><tr><th scope="col">storage</th><th scope="col" class="n">score</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      <p role="status" class="first"></p>
      </div>
      """
  }

  /// As far as a slider goes: twice the largest weight, so that each can be the one that decides.
  private var most: Double { 2 * (answer.weighted.map(\.weight).max() ?? 1) }
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
