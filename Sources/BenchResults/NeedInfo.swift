/// An app's need of its storage, as weights on what is measured.
public struct NeedInfo: Hashable, Codable, Sendable {
  /// The name that is typed after `--for`.
  public var id: String
  /// Who has it, in one line.
  public var summary: String
  /// The costs that count, and how much.
  public var weights: [Weight]

  /// Names a need.
  public init(id: String, summary: String, weights: [Weight]) {
    (self.id, self.summary, self.weights) = (id, summary, weights)
  }

  /// How much a cost counts.
  public struct Weight: Hashable, Codable, Sendable {
    /// The cost as typed after `--weight`: `product`, `roundtrip/save`, `replace/replace/stored_bytes`
    /// or `stored_bytes`.
    public var key: String
    /// How much, against the other weights.
    public var weight: Double

    /// Weighs a cost.
    public init(_ key: String, _ weight: Double) { (self.key, self.weight) = (key, weight) }
  }
}
