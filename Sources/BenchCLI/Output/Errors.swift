import ArgumentParser
import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchProcesses
import BenchReports
import BenchResults
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import RevisionBuild
import RunHistory

/// An error as the user sees it: what is wrong, what to do, and the exit status.
struct CLIError: Error {
  /// What is wrong, with the offending value.
  var message: String
  /// What to do, where there is something.
  var help: String?
  /// The process's exit status.
  var status: ExitStatus

  init(_ message: String, help: String? = nil, status: ExitStatus) {
    self.message = message
    self.help = help
    self.status = status
  }
}

/// The exit statuses that scripts may rely on.
enum ExitStatus: Int32 {
  /// It could not be done.
  case failed = 1
  /// Something became worse.
  case regression = 2
  /// At least one cell has no figures, or one that cannot be true.
  case unmeasured = 3
  /// There is nothing of that name, or nothing that compares.
  case noBaseline = 5
  /// Nothing regressed for all that is known, but something could not be told.
  case inconclusive = 7
  /// The command line makes no sense.
  case usage = 64
}

extension ExitStatus {
  /// What a comparison's outcome is to scripts; nil of a pass.
  init?(_ outcome: ComparisonOutcome) {
    switch outcome {
    case .regressed: self = .regression
    case .unmeasured, .belowFloor, .missing, .gone: self = .unmeasured
    case .otherMenus, .nothingCompared: self = .noBaseline
    case .inconclusive: self = .inconclusive
    case .passed: return nil
    }
  }
}

/// Turns errors of the libraries, which carry facts, into what a user reads.
enum ErrorWording {
  /// The error as the user sees it; nil for the argument parser's own.
  static func cliError(for error: any Error) -> CLIError? {
    switch error {
    case let error as CLIError: error
    case let error as RunFileError: runFile(error)
    case let error as MergeRefusal: merge(error)
    case let error as MenuShapeError: menuShape(error)
    case let error as UnknownDocument:
      CLIError(
        "\(error)", help: ValidNames(kind: "menu", ids: error.known).help(for: error.name),
        status: .usage)
    case let error as MenuFileError:
      CLIError(error.description, help: error.help, status: .failed)
    case let error as FormatError: format(error)
    case let error as InvalidMenu: CLIError("\(error)", status: .failed)
    case let error as StoreError: CLIError("\(error)", status: .failed)
    case let error as WorkloadFailure: CLIError("\(error)", status: .failed)
    case let error as GitError: git(error)
    case let error as RevisionBuildError: revisionBuild(error)
    case let error as WorkerHelloError: workerHello(error)
    case let error as HistoryIndexError: history(error)
    case let error as UnusableTemporaryFolder:
      CLIError("\(error)", help: "set TMPDIR to a folder that is there", status: .failed)
    case let error as InjectionError:
      CLIError(
        "\(error)",
        help: "for example json/decode:slowdown=5%, decode:allocations=1, "
          + "encode:instructions=5000", status: .usage)
    case is CocoaError: CLIError(systemReason(error), status: .failed)
    default: nil
    }
  }

  /// One line for a note.
  static func line(for error: any Error) -> String {
    cliError(for: error)?.message ?? String(describing: error)
  }

  private static func menuShape(_ error: MenuShapeError) -> CLIError {
    if error == .emptyMenu {
      return CLIError(
        "\(error)", help: "give a menu with products, or take a preset: see bench list menus",
        status: .failed)
    }
    if case .unknownKey(let key, let choices) = error {
      return CLIError(
        "unknown key '\(key)' in the shape of a menu",
        help: NearestMatch.hint(key, among: choices) + "keys: \(choices.joined(separator: ", "))",
        status: .usage)
    }
    if case .fixedKey = error {
      return CLIError(
        "\(error)",
        help: "give all counts instead: products=100,combos=10,slots=4,options=20", status: .usage)
    }
    guard case .unknownPreset(let name, let presets) = error else {
      return CLIError("\(error)", help: "see bench list menus", status: .usage)
    }
    guard name != MenuFile.standardInput else {
      return CLIError(
        "every block's process reads the menu, and standard input can be read but once",
        help: "keep it first: bench import - --out menu.json, then --menu menu.json", status: .usage
      )
    }
    return CLIError(
      name.isEmpty
        ? "an empty menu name"
        : name.contains(".") ? "there is no file '\(name)'" : "unknown menu '\(name)'",
      help: NearestMatch.hint(name, among: presets)
        + "menus: \(presets.joined(separator: ", ")), a shape such as "
        + "products=100,combos=10,slots=4,options=20, or a file",
      status: .usage)
  }

  private static func format(_ error: FormatError) -> CLIError {
    switch error {
    case .largerIsBetter:
      CLIError("\(error)", help: "choose another format: see bench list formats", status: .failed)
    case .noChart(_, let known):
      CLIError(
        "\(error)", help: known.isEmpty ? nil : "charts: \(known.joined(separator: ", "))",
        status: known.isEmpty ? .unmeasured : .usage)
    }
  }

