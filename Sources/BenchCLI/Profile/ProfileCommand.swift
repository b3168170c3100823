import ArgumentParser
import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchReports
import BenchResults
import Foundation

struct ProfileCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "profile", abstract: "Shows where a phase's cost goes, function by function.",
      discussion: """
        Example: bench profile --backend sqlite --menu large --phase write
        Example: bench profile --diff HEAD~1 .build/release/bench --backend json --phase decode
        """)
  }

  @OptionGroup(title: "Selection") var cells: CellOptions

  @Option(
    help: """
      Phase to profile. (default: the slowest that counts towards a cost such as save or load)
      """)
  var phase: String?

  @Option(help: "cpu, allocations, instructions or io.")
  var what = Profile.What.cpu.rawValue

  @Option(
    parsing: .unconditional,
    help: "Seconds for profiling a backend, without starting its processes. (default: 10)",
    transform: Double.typed)
  var seconds = 10.0

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Two sides to compare: folders of profiles, git revisions, executables or backends.",
      valueName: "before now"))
  var diff: [String] = []

  @Option(
    help: "Executable product to build from each revision (default: this program's name).")
  var product: String?

  @Option(help: "The folder for the profile's files.")
  var out = "Reports/profile"

  @OptionGroup(title: "Limits") var workers: WorkerLimits
  @OptionGroup(title: "Output") var speech: VerbosityOptions

  func run() async throws {
    try speech.apply()
    try Build.refuseDebug(unless: workers.allowDebug)
    try workers.check()
    try refuse("--seconds", seconds, outside: 0.1...3_600)
    let what: Profile.What = try ValidNames.choice("profile", what)
    let known = ValidNames(kind: "phase", ids: try App.suite.phases(of: cells.workloads))
    let phase = try phase.map(known.one)
    Console.noteIfSilent("preparing menus")
    guard diff.isEmpty else { return try await compare(what, phase) }
    let chosen = try Selection(cells).resolve(in: App.suite)
    guard Set(chosen.cells.map(\.cell.backend)).count == chosen.cells.count else {
      throw CLIError(
        "\(chosen.cells.count) cells are too many to profile",
        help: "give one menu, workload and durability", status: .usage)
    }
    guard chosen.cells.count == 1 || what == .cpu else {
      throw CLIError(
        "several backends can be profiled only by cpu, not by '\(what.rawValue)'",
        help: "give one backend, or leave --what out", status: .usage)
    }
    let origins = await Self.origins(of: chosen.menus)
    let (planned, time) = (chosen.cells, seconds)
    let counting = App.suite.countingPhases(of: cells.workloads)
    try await profiling(planned) { folder, storage, limits in
      let worker = SubprocessWorker.own(scratch: storage.path + "/profiling")
      Console.note(planned.profilingLine(what, seconds: time))
      Console.detail("worker of each block: \(worker.command)")
      let setting = ProfileSetting(
        what: what, phase: phase, origins: origins, counting: counting, seconds: time,
        worker: worker, limits: limits)
      try await setting.show(planned, in: folder)
    }
  }
}

extension ProfileCommand {
  /// Describes the origin of profiles taken from now on, by the menu's name.
  private static func origins(of menus: [MenuInfo]) async -> [String: Profile.Origin] {
    let revision = await GitRepository.currentRevision()
    let origins = menus.map { menu in
      Profile.Origin(
        fingerprint: menu.fingerprint, revision: revision, started: Date().formatted(.iso8601))
    }
    return Dictionary(zip(menus.map(\.name), origins)) { first, _ in first }
  }

  /// Profiles and compares the two sides of `--diff`.
  private func compare(_ what: Profile.What, _ phase: String?) async throws {
    guard diff.count == 2 else {
      throw CLIError(
        "--diff needs two sides, not \(diff.count): \(diff.joined(separator: ", "))",
        help: "give folders of profiles, revisions, executables or backends: --diff HEAD~1 HEAD",
        status: .usage)
    }
    let suite = App.suite
    func cell(of name: String) throws -> PlannedCell {
      var asked = self.cells
      if suite.backend(named: name) != nil { asked.backend = name }
      let chosen = try Selection(asked).resolve(in: suite)
      guard chosen.cells.count == 1 else {
        throw CLIError(
          "\(chosen.cells.count) cells are too many to profile",
          help: "give one backend, menu, workload and durability", status: .usage)
      }
      return chosen.cells[0]
    }
    let cells = try diff.map(cell)
    let (names, product, seconds) = (diff, product, seconds)
    let counting = suite.countingPhases(of: self.cells.workloads)
    try await profiling(cells) { folder, storage, limits in
      let pair = ProfiledPair(
        names: names, cells: cells,
        backends: Set(names.filter { suite.backend(named: $0) != nil }), what: what, phase: phase,
        counting: counting, seconds: seconds, product: product, limits: limits, storage: storage)
      let sides = try await pair.take()
      try folder.write(try pair.matched(sides), names: (names[0], names[1]), all: sides)
    }
  }

