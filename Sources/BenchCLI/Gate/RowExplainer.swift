import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation

/// Finds the functions that made rows of a gate worse. Profiles both programs alternately, or only
/// the candidate if the baseline is a stored run.
struct RowExplainer: Sendable {
  /// The candidate, and the baseline unless it is a stored run.
  let candidate: GateSide
  let baseline: GateSide?
  /// The cells that were measured.
  let cells: [PlannedCell]
  /// The cost that was injected into the candidate, if any.
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

  /// The largest number of questions to answer, the worst first.
  private static let most = 5
  /// Seconds for all questions together.
  private static let timeLimit = 60.0

  /// Adds to a report what explains each row that got worse, or why nothing does, and the profiles.
  /// Does nothing if no row got worse. An interruption loses nothing that was measured.
  func explain(_ report: inout Report) async {
    let worse = report.regressions
    let asking = worse.compactMap { RowQuestion($0, of: report) }
    let questions = asking.grouped(by: \.subject)
    let clock = MonotonicClock()
    let start = clock.now()
    let isAsked = Set(asking.map(\.row.series.key))
    for row in worse {
      report.explanations[row.series.key] = Explanation(
        lack: isAsked.contains(row.series.key)
          ? "only the worst \(Self.most) are profiled"
          : "\(row.metric.id) is not a cost of functions")
    }
    for (number, asked) in questions.prefix(Self.most).enumerated() {
      let left = Self.timeLimit - Double(clock.now() &- start) / 1e9
      let share = left / Double(min(questions.count, Self.most) - number)
      if !Task.isCancelled {
        Console.note(
          "explaining \(asked.key.cell) \(asked.key.phase): \(asked.key.what.rawValue)")
      }
      let found =
        (try? await answer(
          asked.key, speed: Self.speed(of: asked.key, in: report), seconds: share, atMost: left))
        ?? .lack("the gate was interrupted")
      for question in asked.elements {
        report.explanations[question.row.series.key] =
          switch found {
          case .pair(let pair): question.explanation(by: pair)
          case .one(let profile): question.explanation(by: profile)
          case .lack(let reason): Explanation(lack: reason)
          }
      }
      if case .pair(let pair) = found { report.profiles.append(pair) }
    }
  }

  /// Chooses the measure of the machine's speed: the ratio of CPU times, if pairs measured it.
  private static func speed(
    of subject: ProfileSubject, in report: Report
  ) -> ProfileDifference.Speed {
    let time = report.rows.first {
      $0.cell == subject.cell && $0.phase == subject.phase && $0.metric.id == Metric.cpu.id
    }
    return time?.comparison?.ratio?.finite.map { .ratio($0) } ?? .common
  }

  private enum Answer {
    case pair(ProfilePair)
    case one(Profile)
    case lack(String)
  }

  /// Profiles for some seconds, plus the time to start processes. Gives up when the time for all
  /// rows is over.
  private func answer(
    _ subject: ProfileSubject, speed: ProfileDifference.Speed, seconds: Double, atMost limit: Double
  ) async throws -> Answer {
    guard let cell = cells.first(where: { $0.cell == subject.cell }) else {
      return .lack("its cell cannot be profiled")
    }
    guard seconds >= 1 else { return .lack("no time was left") }
    return try await withThrowingTaskGroup(of: Answer.self) { group in
      group.addTask { try await profiles(subject, cell, speed, seconds) }
      group.addTask {
        try await Task.sleep(for: .seconds(limit))
        return .lack("the \(Int(Self.timeLimit)) s for all rows were over")
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .lack("nothing was profiled")
    }
  }

  private func profiles(
    _ subject: ProfileSubject, _ cell: PlannedCell, _ speed: ProfileDifference.Speed,
    _ seconds: Double
  ) async throws -> Answer {
    do {
      guard let baseline else {
        return try await .one(phase(subject, of: run(candidate, cell, subject, seconds).profiles()))
      }
      let profiles = try await ProfileRun.profiles(of: [
        run(baseline, cell, subject, seconds / 2, isOriginal: true),
        run(candidate, cell, subject, seconds / 2),
      ])
      return .pair(
        ProfilePair(
          old: try phase(subject, of: profiles[0]), new: try phase(subject, of: profiles[1]),
          speed: speed))
    } catch let error as CancellationError {
      throw error
    } catch {
      // The verdict does not depend on the explanation.
      return .lack("it could not be profiled: \(ErrorWording.line(for: error))")
    }
  }

  private func phase(_ subject: ProfileSubject, of profiles: [Profile]) throws -> Profile {
    guard let profile = profiles.first(where: { $0.phase == subject.phase }) else {
      throw WorkloadFailure("\(subject.phase) is computed from other phases")
    }
    return profile
  }

  private func run(
    _ side: GateSide, _ cell: PlannedCell, _ subject: ProfileSubject, _ seconds: Double,
    isOriginal: Bool = false
  ) -> ProfileRun {
    ProfileRun(
      cell: cell,
      order: ProfileOrder(
        what: subject.what, samples: 6_000, seconds: min(seconds / 2, 6), phase: subject.phase),
      blocks: subject.what == .cpu ? 4 : 1, worker: side.worker, limits: limits,
      executable: side.program.path,
      injection: isOriginal ? nil : injection.flatMap { $0.phase == subject.phase ? $0 : nil })
  }
}
