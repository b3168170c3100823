import Basics
import BenchAnalysis
import Foundation

/// An error as the user sees it: what is wrong, what to do, and the exit status.
///
/// Every function here that throws throws one, which names the value and what is valid; its documentation says
/// where it throws more.
struct CLIError: Error {
  /// What is wrong, with the offending value.
  var message: String
  /// What to do, where there is something.
  var help: String?
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

  /// What a library's error is to scripts.
  init(_ kind: FailureKind) {
    switch kind {
    case .failed: self = .failed
    case .unmeasured: self = .unmeasured
    case .nothingToCompare: self = .noBaseline
    case .usage: self = .usage
    }
  }
}

/// Turns errors of the libraries into what a user reads.
enum ErrorWording {
  /// The error as the user sees it; nil for the argument parser's own.
  static func cliError(for error: any Error) -> CLIError? {
    switch error {
    case let error as CLIError: error
    case let error as any UserFacingError:
      CLIError(error.message, help: error.help, status: ExitStatus(error.kind))
    case is CocoaError: CLIError(systemReason(error), status: .failed)
    default: nil
    }
  }

  /// One line for a note.
  static func line(for error: any Error) -> String {
    cliError(for: error)?.message ?? String(describing: error)
  }
}
