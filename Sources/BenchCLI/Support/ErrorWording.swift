import BenchHarness
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// Turns errors of the libraries, which carry facts, into what a user reads.
enum ErrorWording {
  /// The error as the user sees it; nil for the argument parser's own.
  static func cliError(for error: any Error) -> CLIError? {
    switch error {
    case let error as CLIError: error
    case let error as RunFileError: runFile(error)
    case let error as MenuShapeError: menuShape(error)
    case let error as UnknownDocument:
      CLIError(
        "\(error)", help: Choice(kind: "menu", ids: error.known).help(for: error.name),
        status: .usage)
    case let error as MenuFileError:
      CLIError(error.description, help: error.help, status: .failed)
    case let error as InvalidMenu: CLIError("\(error)", status: .failed)
    case let error as StorageError: CLIError("\(error)", status: .failed)
    case let error as WorkloadFailure: CLIError("\(error)", status: .failed)
    case let error as GitError: git(error)
    case let error as RevisionBuildError: revisionBuild(error)
    case let error as WorkerHelloError: workerHello(error)
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

  /// What the system said: its own words rather than a domain and a number.
  static func systemReason(_ error: any Error) -> String {
    (error as NSError).underlyingPOSIXCode.map { String(cString: strerror($0)) }
      ?? error.localizedDescription
  }

  private static func menuShape(_ error: MenuShapeError) -> CLIError {
    guard case .unknownPreset(let name, let presets) = error else {
      return CLIError("\(error)", help: "see bench list menus", status: .usage)
    }
    let nearest = NearestMatch.of(name, among: presets).map { "did you mean '\($0)'? " } ?? ""
    return CLIError(
      name.isEmpty ? "an empty menu name" : "unknown menu '\(name)'",
      help: nearest + "menus: \(presets.joined(separator: ", ")), a shape such as "
        + "products=100,combos=10,slots=4,options=20, or a file",
      status: .usage)
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
