import Basics
import BenchAnalysis
import BenchResults

/// The recommended backends, and the reasons in sentences.
struct AnswerSection {
  let criteria: Criteria
  let answer: Recommendation
  let sheet: CostTable
  /// Whether the run ended before everything requested was measured.
  let isCutShort: Bool
  private let additions: [String: String]

  /// Makes the section from an answer for the first menu, or nil if there is none.
  init?(_ answer: Answer, of report: RecommendationReport) {
    guard let sheet = report.sheets.first, let here = answer.here else { return nil }
    (self.sheet, self.answer) = (sheet, here)
    (criteria, additions) = (answer.criteria, report.additions)
    isCutShort = report.record.outcomes.contains { $0.stop == .interrupted || $0.stop == .running }
  }

  var parts: [Part] {
    // If scores are level, the reader has to decide.
    [.headline(title), .list(reasons)]
      + (answer.leaders.count > 1 && !isGoodEnough
        ? [.paragraph("Their scores are level: choose by their other costs and promises.")]
        : [])
  }

  var title: String { "For \(occasion) with \(sheet.menu): \(verdict)" }
  var occasion: String { criteria.need ?? "these weights" }

  /// Whether enough of the weights counts.
  var isAnswered: Bool { answer.countedShare >= RecommendationReport.leastShare }

  /// Whether every time is surely good enough with each backend that keeps its data: none is worth a change.
  private var isGoodEnough: Bool {
    let times = answer.ranked.flatMap(\.terms).filter {
      $0.weighted.column.metric.unit == .nanoseconds
    }
    return answer.uncounted.isEmpty && !times.isEmpty && times.allSatisfy(\.own.isSurelyEnough)
      && answer.refused.allSatisfy { sheet.backend($0.backend)?.survivesRestart == false }
  }

  /// The recommended backends in a word or two, and how certain that is.
  var verdict: String {
    let leaders = answer.leaders
    if leaders.isEmpty { return "no backend can be recommended" }
    let ahead =
      isAnswered
      ? ""
      : "not answered: \(Wording.percent(1 - answer.countedShare)) of the weights did not count,"
        + " the rest favours "
    let limit = "\((criteria.goodEnough.nanoseconds / 1e6).digits) ms"
    let advice =
      isGoodEnough
      ? "keep what you have unless memory or size matters: every time that counts is at most"
        + " \(limit) with each backend"
      : CostText.either(leaders)
    let doubts = [
      leaders.count > 1 && !isGoodEnough ? "too close to call" : nil,
      leaders.count == 1 && !isGoodEnough && answer.leads.contains(where: \.isUnproven)
        ? "unproven" : nil,
      isCutShort ? "from what was measured before the run was interrupted" : nil,
      answer.lacking > 0
        ? "among the \(answer.ranked.count) of \(answer.ranked.count + answer.lacking) that have every figure"
        : nil,
    ]
    return ahead + ([advice] + doubts.compactMap(\.self)).joined(separator: ", ")
  }

  var reasons: [String] {
    let added = answer.leaders.compactMap { id in
      additions[id].map { "\(id) adds to your app: \($0)" }
    }
    return [lead].compactMap(\.self) + differences + added
      + [flip, required, unlikeDurability].compactMap(\.self)
      + answer.uncounted.map {
        "not counted: \($0.weight.key) (weight \(CostText.weight($0.weight.value))) \($0.reason)"
      }
  }

  /// How far ahead it is, what would change that, and which weights do not count.
  var brief: String {
    let rest = isAnswered ? counted.map { "by \($0)" } : nil
    return [reasons.first, flip, rest].compactMap(\.self).distinct.joined(separator: "; ")
  }

  /// The share that counts, `90 % of the weights, without peak_heap_bytes`, or nil if all weights count.
  var counted: String? {
    let lacks = answer.uncounted.map(\.weight.key.description)
    return lacks.isEmpty
      ? nil
      : "\(Wording.percent(answer.countedShare)) of the weights, without \(Wording.list(lacks))"
  }

  private var lead: String? {
    guard let first = answer.ranked.first else { return nil }
    let scores = "\(first.backend) scores \(Wording.multiple(first.score))"
    guard let lead = answer.leads.first, answer.ranked.count > 1 else {
      return "\(scores), and nothing else is ranked"
    }
    return "\(scores), and next is \(lead.other) with \(Wording.multiple(answer.ranked[1].score)),"
      + " \(Wording.multiple(lead.ratio)) as much\(Self.evidence(lead))"
  }

