import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchResults
import Foundation

/// Finds out because of which functions rows of a gate got worse: by profiles of the two programs, taken in
/// turn, or of the candidate's alone where the other is only known by its figures.
struct RowExplainer: Sendable {
  /// The candidate; the other program, where there is one.
  let candidate: GateSide
  let baseline: GateSide?
  /// What was measured.
  let cells: [PlannedCell]
  /// What was added to the candidate on purpose.
  let injection: Injection?
  let limits: ProfileRun.Limits

  init(candidate: GateSide, baseline: GateSide?, plan: RunPlan) {
    self.candidate = candidate
    self.baseline = baseline
    cells = plan.cells + (plan.traced ?? [])
    injection = plan.injection
    limits = ProfileRun.Limits(
      memoryLimit: plan.memoryLimit, timeout: plan.timeout, storage: plan.storage)
  }

  /// How many rows are looked into, the worst first.
  private static let most = 5
  /// Seconds for all of them.
  private static let patience = 60.0

  /// What explains each of the worst rows. Nothing is done where none got worse.
  ///
  /// - Throws: `CancellationError`.
  func explanations(of report: Report) async throws -> [Series.Key: Explanation] {
    let questions = report.regressions.compactMap(Question.init).grouped(by: \.subject)
      .prefix(Self.most)
    let clock = MonotonicClock()
    let start = clock.now()
    var found: [Series.Key: Explanation] = [:]
    for (number, asked) in questions.enumerated() {
      let left = Self.patience - Double(clock.now() &- start) / 1e9
      let share = left / Double(questions.count - number)
      Console.note("explaining \(asked.key.cell) \(asked.key.phase): \(asked.key.what.rawValue)")
      let profiles = try await answer(asked.key, seconds: share)
      for question in asked.elements {
        found[question.row.series.key] = question.explanation(by: profiles)
      }
    }
    return found
  }

  /// What a profile is of: several rows may have the same.
  struct Subject: Hashable {
    var cell: Cell
    var phase: String
    var what: Profile.What
  }

  /// What came of profiling.
  private enum Answer {
    case both(old: Profile, new: Profile)
    case one(Profile)
    case lack(String)
  }

  /// A row, and by what it is explained.
  private struct Question {
    let row: ReportRow
    let subject: Subject
    /// The measures by which the row's metric is told.
    let measures: [String]

    /// Nil of what no function does: sizes at rest, shares.
    init?(_ row: ReportRow) {
      guard let (what, measures) = Self.telling[row.metric.id] else { return nil }
      self.row = row
      self.measures = measures
      subject = Subject(cell: row.cell, phase: row.phase, what: what)
    }

    private static let telling: [String: (Profile.What, [String])] = [
      Metric.wall.id: (.cpu, ["cpu", "waited"]), Metric.cpu.id: (.cpu, ["cpu"]),
      Metric.instructions.id: (.instructions, ["instructions"]),
      Metric.allocations.id: (.allocations, ["count"]),
      Metric.allocatedBytes.id: (.allocations, ["bytes"]),
      Metric.peakHeapBytes.id: (.allocations, ["bytes"]),
      Metric.readBytes.id: (.io, ["read"]), Metric.writtenBytes.id: (.io, ["written"]),
      Metric.readCalls.id: (.io, ["calls"]), Metric.writeCalls.id: (.io, ["calls"]),
    ]

    func explanation(by answer: Answer) -> Explanation {
      switch answer {
      case .lack(let reason): return Explanation(lack: reason)
      case .one(let profile): return Explanation(profile, measures: indices(in: profile))
      case .both(let old, let new):
        let ratio = row.comparison?.ratio.flatMap { $0.isFinite ? $0 : nil }
        return Explanation(
          ProfileDifference(
            from: old, to: new, measures: indices(in: new), by: .site,
            speed: ratio.map { .ratio($0) } ?? .common))
      }
    }

    private func indices(in profile: Profile) -> [Int] {
      let found = profile.measures.indices.filter { measures.contains(profile.measures[$0].id) }
      return found.isEmpty ? [0] : Array(found)
    }
  }

  private func answer(_ subject: Subject, seconds: Double) async throws -> Answer {
    guard let cell = cells.first(where: { $0.cell == subject.cell }) else {
      return .lack("its cell is not there to be profiled")
    }
    guard seconds >= 1 else { return .lack("no time was left") }
    do {
      guard let baseline else {
        return try await .one(phase(subject, of: run(candidate, cell, subject, seconds).profiles()))
      }
      let sides = Sides<ProfileRun>(
        baseline: run(baseline, cell, subject, seconds / 2, isOriginal: true),
        candidate: run(candidate, cell, subject, seconds / 2))
      let profiles = try await sides.profiles()
      return .both(
        old: try phase(subject, of: profiles.baseline),
        new: try phase(subject, of: profiles.candidate))
    } catch let error as CancellationError {
      throw error
    } catch {
      // The verdict stands without it.
      return .lack("it could not be profiled: \(ErrorWording.line(for: error))")
    }
  }

  private func phase(_ subject: Subject, of profiles: [Profile]) throws -> Profile {
    guard let profile = profiles.first(where: { $0.phase == subject.phase }) else {
      throw WorkloadFailure("\(subject.phase) is worked out of other phases")
    }
    return profile
  }

  private func run(
    _ side: GateSide, _ cell: PlannedCell, _ subject: Subject, _ seconds: Double,
    isOriginal: Bool = false
  ) -> ProfileRun {
    ProfileRun(
      cell: cell, what: subject.what, blocks: subject.what == .cpu ? 2 : 1, samples: 4_000,
      seconds: min(seconds / 2, 5), worker: side.worker, limits: limits,
      executable: side.program.path,
      injection: isOriginal ? nil : injection.flatMap { $0.phase == subject.phase ? $0 : nil })
  }
}
