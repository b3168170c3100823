import BenchAnalysis

/// What no growth is fitted to, and why.
enum GapSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    let gaps = gaps(scale)
    guard !gaps.isEmpty else { return [] }
    return [.heading("Not fitted"), .list(gaps)]
  }

  /// Costs that a storage lacks at the same sizes for the same reason.
  private struct Gap: Hashable {
    var backend: String
    var sizes: [Double]
    var reason: String
  }

  private static func gaps(_ scale: ScaleReport) -> [String] {
    var order: [Gap] = []
    var titles: [Gap: [String]] = [:]
    for (cost, title) in zip(scale.costs, ChoiceText.titles(scale.costs.map(\.column))) {
      for gap in cost.curves.flatMap(gaps) {
        if titles[gap] == nil { order.append(gap) }
        titles[gap, default: []].append(title)
      }
    }
    return order.map { gap in
      let sizes = gap.sizes.map(Wording.count).joined(separator: "; ")
      return "\(gap.backend): \((titles[gap] ?? []).joined(separator: ", ")) at \(sizes)"
        + " \(scale.noun): \(gap.reason)"
    }
  }

  private static func gaps(_ curve: GrowthCurve) -> [Gap] {
    let reasons = curve.points.compactMap(\.gap)
    var seen: Set<String> = []
    return reasons.filter { seen.insert($0).inserted }.map { reason in
      Gap(
        backend: curve.backend, sizes: curve.points.filter { $0.gap == reason }.map(\.size),
        reason: reason)
    }
  }
}