  private static func evidence(_ lead: Advantage) -> String {
    let bounds = ScoreSection.bounds(lead.measure)?.joined(separator: " to ")
    let from =
      switch lead.evidence {
      case .exact: "exact"
      case .sampled(let blocks): "at 95 %, from \(Wording.plural(blocks, "block")) or more each"
      case .tooFew(let blocks):
        "\(Wording.plural(blocks, "block")), too few for bounds, which take \(MeanSum.fewest)"
      }
    let facts = lead.evidence == .exact ? [from] : [bounds, from].compactMap { $0 }
    return " (\(facts.joined(separator: ", ")))"
  }

  /// The smallest change of one weight that puts another backend first.
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

  /// The costs at which the first backend is better than the next, and those at which it is worse.
  private var differences: [String] {
    guard answer.ranked.count > 1 else { return [] }
    let (first, next) = (answer.ranked[0], answer.ranked[1])
    func terms(_ isShown: (Double, Double) -> Bool) -> String? {
      let words = zip(first.terms, next.terms)
        .filter { isShown($0.multiple, $1.multiple) && !$0.isClose(to: $1) }
        .map { own, other in
          let (column, weight) = (own.weighted.column, CostText.weight(own.weighted.weight))
          return "\(column.title), \(CostText.value(own.own.figure, column.metric.unit)) against"
            + " \(CostText.value(other.own.figure, column.metric.unit)) (weight \(weight))"
        }
      return words.isEmpty ? nil : words.joined(separator: "; ")
    }
    return [
      terms(<).map { "better than \(next.backend) at \($0)" },
      terms(>).map { "worse than \(next.backend) at \($0)" },
    ].compactMap(\.self)
  }

  private var required: String? {
    guard !criteria.required.isEmpty, !answer.ranked.isEmpty else { return nil }
    return "all ranked backends keep the required promises: "
      + criteria.required.joined(separator: ", ")
  }

  /// If a power cut must be survived, times of saves without all flushes say little.
  private var unlikeDurability: String? {
    let unlike = answer.weighted.map(\.column).filter { $0.saves && $0.durability != "durable" }
      .map(\.durability).min()
    guard criteria.required.contains("durable"), let unlike else { return nil }
    return "durable is required, but saves were measured at durability \(unlike): --durability"
      + " durable includes the flushes that it needs"
  }
}

/// How the scores come about: every multiple with its weight, so that readers can repeat the sum.
enum ScoreSection {
  static func parts(_ answer: Recommendation, _ goodEnough: GoodEnough) -> [Part] {
    guard !answer.ranked.isEmpty else { return [] }
    let damped = answer.ranked.flatMap(\.terms).contains(where: isDamped)
    let damping =
      "* good enough: \(dampedCount(goodEnough)), so times this short decide little"
      + " (--good-enough)"
    return [
      .heading("Scores"), .table(table(answer)), .paragraph(formula(answer.weighted)),
    ]
      + (damped ? [.paragraph(damping)] : []) + evidence(answer, damped)
  }

  private static func table(_ answer: Recommendation) -> Table {
    let titles = CostText.titles(answer.weighted.map(\.column))
    let weights = answer.weighted.map { Table.Cell(CostText.weight($0.weight), $0.weight) }
    return Table(
      columns: [.id("backend")] + titles.map { .number($0) } + [
        .number("score"), .text("between"),
      ],
      rows: [["weight"] + weights + ["", ""]]
        + answer.ranked.map { ranked in
          [Table.Cell(ranked.backend)] + ranked.terms.map(multiple)
            + [.multiple(ranked.score), between(ranked.standing)]
        }, pinned: 1, whole: nil)
  }

  /// Shows the multiple in full, however far from the best, because the sum is made of it.
  private static func multiple(_ term: ScoreTerm) -> Table.Cell {
    let text = term.multiple == 1 ? "best" : Wording.multiple(term.multiple)
    return Table.Cell(text + (isDamped(term) ? "*" : ""), term.multiple)
  }

  /// Returns whether a damped value counts instead of the figure.
  static func isDamped(_ term: ScoreTerm) -> Bool {
    term.own.isGoodEnough || term.best.isGoodEnough
  }

  /// Returns the bounds of a score, as far as they are known.
  static func between(_ ratio: ScoreRatio) -> Table.Cell {
    guard ratio.evidence != .exact else { return "exact" }
    return Table.Cell(bounds(ratio)?.joined(separator: "–"), ratio.interval?.low)
  }

  static func bounds(_ ratio: ScoreRatio) -> [String]? {
    ratio.interval.map { [$0.low, $0.high].map(Wording.multiple).distinct }
  }

