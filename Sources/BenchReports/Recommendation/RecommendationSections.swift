import Basics
import BenchAnalysis
import BenchResults

/// What to take, and the reasons in sentences.
struct AnswerSection {
  let criteria: Criteria
  let answer: Recommendation
  let sheet: CostTable
  /// Whether the run ended before everything was measured that was asked for.
  let isCutShort: Bool

  /// What an answer comes to with the first menu; nil where there is none.
  init?(_ answer: Answer, of report: RecommendationReport) {
    guard let sheet = report.sheets.first, let here = answer.here else { return nil }
    (self.sheet, self.answer) = (sheet, here)
    criteria = answer.criteria
    isCutShort = report.record.outcomes.contains { $0.stop == .interrupted || $0.stop == .running }
  }

  var parts: [Part] {
    // What a table of scores cannot decide is for a reader to decide.
    [.headline("For \(occasion) with \(sheet.menu): \(verdict)"), .list(reasons)]
      + (answer.leaders.count > 1
        ? [.paragraph("Level in score: choose among them by what else they take and promise.")]
        : [])
  }

  var occasion: String { criteria.need ?? "these weights" }

  /// Whether enough of what was asked counts.
  var isAnswered: Bool { answer.countedShare >= RecommendationReport.leastShare }

  /// What to take, in a word or two, and what it leaves open.
  var verdict: String {
    let leaders = answer.leaders
    if leaders.isEmpty { return "no backend can be recommended" }
    let share = answer.countedShare
    let isPartial = !isAnswered
    let ahead =
      isPartial
      ? "not answered: \(Wording.percent(1 - share)) of the weights "
        + "\(isCutShort ? "were not measured before the run was interrupted" : "were not measured")"
        + ", by the rest " : ""
    let doubts = [
      leaders.count > 1 ? "too close to call" : nil,
      leaders.count == 1 && answer.leads.contains(where: \.isUnproven) ? "unproven" : nil,
      isCutShort && !isPartial ? "of what was measured before the run was interrupted" : nil,
      answer.lacking > 0
        ? "among the \(answer.ranked.count) of \(answer.ranked.count + answer.lacking) that have every figure"
        : nil,
    ]
    return ahead + ([CostText.either(leaders)] + doubts.compactMap(\.self)).joined(separator: ", ")
  }

  /// Why, a sentence each.
  var reasons: [String] {
    [lead].compactMap { $0 } + differences + [flip, required].compactMap { $0 } + unlikeDurability
      + answer.uncounted.map {
        "not counted: \($0.weight.key) (weight \(CostText.weight($0.weight.value)))"
          + " \($0.reason)"
      }
  }

  /// How far ahead it is, what would change it, and what it leaves out.
  var brief: String {
    let rest = isAnswered ? counted.map { "by \($0)" } : nil
    return [reasons.first, flip, rest].compactMap(\.self).distinct.joined(separator: "; ")
  }

  /// `90 % of the weights, without peak_heap_bytes`; nil where all count.
  var counted: String? {
    let lacks = answer.uncounted.map(\.weight.key.description)
    return lacks.isEmpty
      ? nil
      : "\(Wording.percent(answer.countedShare)) of the weights, without \(Wording.list(lacks))"
  }

  /// How far ahead it is, and what says so.
  private var lead: String? {
    guard let first = answer.ranked.first else { return nil }
    let scores = "\(first.backend) scores \(Wording.multiple(first.score))"
    guard let lead = answer.leads.first, answer.ranked.count > 1 else {
      return "\(scores), and nothing else is ranked"
    }
    return "\(scores); next is \(lead.other) with \(Wording.multiple(answer.ranked[1].score)),"
      + " \(Wording.multiple(lead.ratio)) as much\(Self.evidence(lead))"
  }

