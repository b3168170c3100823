import Foundation

extension Tolerance {
  /// How far an exact value may be from the baseline's, in the metric's unit: never less than 0.
  ///
  /// A trillionth more than said, so that a change of just the tolerance is within it however the
  /// product was rounded.
  func allowance(from baseline: Double) -> Double {
    let slack = 1 + 1e-12
    return switch self {
    case .relative(let part): Self.proper(part) * abs(baseline) * slack
    case .absolute(let amount): Self.proper(amount) * slack
    case .larger(let part, let amount):
      max(
        Self.relative(part).allowance(from: baseline),
        Self.absolute(amount).allowance(from: baseline))
    }
  }

  /// The same as a log ratio, by which times are judged; 0 where the baseline is not above 0.
  func logFloor(from baseline: Double) -> Double {
    switch self {
    case .relative(let part): log1p(Self.proper(part))
    case .absolute(let amount): baseline > 0 ? log1p(Self.proper(amount) / baseline) : 0
    case .larger(let part, let amount):
      max(
        Self.relative(part).logFloor(from: baseline),
        Self.absolute(amount).logFloor(from: baseline))
    }
  }

  /// What is no number and what is below 0 tolerates nothing.
  private static func proper(_ value: Double) -> Double { value > 0 ? value : 0 }
}
