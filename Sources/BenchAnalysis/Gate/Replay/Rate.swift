/// How often something happened, of how many times it could have.
public struct Rate: Hashable, Sendable {
  /// How often it happened.
  public private(set) var count = 0
  /// How often it could have.
  public private(set) var of = 0

  /// Makes a rate, of nothing yet unless told.
  public init(count: Int = 0, of total: Int = 0) {
    self.count = count
    of = total
  }

  /// Counts several times at once.
  public mutating func add(_ count: Int, of total: Int) {
    self.count += count
    of += total
  }

  /// Counts one time.
  public mutating func add(_ happened: Bool) { add(happened ? 1 : 0, of: 1) }

  /// The share of 1; nil of nothing.
  public var share: Double? { of > 0 ? Double(count) / Double(of) : nil }

  /// The exact 95 % interval of the chance, by Clopper and Pearson; nil of nothing.
  public var interval: Interval? { Statistics.clopperPearson(successes: count, of: of) }
}