  /// Prepares the folders, does the work, and prints where the profile is.
  private func profiling(
    _ cells: [PlannedCell],
    _ work:
      @escaping @Sendable (OutputFolder, ScratchFolder, ProfileRun.Limits) async throws -> Void
  ) async throws {
    let folder = try OutputFolder(out)
    let storage = try ScratchFolder(in: workers.storage ?? out, for: cells)
    defer { storage.remove() }
    let limits = ProfileRun.Limits(
      memoryLimit: workers.memoryBytes, timeout: workers.timeout, storage: storage.path)
    let interruption = Interruption()
    try await interruption.cancelling("profiling", in: storage) {
      try await work(folder, storage, limits)
    }
    Console.note("profile: \(out)")
    // If there was a signal, `reraise` does not return, so the stores are removed first.
    storage.remove()
    interruption.reraise()
  }
}

/// Computes how many samples of a phase are enough.
enum SampleBudget {
  /// Returns the usual number for up to ten seconds, and proportionally more for a longer time, up
  /// to ten times as many. The memory of a process does not hold many more.
  static func enough(_ usual: Int, in seconds: Double) -> Int {
    max(usual, Int(Double(usual) * min(seconds, 100) / 10))
  }
}

/// The settings for profiling cells.
private struct ProfileSetting: Sendable {
  var what: Profile.What
  /// The phase asked for, or nil for the one that takes longest.
  var phase: String?
  /// The origin of profiles, by the menu's name.
  var origins: [String: Profile.Origin]
  /// The phases that count into a cost.
  var counting: Set<String>
  /// Seconds for each cell.
  var seconds: Double
  var worker: any Worker
  var limits: ProfileRun.Limits

  /// Profiles cells, writes the results to a folder and prints them.
  func show(_ cells: [PlannedCell], in folder: OutputFolder) async throws {
    guard cells.count == 1 else { return try await compare(cells, in: folder) }
    let (profile, all) = try await profile(cells[0], blocks: what == .cpu ? 3 : 1)
    try folder.write(profile, among: all)
    try Console.output(ProfileDocument(profile).text(width: Console.outputWidth))
  }

  /// Profiles several backends, and prints one line for each.
  private func compare(_ cells: [PlannedCell], in folder: OutputFolder) async throws {
    var (profiles, failures): ([Profile], [String]) = ([], [])
    for (number, cell) in cells.enumerated() {
      Console.note("profiling \(cell.cell): \(number + 1) of \(cells.count)")
      do {
        profiles.append(try await profile(cell, blocks: 2, asDetail: true).profile)
      } catch let error as CLIError where error.status == .unmeasured {
        failures.append(error.message)
      }
    }
    let page = CostSharesDocument(profiles, failures: failures)
    try folder.write(page, of: profiles)
    try Console.output(page.text(width: Console.outputWidth))
    guard failures.isEmpty else {
      throw CLIError(
        "\(failures.count) of \(cells.count) backends could not be profiled",
        help: "the reasons are above", status: .unmeasured)
    }
  }

  /// Profiles a cell.
  ///
  /// - Parameter isDetail: Whether its blocks are announced only with `--verbose`.
  /// - Returns: the profile of the phase asked for, and those of all phases.
  /// - Throws: a ``CLIError`` of status `unmeasured` if it cannot be profiled.
  private func profile(
    _ cell: PlannedCell, blocks: Int, asDetail isDetail: Bool = false
  ) async throws -> (profile: Profile, all: [Profile]) {
    if let refusal = cell.refusal {
      throw CLIError("\(cell.cell): \(refusal)", status: .unmeasured)
    }
    let run = ProfileRun(
      cell: cell,
      order: ProfileOrder(
        what: what, samples: SampleBudget.enough(6_000, in: seconds), seconds: seconds,
        phase: phase),
      blocks: blocks, worker: worker, limits: limits, executable: OwnExecutable.path)
    let all = try await run.announced(asDetail: isDetail).map { profile in
      var profile = profile
      profile.origin = origins[cell.cell.menu]
      return profile
    }
    guard let profile = all.one(phase, counting: counting) else {
      throw CLIError(
        "\(cell.cell) has no \(phase ?? "phase") to profile: it is computed from other phases, or "
          + "this backend lacks it",
        help: "phases: \(all.map(\.phase).joined(separator: ", "))", status: .unmeasured)
    }
    return (profile, all)
  }
}

