import Basics
import BenchAnalysis
import BenchProbes
import BenchResults
import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A baseline's counts, and those of the same cells measured now.
struct CostComparison: Sendable {
  var baseline: String
  var phase: String?
  var metrics: [String]?
  var executable: String?
  var testFile: String
  /// The build mode of these tests, and of what is built with them.
  var build = Build.configuration

  /// Measures, and compares.
  ///
  /// - Throws: ``CostFailure`` where something costs more, or cannot be compared.
  func check() async throws {
    let program = try Products.executable(executable)
    let home = home
    let stored = try await stored(by: program, in: home)
    guard stored.machine.build == build else {
      throw CostFailure(
        "the baseline '\(baseline)' is of a \(stored.machine.build) build, these tests are a \(build) "
          + "build: their counts are not to be compared",
        help:
          "swift test -c \(stored.machine.build), or a baseline of this build, by another name: "
          + saving(stored, by: program, as: "\(baseline)-\(build)"))
    }
    let counts = try counts(of: stored)
    try checkFiles(of: counts, by: program, in: home)
    let folder = FileManager.default.temporaryDirectory.appending(path: "costs-\(UUID())").path
    try makeFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try RunFile.write(counts, to: folder + "/baseline.json")
    let gate = try await program.run(
      arguments(asFor: stored, in: folder), in: home)
    if gate.status != .exited(0) {
      throw failure(gate, rows: Self.rows(in: folder), against: stored, by: program, in: home)
    }
  }

  /// What a gate that did not pass comes to. Where it tells figures, these are shown, and how to accept
  /// them; else its own help.
  private func failure(
    _ gate: Program.Outcome, rows: [String], against stored: RunRecord, by program: Program,
    in home: String
  ) -> CostFailure {
    let problem = gate.problem
    let accepting =
      "where that is meant, in \(home): \(program.command(build)) baseline remove \(baseline), then "
      + saving(stored, by: program, as: baseline)
    let help = rows.isEmpty ? [problem.help, accepting].compactMap { $0 } : [accepting]
    return CostFailure(
      (rows + [problem.message]).joined(separator: "\n"), help: help.joined(separator: "\n"))
  }

  /// The nearest folder above the test's file that has baselines, else its package's: where `bench`
  /// is run from.
  private var home: String {
    var above: [URL] = []
    var folder = URL(filePath: testFile).deletingLastPathComponent()
    while folder.path != "/" {
      above.append(folder)
      folder.deleteLastPathComponent()
    }
    let files = FileManager.default
    let found =
      above.first { files.fileExists(atPath: $0.path + "/Reports/baselines") }
      ?? above.first { files.fileExists(atPath: $0.path + "/Package.swift") }
    return (found ?? URL(filePath: testFile).deletingLastPathComponent()).path
  }

  private func stored(by program: Program, in home: String) async throws -> RunRecord {
    let shown = try await program.run(
      ["baseline", "show", baseline, "--format", "json"], in: home)
    guard shown.status == .exited(0) else {
      throw CostFailure(
        shown.problem.message + ", looked for in \(home)",
        help: (shown.problem.help.map { $0 + "\n" } ?? "")
          + "to save one there: \(saving(nil, by: program, as: baseline))")
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "baseline-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(shown.output.utf8).write(to: URL(filePath: file))
    return try RunFile.read(file)
  }

  /// What of a baseline is compared: its exact metrics, those of one phase where one is meant.
  ///
  /// - Throws: ``CostFailure`` where it does not hold what is meant: fewer counts would look like a pass.
  func counts(of stored: RunRecord) throws -> RunRecord {
    let exact = stored.cells.filter { $0.metric.isExact && $0.isJudged }
    if let phase, !exact.contains(where: { $0.phase == phase }) {
      let phases = Wording.list(Set(exact.map(\.phase)).sorted(), most: 20)
      throw CostFailure(
        "the baseline '\(baseline)' has no counts of a phase '\(phase)'",
        help: phases.isEmpty ? nil : "phases: \(phases)")
    }
    let known = Metric.all.filter(\.isExact).map(\.id)
    if let unknown = metrics?.first(where: { !known.contains($0) }) {
      throw CostFailure(
        "'\(unknown)' is no exact metric", help: "exact metrics: \(known.joined(separator: ", "))")
    }
    let meant = exact.filter { series in
      (phase == nil || series.phase == phase)
        && (metrics == nil || metrics?.contains(series.metric.id) == true)
    }
    for cell in Set(stored.outcomes.map(\.cell) + exact.map(\.cell)) {
      for metric in metrics ?? [Metric.allocations.id] {
        try require(metric, of: cell, among: meant)
      }
    }
    var record = stored
    record.cells = meant.filter { $0.blockMedians != nil }
    guard !record.cells.isEmpty else {
      throw CostFailure("the baseline '\(baseline)' holds no counts to compare")
    }
    return record
  }

  /// Sees that the files that are measured lie where they lay: a path is one from the folder of the run.
  private func checkFiles(of record: RunRecord, by program: Program, in home: String) throws {
    let names = Set(record.cells.map(\.cell.menu))
    for path in record.menus.filter({ names.contains($0.name) }).compactMap(\.path) {
      let file = path.hasPrefix("/") ? path : "\(home)/\(path)"
      guard !FileManager.default.fileExists(atPath: file) else { continue }
      throw CostFailure(
        "the baseline '\(baseline)' is of the menu \(path), which is not there from \(home)",
        help: "put the file there, or save a baseline of a generated menu: "
          + saving(nil, by: program, as: baseline))
    }
  }

  private func require(_ metric: String, of cell: Cell, among meant: [Series]) throws {
    let found = meant.filter { $0.cell == cell && $0.metric.id == metric }
    guard !found.contains(where: { $0.blockMedians != nil }) else { return }
    let reason = found.compactMap(\.unsupported).first.map { ": \($0)" } ?? ""
    throw CostFailure(
      "the baseline '\(baseline)' has no \(metric) of \(cell)\(phase.map { " \($0)" } ?? "")\(reason)",
      help: "save it anew where they can be counted, as by jemalloc (Debian: libjemalloc2), or say "
        + "which counts are meant, such as metrics: [\"payload_bytes\", \"written_bytes\"]")
  }

  /// A gate's arguments: it counts all that the baseline counted, whatever of it is compared, as what a
  /// block counts may depend on what it did before.
  private func arguments(asFor record: RunRecord, in folder: String) -> [String] {
    let metrics = record.cells.map(\.metric).filter(\.isExact).map(\.id)
    return [
      "gate", "--baseline", folder + "/baseline.json", "--tier", "exact", "--no-explain",
      // What cannot be told is no pass.
      "--strict",
      "--metrics", Set(metrics).sorted().joined(separator: ","), "--out", folder + "/gate",
    ] + selection(of: record) + allowance
  }

  /// A debug build measures only where it is told to.
  private var allowance: [String] { build == "release" ? [] : ["--allow-debug"] }

  /// The options that name a record's cells.
  private func selection(of record: RunRecord) -> [String] {
    let parts: [(String, (Cell) -> String)] = [
      ("--backend", { $0.backend }), ("--menu", { record.typedMenu(of: $0) }),
      ("--workload", { $0.workload }), ("--durability", { $0.durability }),
    ]
    return parts.flatMap { option, part in
      [option, Set(record.cells.map { part($0.cell) }).sorted().joined(separator: ",")]
    }
  }

  /// What to type to save such a baseline.
  private func saving(_ record: RunRecord?, by program: Program, as name: String) -> String {
    let selection = record.map(selection) ?? ["--backend", "BACKEND", "--menu", "MENU"]
    return
      ([program.command(build), "run"] + allowance + ["--blocks", "1"] + selection
      + ["--save-baseline", name]).joined(separator: " ")
  }

  /// The rows that failed, a line each.
  private static func rows(in folder: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: folder + "/gate/gate.json"),
      let file = try? JSONDecoder().decode(GateFile.self, from: data)
    else { return [] }
    return file.failing.map { row in
      let change = row.difference.map { Wording.difference($0, row.unit) } ?? row.verdict
      return "\(row.cell) \(row.phase) \(row.metric): \(change)"
    }
  }
}

