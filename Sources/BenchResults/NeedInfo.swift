/// An app's need of its storage, as weights on what is measured.
public struct NeedInfo: Sendable {
  /// The name that is typed after `--for`.
  public var id: String
  /// Who has it, in one line.
  public var summary: String
  /// How much each cost counts against the others, by its key as typed after `--weight`: `product`,
  /// `roundtrip/save`, `replace/replace/stored_bytes` or `stored_bytes`.
  public var weights: [(key: String, weight: Double)]

  /// Names a need.
  public init(id: String, summary: String, weights: [(key: String, weight: Double)]) {
    (self.id, self.summary, self.weights) = (id, summary, weights)
  }
}
