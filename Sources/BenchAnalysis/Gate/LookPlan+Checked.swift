import BenchResults

extension LookPlan {
  /// The largest number of pairs that is taken for one; a file may hold anything.
  private static let most = 1_000_000

  /// The plan as it can be followed: ascending looks of one pair or more, and a confirmation of at
  /// least one, since a suspicion that nothing confirms is no verdict.
  var checked: LookPlan {
    LookPlan(
      screening: Set(screening.filter { $0 > 0 }.map { min($0, Self.most) }).sorted(),
      confirmation: min(max(confirmation, 1), Self.most), ended: ended)
  }
}
