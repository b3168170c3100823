import BenchAnalysis
import BenchResults

/// What the work cannot cost less than, and the control, apart from the backends' own phases.
enum FloorSection {
  private static let general = ["floor-copy", "floor-write", "floor-read"]
  private static let parts = ["floor-part", "floor-mapped-part"]

  /// A table of the group's floors and controls, one line a backend.
  static func parts(_ group: ReportGroup) -> [Part] {
    let figures = PhaseFigures.all(
      group.rows.filter { !$0.series.isJudged && $0.metric.id == Metric.wall.id })
    guard !figures.isEmpty else { return [] }
    let phases = ordered(figures.map(\.phase).distinct)
    let backends = figures.map(\.backend).distinct
    let times = Dictionary(grouping: figures, by: \.backend)
    let table = TextTable(
      columns: [.text("backend", shrinksTo: 16)]
        + phases.map { .number(title($0), isOptional: true) },
      rows: backends.map { backend in
        [backend]
          + phases.map { phase in
            times[backend]?.first { $0.phase == phase }?.text(.wall) ?? TextTable.unknown
          }
      })
    return [.table(table), .paragraph(legend(phases))]
  }

  /// The floors of any backend, then those of some, and the control last.
  private static func ordered(_ phases: [String]) -> [String] {
    (general + parts).filter(phases.contains) + native(phases)
      + phases.filter { $0 == Series.controlPhase }
  }

  /// The floors of single backends.
  private static func native(_ phases: [String]) -> [String] {
    phases.filter { !(general + parts).contains($0) && $0 != Series.controlPhase }
  }

  private static func title(_ phase: String) -> String {
    phase.hasPrefix("floor-") ? String(phase.dropFirst("floor-".count)) : phase
  }

  private static func legend(_ phases: [String]) -> String {
    var explained: [String] = []
    if phases.contains(where: general.contains) {
      explained.append("floors: copy (of encode and decode), write and read: the bytes alone")
    }
    if phases.contains(where: parts.contains) {
      explained.append(
        "part: reading as many bytes as the phase takes from its mapped file, out of a file of"
          + " nothing else; mapped-part: the same by mapping that file")
    }
    let names = native(phases).map(title)
    if !names.isEmpty {
      explained.append(
        "\(names.joined(separator: ", ")): the same rows by the storage's leanest route, where it"
          + " has one")
    }
    if phases.contains(Series.controlPhase) {
      explained.append("control: fixed work, which moves with the machine alone")
    }
    return explained.joined(separator: "; ")
  }
}
