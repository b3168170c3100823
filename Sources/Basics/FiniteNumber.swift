extension Double {
  /// The number; nil where it is infinite or none, which JSON has no word for.
  package var finite: Double? { isFinite ? self : nil }
}
