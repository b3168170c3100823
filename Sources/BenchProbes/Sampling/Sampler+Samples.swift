import BenchResults

extension Sampler {
  /// What each sample holds, in order: wall time, then what the instruments measure.
  public var metrics: [Metric] { [.wall] + instruments.flatMap(\.metrics) }

  /// The samples of one phase so far; none for a phase that does not exist.
  public func series(phase: Int) -> [Samples] {
    let store = phase >= 0 && phase < phases ? stores[phase] : nil
    let metrics = metrics
    return metrics.enumerated().map { column, metric in
      let all = (0..<(store?.count ?? 0)).compactMap { row in
        store?.rows[row * metrics.count + column]
      }
      let values = all.filter(\.isFinite)
      return Samples(metric: metric, values: values, lost: all.count - values.count)
    }
  }
}
