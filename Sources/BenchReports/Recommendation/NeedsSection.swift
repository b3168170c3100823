import Basics
import BenchAnalysis
import BenchResults

/// Which storage to take for each need of apps, in the page of a run of which nobody asked for one: of its costs, and of
/// the needs that most of their weights were measured of.
struct NeedsSection {
  private let report: RecommendationReport
  private let answered: [AnswerSection]
  /// Why the others are not answered, by needs that lack the same with the same menus.
  private let open: [(reason: String, needs: [String], menus: [String])]

  /// Nil where there is nothing to choose between: of a comparison with a baseline, of fewer than two storages that
  /// keep anything, and of machines across which nothing ranks.
  init?(_ run: Report) {
    guard run.comparison == nil, run.record.unlikeShards.isEmpty else { return nil }
    guard Self.rivals(run).count > 1 else { return nil }
    let report = RecommendationReport(run, questions: (run.record.needs ?? []).map(Criteria.init))
    self.report = report
    let sections = report.sheets.indices.flatMap { menu in
      (report.answers + report.unanswered).compactMap { AnswerSection($0, menu: menu, of: report) }
    }
    answered = sections.filter { Self.lack($0) == nil }
    open = sections.compactMap { section in
      Self.lack(section).map { (reason: $0, section: section) }
    }.grouped { [$0.reason, $0.section.occasion] }
      .map { (key: $0, menus: $1.map(\.section.sheet.menu)) }
      .grouped { [$0.key[0]] + $0.menus }
      .map { (reason: $0[0], needs: $1.map { $0.key[1] }, menus: Array($0.dropFirst())) }
  }

  /// Why a need has no answer with a menu; nil where it has one.
  private static func lack(_ section: AnswerSection) -> String? {
    let answer = section.answer
    guard section.isAnswered else { return "less than half of what it weighs was measured" }
    let workloads = answer.weighted.map(\.column).grouped(by: \.workload)
    if let several = workloads.first(where: { Set($0.elements.map(\.durability)).count > 1 }) {
      return "\(several.key) was measured at several durabilities"
    }
    return answer.ranked.count > 1 ? nil : "fewer than two storages have every figure"
  }

  /// Whether any need has an answer.
  var isAnswered: Bool { !answered.isEmpty }

  /// What to take, and why; of a run that no need can be answered by, how to come to an answer.
  var parts: [Part] {
    guard isAnswered else {
      return [
        .paragraph(
          "Which of them to choose depends on what the app does most: '\(command)' weighs that for the needs of apps, "
            + "and recommends one.")
      ]
    }
    let lines = answered.map { section in
      let refused = section.answer.refused.map { "\($0.backend) (\($0.reasons[0]))" }
      let rest = refused.isEmpty ? "" : "; not ranked: \(Wording.list(refused))"
      return
        "for \(section.occasion) with \(section.sheet.menu): \(section.verdict). \(section.brief)"
        + rest
    }
    let lacks = open.map { reason, needs, menus in
      "\(needs.joined(separator: ", "))\(menus.count == report.sheets.count ? "" : " with \(Wording.list(menus))"): \(reason)"
    }
    let notes = [
      held, "Costs are of \(durabilities).",
      "'bench compare --run RUN' shows how each sum comes about, and takes weights of your own."
        + (lacks.isEmpty ? "" : " '\(command)' measures what is missing."),
    ]
    return [
      .heading("Which to take"), .table(table),
      .details(title: "Why, what would change it, and what is not ranked", items: lines),
    ]
      + (lacks.isEmpty ? [] : [.heading("Not answered"), .list(lacks)])
      + [.paragraph(notes.compactMap(\.self).joined(separator: " "))]
  }

  private var table: TextTable {
    TextTable(
      columns: [
        .id("for"), .id("with"), .text("take"), .number("score"), .id("next"), .number("score"),
        .text("ahead by"),
      ],
      rows: answered.map { section in
        let (first, next) = (section.answer.ranked[0], section.answer.ranked[1])
        return [
          section.occasion, section.sheet.menu, section.verdict, Wording.multiple(first.score),
          next.backend, Wording.multiple(next.score),
          section.answer.leads.first.map(TrendSection.ahead) ?? TextTable.unknown,
        ]
      })
  }

  /// From a need to its sum, of those that a page draws.
  func link(_ cell: LinkedCell, among charts: [Chart]) -> String? {
    guard cell.column == "for", let menu = cell.row.dropFirst().first else { return nil }
    let name = Chart.plain(name(cell.text, menu))
    return charts.contains { $0.name == name } ? "#chart-\(name)" : nil
  }

  /// The sums; those of menus but the first have the menu's name in theirs.
  var charts: [Chart] {
    answered.compactMap { ScoreChart.chart($0, withMenu: true, name: name($0)) }
  }

  /// The names of those of all menus but the first.
  var chartsOfOtherMenus: [String] {
    answered.filter { $0.sheet.menu != firstMenu }.map { Chart.plain(name($0)) }
  }

  /// The first menu with an answer.
  private var firstMenu: String? {
    answered.first?.sheet.menu
  }

  private func name(_ section: AnswerSection) -> String {
    name(section.occasion, section.sheet.menu)
  }

  private func name(_ need: String, _ menu: String) -> String {
    let name = ScoreChart.name(need)
    return menu == firstMenu ? name : "\(name)-\(menu)"
  }

  /// Whose figures are of what the process holds: the tables take no multiple of them.
  private var held: String? {
    let ranked = Set(answered.flatMap(\.answer.ranked).map(\.backend))
    let names = report.run.groups.flatMap(\.glance)
      .filter { ranked.contains($0.backend) && $0.costs.values.contains(where: \.isHeld) }
      .map(\.backend).distinct
    guard !names.isEmpty else { return nil }
    return
      "What \(Wording.list(names)) \(names.count == 1 ? "reads" : "read") from memory counts here as any other time, "
      + "while the tables below take no multiple of it."
  }

  /// `durability atomic`, or which workload's costs are of which.
  private var durabilities: String {
    let columns = answered.flatMap(\.answer.weighted).map(\.column)
    let levels = columns.grouped(by: \.durability)
    guard levels.count > 1 else { return "durability \(levels.first?.key ?? "")" }
    return levels.map { level, columns in
      "\(columns.map(\.workload).distinct.joined(separator: ", ")) at durability \(level)"
    }.joined(separator: "; ")
  }

  /// What measures everything that needs weigh, of the same storages and menus.
  private var command: String {
    let record = report.record
    let menus = record.cells.map(\.cell).uniqued(on: \.menu).map(record.typedMenu)
    // What a shell takes for more than a word is not for pasting.
    let isPlain = menus.joined().utf8.allSatisfy { byte in
      let letter = byte | 0x20
      return UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
        || UInt8(ascii: ",")...UInt8(ascii: ":") ~= byte || byte == UInt8(ascii: "=")
        || byte == UInt8(ascii: "_")
    }
    return "bench compare --backend \(Self.rivals(report.run).joined(separator: ","))"
      + " --menu \(isPlain ? menus.joined(separator: ",") : "MENU")"
  }

  private static func rivals(_ run: Report) -> [String] {
    run.groups.flatMap(\.glance).filter { $0.isRival && !$0.costs.isEmpty }.map(\.backend).distinct
  }
}
