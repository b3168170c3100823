/// The needs of one kind of app for its storage, as weights on measured costs.
public struct NeedInfo: Sendable {
  /// The name that `--for` takes.
  public var id: String
  /// The need in one line: `the menu must show soon after the app starts`.
  public var summary: String
  /// How much each cost counts, by its key as `--weight` takes it: `product`, `roundtrip/save`,
  /// `replace/replace/stored_bytes` or `stored_bytes`.
  public var weights: [(key: String, weight: Double)]

  /// Makes a need from weights.
  public init(id: String, summary: String, weights: [(key: String, weight: Double)]) {
    (self.id, self.summary, self.weights) = (id, summary, weights)
  }
}
