import BenchAnalysis

/// What somebody reads who must choose a storage: the answer, how to work it out by hand, what it
/// leaves out, where it changes; then every figure, and how far to trust it.
enum ChoiceDocument {
  /// The parts, in order.
  static func parts(of choice: ChoiceReport, on medium: Medium) -> [Part] {
    answer(choice) + figures(choice, medium)
      + ConclusionSection.parts(choice.report, on: medium) + FactSection.parts(choice.report)
  }

  private static func answer(_ choice: ChoiceReport) -> [Part] {
    guard let question = choice.question, let answer = choice.answer,
      let sheet = choice.sheets.first
    else { return AskingSection.parts(choice) }
    return AnswerSection(question, answer, sheet).parts + ScoreSection.parts(answer)
      + RefusalSection.parts(answer) + TrendSection.parts(choice)
  }

  /// A terminal shows the figures behind the answer; those of the other sizes are on the page.
  private static func figures(_ choice: ChoiceReport, _ medium: Medium) -> [Part] {
    let isShort = medium == .terminal && choice.question != nil
    let shown = isShort ? Array(choice.sheets.prefix(1)) : choice.sheets
    let rest = choice.sheets.dropFirst(shown.count).map(\.menu)
    return shown.indices.flatMap { index in
      CostSection.parts(shown[index]) + others(shown[index], choice.recommendations, index)
        + PromiseSection.parts(shown[index])
    }
      + (rest.isEmpty
        ? [] : [.paragraph("figures with \(Wording.list(rest, most: 8)) are in compare.md")])
  }

  /// What counts and is no workload's deciding cost nor a size: no score rests on a figure that is not
  /// shown.
  private static func others(
    _ sheet: CostSheet, _ answers: [Recommendation], _ index: Int
  ) -> [Part] {
    guard index < answers.count else { return [] }
    let shown = Set(sheet.columns + sheet.sizes)
    let more = answers[index].weighted.map(\.column).filter { !shown.contains($0) }
    let tables = ChoiceText.fitting(more, figure: CostTable.figureWidth, room: 56).map {
      Part.table(CostTable.table(sheet, $0, endingIn: .promises))
    }
    return tables.isEmpty ? [] : [.heading("\(sheet.menu) · what else counts")] + tables
  }
}

/// What to type for a recommendation, where nobody asked for one.
enum AskingSection {
  static func parts(_ choice: ChoiceReport) -> [Part] {
    let storages = choice.sheets.first?.backends.count ?? 0
    let needs = Need.all.map { "--for \($0.id): \($0.summary)" }
    return [
      .headline("\(Wording.plural(storages, "storage")) side by side, none recommended"),
      .paragraph("Which is best depends on what you need. Say it, and one is recommended:"),
      .list(needs + ["--weight first-menu=3,patch=1,stored_bytes=1: what counts, and how much"]),
    ]
  }
}