  private static func evidence(_ lead: Lead) -> String {
    let bounds = lead.interval.map {
      [$0.low, $0.high].map { Wording.multiple($0) }.distinct.joined(separator: " to ")
    }
    let from =
      switch lead.evidence {
      case .exact: "exact"
      case .bootstrap(let blocks): "at 95 %, by \(Wording.plural(blocks, "block")) or more each"
      case .range(let blocks): "the range of \(Wording.plural(blocks, "block"))"
      case .tooFew(let blocks):
        "\(Wording.plural(blocks, "block")) cannot tell how surely, it takes"
          + " \(ScoreRatio.fewestBlocks)"
      }
    let facts = lead.evidence == .exact ? [from] : [bounds, from].compactMap { $0 }
    return " (\(facts.joined(separator: ", ")))"
  }

  /// The smallest change of one weight that puts another first.
  var flip: String? {
    guard answer.ranked.count > 1 else { return nil }
    guard let flip = answer.flips.first else {
      return "no change of one weight, up to \(CostText.weight(Weight.valid.upperBound)), would put"
        + " another first"
    }
    return "\(flip.backend) would be first if \(flip.weight.key) weighed"
      + " \(flip.isMore ? "more" : "less") than \(CostText.threshold(flip.threshold)) instead of"
      + " \(CostText.weight(flip.weight.value))"
  }

  /// What puts it ahead of the next, and what speaks for the next.
  private var differences: [String] {
    guard answer.ranked.count > 1 else { return [] }
    let (first, next) = (answer.ranked[0], answer.ranked[1])
    let pairs = zip(first.terms, next.terms).map { ($0, $1) }
    let ahead = pairs.filter { $0.multiple < $1.multiple }
    let behind = pairs.filter { $0.multiple > $1.multiple }
    return [
      ("better than \(next.backend) at", ahead), ("worse than \(next.backend) at", behind),
    ].filter { !$0.1.isEmpty }.map { title, pairs in
      "\(title) \(pairs.map { Self.difference($0.0, $0.1) }.joined(separator: "; "))"
    }
  }

  private static func difference(_ first: ScoreTerm, _ next: ScoreTerm) -> String {
    let column = first.weighted.column
    return "\(column.title), \(CostText.value(first.own.figure, column)) against"
      + " \(CostText.value(next.own.figure, column))"
      + " (weight \(CostText.weight(first.weighted.weight)))"
  }

  private var required: String? {
    guard !criteria.required.isEmpty, !answer.ranked.isEmpty else { return nil }
    return "required and promised by all that are ranked: "
      + criteria.required.joined(separator: ", ")
  }

  /// Where a power cut must be survived, times without the flushes for it say little of writing.
  private var unlikeDurability: [String] {
    let unlike = Set(answer.weighted.map(\.column.durability)).subtracting(["durable"]).sorted()
    guard criteria.required.contains("durable"), let level = unlike.first else { return [] }
    return [
      "durable is required, but what counts was measured at durability \(level): --durability"
        + " durable measures with the flushes that it takes"
    ]
  }
}

/// How the scores come about: every multiple with its weight, so that a reader can do the sum.
enum ScoreSection {
  static func parts(_ answer: Recommendation, _ goodEnough: GoodEnough) -> [Part] {
    guard !answer.ranked.isEmpty else { return [] }
    let damped = answer.ranked.flatMap(\.terms).contains(where: isDamped)
    return [
      .heading("How they score"), .table(table(answer)), .paragraph(formula(answer.weighted)),
    ]
      + (damped ? [.paragraph(damping(goodEnough))] : []) + evidence(answer)
  }

  private static func table(_ answer: Recommendation) -> Table {
    let titles = CostText.titles(answer.weighted.map(\.column))
    return Table(
      columns: [.id("backend")] + titles.map { .number($0) } + [
        .number("score"), .text("between"),
      ],
      rows: [
        ["weight"] + answer.weighted.map { Table.Cell(CostText.weight($0.weight), $0.weight) }
          + ["", ""]
      ]
        + answer.ranked.map { ranked in
          [Table.Cell(ranked.backend)] + ranked.terms.map(multiple)
            + [.multiple(ranked.score), between(ranked.standing)]
        }, pinned: 1, whole: nil)
  }

  /// Whole, however far from the best: the sum is made of it.
  private static func multiple(_ term: ScoreTerm) -> Table.Cell {
    let text = term.multiple == 1 ? "best" : Wording.multiple(term.multiple)
    return Table.Cell(text + (isDamped(term) ? "*" : ""), term.multiple)
  }

