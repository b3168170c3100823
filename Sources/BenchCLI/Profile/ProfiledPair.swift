import Basics
import BenchAnalysis
import BenchEngine
import BenchProcesses
import BenchReports
import BenchResults
import Foundation

/// Two sides to compare by their profiles, which are taken now or were stored.
struct ProfiledPair: Sendable {
  /// Their names as typed: a folder of profiles, a backend's id, an executable or a git revision.
  let names: [String]
  /// The cell to profile on each side.
  let cells: [PlannedCell]
  /// The names that are backends.
  let backends: Set<String>
  let what: Profile.What
  /// The phase asked for, or nil for the one that takes longest.
  let phase: String?
  /// The phases that count into a cost.
  let counting: Set<String>
  /// Seconds for each side.
  let seconds: Double
  let product: String?
  let limits: ProfileRun.Limits
  let storage: ScratchFolder

  /// Returns the profiles of both sides, one per phase. Programs and backends are profiled alternately.
  ///
  /// - Throws: a ``CLIError`` if a side cannot be profiled, or `CancellationError`.
  func take() async throws -> Sides<[Profile]> {
    let (before, now) = (try await side(.baseline), try await side(.candidate))
    let runs = [before, now].compactMap { if case .run(let run) = $0 { run } else { nil } }
    if !runs.isEmpty { Console.note(runs.map(\.cell).profilingLine(what, seconds: seconds)) }
    guard case (.run(let old), .run(let new)) = (before, now) else {
      return Sides(baseline: try await before.profiles(), candidate: try await now.profiles())
    }
    do {
      let both = try await ProfileRun.profiles(of: [old, new]) { pair in
        Console.note("profiling \(names[0]) and \(names[1]): pair \(pair + 1) of \(old.blocks)")
      }
      return Sides(baseline: both[0], candidate: both[1])
    } catch let failure as WorkloadFailure {
      throw CLIError("\(failure)", status: .unmeasured)
    }
  }

  /// Returns the profiles of the phase to compare.
  func matched(_ sides: Sides<[Profile]>) throws -> ProfilePair {
    let shared = sides.candidate.filter { new in
      sides.baseline.contains { $0.phase == new.phase && $0.what == new.what }
    }
    guard let new = shared.one(phase, counting: counting),
      let old = sides.baseline.first(where: { $0.phase == new.phase && $0.what == new.what })
    else {
      let phases = [sides.baseline, sides.candidate].map { profiles in
        profiles.map { "\($0.phase) by \($0.what.rawValue)" }.joined(separator: ", ")
      }
      throw CLIError(
        "the two sides share no profile of \(phase ?? "one phase")",
        help: "\(names[0]): \(phases[0]); \(names[1]): \(phases[1])", status: .unmeasured)
    }
    let places = [old, new].map { "\($0.cell.menu) · \($0.cell.workload) · \($0.cell.durability)" }
    guard places[0] == places[1], old.measures.map(\.id) == new.measures.map(\.id) else {
      throw CLIError(
        "the two sides did different work, so their profiles cannot be compared",
        help: "\(names[0]): \(places[0]); \(names[1]): \(places[1])", status: .unmeasured)
    }
    // Two backends do different work, so what they have in common is not the machine's speed.
    return ProfilePair(
      old: old, new: new, speed: old.cell.backend == new.cell.backend ? .common : .given)
  }

  private enum Side {
    case taken([Profile])
    case run(ProfileRun)

    func profiles() async throws -> [Profile] {
      switch self {
      case .taken(let profiles): profiles
      case .run(let run): try await run.announced()
      }
    }
  }

  private func side(_ side: Pairing.Side) async throws -> Side {
    let index = side == .baseline ? 0 : 1
    let (name, cell) = (names[index], cells[index])
    if let stored = try StoredProfiles.read(name) { return .taken(stored) }
    let program: GateProgram =
      backends.contains(name) ? await .own() : try await .named(name, product: product)
    if let refusal = cell.refusal {
      throw CLIError("\(cell.cell): \(refusal)", status: .unmeasured)
    }
    return .run(
      ProfileRun(
        cell: cell,
        order: ProfileOrder(
          what: what, samples: SampleBudget.enough(8_000, in: seconds), seconds: seconds,
          phase: phase),
        blocks: what == .cpu ? 4 : 1, worker: try GateSide(side, program, in: storage).worker,
        limits: limits, executable: program.path))
  }
}

/// Profiles that `bench profile` stored.
enum StoredProfiles {
  /// Reads the profiles of a folder or a file. Returns nil if the name is neither.
  static func read(_ name: String) throws -> [Profile]? {
    let paths = [name + "/profile.json", name].filter { $0.hasSuffix(".json") }
    guard let path = paths.first(where: FileManager.default.fileExists) else { return nil }
    let profiles = try decoded(path)
    for profile in profiles {
      guard let defect = profile.defect else { continue }
      throw CLIError(
        "\(path) contradicts itself in \(profile.phase): \(defect)",
        help: "profile again: bench profile --out \(name)", status: .unmeasured)
    }
    return profiles
  }

  private static func decoded(_ path: String) throws -> [Profile] {
    func none(_ reason: String) -> CLIError {
      CLIError(
        "\(path) holds no profiles: \(reason)", help: "give a folder that bench profile wrote",
        status: .unmeasured)
    }
    do {
      let data = try Data(ofFile: path, limit: RunFile.sizeLimit)
      try JSONScanner.scan([UInt8](data))
      return try JSONDecoder().decode([Profile].self, from: data)
    } catch let error as DecodingError {
      throw none(error.briefly)
    } catch let fault as Refusal {
      throw none(fault.message)
    }
  }

  /// Returns the flame graphs of a folder, except for subjects already shown. They show what
  /// changed if two profiles were compared. Returns none for a folder without profiles.
  static func graphs(in folder: String, besides shown: Set<ProfileSubject> = []) throws
    -> [FlameGraph]
  {
    let before = try read(folder + "/profile-before.json") ?? []
    let all = try read(folder) ?? []
    return all.filter { !shown.contains(ProfileSubject($0)) }.map { new in
      // Two backends were compared if each side has only one cell.
      let areTwo = Set(before.map(\.cell)).count == 1 && Set(all.map(\.cell)).count == 1
      let old = before.first { old in
        (areTwo || old.cell == new.cell) && old.phase == new.phase && old.what == new.what
          && old.measures.map(\.id) == new.measures.map(\.id)
      }
      return old.map {
        FlameGraph(
          from: $0, to: new, names: (old: "before", new: "now"),
          speed: $0.cell.backend == new.cell.backend ? .common : .given)
      } ?? FlameGraph(new)
    }
  }
}
