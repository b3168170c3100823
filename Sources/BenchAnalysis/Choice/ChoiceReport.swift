import BenchResults

/// What a comparison of storages comes to: their costs, and what to take where somebody asked.
public struct ChoiceReport: Sendable {
  /// The run.
  public let record: RunRecord
  /// What was asked; nil where nobody did, and nothing is recommended then.
  public let question: ChoiceQuestion?
  /// The costs, a sheet a menu, in the record's order: the first is the one asked about.
  public let sheets: [CostSheet]
  /// What to take with each menu, in the same order; empty without a question.
  public let recommendations: [Recommendation]
  /// Whether the answer changes with the menu's size; nil where one size alone has an answer.
  public let trend: AnswerTrend?
  /// Why one size alone was measured, in words; nil where that is not known.
  public let sizeNote: String?
  /// The run as any other report shows it.
  public let report: Report

  /// Sets the storages of a run side by side.
  public init(record: RunRecord, question: ChoiceQuestion?, sizeNote: String? = nil) {
    let sheets = record.menus.map {
      CostSheet(
        menu: $0.name, of: record, takesVolatile: question?.takesVolatile ?? false)
    }
    let recommendations = question.map { question in
      sheets.map { Recommendation(question, on: $0) }
    }
    self.record = record
    self.sizeNote = sizeNote
    self.question = question
    self.sheets = sheets
    self.recommendations = recommendations ?? []
    trend = AnswerTrend(zip(record.menus, self.recommendations).map { ($0, $1) })
    report = Report(record: record)
  }

  /// What to take with the menu asked about; nil where nobody asked.
  public var answer: Recommendation? { recommendations.first }
}