  /// Whether a figure counts for another than it is.
  static func isDamped(_ term: ScoreTerm) -> Bool {
    term.own.isGoodEnough || term.best.isGoodEnough
  }

  /// Between which bounds a score lies, as far as that is known.
  static func between(_ ratio: ScoreRatio) -> Table.Cell {
    guard ratio.evidence != .exact else { return "exact" }
    let bounds = ratio.interval.map { [$0.low, $0.high].map(Wording.multiple).distinct }
    return Table.Cell(bounds?.joined(separator: "–"), ratio.interval?.low)
  }

  /// `(save^6 × load^3)^(1/9)`.
  private static func formula(_ weighted: [WeightedColumn]) -> String {
    let titles = CostText.titles(weighted.map(\.column))
    let factors = zip(titles, weighted).map { "\($0)^\(CostText.weight($1.weight))" }
    let total = CostText.weight(weighted.reduce(0) { $0 + $1.weight })
    return
      "score = (\(factors.joined(separator: " × ")))^(1/\(total)), the weighted geometric mean of"
      + " the multiples of the best; 1.00× would be the best at everything"
  }

  private static func damping(_ goodEnough: GoodEnough) -> String {
    "* good enough: \(dampedCount(goodEnough)), so that what nobody waits for decides little"
      + " (--good-enough)"
  }

  /// What a time that is good enough counts as.
  static func dampedCount(_ goodEnough: GoodEnough) -> String {
    let limit = Wording.time(goodEnough.nanoseconds)
    return "a time of at most \(limit) counts as \(limit) × (time ÷ \(limit))^"
      + GoodEnough.remainder.digits
  }

  /// Where the bounds of scores are from.
  private static func evidence(_ answer: Recommendation) -> [Part] {
    let kinds = answer.ranked.map(\.standing.evidence)
    let texts = kinds.compactMap { evidence -> String? in
      switch evidence {
      case .exact: nil
      case .bootstrap: "bounds of scores are at 95 %, by a bootstrap over blocks"
      case .range: "of 3 to 5 blocks the bounds of scores are what the farthest blocks come to"
      case .tooFew: "— where fewer than 3 blocks tell nothing of how sure a score is"
      }
    }.distinct
    return texts.isEmpty ? [] : [.paragraph(texts.joined(separator: "; "))]
  }
}

/// What to take for each of several needs, where nobody named one.
struct SeveralAnswers {
  let report: RecommendationReport

  func parts(on medium: Medium) -> [Part] {
    guard let sheet = report.sheets.first, !report.answers.isEmpty else { return none }
    let sections = report.answers.compactMap { AnswerSection($0, of: report) }
    let verdicts = sections.map { "\($0.occasion): \($0.verdict)" }
    let head = [
      Part.headline("With \(sheet.menu), \(verdicts.joined(separator: "; "))"),
      // On a terminal's first screen a line a need: how far ahead, and what would change it.
      .list(sections.map { "\($0.occasion): \($0.brief)" }),
    ]
    return head + unanswered + details(sections, on: medium) + size
  }

  /// Every sum is on the page; a terminal says where.
  private func details(_ sections: [AnswerSection], on medium: Medium) -> [Part] {
    guard medium == .page else {
      return [
        .paragraph(
          "How each comes about: --format markdown; of one need: bench compare --run RUN --for"
            + " \(report.answers.compactMap(\.criteria.need).joined(separator: "|"))")
      ]
    }
    return zip(sections, report.answers).flatMap { section, answer in
      [.heading("For \(section.occasion): \(section.verdict)"), .list(section.reasons)]
        + RecommendationDocument.details(answer)
    }
  }

  /// The needs of which too little was measured.
  private var unanswered: [Part] {
    Part.list(
      "Not answered",
      report.unanswered.map { answer in
        let lacks = (answer.here?.uncounted ?? []).map { "\($0.weight.key) \($0.reason)" }
        let share = answer.countedShare
        return "\(answer.criteria.need ?? "these weights"): "
          + (share > 0 ? "only \(Wording.percent(share)) of its weights count; " : "")
          + lacks.joined(separator: "; ")
      })
  }

