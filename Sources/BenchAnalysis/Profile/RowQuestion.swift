import Basics
import BenchResults
import Foundation

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
    let difference = ProfileDifference(
      from: pair.old, to: pair.new, measures: indices(in: pair.new), by: .site, speed: pair.speed)
    guard pair.wereTakenApart else { return Explanation(difference, basis: basis) }
    if let lack = lack(of: difference) { return Explanation(lack: lack) }
    let apart = "by profiles that were not taken in turn"
    return Explanation(
      difference, basis: [basis, apart].compactMap(\.self).joined(separator: "; "))
  }

  /// How far profiles that were taken apart may be from the row's own change, as a part of it in logarithms.
  private static let alike = 0.5...2

  /// Why profiles that were taken apart do not show the row's change; nil where they do, as far as that can be told.
  private func lack(of difference: ProfileDifference) -> String? {
    guard basis == nil, let ratio = row.comparison?.ratio?.finite, ratio > 0, ratio != 1 else {
      return nil
    }
    guard difference.before > 0, difference.now > 0 else {
      return "one of the two profiles is empty"
    }
    let profiled = difference.now / difference.before
    guard !Self.alike.contains(log(profiled) / log(ratio)) else { return nil }
    return
      "the profiles differ by \(Wording.multiple(profiled)), the row by \(Wording.multiple(ratio)): they were not "
      + "taken in turn, and do not show what changed"
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

extension ProfilePair {
  /// That the two were taken apart, and when; nil where they took turns.
  package var takenApart: String? {
    guard wereTakenApart else { return nil }
    func words(_ profile: Profile) -> String {
      guard let origin = profile.origin else { return "at a time that is not known" }
      return origin.started + (origin.revision.map { " by \($0)" } ?? "")
    }
    return
      "The two were not profiled in turn, so that the machine may have changed between them: the baseline "
      + "\(words(old)), the candidate \(words(new))."
  }
}

extension Report {
  /// Explains the rows that changed by what was profiled of both sides, each at a time of its own: adds the pairs of
  /// profiles of those rows, of what got worse first, and because of which functions that did.
  ///
  /// - Returns: why nothing is set against each other; nil where something is.
  package mutating func explain(from old: [Profile], to new: [Profile]) -> String? {
    let changed = regressions + rows.filter { $0.verdict == .improved }
    guard !changed.isEmpty else { return "no row changed" }
    let questions = changed.compactMap(RowQuestion.init).grouped(by: \.subject)
    var lacks: [String] = []
    func refuse(_ asked: [RowQuestion], _ lack: String) {
      lacks.append(lack)
      for question in asked where question.row.verdict == .regressed {
        explanations[question.row.series.key] = Explanation(lack: lack)
      }
    }
    for (subject, asked) in questions {
      let name = "\(subject.cell) \(subject.phase) by \(subject.what.rawValue)"
      guard let now = new.first(where: { ProfileSubject($0) == subject }),
        let then = old.first(where: { ProfileSubject($0) == subject })
      else { continue }
      guard record.hasMenu(of: now), baseline?.hasMenu(of: then) == true else {
        refuse(asked, "\(name) was profiled with another menu of that name")
        continue
      }
      guard now.measuresTheSame(as: then) else {
        refuse(asked, "\(name) was profiled by other measures")
        continue
      }
      let pair = ProfilePair(old: then, new: now, speed: .given, wereTakenApart: true)
      profiles.append(pair)
      for question in asked where question.row.verdict == .regressed {
        explanations[question.row.series.key] = question.explanation(by: pair)
      }
    }
    guard profiles.isEmpty else { return nil }
    let subjects = questions.map { "\($0.key.cell) \($0.key.phase)" }.distinct
    let taken = (new + old).map { "\($0.cell) \($0.phase)" }.distinct
    return lacks.first
      ?? "of the rows that changed (\(Wording.list(subjects))) none was profiled of both sides (\(Wording.list(taken)))"
  }
}

extension RunRecord {
  /// Whether a profile is of this run's menu of its name, as far as the profile tells; of a name that this run has not
  /// there is none to differ from.
  package func hasMenu(of profile: Profile) -> Bool {
    guard let origin = profile.origin, let own = fingerprints[profile.cell.menu] else {
      return true
    }
    return origin.fingerprint == own
  }
}

extension Profile {
  /// Whether it is of the same work, told by the same measures.
  package func measuresTheSame(as other: Profile) -> Bool {
    ProfileSubject(self) == ProfileSubject(other) && measures.map(\.id) == other.measures.map(\.id)
  }
}
