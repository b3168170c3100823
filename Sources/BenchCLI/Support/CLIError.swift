import ArgumentParser

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
  /// At least one cell has no figures.
  case unmeasured = 3
  /// There is no baseline of that name.
  case noBaseline = 5
  /// Nothing regressed for all that is known, but something could not be told.
  case inconclusive = 7
  /// The command line makes no sense.
  case usage = 64
}