  /// Nothing was asked of which enough was measured.
  private var none: [Part] {
    let backends = report.sheets.first?.backends.count ?? 0
    return [.headline("\(Wording.plural(backends, "backend")) side by side, none recommended")]
      + unanswered
      + [.paragraph("Say what counts: --weight first-menu=3,patch=1,stored_bytes=1.")]
  }

  private var size: [Part] {
    report.answers.flatMap { answer -> [Part] in
      guard answer.trend != nil else { return [] }
      let parts = TrendSection.parts(answer)
      return [.heading("\(answer.criteria.need ?? "these weights") and the menu's size")]
        + parts.dropFirst()
    }
  }
}

/// What backends cost with one menu: a table a workload, each figure with its multiple of the best.
enum CostSection {
  static func parts(_ sheet: CostTable) -> [Part] {
    sheet.columns.grouped { [$0.workload, $0.durability] }.flatMap {
      workload(sheet, $0.key[0], $0.key[1], $0.elements)
    }
  }

  private static func workload(
    _ sheet: CostTable, _ workload: String, _ durability: String, _ columns: [CostColumn]
  ) -> [Part] {
    let table = CostTableText.table(sheet, columns, withRoutes: true)
    return [
      .heading("\(sheet.menu) · \(workload) at durability \(durability)"), .table(table),
    ]
      + legend(
        columns, table,
        columns.flatMap { column in sheet.backends.map { sheet.entry($0, column) } })
  }

  /// What the columns are made of, where their names do not say it, and what signs in them mean.
  static func legend(
    _ columns: [CostColumn], _ table: Table, _ entries: [CostEntry]
  ) -> [Part] {
    let texts =
      columns.compactMap { CostText.legend($0.name, $0.phases) }
      + CostText.signs(in: table, hasFew: entries.contains { $0.figure?.hasFewBlocks ?? false })
    return texts.isEmpty ? [] : [.paragraph(texts.joined(separator: "; "))]
  }
}

/// Backends in rows, costs in columns.
enum CostTableText {
  /// A table of all backends with their promises behind the figures and, where there is
  /// more than one, the routes; what keeps nothing comes last.
  static func table(
    _ sheet: CostTable, _ columns: [CostColumn], withRoutes: Bool = false
  ) -> Table {
    let rows = sheet.backends.filter(sheet.keeps) + sheet.backends.filter { !sheet.keeps($0) }
    let entries = columns.map { column in rows.map { sheet.entry($0, column) } }
    return Table(
      columns: [.id("backend")]
        + CostText.titles(columns).map { .number($0) }
        + [.text("promise"), .text("route", isOptional: true)],
      rows: rows.enumerated().map { index, backend in
        let routes = withRoutes ? columns.compactMap { sheet.route(backend, $0) } : []
        return [Table.Cell(backend, link: "sums")]
          + zip(columns, entries).map { figure($0, $1[index], among: $1) }
          + [
            Table.Cell(PromiseMarks.text(sheet, backend)),
            Table.Cell(routes.isEmpty ? nil : routes.distinct.joined(separator: ", ")),
          ]
      }, whole: nil)
  }

  private static func figure(
    _ column: CostColumn, _ entry: CostEntry, among all: [CostEntry]
  ) -> Table.Cell {
    switch entry {
    case .absent(let lack): return Table.Cell(lack.word)
    case .figure(let figure):
      // In a column where any figure has an interval.
      let hasAny = all.contains { $0.figure?.relativeWidth != nil }
      let precision = hasAny ? "  " + CostText.precision(of: figure) : ""
      let multiple = CostText.padded(CostText.multiple(figure).text)
      return Table.Cell(
        CostText.value(figure, column) + precision + " " + multiple, figure.value)
    }
  }
}

