import BenchResults

extension Sampler {
  /// Runs the body as more of a phase's last sample, and gives what the body gave; what was done
  /// between the two belongs to no sample.
  ///
  /// Every value is added to the last sample's; of peaks the higher stays, each counted from where
  /// its part began. A phase that has no sample gets one. If the body throws, the last sample stays
  /// as it was: without what the body would have added.
  ///
  /// Traps if there is no such phase, as an array does.
  /// - Throws: what the body throws.
  @inlinable @inline(__always) @discardableResult
  public func resume<T, Failure: Error>(
    _ phase: Int, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    let result = try measure(phase, body)
    joinLastTwo(phase)
    return result
  }

  @usableFromInline @inline(never)
  func joinLastTwo(_ phase: Int) {
    let metrics = metrics
    stores[phase].joinLastTwo { column, first, second in
      guard metrics[column].isPeak else { return first + second }
      // What could not be read is not a number, which `max` might lose.
      return (first + second).isNaN ? .nan : max(first, second)
    }
  }
}

extension Metric {
  fileprivate var isPeak: Bool { [.peakHeapBytes, .peakRSSBytes].contains(self) }
}
