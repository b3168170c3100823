/// What beside a regression is no pass.
package struct PassRule: Sendable {
  /// Whether every cell of either side must have been measured, and something be compared.
  package var needsFigures: Bool
  /// Whether every row of the baseline must have been measured again.
  package var needsRows: Bool
  package var needsDecisions: Bool

  /// What takes another run's place as a baseline must not be worse and must hold all that it holds.
  package static let successor = PassRule(
    needsFigures: false, needsRows: true, needsDecisions: false)

  /// Every command that reports a run, or sets it against another: what could not be measured or compared
  /// has not passed.
  ///
  /// - Parameters:
  ///   - allowsMissing: Whether rows and cells of the baseline may be missing now, as of a backend
  ///     that was taken out.
  ///   - isStrict: Whether what is inconclusive has not passed either.
  package static func comparison(
    allowsMissing: Bool = false, isStrict: Bool = false
  ) -> PassRule {
    PassRule(needsFigures: true, needsRows: !allowsMissing, needsDecisions: isStrict)
  }
}