/// What backends take and what they promise.
enum PromiseSection {
  static func parts(_ sheet: CostTable) -> [Part] {
    guard !sheet.backends.isEmpty else { return [] }
    let places = sheet.sizes.map { "\($0.title) of \($0.workload)" }
    let legend = PromiseMarks.legend + (places.isEmpty ? "" : "; \(places.joined(separator: ", "))")
    return [
      .heading("\(sheet.menu) · sizes and promises"),
      .table(CostTableText.table(sheet, sheet.sizes)), .paragraph(legend),
    ]
  }
}

/// A backend's promises in a few columns, one letter each.
package enum PromiseMarks {
  /// The promises that have a letter, in order.
  package static let letters: [(id: String, letter: Character)] = [
    ("atomic", "a"), ("durable", "d"), ("partial-read", "p"), ("query", "q"),
    ("concurrent-reader", "c"), ("schema-change", "s"),
  ]

  /// What the letters mean.
  static var legend: String {
    "promise: " + letters.map { "\($0.letter) \($0.id)" }.joined(separator: ", ")
      + "; · not promised, ? unknown"
  }

  /// `ad·q··`; `nothing` of what does not survive a restart, `?` where nobody said.
  static func text(_ sheet: CostTable, _ backend: String) -> String {
    let info = sheet.backend(backend)
    if info?.survivesRestart == false { return "nothing" }
    guard let promises = info?.promises else { return "?" }
    let others = promises.filter { id in !letters.contains { $0.id == id } }
    return ([String(letters.map { promises.contains($0.id) ? $0.letter : "·" })] + others)
      .joined(separator: " ")
  }
}

/// Whether the answer changes with the size of the menu, and where.
enum TrendSection {
  static func parts(_ answer: Answer) -> [Part] {
    let heading = Part.heading("Does the menu's size change it?")
    guard let trend = answer.trend else {
      return [heading, .paragraph("Not known: \(reason(answer))")]
    }
    return [heading, .paragraph(sentence(trend)), .table(table(trend))]
  }

  /// Why nothing is known of other sizes.
  private static func reason(_ answer: Answer) -> String {
    if let gap = answer.trendGap {
      return "\(gap.backend) leads with another menu, and is not ranked with \(gap.menu)"
    }
    let menus = answer.recommendations.count
    guard menus > 1 else { return "one size only was measured: give several menus with --menu" }
    return answer.recommendations.count { !$0.leaders.isEmpty } > 1
      ? "the menus that have an answer are of one size"
      : "what counts here was measured with one of the \(menus) menus only"
  }

  private static func sentence(_ trend: AnswerTrend) -> String {
    guard !trend.changes.isEmpty else {
      let leaders = trend.answers.map(\.recommendation.leaders)
      let common = leaders.dropFirst().reduce(leaders[0]) { $0.filter($1.contains) }
      return "No: \(CostText.either(common)) at every size measured."
    }
    return trend.changes.map { "Yes: \(change($0, trend.noun))." }.joined(separator: " ")
  }

  private static func change(_ change: Crossover, _ noun: String) -> String {
    let about = change.about.map { ", at about \(CostText.about($0))" } ?? ""
    return "from \(CostText.either(change.from)) to \(CostText.either(change.to)) between"
      + " \(Wording.count(change.below)) and \(Wording.count(change.above)) \(noun)\(about)"
      + (change.isProven ? "" : ", unproven")
  }

  private static func table(_ trend: AnswerTrend) -> Table {
    Table(
      columns: [
        .number(trend.noun), .id("first"), .number("score"),
        .id("next"), .number("score"), .text("ahead by"),
      ],
      rows: trend.answers.map { answer in
        let scores = answer.recommendation.ranked.prefix(2).map {
          [Table.Cell($0.backend), .multiple($0.score)]
        }
        let next = scores.count > 1 ? scores[1] : [.unknown, .unknown]
        let lead = answer.recommendation.leads.first
        return [.count(answer.size)] + (scores.first ?? []) + next
          + [Table.Cell(lead.map(ahead), lead?.ratio)]
      })
  }

  private static func ahead(_ lead: Lead) -> String {
    let ratio = Wording.multiple(lead.ratio)
    return lead.isClose ? "\(ratio), too close" : lead.isUnproven ? "\(ratio), unproven" : ratio
  }
}
