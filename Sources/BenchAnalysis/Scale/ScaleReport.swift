import Basics
import BenchResults

/// How costs grow with the menu: curves, their exponents, crossovers, and costs worse than linear.
package struct ScaleReport: Sendable {
  package let record: RunRecord
  /// The unit of the sizes, such as `slot options`.
  package let noun: String
  /// The menus, the smallest first. If several have one size, the first of them.
  package let menus: [SizedMenu]
  /// The menus left out because another has the same size.
  package let menusOfEqualSize: [String]
  /// The measured costs: every workload's deciding ones, then stored bytes and the heap's peak.
  package let costs: [ScaledCost]
  /// The costs that grow worse than linearly, then those that only look like it.
  package let conclusions: [Conclusion]
  package let run: Report

  package struct SizedMenu: Equatable, Sendable {
    package let name: String
    /// How large it is, in ``ScaleReport/noun``.
    package let size: Double
  }

  package init(record: RunRecord) { self.init(of: Report(record: record)) }

  /// Builds the report from the finished ``Report`` of a run.
  package init(of run: Report) {
    let record = run.record
    let unit = MenuSizeUnit(of: record.menus)
    let sized = record.menus.map { SizedMenu(name: $0.name, size: unit.size(of: $0)) }
    let menus = sized.uniqued(on: \.size).sorted { $0.size < $1.size }
    let floors = FloorBound.all(record)
    let sheets = menus.map {
      (size: $0.size, sheet: CostTable(menu: $0.name, of: record, floors: floors))
    }
    let backends = sheets.flatMap(\.sheet.backends).distinct
    let columns = sheets.flatMap(\.sheet.columns) + sheets.flatMap(\.sheet.sizes)
    let costs = columns.distinct.map { ScaledCost($0, sheets, backends: backends) }
    (self.run, self.record, self.menus, self.costs) = (run, record, menus, costs)
    noun = unit.noun
    menusOfEqualSize = sized.filter { !menus.contains($0) }.map(\.name)
    let conclusions = costs.flatMap { cost in
      cost.curves.compactMap { $0.conclusion(cost.column, unit.noun) }
    }
    self.conclusions =
      conclusions.filter { $0.severity == .warning }
      + conclusions.filter { $0.severity != .warning }
  }

  package var backends: [String] { costs.first?.curves.map(\.backend) ?? [] }
}