  private static func runFile(_ error: RunFileError) -> CLIError {
    switch error {
    case .unreadable(let path, let reason):
      CLIError("\(path) cannot be read: \(reason)", status: .failed)
    case .notARun(let path, let reason):
      CLIError(
        "\(path) is not a stored run: \(reason)", help: "give the run.json of a 'bench run'",
        status: .failed)
    case .newerSchema(let path, let found, let supported):
      CLIError(
        "\(path) has schema \(found), this program reads up to schema \(supported)",
        help: "use the newer program that wrote it", status: .failed)
    }
  }
}

extension ErrorWording {
  /// Why there is no history.
  private static func history(_ error: HistoryIndexError) -> CLIError {
    switch error {
    case .missing(let path):
      CLIError(
        "there is no history at \(path)", help: "begin one: bench history add",
        status: .noBaseline)
    case .locked(let path):
      CLIError(
        "\(path) is locked: another process is writing to it", help: "try again once it is done",
        status: .failed)
    case .damaged(let path, let reason):
      CLIError(
        "\(path) is damaged: \(reason)",
        help: "move it away, and begin another from the runs: bench history add",
        status: .failed)
    case .notAHistory(let path, let reason):
      CLIError(
        "\(path) is not a history: \(reason)", help: "give the file of one with --index",
        status: .failed)
    case .newer(let path, let found, let supported):
      CLIError(
        "\(path) has version \(found), this program knows up to version \(supported)",
        help: "use the newer program that made it", status: .failed)
    case .unusable(let path, let reason):
      CLIError(
        "\(path) cannot be used: \(reason)", help: "choose another place with --index",
        status: .failed)
    }
  }

  /// Why runs cannot be merged.
  static func merge(_ refusal: MergeRefusal) -> CLIError {
    switch refusal {
    case .noShard(let name):
      CLIError(
        "\(name) is no shard: it was measured as a whole",
        help: "measure shards with --shard 1/5; whole runs stand side by side in bench compare"
          + " --run A,B", status: .failed)
    case .unlike(let first, let other, let what, let values):
      CLIError(
        "\(first) and \(other) are no shards of one suite; \(what): "
          + values.joined(separator: " and "),
        help: "measure every shard by the same program, with the same options and --costs",
        status: .failed)
    case .twice(let first, let other, let shard, let cell):
      CLIError(
        "\(first) and \(other) both hold shard \(shard)"
          + (cell.map { ", and so \($0) twice" } ?? ""), help: "give one of them",
        status: .failed)
    case .stray(let name, let cell):
      CLIError(
        "\(name) holds \(cell), which is another shard's", help: "give it as bench wrote it",
        status: .failed)
    }
  }
}

extension ErrorWording {
  /// What is wrong with the revision asked for.
  static func git(_ error: GitError) -> CLIError {
    switch error {
    case .noSuchRef(let ref, let refs):
      CLIError("\(error)", help: known(refs, like: ref), status: .noBaseline)
    case .notInShallowClone(let ref, let refs):
      CLIError(
        "\(error)", help: "fetch it all, with 'fetch-depth: 0' in CI; " + known(refs, like: ref),
        status: .noBaseline)
    case .ambiguous: CLIError("\(error)", help: "give more digits", status: .noBaseline)
    case .notTrusted(let folder):
      CLIError(
        "\(error)", help: "git config --global --add safe.directory \(folder)", status: .failed)
    case .notARepository, .noCommits:
      CLIError(
        "\(error)", help: "give an executable instead, or --baseline NAME", status: .noBaseline)
    case .gitMissing: CLIError("\(error)", help: "install git", status: .failed)
    case .failed: CLIError("\(error)", status: .failed)
    }
  }

  private static func known(_ refs: [String], like ref: String) -> String {
    guard !refs.isEmpty else { return "there are no branches or tags" }
    return NearestMatch.hint(ref, among: refs)
      + "there are \(refs.prefix(12).joined(separator: ", "))"
  }

  /// Why a revision has no executable, with the end of its log.
  static func revisionBuild(_ error: RevisionBuildError) -> CLIError {
    switch error {
    case .doesNotBuild(_, let lines, _):
      CLIError(([String(describing: error)] + lines).joined(separator: "\n"), status: .unmeasured)
    case .noPackage, .noPackageThen:
      CLIError(
        "\(error)", help: "run the gate from the package's folder, or give an executable",
        status: .unmeasured)
    case .swiftMissing:
      CLIError("\(error)", help: "https://www.swift.org/install", status: .failed)
    case .unusableCache: CLIError("\(error)", status: .failed)
    }
  }

  /// Why a program cannot be measured.
  static func workerHello(_ error: WorkerHelloError) -> CLIError {
    switch error {
    case .otherVersion(_, let found, let ours):
      CLIError(
        "\(error)",
        help: found < ours
          ? "compare with a newer revision of it"
          : "compare from the newer program", status: .unmeasured)
    case .notStarted, .noWorker:
      CLIError(
        "\(error)", help: "give the executable of a bench, or a git revision",
        status: .unmeasured)
    }
  }
}
