/// How far the durations of one and the same work lie apart.
public struct Spread: Hashable, Sendable {
  /// How many times the work was done.
  public let count: Int
  /// The middle duration, in nanoseconds.
  public let median: Double
  /// The standard deviation over the mean; nil for fewer than two.
  public let cv: Double?
  /// The longest over the shortest; nil where the shortest is 0.
  public let worstOverBest: Double?

  /// Describes these durations; nil if there are none.
  public init?(_ durations: [Double]) {
    let sorted = durations.sorted()
    guard let best = sorted.first, let worst = sorted.last else { return nil }
    count = sorted.count
    median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    worstOverBest = best > 0 ? worst / best : nil
    let mean = sorted.reduce(0, +) / Double(count)
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    cv = count > 1 && mean > 0 ? (squares / Double(count - 1)).squareRoot() / mean : nil
  }
}
