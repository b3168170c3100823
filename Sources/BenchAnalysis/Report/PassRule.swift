/// The conditions for a pass, other than that nothing regressed.
package struct PassRule: Sendable {
  /// Whether every cell of both sides must be measured, and something must be compared.
  package var needsFigures: Bool
  /// Whether every row of the baseline must have been measured again.
  package var needsRows: Bool
  package var needsDecisions: Bool

  /// For a run that replaces a baseline: it must not be worse and must have all of its rows.
  package static let successor = PassRule(
    needsFigures: false, needsRows: true, needsDecisions: false)

  /// For every command that reports or compares a run: it does not pass if something could not be
  /// measured or compared.
  ///
  /// - Parameters:
  ///   - allowsMissing: Whether rows and cells of the baseline may be missing, such as those of a
  ///     removed backend.
  ///   - isStrict: Whether inconclusive rows do not pass either.
  package static func comparison(allowsMissing: Bool = false, isStrict: Bool = false) -> PassRule {
    PassRule(needsFigures: true, needsRows: !allowsMissing, needsDecisions: isStrict)
  }
}
