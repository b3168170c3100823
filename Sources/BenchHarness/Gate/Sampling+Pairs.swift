extension Sampling {
  /// What suits a block that takes turns: longer than others, since most of a pair's noise is that of
  /// single samples, and starting two processes takes half a second anyway.
  public static let pairs = Sampling(minimum: 5, seconds: 0.5)
}