  /// Returns the formula of a score, such as `(save^6 × load^3)^(1/9)`.
  private static func formula(_ weighted: [WeightedColumn]) -> String {
    let titles = CostText.titles(weighted.map(\.column))
    let factors = zip(titles, weighted).map { "\($0)^\(CostText.weight($1.weight))" }
    let total = CostText.weight(weighted.reduce(0) { $0 + $1.weight })
    return
      "score = (\(factors.joined(separator: " × ")))^(1/\(total)), the weighted geometric mean of"
      + " the multiples of the best. 1.00× is the best at everything."
  }

  /// Explains how a time that is good enough counts.
  static func dampedCount(_ goodEnough: GoodEnough) -> String {
    let limit = Wording.time(goodEnough.nanoseconds)
    return "a time of at most \(limit) counts as \(limit) × (time ÷ \(limit))^"
      + GoodEnough.remainder.digits
  }

  private static func evidence(_ answer: Recommendation, _ isDamped: Bool) -> [Part] {
    let texts = answer.ranked.compactMap { ranked -> String? in
      switch ranked.standing.evidence {
      case .exact: nil
      case .sampled:
        "bounds of scores: at 95 %, by Student's t over blocks"
          + (isDamped ? ", in which times with * count for little" : "")
      case .tooFew: "—: fewer than \(MeanSum.fewest) blocks give a score no bounds"
      }
    }.distinct
    return texts.isEmpty ? [] : [.paragraph(texts.joined(separator: "; "))]
  }
}

/// The recommendations for several needs, if the user named none.
extension RecommendationReport {
  func severalAnswers(on medium: Medium) -> [Part] {
    guard let sheet = sheets.first, !answers.isEmpty else {
      let backends = Wording.plural(sheets.first?.backends.count ?? 0, "backend")
      return [.headline("\(backends) side by side, none recommended")] + notAnswered
        + [.paragraph("Say what counts: --weight first-menu=3,patch=1,stored_bytes=1.")]
    }
    let sections = answers.compactMap { AnswerSection($0, of: self) }
    let verdicts = sections.grouped(by: \.verdict).map { verdict, alike in
      "\(alike.map(\.occasion).joined(separator: ", ")): \(verdict)"
    }
    let head = [
      Part.headline("With \(sheet.menu), \(verdicts.joined(separator: "; "))"),
      // A terminal's first screen has one line per need: how far ahead it is, and what would change that.
      .list(sections.map { "\($0.occasion): \($0.brief)" }),
    ]
    let sizes = answers.filter { $0.trend != nil }.flatMap { answer in
      [.heading("\(answer.criteria.need ?? "these weights") and the menu's size")]
        + TrendSection.parts(answer).dropFirst()
    }
    return head + notAnswered + details(sections, on: medium) + sizes
  }

  /// Returns every sum on a page. A terminal points to them.
  private func details(_ sections: [AnswerSection], on medium: Medium) -> [Part] {
    guard medium == .page else {
      return [
        .paragraph(
          "For details, use --format markdown. For one need, use bench compare --run RUN --for"
            + " \(answers.compactMap(\.criteria.need).joined(separator: "|"))")
      ]
    }
    return zip(sections, answers).flatMap { section, answer in
      [.heading(section.title), .list(section.reasons)]
        + Self.details(answer)
    }
  }

  private var notAnswered: [Part] {
    Part.list(
      "Not answered",
      unanswered.map { answer in
        let lacks = (answer.here?.uncounted ?? []).map { "\($0.weight.key) \($0.reason)" }
        let share = answer.countedShare
        return "\(answer.criteria.need ?? "these weights"): "
          + (share > 0 ? "only \(Wording.percent(share)) of its weights count: " : "")
          + lacks.joined(separator: "; ")
      })
  }
}

/// The costs of backends with one menu: one table per workload, with multiples of the best or of the reference.
enum CostSection {
  static func parts(_ sheet: CostTable) -> [Part] {
    let notes = CostText.notes(sheet.backends.map(sheet.backend))
    return sheet.columns.grouped { [$0.workload, $0.durability] }.flatMap { place, columns in
      let table = table(sheet, columns, withRoutes: true)
      let entries = columns.flatMap { column in sheet.backends.map { sheet.entry($0, column) } }
      return [.heading("\(sheet.menu) · \(place[0]) at durability \(place[1])"), .table(table)]
        + legend(columns, table, entries, sheet.reference)
        + (columns[0] == sheet.columns[0] ? notes : [])
    }
  }

  /// Explains columns whose names do not list their phases, and the signs in the table.
  static func legend(
    _ columns: [CostColumn], _ table: Table, _ entries: [CostEntry], _ reference: String? = nil
  ) -> [Part] {
    CostText.legend(
      columns.compactMap { CostText.legend($0.name, $0.phases) }, of: table,
      hasFew: entries.contains { $0.figure?.hasFewBlocks ?? false }, reference: reference)
  }

