extension Wording {
  /// An exponent: `1.04`.
  public static func exponent(_ exponent: Double) -> String { fixed(exponent, decimals: 2) }

  /// An exponent with its bounds, or with why it has none: `1.04 (1.01 to 1.08)`.
  public static func growth(_ growth: Growth) -> String {
    "\(exponent(growth.exponent)) (\(bounds(growth)))"
  }

  private static func bounds(_ growth: Growth) -> String {
    guard let interval = growth.interval else {
      if case .tooFew(let blocks) = growth.evidence { return plural(blocks, "block") }
      return "exact"
    }
    return "\(exponent(interval.low)) to \(exponent(interval.high))"
  }

  /// What a curve's large end is to be warned of; nil of what grows linearly or slower.
  static func conclusion(
    of curve: GrowthCurve, _ column: CostColumn, _ noun: String
  ) -> Conclusion? {
    guard let growth = curve.largeEnd, curve.verdict != .linear else { return nil }
    let range = "\(count(growth.sizes.low)) to \(count(growth.sizes.high)) \(noun)"
    let fact = "exponent \(self.growth(growth)) over \(range)"
    let name = "\(column.title) of \(curve.backend) at durability \(column.durability)"
    guard curve.verdict == .worse else {
      return Conclusion(
        .hint, "\(name) looks worse than linear, unproven: \(fact), \(doubt(growth))")
    }
    return Conclusion(
      .warning,
      "\(name) grows worse than linearly: \(fact); 10 times the menu costs"
        + " \(multiple(growth.tenfold)) as much")
  }

  private static func doubt(_ growth: Growth) -> String {
    guard case .tooFew = growth.evidence else { return "which does not rule out 1" }
    return "and it takes \(plural(Statistics.fewestForMedianInterval, "block")) to tell"
  }
}
