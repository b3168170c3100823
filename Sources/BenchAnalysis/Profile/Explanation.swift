import BenchResults

/// The functions that made a row of a gate worse.
package struct Explanation: Hashable, Codable, Sendable {
  /// The functions, sorted by growth, or by cost if only one program was profiled.
  package var causes: [Cause]
  /// The share of the growth that the causes explain, 0 to 1. For one program, their share of the cost.
  package var explained: Double?
  /// The function that shrank most, if it shrank by at least a tenth of the growth.
  package var relief: Cause?
  /// The meaning of the amounts, if it differs from the row's metric.
  package var basis: String?
  /// Whether only one program was profiled, so that the causes explain its cost.
  package var isOfOneProgram: Bool
  /// The reason why nothing is explained, or nil if something is.
  package var lack: String?

  package struct Cause: Hashable, Codable, Sendable {
    package var function: String
    package var module: String
    /// How much more one run costs now, or what it costs if only one program was profiled.
    package var amount: Double
    package var unit: Unit
  }

  package init(lack: String) {
    (causes, isOfOneProgram) = ([], false)
    self.lack = lack
  }

  /// Explains a row by the functions that grew.
  ///
  /// - Parameter basis: see ``basis``.
  package init(_ difference: ProfileDifference, most: Int = 3, basis: String? = nil) {
    isOfOneProgram = false
    self.basis = basis
    let change = difference.now - difference.before
    let grown = difference.rows.prefix { $0.change > 0 }.filter(\.isClear)
    guard change > 0, !grown.isEmpty else {
      causes = []
      lack =
        change > 0
        ? "no function grew by more than chance" : "its profile shows no increase"
      return
    }
    causes = grown.prefix(most).map { Cause($0.frame, $0.change, difference.measure) }
    // If other functions shrank, more grew than the whole did.
    let growth = max(grown.reduce(0) { $0 + $1.change }, change)
    explained = causes.reduce(0) { $0 + $1.amount } / growth
    if let least = difference.rows.last, least.isClear, -least.change >= growth / 10 {
      relief = Cause(least.frame, -least.change, difference.measure)
    }
  }

  /// Explains a row by the functions that cost most in one program.
  package init(
    _ profile: Profile, measures indices: [Int] = [0], most: Int = 3, basis: String? = nil
  ) {
    // Compared with an empty profile, all cost is growth.
    var none = profile
    none.stacks = []
    let difference = ProfileDifference(
      from: none, to: profile, measures: indices, by: .site, speed: .given)
    self.init(difference, most: most, basis: basis)
    isOfOneProgram = true
    if causes.isEmpty { lack = "its profile is empty" }
  }

  /// One line, such as `because of encode(_:) +2.50 ms, write(_:) +120 µs: 97 % of the increase`.
  package var words: String {
    if let lack { return "not explained: \(lack)" }
    let names = causes.map { "\($0.function) \(isOfOneProgram ? "" : "+")\($0.text)" }
    let share = explained.map {
      ": \(Wording.percent($0)) of \(isOfOneProgram ? "the cost" : "the increase")"
    }
    let beside = relief.map { ", but \($0.function) −\($0.text)" } ?? ""
    return
      (isOfOneProgram
      ? "largest costs now, since the other program is not available: " : "because of ")
      + Wording.list(names) + (share ?? "") + beside + (basis.map { " (\($0))" } ?? "")
  }
}

extension Explanation.Cause {
  init(_ frame: Profile.Frame, _ amount: Double, _ measure: Profile.Measure) {
    self.init(function: frame.name, module: frame.module, amount: amount, unit: measure.unit)
  }

  fileprivate var text: String {
    unit == .count ? Wording.count(amount.rounded()) : Wording.value(amount, unit)
  }
}

extension Report {
  package func explanation(of row: ReportRow) -> Explanation? { explanations[row.series.key] }
}

/// The profiles of one phase in both programs of a gate.
package struct ProfilePair: Sendable {
  package let old: Profile
  package let new: Profile
  /// How the profiles are adjusted to one speed of the machine.
  package let speed: ProfileDifference.Speed

  package init(old: Profile, new: Profile, speed: ProfileDifference.Speed) {
    (self.old, self.new, self.speed) = (old, new, speed)
  }
}