extension ProfileRun {
  /// Profiles its cell. Announces each block by a note or a detail.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured` if a worker fails, or `CancellationError`.
  func announced(asDetail isDetail: Bool = false) async throws -> [Profile] {
    do {
      return try await profiles { block in
        let words = "profiling \(cell.cell): block \(block + 1) of \(blocks)"
        if isDetail { Console.detail(words) } else { Console.note(words) }
      }
    } catch let failure as WorkloadFailure {
      throw CLIError("\(cell.cell): \(failure)", status: .unmeasured)
    }
  }
}

extension [PlannedCell] {
  /// Describes what will be profiled and, if known, for how long: `profiling json on large:
  /// roundtrip at atomic by cpu; about 10 s plus starting processes`.
  func profilingLine(_ what: Profile.What, seconds: Double) -> String {
    let each = count > 1 ? " each" : ""
    // Exact costs are taken from one run, however long that is.
    let time =
      what == .cpu ? "; about \(RunPlan.seconds(seconds))\(each) plus starting processes" : ""
    return "profiling \(words) by \(what.rawValue)\(time)"
  }
}

extension [Profile] {
  /// Returns the profile of a phase. If no phase is asked for, takes the one with the longest time
  /// per run among those that count into a cost. Returns nil if there is none.
  func one(_ phase: String?, counting: Set<String>) -> Profile? {
    if let phase { return first { $0.phase == phase } }
    let counted = filter { counting.contains($0.phase) }
    return (counted.isEmpty ? self : counted).max { $0.facts.wallOfRun < $1.facts.wallOfRun }
  }
}

extension Profile.Facts {
  /// Nanoseconds of one run.
  fileprivate var wallOfRun: Double { wall / Double(Swift.max(runs, 1)) }
}

extension Suite {
  /// The phases of the named workloads.
  fileprivate func phases(of workload: String) throws -> [String] {
    try workloads(named: workload).flatMap { $0.phases.map(\.id) }.distinct
  }

  /// The phases of a workload that count into a cost.
  fileprivate func countingPhases(of workload: String) -> Set<String> {
    Set((try? self.workload(workload).phases.filter { $0.cost != nil }.map(\.id)) ?? [])
  }
}

extension OutputFolder {
  /// Writes the page on where the time of several backends goes.
  func write(_ page: CostSharesDocument, of profiles: [Profile]) throws {
    try replaceProfile([
      .json: try Self.encoded(profiles), .page: Data(page.markdown.utf8),
    ])
  }

  /// Writes the difference between two profiles, and prints it.
  func write(
    _ pair: ProfilePair, names: (String, String), all: Sides<[Profile]>
  ) throws {
    let names = (old: names.0, new: names.1)
    let page = DifferenceDocument(
      from: pair.old, to: pair.new, names: names, speed: pair.speed)
    let graph = FlameGraph(from: pair.old, to: pair.new, names: names, speed: pair.speed)
    try replaceProfile([
      .json: try Self.encoded(all.candidate),
      .before: try Self.encoded(all.baseline),
      .collapsed: Data(ProfileFormats.collapsed(pair.new).utf8),
      .graph: Data(graph.page.utf8),
      .page: Data(page.markdown.utf8),
    ])
    try Console.output(page.text(width: Console.outputWidth))
  }

  /// Writes a profile in every format that has a file, and the profiles of all phases as JSON.
  func write(_ profile: Profile, among all: [Profile]) throws {
    try replaceProfile([
      .json: try Self.encoded(all),
      .collapsed: Data(ProfileFormats.collapsed(profile).utf8),
      .graph: Data(FlameGraph(profile).page.utf8),
    ])
  }

  /// Replaces the last profile's files, and removes those without a successor.
  private func replaceProfile(_ files: [ProfileFile: Data]) throws {
    try SafeFile.replace(files.map { (path + "/" + $0.key.rawValue, $0.value) })
    for file in ProfileFile.allCases where files[file] == nil {
      unlink(path + "/" + file.rawValue)
    }
  }

  private static func encoded(_ profiles: [Profile]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(profiles)
  }
}
