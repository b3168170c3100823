extension Double {
  /// The number, or nil if it is infinite or NaN, which JSON cannot express.
  package var finite: Double? { isFinite ? self : nil }
}
