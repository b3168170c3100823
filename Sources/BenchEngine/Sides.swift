import BenchResults

/// One value for each of two programs.
package struct Sides<Value> {
  package var baseline: Value
  /// What is to be judged.
  package var candidate: Value

  package init(baseline: Value, candidate: Value) {
    self.baseline = baseline
    self.candidate = candidate
  }

  package subscript(side: Pairing.Side) -> Value {
    get { side == .baseline ? baseline : candidate }
    set { if side == .baseline { baseline = newValue } else { candidate = newValue } }
  }

  package func map<Other>(_ change: (Value) throws -> Other) rethrows -> Sides<Other> {
    Sides<Other>(baseline: try change(baseline), candidate: try change(candidate))
  }
}

extension Sides: Sendable where Value: Sendable {}
