import BenchAnalysis
import BenchResults

/// What to take, and the reasons in sentences.
struct AnswerSection {
  let question: ChoiceQuestion
  let answer: Recommendation
  let sheet: CostSheet

  init(_ question: ChoiceQuestion, _ answer: Recommendation, _ sheet: CostSheet) {
    self.question = question
    self.answer = answer
    self.sheet = sheet
  }

  var parts: [Part] {
    [.headline("For \(occasion) with \(sheet.menu): \(verdict)"), .list(reasons)] + tieBreakers
  }

  private var occasion: String { question.need ?? "these weights" }

  private var verdict: String {
    let leaders = answer.leaders
    if leaders.isEmpty { return "no storage can be recommended" }
    if leaders.count > 1 { return "\(ChoiceText.either(leaders)), too close to call" }
    let isUnproven = answer.leads.contains(where: \.isUnproven)
    return leaders[0] + (isUnproven ? ", unproven" : "")
  }

  private var reasons: [String] {
    [lead].compactMap { $0 } + differences + [required].compactMap { $0 } + unlikeDurability
      + answer.uncounted.map {
        "not counted: \($0.weight.key) (weight \(ChoiceText.weight($0.weight.value)))"
          + " \($0.reason)"
      }
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
      "\(Wording.multiple($0.low)) to \(Wording.multiple($0.high))"
    }
    let from =
      switch lead.evidence {
      case .exact: "exact"
      case .bootstrap(let blocks): "at 95 %, by \(Wording.plural(blocks, "block")) or more each"
      case .range(let blocks): "the range of \(Wording.plural(blocks, "block"))"
      case .tooFew(let blocks):
        "\(Wording.plural(blocks, "block")) cannot tell how surely, it takes \(Lead.fewestBlocks)"
      }
    let facts = lead.evidence == .exact ? [from] : [bounds, from].compactMap { $0 }
    return " (\(facts.joined(separator: ", ")))"
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
    return "\(column.title), \(ChoiceText.value(first.figure, column)) against"
      + " \(ChoiceText.value(next.figure, column))"
      + " (weight \(ChoiceText.weight(first.weighted.weight)))"
  }

  private var required: String? {
    guard !question.required.isEmpty, !answer.ranked.isEmpty else { return nil }
    return "required and promised by all that are ranked: "
      + question.required.joined(separator: ", ")
  }

  /// Where a power cut must be survived, times without the flushes for it say little of writing.
  private var unlikeDurability: [String] {
    let unlike = Set(answer.weighted.map(\.column.durability)).subtracting(["durable"]).sorted()
    guard question.required.contains("durable"), let level = unlike.first else { return [] }
    return [
      "durable is required, but what counts was measured at durability \(level): --durability"
        + " durable measures with the flushes that it takes"
    ]
  }

  /// What a table of scores cannot decide, for a reader to decide.
  private var tieBreakers: [Part] {
    guard answer.leaders.count > 1 else { return [] }
    return [
      .paragraph("Level in score: choose among them by what else they take and promise."),
      .table(CostTable.table(sheet, sheet.sizes, of: answer.leaders, endingIn: .promises)),
    ]
  }
}
