import BenchResults

/// Because of which functions a row of a gate got worse.
package struct Explanation: Hashable, Codable, Sendable {
  /// The functions, the one that grew most first; of a profile of one program alone, that costs most.
  package var causes: [Cause]
  /// What part of all that grew they account for, 0 to 1; of one program alone what part of the cost.
  package var explained: Double?
  /// The function that shrank most meanwhile, where one did by a tenth of what grew and more.
  package var relief: Cause?
  /// Of what the amounts are, where that is not quite what the row has; nil where it is.
  package var basis: String?
  /// Whether there was no second program to compare with, so that it is of this one's cost.
  package var isOfOneProgram: Bool
  /// Why nothing is explained; nil where something is.
  package var lack: String?

  package struct Cause: Hashable, Codable, Sendable {
    /// Its name, and the module or library that it is of.
    package var function: String
    package var module: String
    /// What it costs more now, a run, or costs, of one program alone.
    package var amount: Double
    package var unit: Unit
  }

  package init(lack: String) {
    (causes, isOfOneProgram) = ([], false)
    self.lack = lack
  }

  /// By what grew.
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
        ? "no function's growth is told from chance" : "profiled, it costs no more than before"
      return
    }
    causes = grown.prefix(most).map { Cause($0.frame, $0.change, difference.measure) }
    // Where other functions shrank, more grew than the whole did.
    let growth = max(grown.reduce(0) { $0 + $1.change }, change)
    explained = causes.reduce(0) { $0 + $1.amount } / growth
    if let least = difference.rows.last, least.isClear, -least.change >= growth / 10 {
      relief = Cause(least.frame, -least.change, difference.measure)
    }
  }

  /// By what costs most in one program.
  package init(
    _ profile: Profile, measures indices: [Int] = [0], most: Int = 3, basis: String? = nil
  ) {
    // Set against nothing, all of a cost is growth.
    var none = profile
    none.stacks = []
    let difference = ProfileDifference(
      from: none, to: profile, measures: indices, by: .site, speed: .given)
    self.init(difference, most: most, basis: basis)
    isOfOneProgram = true
    if causes.isEmpty { lack = "its profile is empty" }
  }

  /// One line: `because of encode(_:) +2.50 ms, write(_:) +120 µs: 97 % of what grew`.
  package var words: String {
    if let lack { return "not explained: \(lack)" }
    let names = causes.map { "\($0.function) \(isOfOneProgram ? "" : "+")\($0.text)" }
    let share = explained.map {
      ": \(Wording.percent($0)) of \(isOfOneProgram ? "the cost" : "what grew")"
    }
    let beside = relief.map { "; \($0.function) −\($0.text) meanwhile" } ?? ""
    return
      (isOfOneProgram
      ? "costs now, in this program alone since the other is not here, " : "because of ")
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

/// Two profiles of one phase, by two programs.
package struct ProfilePair: Sendable {
  package let old: Profile
  package let new: Profile
  /// How the two are brought to one speed of the machine.
  package let speed: ProfileDifference.Speed

  package init(old: Profile, new: Profile, speed: ProfileDifference.Speed) {
    (self.old, self.new, self.speed) = (old, new, speed)
  }
}
