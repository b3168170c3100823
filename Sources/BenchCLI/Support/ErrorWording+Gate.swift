import BenchHarness

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
    let nearest = NearestMatch.of(ref, among: refs).map { "did you mean '\($0)'? " } ?? ""
    return nearest + "there are \(refs.prefix(12).joined(separator: ", "))"
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
          ? "compare with a newer revision of it, or keep a run by it with --save-baseline"
          : "compare from the newer program", status: .unmeasured)
    case .notStarted, .noWorker:
      CLIError(
        "\(error)", help: "give the executable of a bench, or a git revision",
        status: .unmeasured)
    }
  }
}