  /// Returns a table of all backends, with their promises and, if there are any, their routes.
  /// Backends that keep nothing come last.
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
          + zip(columns, entries).map { figure($0, $1[index], among: $1, sheet.reference) }
          + [
            Table.Cell(PromiseMarks.text(sheet, backend)),
            Table.Cell(routes.isEmpty ? nil : routes.distinct.joined(separator: ", ")),
          ]
      }, whole: nil)
  }

  private static func figure(
    _ column: CostColumn, _ entry: CostEntry, among all: [CostEntry], _ reference: String?
  ) -> Table.Cell {
    switch entry {
    case .absent(let lack): return Table.Cell(lack.word)
    case .figure(let figure):
      // All figures of a column have a precision if any of them has an interval.
      let hasAny = all.contains { $0.figure?.relativeWidth != nil }
      let precision = hasAny ? "  " + CostText.precision(of: figure) : ""
      let multiple = CostText.padded(
        CostText.multiple(figure, of: reference).text,
        to: max(6, "≈ \(reference ?? "")".displayWidth))
      return Table.Cell(
        CostText.value(figure, column.metric.unit) + precision + " " + multiple, figure.value)
    }
  }

  static func promises(_ sheet: CostTable) -> [Part] {
    guard !sheet.backends.isEmpty else { return [] }
    let places = sheet.sizes.map { "\($0.title) of \($0.workload)" }
    let legend = PromiseMarks.legend + (places.isEmpty ? "" : "; \(places.joined(separator: ", "))")
    return [
      .heading("\(sheet.menu) · sizes and promises"),
      .table(table(sheet, sheet.sizes)), .paragraph(legend),
    ]
  }
}

/// A backend's promises in a few columns, one letter per promise.
package enum PromiseMarks {
  package static let letters: [(id: String, letter: Character)] = [
    ("atomic", "a"), ("durable", "d"), ("partial-read", "p"), ("query", "q"),
    ("concurrent-reader", "c"), ("schema-change", "s"),
  ]

  static var legend: String {
    "promise: " + letters.map { "\($0.letter) \($0.id)" }.joined(separator: ", ")
      + "; · not promised, ? unknown"
  }

  /// Returns `ad·q··`, for example; `nothing` if data does not survive a restart, `?` if unknown.
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
    let heading = Part.heading("Does the menu's size change the answer?")
    guard let trend = answer.trend else {
      return [heading, .paragraph("Not known: \(reason(answer))")]
    }
    return [heading, .paragraph(sentence(trend)), .table(table(trend))]
  }

  private static func reason(_ answer: Answer) -> String {
    if let gap = answer.trendGap {
      return "\(gap.backend) leads with another menu, but is not ranked with \(gap.menu)"
    }
    let menus = answer.recommendations.count
    guard menus > 1 else { return "only one size was measured: give several menus with --menu" }
    return answer.recommendations.count { !$0.leaders.isEmpty } > 1
      ? "all menus with an answer have the same size"
      : "what counts was measured with only one of the \(menus) menus"
  }

  private static func sentence(_ trend: AnswerTrend) -> String {
    guard !trend.changes.isEmpty else {
      let leaders = trend.answers.map(\.recommendation.leaders)
      let common = leaders.dropFirst().reduce(leaders[0]) { $0.filter($1.contains) }
      let others = trend.answers.filter { !common.contains($0.recommendation.ranked[0].backend) }
        .grouped { $0.recommendation.ranked[0].backend }.map { first, answers in
          "\(first) is first at \(answers.map { Wording.count($0.size) }.joined(separator: ", "))"
        }
      let names = CostText.either(common)
      return others.isEmpty
        ? "No: \(names) at every size measured."
        : "No: \(names) leads or is too close to call at every size measured, but"
          + " \(others.joined(separator: ", ")) \(trend.noun)."
    }
    return trend.changes.map { change in
      let about = change.about.map { ", at about \(CostText.about($0))" } ?? ""
      return "Yes: from \(CostText.either(change.from)) to \(CostText.either(change.to)) between"
        + " \(Wording.count(change.below)) and \(Wording.count(change.above)) \(trend.noun)"
        + about + (change.isProven ? "." : ", unproven.")
    }.joined(separator: " ")
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

  private static func ahead(_ lead: Advantage) -> String {
    let bounds = ScoreSection.bounds(lead.measure).map { " (\($0.joined(separator: "–")))" } ?? ""
    let ratio = Wording.multiple(lead.ratio) + bounds
    return lead.isClose ? "\(ratio), too close" : lead.isUnproven ? "\(ratio), unproven" : ratio
  }
}
