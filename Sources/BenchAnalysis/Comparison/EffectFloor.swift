import Foundation

/// What an effect on a row must exceed to be flagged, and within what it passes for no change; in
/// natural logarithms.
struct EffectFloor: Hashable, Sendable {
  /// What the measuring itself may have moved: learned from blocks or from controls.
  var noise: Double
  /// What somebody declared to be no matter.
  var tolerance = 0.0

  /// What an effect must exceed: 2 %, the noise, the tolerance.
  var flagged: Double { max(Judge.smallestEffect, noise, tolerance) }

  /// Within what an interval may still be called unchanged. Noise may raise what it takes to be
  /// flagged without limit, never what passes for no change; a declared tolerance may raise both.
  var unchanged: Double {
    max(min(max(Judge.smallestEffect, noise), Judge.widestUnchanged), tolerance)
  }
}