/// An executable that was built with the tests.
struct Program: Sendable {
  var path: String

  /// How to run it in the package's folder.
  func command(_ build: String) -> String {
    let configuration = build == "release" ? "-c release " : ""
    return "swift run \(configuration)\(URL(filePath: path).lastPathComponent)"
  }

  /// What came of one of its commands.
  struct Outcome: Sendable {
    var status: TerminationStatus
    var output: String
    var errors: String

    /// The last error that it told, with its help; of a program that told none, how it ended.
    var problem: CostFailure {
      let lines = errors.split(separator: "\n")
      guard let error = lines.lastIndex(where: { $0.hasPrefix("error: ") }) else {
        return CostFailure("it ended with \(status): \(errors.suffix(400))")
      }
      let rest = lines[error...].joined(separator: "\n").dropFirst("error: ".count)
      let parts = rest.components(separatedBy: "\nhelp: ")
      return CostFailure(parts[0], help: parts.count > 1 ? parts[1] : nil)
    }
  }

  /// Runs a command in a folder. What GitHub's steps are told by is not for it: the test tells.
  ///
  /// - Throws: ``CostFailure`` where it cannot be started.
  func run(_ arguments: [String], in folder: String) async throws -> Outcome {
    do {
      let result = try await Subprocess.run(
        .path(FilePath(path)), arguments: Arguments(arguments),
        environment: .inherit.updating(["GITHUB_ACTIONS": nil]), workingDirectory: FilePath(folder),
        output: .string(limit: 512 << 20), error: .string(limit: 64 << 20))
      return Outcome(
        status: result.terminationStatus, output: result.standardOutput,
        errors: result.standardError)
    } catch let error as SubprocessError {
      throw CostFailure("\(path) could not be run in \(folder): \(error)")
    }
  }
}

/// The products that were built with the tests, which lie together.
enum Products {
  /// The executable of a name, or the only one.
  ///
  /// - Throws: ``CostFailure`` that names those there are.
  static func executable(_ name: String?, in folder: String = folder) throws -> Program {
    let names = executables(in: folder)
    let list = names.isEmpty ? "none" : Wording.list(names, most: 20)
    guard let name else {
      guard names.count == 1 else {
        throw CostFailure(
          "which executable is meant is not clear: \(list) in \(folder)",
          help: "name it: .costsNoMore(than: …, by: \"NAME\")")
      }
      return Program(path: "\(folder)/\(names[0])")
    }
    guard names.contains(name) else {
      throw CostFailure(
        "there is no executable '\(name)' in \(folder)",
        help: "executables: \(list); let the test target depend on it")
    }
    return Program(path: "\(folder)/\(name)")
  }

  private static func executables(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { name in
      let path = "\(folder)/\(name)"
      let facts = try? FileManager.default.attributesOfItem(atPath: path)
      // Macros are tools of the compiler.
      return !name.contains(".") && !name.hasSuffix("-tool")
        && facts?[.type] as? FileAttributeType == .typeRegular
        && FileManager.default.isExecutableFile(atPath: path)
    }.sorted()
  }

  /// On Apple's systems the tests are a bundle among them.
  static var folder: String {
    let bundle = Bundle(for: Anchor.self).bundleURL
    return bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent().path : bundle.path
  }

  private final class Anchor {}
}
