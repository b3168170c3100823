import BenchResults

/// Which storage to take with one menu, and why: everything that it takes to work it out by hand.
public struct Recommendation: Sendable {
  /// What counts, in the order of the weights.
  public let weighted: [WeightedColumn]
  /// What should count and cannot.
  public let uncounted: [UncountedWeight]
  /// The storages that may be recommended, the best first; equal scores in the record's order.
  public let ranked: [RankedStorage]
  /// All others, in the record's order.
  public let refused: [RefusedStorage]
  /// How far the first is ahead of each of the others, in their order.
  public let leads: [Lead]

  /// The first and those too close to it to call; empty where nothing may be recommended.
  public var leaders: [String] {
    ranked.prefix(1).map(\.backend) + leads.filter(\.isClose).map(\.other)
  }

  /// Whether some of what should count could not.
  public var isPartial: Bool { !uncounted.isEmpty }

  /// Answers a question with what was measured of one menu.
  public init(_ question: ChoiceQuestion, on sheet: CostSheet) {
    let counted = Counted(question.weights, on: sheet)
    let judged = sheet.backends.map { backend in
      Judgement(backend, question, counted.columns, on: sheet)
    }
    weighted = counted.columns
    uncounted = counted.uncounted
    refused = judged.compactMap(\.refused)
    let order = judged.compactMap(\.ranked).enumerated().sorted {
      ($0.element.score, $0.offset) < ($1.element.score, $1.offset)
    }
    ranked = order.map(\.element)
    leads = ranked.dropFirst().map { [ranked] in Lead(ranked[0], over: $0) }
  }
}

/// A weight on what cannot be counted.
public struct UncountedWeight: Hashable, Sendable {
  /// The weight.
  public let weight: Weight
  /// Why it does not count, in words.
  public let reason: String
}

/// The weights as far as they can be counted.
private struct Counted {
  var columns: [WeightedColumn] = []
  var uncounted: [UncountedWeight] = []

  init(_ weights: [Weight], on sheet: CostSheet) {
    for weight in weights {
      let found = sheet.columns(for: weight.key)
      let usable = found.filter { sheet.best($0).map { $0 > 0 } ?? false }
      guard usable.isEmpty else {
        for column in usable { add(column, weight.value / Double(usable.count)) }
        continue
      }
      let isZero = found.contains { sheet.best($0) != nil }
      let reason =
        found.isEmpty
        ? "was not measured"
        : isZero ? "is 0 at best, of which nothing is a multiple" : "no storage has a figure of it"
      uncounted.append(UncountedWeight(weight: weight, reason: reason))
    }
  }

  private mutating func add(_ column: CostColumn, _ weight: Double) {
    guard let index = columns.firstIndex(where: { $0.column == column }) else {
      return columns.append(WeightedColumn(column: column, weight: weight))
    }
    columns[index] = WeightedColumn(column: column, weight: columns[index].weight + weight)
  }
}

/// What becomes of one backend.
private struct Judgement {
  private(set) var ranked: RankedStorage?
  private(set) var refused: RefusedStorage?

  init(
    _ backend: String, _ question: ChoiceQuestion, _ columns: [WeightedColumn],
    on sheet: CostSheet
  ) {
    var reasons = Self.lacks(backend, question, sheet)
    var terms: [ScoreTerm] = []
    for weighted in columns {
      switch sheet.entry(backend, weighted.column) {
      case .figure(let figure, .some(let multiple)):
        terms.append(ScoreTerm(weighted: weighted, figure: figure, multiple: multiple))
      case .figure(let figure, nil):
        // What keeps nothing has no multiples either, and is refused for that already.
        if figure.counted == 0 { reasons.append("\(weighted.column.title) is 0") }
      case .absent(let lack): reasons.append("\(weighted.column.title) \(lack.reason)")
      }
    }
    if reasons.isEmpty, !terms.isEmpty {
      ranked = RankedStorage(backend: backend, terms: terms)
    } else if !reasons.isEmpty {
      refused = RefusedStorage(backend: backend, reasons: reasons)
    }
  }

  /// What it does not promise, or is not known to.
  private static func lacks(
    _ backend: String, _ question: ChoiceQuestion, _ sheet: CostSheet
  ) -> [String] {
    let info = sheet.backend(backend)
    let volatile =
      info?.survivesRestart == false
      ? "keeps nothing after a restart" : "is not known to keep anything"
    let keeping = question.takesVolatile || sheet.keeps(backend) ? [] : [volatile]
    return keeping
      + question.required.compactMap { promise in
        guard let promises = info?.promises else { return "promise unknown: \(promise)" }
        return promises.contains(promise) ? nil : "does not promise \(promise)"
      }
  }
}
