import BenchResults

/// How costs grow with the menu: curves, their exponents, crossovers, and what is worse than linear.
public struct ScaleReport: Sendable {
  /// The run.
  public let record: RunRecord
  /// What sizes are counted in, such as `slot options`.
  public let noun: String
  /// The menus, the smallest first; of several of one size the first.
  public let menus: [SizedMenu]
  /// The menus left out, since another is as large.
  public let twins: [String]
  /// The deciding costs of every workload, then the bytes stored and the peak of the heap; what of
  /// them was measured.
  public let costs: [ScaledCost]
  /// What grows worse than linearly, then what looks like it.
  public let conclusions: [Conclusion]
  /// The run as any other report shows it.
  public let report: Report

  /// A menu with its size.
  public struct SizedMenu: Hashable, Sendable {
    /// The menu's name.
    public let name: String
    /// How large it is, in ``ScaleReport/noun``.
    public let size: Double
  }

  /// Looks along the sizes of a run's menus.
  public init(record: RunRecord) {
    let yardstick = SizeNoun(of: record.menus)
    let sized = record.menus.map { SizedMenu(name: $0.name, size: yardstick.size(of: $0)) }
    var seen: Set<Double> = []
    let menus = sized.filter { seen.insert($0.size).inserted }.sorted { $0.size < $1.size }
    let sheets = menus.map {
      SizedSheet(size: $0.size, sheet: CostSheet(menu: $0.name, of: record))
    }
    let backends = Self.each(sheets.flatMap(\.sheet.backends))
    let columns = sheets.flatMap(\.sheet.columns) + sheets.flatMap(\.sheet.sizes)
    let costs = Self.each(columns).map { ScaledCost($0, sheets, backends: backends) }
    self.record = record
    self.menus = menus
    self.costs = costs
    noun = yardstick.text
    twins = sized.filter { !menus.contains($0) }.map(\.name)
    conclusions = Self.conclusions(costs, yardstick.text)
    report = Report(record: record)
  }

  /// Every backend, in the record's order.
  public var backends: [String] { costs.first?.curves.map(\.backend) ?? [] }

  private static func conclusions(_ costs: [ScaledCost], _ noun: String) -> [Conclusion] {
    let all = costs.flatMap { cost in
      cost.curves.compactMap { Wording.conclusion(of: $0, cost.column, noun) }
    }
    return all.filter { $0.severity == .warning } + all.filter { $0.severity != .warning }
  }

  private static func each<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }
}
