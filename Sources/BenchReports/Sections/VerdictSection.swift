import BenchAnalysis

/// The verdict of a comparison, before any table: the headline, what changed, what could not be
/// decided, what to know before trusting it.
enum VerdictSection {
  /// How many lines each kind of item may take.
  struct Limits {
    var regressions: Int
    var others: Int
    var conclusions: Int

    /// Little, and the tables have the rest.
    static let terminal = Limits(regressions: FlagSection.most, others: 6, conclusions: 6)
    /// More, and the tables have the rest.
    static let page = Limits(
      regressions: FlagSection.most, others: FlagSection.most, conclusions: .max)
    /// Every regression, since no table may follow.
    static let summary = Limits(
      regressions: .max, others: FlagSection.most, conclusions: .max)
  }

  /// The parts, each with what its lines are called when they are counted; without a baseline none
  /// but doubts.
  static func entries(_ report: Report, _ limits: Limits) -> [LimitedDocument.Entry] {
    let others = limits.others
    let parts: [([Part], String)] = [
      (HeadlineSection.parts(report), "headline"),
      (FlagSection.regressions(report, most: limits.regressions), "regression"),
      (AbsenceSection.missing(report, most: others), "missing cell"),
      (FlagSection.improvements(report, most: others), "improvement"),
      (DoubtSection.parts(report, most: others), "inconclusive row"),
      (AbsenceSection.new(report, most: others), "new cell"),
      (ConclusionSection.warnings(report, most: limits.conclusions), "conclusion"),
    ]
    return parts.flatMap { parts, noun in
      parts.map { LimitedDocument.Entry(part: $0, noun: noun) }
    }
  }
}
