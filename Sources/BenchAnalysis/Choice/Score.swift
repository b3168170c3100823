import Foundation

/// A column with its part of the weights.
public struct WeightedColumn: Hashable, Sendable {
  /// The column.
  public let column: CostColumn
  /// Its weight: a key's weight is shared evenly by the columns that it stands for.
  public let weight: Double
}

/// One factor of a score.
public struct ScoreTerm: Hashable, Sendable {
  /// The column and its weight.
  public let weighted: WeightedColumn
  /// The figure.
  public let figure: CostFigure
  /// The figure as a multiple of the best.
  public let multiple: Double
}

/// A backend that may be recommended, with how it does.
public struct RankedStorage: Hashable, Sendable {
  /// The backend's id.
  public let backend: String
  /// What its score is made of, in the order of the weights.
  public let terms: [ScoreTerm]
  /// The weighted geometric mean of the multiples: 1 would be the best at everything.
  ///
  /// Multiples are ratios, so that only their geometric mean is the same whichever storage they are
  /// taken of: Fleming & Wallace, "How Not to Lie with Statistics", CACM 29 (1986).
  public let score: Double

  init(backend: String, terms: [ScoreTerm]) {
    self.backend = backend
    self.terms = terms
    let total = terms.reduce(0) { $0 + $1.weighted.weight }
    score = exp(terms.reduce(0) { $0 + $1.weighted.weight * log($1.multiple) } / total)
  }
}

/// A backend that is not ranked.
public struct RefusedStorage: Hashable, Sendable {
  /// The backend's id.
  public let backend: String
  /// Every reason, in words.
  public let reasons: [String]
}
