import BenchResults

/// The cost of each function in a profile, by one measure.
package struct FunctionCosts: Sendable {
  package struct Row: Equatable, Sendable {
    package var frame: Profile.Frame
    package var own: Double
    /// The cost including all calls. A recursive function counts once.
    package var total: Double
    /// The share of ``own`` in the whole, 0 to 1.
    package var share: Double
    /// The 95 % confidence interval of ``share``, or nil if the measure is not sampled.
    package var interval: Interval?
  }

  package let measure: Profile.Measure
  /// The cost of all stacks together.
  package let whole: Double
  /// The functions, sorted by descending own cost.
  package let rows: [Row]

  package init(_ profile: Profile, measure index: Int = 0) {
    let measure = profile.measures[index]
    var own = [Double](repeating: 0, count: profile.frames.count)
    var total = own
    var whole = 0.0
    for stack in profile.stacks {
      let value = stack.total[index]
      whole += value
      if let last = stack.frames.last { own[last] += value }
      for frame in Set(stack.frames) { total[frame] += value }
    }
    (self.measure, self.whole) = (measure, whole)
    rows = profile.frames.indices.map { place in
      Row(
        frame: profile.frames[place], own: own[place], total: total[place],
        share: whole > 0 ? own[place] / whole : 0,
        interval: measure.sample.flatMap { Self.interval(own[place], of: whole, sample: $0) })
    }.sorted { ($0.own, $0.total, $1.frame.name) > ($1.own, $1.total, $0.frame.name) }
  }

  /// Returns the interval of a function's share of the samples. It is exact if samples are
  /// independent. Those of a timer are, if a phase is much longer than the timer's period.
  private static func interval(_ own: Double, of whole: Double, sample: Double) -> Interval? {
    let trials = Int((whole / sample).rounded())
    return Statistics.clopperPearson(
      successes: min(Int((own / sample).rounded()), trials), of: trials)
  }
}

extension Profile {
  /// Returns the share of a measure whose innermost function has a name, in the program's code and in total.
  package func named(measure index: Int = 0) -> (own: Double?, all: Double?) {
    func part(where isMeant: (Frame) -> Bool) -> Double? {
      let costs = stacks.compactMap { stack in
        stack.frames.last.map { (frame: frames[$0], value: stack.total[index]) }
      }.filter { isMeant($0.frame) }
      let all = costs.reduce(0) { $0 + $1.value }
      return all > 0 ? costs.filter(\.frame.isNamed).reduce(0) { $0 + $1.value } / all : nil
    }
    return (part { $0.owner == .program }, part { _ in true })
  }
}
