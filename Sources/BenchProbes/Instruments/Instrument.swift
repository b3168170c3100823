import BenchResults

/// Something that is read before and after a phase, such as the allocator's counters.
///
/// Readings happen around the timed part but the phase's own counts must not see them, so `begin`
/// and `end` neither allocate nor throw. An instrument watches one phase at a time.
public protocol Instrument: AnyObject {
  /// What it measures, in the order in which ``store(into:)`` writes; the same on every call.
  var metrics: [Metric] { get }

  /// Takes the reading before the phase.
  func begin()

  /// Takes the reading after the phase, soon and without effects that another instrument counts.
  func end()

  /// Writes one value for each metric, once every instrument has ended.
  ///
  /// A reading that failed is written as NaN; ``Sampler`` counts it as lost and never reports it.
  func store(into values: UnsafeMutablePointer<Double>)
}
