import Basics
import BenchAnalysis
import Foundation

/// An error as the user sees it: the problem, a remedy and the exit status.
///
/// Every throwing function in this target throws one, with the offending value and the valid ones.
/// Its documentation lists other errors.
struct CLIError: Error {
  /// The problem, with the offending value.
  var message: String
  /// A remedy, if there is one.
  var help: String?
  var status: ExitStatus

  init(_ message: String, help: String? = nil, status: ExitStatus = .failed) {
    self.message = message
    self.help = help
    self.status = status
  }
}

/// The exit statuses that scripts may rely on.
enum ExitStatus: Int32 {
  /// The command could not be carried out.
  case failed = 1
  /// Something became worse.
  case regression = 2
  /// At least one cell has no figures, or a figure that cannot be true.
  case unmeasured = 3
  /// Nothing has that name, or nothing can be compared.
  case noBaseline = 5
  /// Nothing regressed as far as is known, but something is undecided.
  case inconclusive = 7
  /// The command line is invalid.
  case usage = 64
}

extension ExitStatus {
  /// Maps a comparison's outcome to a status. Returns nil if it passed.
  init?(_ outcome: ComparisonOutcome) {
    switch outcome {
    case .regressed, .overLimit: self = .regression
    case .unmeasured, .belowFloor, .missing, .contradicted, .gone: self = .unmeasured
    case .otherMenus, .timesNotCompared, .nothingCompared: self = .noBaseline
    case .inconclusive: self = .inconclusive
    case .passed: return nil
    }
  }

  /// Maps a library's kind of failure to a status.
  init(_ kind: FailureKind) {
    switch kind {
    case .failed: self = .failed
    case .unmeasured: self = .unmeasured
    case .nothingToCompare: self = .noBaseline
    case .usage: self = .usage
    }
  }
}

/// Turns errors of the libraries into messages for the user.
enum ErrorWording {
  /// Returns the error for the user, or nil for others such as the argument parser's own.
  static func cliError(for error: any Error) -> CLIError? {
    switch error {
    case let error as CLIError: error
    case let error as any UserFacingError:
      CLIError(error.message, help: error.help, status: ExitStatus(error.kind))
    case is CocoaError: CLIError(systemReason(error), status: .failed)
    default: nil
    }
  }

  /// Describes an error in one line for a note.
  static func line(for error: any Error) -> String {
    cliError(for: error)?.message ?? String(describing: error)
  }
}
