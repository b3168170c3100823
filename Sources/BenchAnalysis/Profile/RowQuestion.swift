import Basics
import BenchResults

/// What a profile is of: several rows may have the same.
package struct ProfileSubject: Hashable, Sendable {
  package let cell: Cell
  package let phase: String
  package let what: Profile.What

  init(cell: Cell, phase: String, what: Profile.What) {
    (self.cell, self.phase, self.what) = (cell, phase, what)
  }

  /// What a profile that was taken is of.
  package init(_ profile: Profile) {
    self.init(cell: profile.cell, phase: profile.phase, what: profile.what)
  }
}

/// A row of which somebody asks why it changed, and what profile answers that.
package struct RowQuestion: Sendable {
  package let row: ReportRow
  package let subject: ProfileSubject
  /// The measures by which the row's metric is told.
  private let measures: [String]

  /// Nil of what no function does: sizes at rest, shares.
  package init?(_ row: ReportRow) {
    guard let (what, measures) = Self.telling[row.metric.id] else { return nil }
    self.row = row
    self.measures = measures
    subject = ProfileSubject(cell: row.cell, phase: row.phase, what: what)
  }

  private static let telling: [String: (Profile.What, [String])] = [
    Metric.wall.id: (.cpu, ["cpu", "waited"]), Metric.cpu.id: (.cpu, ["cpu"]),
    Metric.instructions.id: (.instructions, ["instructions"]),
    Metric.allocations.id: (.allocations, ["count"]),
    Metric.allocatedBytes.id: (.allocations, ["bytes"]),
    Metric.peakHeapBytes.id: (.allocations, ["bytes"]),
    Metric.readBytes.id: (.io, ["read"]), Metric.writtenBytes.id: (.io, ["written"]),
    Metric.readCalls.id: (.io, ["read calls"]), Metric.writeCalls.id: (.io, ["write calls"]),
  ]

  private var basis: String? {
    row.metric.id == Metric.peakHeapBytes.id
      ? "of all that is allocated, since of the peak itself no stacks are kept" : nil
  }

  /// Because of which functions it got worse, by the profiles of both programs.
  package func explanation(by pair: ProfilePair) -> Explanation {
    let apart =
      pair.wereTakenApart ? "by profiles that were not taken in turn" : nil
    let all = [basis, apart].compactMap(\.self)
    return Explanation(
      ProfileDifference(
        from: pair.old, to: pair.new, measures: indices(in: pair.new), by: .site, speed: pair.speed),
      basis: all.isEmpty ? nil : all.joined(separator: "; "))
  }

  /// What costs most, by the profile of one program alone.
  package func explanation(by profile: Profile) -> Explanation {
    Explanation(profile, measures: indices(in: profile), basis: basis)
  }

  private func indices(in profile: Profile) -> [Int] {
    let found = profile.measures.indices.filter { measures.contains(profile.measures[$0].id) }
    return found.isEmpty ? [0] : Array(found)
  }
}

extension Report {
  /// Explains the rows that changed by what was profiled of both sides, each at a time of its own: the pairs of
  /// profiles of those rows, of what got worse first, and because of which functions that did.
  package mutating func explain(from old: [Profile], to new: [Profile]) {
    func pair(_ subject: ProfileSubject) -> ProfilePair? {
      guard let now = new.first(where: { ProfileSubject($0) == subject }),
        let then = old.first(where: { now.measuresTheSame(as: $0) })
      else { return nil }
      return ProfilePair(old: then, new: now, speed: .common, wereTakenApart: true)
    }
    let changed = regressions + rows.filter { $0.verdict == .improved }
    for (subject, asked) in changed.compactMap(RowQuestion.init).grouped(by: \.subject) {
      guard let pair = pair(subject) else { continue }
      profiles.append(pair)
      for question in asked where question.row.verdict == .regressed {
        explanations[question.row.series.key] = question.explanation(by: pair)
      }
    }
  }
}

extension Profile {
  /// Whether it is of the same work, told by the same measures.
  package func measuresTheSame(as other: Profile) -> Bool {
    ProfileSubject(self) == ProfileSubject(other) && measures.map(\.id) == other.measures.map(\.id)
  }
}
