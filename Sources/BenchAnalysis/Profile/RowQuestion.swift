import BenchResults

/// The subject of a profile. Several rows may share one.
package struct ProfileSubject: Hashable, Sendable {
  package let cell: Cell
  package let phase: String
  package let what: Profile.What
}

extension ProfileSubject {
  package init(_ profile: Profile) {
    self.init(cell: profile.cell, phase: profile.phase, what: profile.what)
  }
}

/// The question why a row changed, with the subject of the profile that answers it.
package struct RowQuestion: Sendable {
  package let row: ReportRow
  package let subject: ProfileSubject
  /// The profile's measures that explain the row's metric.
  private let measures: [String]

  /// Returns nil for metrics that no function causes, such as sizes at rest and shares. A cost is explained by the
  /// phase of it that took most of the change.
  package init?(_ row: ReportRow, of report: Report) {
    guard let (what, measures) = Self.telling[row.metric.id] else { return nil }
    (self.row, self.measures) = (row, measures)
    let cost = report.record.workload(row.cell.workload).costs.first { $0.name == row.phase }
    let phases = report.rows.filter {
      $0.cell == row.cell && $0.metric == row.metric && cost?.phases.contains($0.phase) == true
    }
    func added(_ row: ReportRow) -> Double {
      guard let pair = row.comparison, let then = pair.baselineP50, let ratio = pair.ratio
      else { return 0 }
      return then * (ratio - 1)
    }
    subject = ProfileSubject(
      cell: row.cell, phase: phases.max { added($0) < added($1) }?.phase ?? row.phase, what: what)
  }

  private static let telling: [String: (Profile.What, [String])] = [
    Metric.wall.id: (.cpu, ["cpu", "waited"]), Metric.meanWall.id: (.cpu, ["cpu", "waited"]),
    Metric.cpu.id: (.cpu, ["cpu"]),
    Metric.instructions.id: (.instructions, ["instructions"]),
    Metric.allocations.id: (.allocations, ["count"]),
    Metric.allocatedBytes.id: (.allocations, ["bytes"]),
    Metric.peakHeapBytes.id: (.allocations, ["bytes"]),
    Metric.readBytes.id: (.io, ["read"]), Metric.writtenBytes.id: (.io, ["written"]),
    Metric.readCalls.id: (.io, ["read calls"]), Metric.writeCalls.id: (.io, ["write calls"]),
  ]

  private var basis: String? {
    row.metric.id == Metric.peakHeapBytes.id
      ? "by all allocations, because no stacks of the peak are kept" : nil
  }

  /// Explains which functions made the row worse, by the profiles of both programs.
  package func explanation(by pair: ProfilePair) -> Explanation {
    let difference = ProfileDifference(
      from: pair.old, to: pair.new, measures: indices(in: pair.new), by: .site, speed: pair.speed)
    return Explanation(difference, basis: basis)
  }

  /// Explains what costs most, by the profile of one program alone.
  package func explanation(by profile: Profile) -> Explanation {
    Explanation(profile, measures: indices(in: profile), basis: basis)
  }

  private func indices(in profile: Profile) -> [Int] {
    let found = profile.measures.indices.filter { measures.contains(profile.measures[$0].id) }
    return found.isEmpty ? [0] : Array(found)
  }
}

extension RunRecord {
  /// Whether a profile's menu has the same content as this run's menu of that name. True if either
  /// is unknown.
  package func hasMenu(of profile: Profile) -> Bool {
    guard let own = fingerprints[profile.cell.menu] else { return true }
    return profile.origin.map { $0.fingerprint == own } ?? true
  }
}
