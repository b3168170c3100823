extension Double {
  /// The shortest text that reads back as the same number, with a point in every locale; a whole one
  /// without a point. Of finite numbers only: the formats have no other.
  var digits: String { Int(exactly: self).map(String.init) ?? description }

  /// The number; nil where it is none.
  var finite: Double? { isFinite ? self : nil }
}
