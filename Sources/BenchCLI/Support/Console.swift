import ArgumentParser
import Foundation

/// Standard output and standard error, for people and for pipes.
enum Console {
  /// A reader that goes away is an error of the write, not the death of the process.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Writes a report or a value asked for.
  ///
  /// - Throws: a ``CLIError`` when standard output is full or broken; a pipe that its reader closed
  ///   is no error.
  static func output(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      guard (error as NSError).underlyingPOSIXCode != EPIPE else { return }
      throw CLIError(
        "standard output could not be written: \(ErrorWording.systemReason(error))", status: .failed
      )
    }
  }

  /// Writes progress or a note; losing it is no error.
  static func note(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((printable(text) + "\n").utf8))
  }

  /// A text without what would steer a terminal: names of files may hold anything.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          let steers = scalar.properties.generalCategory == .control && scalar != "\n"
          return steers ? "\u{fffd}" : scalar
        }))
  }

  /// Whether standard error is a terminal, so that progress may be redrawn in place.
  static var showsProgressBar: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// The columns that standard output has: a terminal's own, and 80 of everything else.
  static var outputWidth: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Replaces the last line of a terminal.
  static func redraw(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\r\(text)\u{1b}[K".utf8))
  }

  /// Says an error in the two lines of the contract.
  ///
  /// - Returns: the exit status.
  static func report<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Int32 {
    if let error = ErrorWording.cliError(for: error) {
      note("error: \(error.message)" + (error.help.map { "\nhelp: \($0)" } ?? ""))
      return error.status.rawValue
    }
    let status = root.exitCode(for: error).rawValue
    let message = root.fullMessage(for: error)
    if status == 0 {
      try? output(message + "\n")
    } else if !message.isEmpty {
      note(message.hasPrefix("Error: ") ? "error: " + message.dropFirst("Error: ".count) : message)
    }
    return status
  }
}

extension NSError {
  /// The system's error number at the bottom of an error, where there is one.
  var underlyingPOSIXCode: Int32? {
    if domain == NSPOSIXErrorDomain { return Int32(code) }
    return (userInfo[NSUnderlyingErrorKey] as? NSError)?.underlyingPOSIXCode
  }
}
