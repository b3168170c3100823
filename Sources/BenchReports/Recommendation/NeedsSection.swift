import Basics
import BenchAnalysis

/// Which storage to take for each need of apps, in the page of a run of which nobody asked for one: of its costs, and of
/// the needs that most of their weights were measured of.
struct NeedsSection {
  private let report: RecommendationReport
  /// The answers of which enough counts, with the place of the menu that each is of.
  private let answered: [(menu: Int, answer: Answer, section: AnswerSection)]

  /// Nil where there is nothing to choose between: of a comparison with a baseline, of fewer than two storages that
  /// keep anything, and of machines across which nothing ranks.
  init?(_ run: Report) {
    guard run.comparison == nil, run.record.unlikeShards.isEmpty else { return nil }
    guard Self.rivals(run).count > 1 else { return nil }
    let report = RecommendationReport(
      run, questions: Need.all.map { Criteria(need: $0.id, weights: $0.weights) })
    self.report = report
    answered = report.sheets.indices.flatMap { menu in
      (report.answers + report.unanswered).compactMap { answer in
        guard let section = AnswerSection(answer, menu: menu, of: report), section.isAnswered
        else { return nil }
        return (menu, answer, section)
      }
    }
  }

  /// What to take, and why; of a run that no need can be answered by, how to come to an answer.
  var parts: [Part] {
    let names = Self.rivals(report.run).joined(separator: ",")
    let open = Need.all.map(\.id).filter { need in
      !answered.contains { $0.section.occasion == need }
    }
    guard !answered.isEmpty else {
      return [
        .paragraph(
          "Which of them to choose depends on what the app does most: 'bench compare --backend \(names)' weighs "
            + "that for the needs of apps, and recommends one.")
      ]
    }
    let lines = answered.map { _, _, section in
      "for \(section.occasion) with \(section.sheet.menu): \(section.verdict). \(section.brief)"
    }
    let lack =
      open.isEmpty
      ? ""
      : "Not answered, since less than half of what they weigh was measured: \(open.joined(separator: ", ")); "
        + "'bench compare --backend \(names)' measures it. "
    return [
      .heading("Which to take"), .list(lines),
      .paragraph(
        lack
          + "'bench compare --run RUN' shows how each sum comes about, and takes weights of your own."
      ),
    ]
  }

  /// The sums; those of the second menu are called `2-score-launch`.
  var charts: [Chart] {
    answered.compactMap { menu, answer, section in
      ScoreChart.chart(
        answer.recommendations[menu], for: section.occasion, with: section.sheet.menu,
        name: name(section, menu))
    }
  }

  /// The names of those of all menus but the first.
  var chartsOfOtherMenus: [String] {
    answered.filter { $0.menu > 0 }.map { name($0.section, $0.menu) }
  }

  private func name(_ section: AnswerSection, _ menu: Int) -> String {
    RunCharts.name(ScoreChart.name(section.occasion), ofGroup: menu)
  }

  private static func rivals(_ run: Report) -> [String] {
    run.groups.flatMap(\.glance).filter { $0.isRival && !$0.costs.isEmpty }.map(\.backend).distinct
  }
}
