import BenchResults

/// One value for each of two programs.
package struct Sides<Value> {
  /// What was there before the change.
  package var baseline: Value
  /// What is to be judged.
  package var candidate: Value

  /// Sets two values side by side.
  package init(baseline: Value, candidate: Value) {
    self.baseline = baseline
    self.candidate = candidate
  }

  /// One side's.
  package subscript(side: Pairing.Side) -> Value {
    get { side == .baseline ? baseline : candidate }
    set { if side == .baseline { baseline = newValue } else { candidate = newValue } }
  }

  /// The same of both.
  package func map<Other>(_ change: (Value) throws -> Other) rethrows -> Sides<Other> {
    Sides<Other>(baseline: try change(baseline), candidate: try change(candidate))
  }
}

extension Sides: Sendable where Value: Sendable {}
