import BenchAnalysis

/// What somebody reads who asks how a storage takes to growth: what is worse than linear, by which
/// power everything grows, where the cheaper one changes; then every figure, and how far to trust it.
enum ScaleDocument {
  /// The parts, in order.
  static func parts(of scale: ScaleReport, on medium: Medium) -> [Part] {
    [.headline(headline(scale))] + conclusions(scale) + ExponentSection.parts(scale)
      + CrossoverSection.parts(scale) + CurveSection.parts(scale) + GapSection.parts(scale)
      + (medium == .page ? menus(scale) : []) + ConclusionSection.parts(scale.report, on: medium)
      + FactSection.parts(scale.report)
  }

  private static func headline(_ scale: ScaleReport) -> String {
    guard let low = scale.menus.first?.size, let high = scale.menus.last?.size,
      scale.costs.contains(where: { $0.curves.contains { $0.largeEnd != nil } })
    else { return "Growth takes figures at \(GrowthCurve.fewestSizes) sizes" }
    let range = "from \(Wording.count(low)) to \(Wording.count(high)) \(scale.noun)"
    let worse = scale.conclusions.count { $0.severity == .warning }
    guard worse > 0 else { return "Nothing is shown to grow worse than linearly, \(range)" }
    return "\(Wording.plural(worse, "cost")) \(worse == 1 ? "grows" : "grow") worse than linearly,"
      + " \(range)"
  }

  private static func conclusions(_ scale: ScaleReport) -> [Part] {
    guard !scale.conclusions.isEmpty else { return [] }
    return [.list(scale.conclusions.map { "\($0.severity.rawValue): \($0.text)" })]
  }

  /// The menus by the names with which they can be had again.
  private static func menus(_ scale: ScaleReport) -> [Part] {
    let table = TextTable(
      columns: [.number(scale.noun), .text("menu")],
      rows: scale.menus.map { [Wording.count($0.size), $0.name] })
    let twins = scale.twins.map { "\($0) is left out: another menu is as large" }
    return [.heading("Menus"), .table(table)] + (twins.isEmpty ? [] : [.list(twins)])
  }
}
