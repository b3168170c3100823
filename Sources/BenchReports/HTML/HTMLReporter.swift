import Basics
import BenchAnalysis
import BenchResults

/// A run as one page that a browser opens from a file: the answer, charts, tables, how it was measured.
///
/// Nothing is fetched. Without script it is whole and can be read; script adds sorting and filtering.
package struct HTMLReporter: Reporter {
  private let graphs: [FlameGraph]

  /// - Parameter graphs: Where the time goes, of phases that were profiled.
  package init(graphs: [FlameGraph] = []) { self.graphs = graphs }

  package var id: String { "html" }
  package var fileName: String? { "report.html" }
  package var summary: String { "a page with charts that needs no network" }

  /// The report as HTML5.
  package func render(_ report: Report) -> String {
    let needs = NeedsSection(report)
    let (charts, html) = RunCharts.html(report, needs: needs)
    return HTMLPage(
      title: title(report),
      sections: differences(report) + [
        HTMLPage.Section(
          id: "answer", title: report.comparison == nil ? "At a glance" : nil,
          body: answer(report, needs).html { needs?.link($0, among: charts) }),
        HTMLPage.Section(id: "charts", title: "Charts", body: html),
      ] + profiles(report) + [
        HTMLPage.Section(id: "figures", title: "Figures", body: figures(report, charts)),
        HTMLPage.Section.measured(report, hints(report)),
      ]
    ).text
  }

  /// What changed between the two sides, of rows of which both were profiled; then what was profiled apart.
  private func profiles(_ report: Report) -> [HTMLPage.Section] {
    let changes = report.profiles.map { pair in
      FlameGraph(
        from: pair.old, to: pair.new, names: (old: "the baseline", new: "the candidate"),
        speed: pair.speed, note: pair.takenApart)
    }
    guard !(changes + graphs).isEmpty else { return [] }
    let body = (changes + graphs).map(\.embedded).joined(separator: "\n")
    return [
      HTMLPage.Section(
        id: "profiles", title: "Where the time goes, function by function", body: body)
    ]
  }

  private func title(_ report: Report) -> String {
    let cells = report.record.cells.map(\.cell)
    let names = [cells.map(\.backend), cells.map(\.menu), cells.map(\.workload)].map {
      Wording.list($0.distinct, most: 4)
    }
    let kind = report.comparison == nil ? "Run" : "Comparison"
    return cells.isEmpty ? kind : "\(kind): \(names.joined(separator: " · "))"
  }

  /// More tables than these are told one by one where somebody asks.
  private static let fewTables = 8

  /// What it came to: of a comparison its verdict, of a run what is best at each cost and which storage to take;
  /// then what to doubt.
  private func answer(_ report: Report, _ needs: NeedsSection?) -> [Part] {
    guard report.comparison == nil else {
      return VerdictSection(report: report, limits: .page).entries.map(\.part)
    }
    let best = report.groups.compactMap(Self.best)
    let none = Part.paragraph("Nothing measured here decides between storages.")
    // A page of many tables says first what they come to.
    let least: Part =
      best.count > Self.fewTables
      ? .details(title: "What is least in each of \(best.count) tables", items: best)
      : best.isEmpty ? none : .list(best)
    let choice = needs?.parts ?? []
    return
      (needs?.isAnswered == true
      ? choice + [.heading("What is least at each cost"), least] : [least] + choice)
      + ConclusionSection.parts(report, on: .page)
  }

  /// Of a comparison: beside a run's answer they stand already.
  private func hints(_ report: Report) -> [Part] {
    report.comparison == nil ? [] : ConclusionSection.hints(report, on: .page)
  }

  /// What is not alike on the two sides, before any verdict on them.
  private func differences(_ report: Report) -> [HTMLPage.Section] {
    guard let found = report.comparison?.comparability else { return [] }
    let all =
      (found.machineDifferences + found.allocationDifferences + found.instructionDifferences)
      .distinct
    guard !all.isEmpty else { return [] }
    return [
      HTMLPage.Section(
        id: "alike", title: "The two sides were not measured alike", body: [Part.list(all)].html)
    ]
  }

  /// `large · roundtrip at durability atomic: save is least with sqlite, 12.1 ms; …`.
  private static func best(_ group: ReportGroup) -> String? {
    let parts = group.costs.compactMap { best($0.name, group.glance.filter(\.isRival)) }
    return parts.isEmpty ? nil : "\(ReportDocument.title(group)): \(parts.joined(separator: "; "))"
  }

  /// `save is least with sqlite, 12.1 ms`, as far as that is known; nil of a cost without figures.
  private static func best(_ cost: String, _ rivals: [CostRow]) -> String? {
    let withheld = rivals.filter { $0.withheld.contains(cost) }.map(\.backend)
    guard withheld.isEmpty else {
      return "nobody is known to be best at \(cost): \(Wording.list(withheld)) "
        + "\(withheld.count == 1 ? "is" : "are") below a floor"
    }
    let figures = rivals.compactMap { row in row.costs[cost].map { (row.backend, $0) } }
      .filter { !$0.1.isHeld }.sorted { ($0.1.value, $0.0) < ($1.1.value, $1.0) }
    guard let first = figures.first else { return nil }
    let least = first.1.value
    let time = Wording.value(least, .nanoseconds, leastTellable: first.1.leastTellable)
    guard figures.count > 1 else { return "\(cost) takes \(time) with \(first.0)" }
    let close = figures.dropFirst().filter { _, figure in
      first.1.isTiny ? figure.isTiny : figure.isClose || figure.value == least
    }.map(\.0)
    guard close.isEmpty else {
      return "\(cost) is too close to call between \(Wording.list([first.0] + close)), \(time)"
    }
    // Whose interval nobody knows may be ahead all the same.
    let isUnproven = figures.contains { $0.1.hasFewBlocks }
    return "\(cost) is least with \(first.0), \(time)"
      + (isUnproven ? ", unproven: too few blocks" : "")
  }

  /// The groups' tables; a storage links to the chart of its phases, a phase to that of its blocks.
  private func figures(_ report: Report, _ charts: [Chart]) -> String {
    let names = Set(charts.map(\.name))
    let isLarge = RunCharts.isLarge(report)
    let groups = report.groups.enumerated().map { index, group in
      ReportDocument.group(report, group, .page, withPhases: !isLarge).html { cell in
        let chart =
          switch cell.column {
          case "backend": "phases"
          case "phase": BlockChart.name(of: cell.text)
          default: ""
          }
        let name = RunCharts.name(chart, ofGroup: index)
        return names.contains(name) ? "#chart-\(name)" : nil
      }
    }
    let rest =
      isLarge && report.comparison == nil
      ? "<p>Of whole costs alone: phases are in report.csv, those of whole costs below their charts, too.</p>\n"
      : ""
    return rest + HTMLPage.filter + groups.joined(separator: "\n") + "\n"
      + ReachNote(report.record).parts.html
  }
}

extension HTMLPage.Section {
  /// How a run was measured, and what else there is to know of it.
  static func measured(_ report: Report, _ others: [Part] = []) -> HTMLPage.Section {
    HTMLPage.Section(
      id: "measured", title: FactSection.title,
      body: ([FactSection(report: report).facts] + others).html)
  }
}
