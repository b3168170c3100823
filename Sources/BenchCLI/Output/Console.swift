import ArgumentParser
import Basics
import BenchAnalysis
import BenchEngine
import BenchReports
import BenchResults
import Dispatch
import Foundation
import Synchronization

/// Writes to standard output and standard error, for people and for pipes.
enum Console {
  /// Makes writing to a closed pipe, or beyond the limit of a file's size, an error instead of
  /// ending the process.
  static func ignoreSignalsOfWriting() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Opens `/dev/null` on standard descriptors that the caller closed (`2>&-`). Otherwise files
  /// opened later get their numbers and receive messages. Reads and writes still fail: each is
  /// opened the wrong way round.
  static func holdClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a report or a value that was asked for.
  ///
  /// - Parameter isForPrograms: Whether to write the text unchanged, since programs read it or it has
  ///   colours. Otherwise neither a terminal nor a CI system finds commands in it.
  /// - Throws: a ``CLIError`` if standard output is full or broken. A pipe closed by its reader is
  ///   not an error.
  static func output(_ text: String, isForPrograms: Bool = false) throws {
    let text = isForPrograms ? text : withoutCommands(text)
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      guard (error as NSError).underlyingPOSIXCode != EPIPE else { return }
      throw CLIError("standard output could not be written: \(systemReason(error))")
    }
  }

  /// How much is written in addition to requested output and errors.
  enum Loudness { case quiet, usual, verbose }

  /// Whether to suppress progress and notes, or to add details. Set before anything else happens.
  nonisolated(unsafe) static var verbosity = Loudness.usual

  /// Writes progress or a note on one line, wrapped to fit a terminal. Failing to write it is no error.
  static func note(_ text: String) { note(lines: [text]) }

  static func note(lines: [String]) {
    guard verbosity != .quiet else { return }
    let text = lines.map(\.displayable).joined(separator: "\n")
    warn(isatty(STDERR_FILENO) == 1 ? fitted(text, columns: columns(of: STDERR_FILENO)) : text)
  }

  /// Breaks lines that are wider than `columns` between words. A line with a wider word, such as a
  /// path, stays whole, so that it can be copied from the terminal.
  static func fitted(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      let fits =
        line.displayWidth <= columns
        || line.split(separator: " ").contains { $0.displayWidth > columns }
      return fits ? [String(line)] : String(line).wrapped(to: columns)
    }.joined(separator: "\n")
  }

  /// Writes a detail that helps to find the cause of a problem, if output is verbose.
  static func detail(_ text: @autoclosure () -> String) {
    if verbosity == .verbose { warn(text().displayable) }
  }

  /// Whether anything was written to standard error, and whether its last line is redrawn.
  private static let speech = Mutex((hasBegun: false, isRedrawn: false))

  /// Writes a note on a terminal if nothing else is written within 0.8 s, since silence looks like
  /// a hang. A pipe gets no such note: its content must not depend on the machine's speed.
  static func noteIfSilent(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(800)) {
      if !speech.withLock({ $0.hasBegun }) { note(text) }
    }
  }

  /// Writes a message that cannot be silenced: an error, or a line for a CI system.
  ///
  /// - Parameter isCommand: Whether the text is a workflow command for GitHub.
  static func warn(_ text: String, isCommand: Bool = false) {
    let text = isCommand ? text : withoutCommands(text)
    speech.withLock { speech in
      let words = said(text, over: speech.isRedrawn)
      speech = (true, false)
      try? FileHandle.standardError.write(contentsOf: Data(words.utf8))
    }
  }

  /// Returns the characters that write a message, in the place of a redrawn line if there is one.
  static func said(_ text: String, over isRedrawn: Bool) -> String {
    (isRedrawn ? redrawn("", columns: 0) : "") + printable(text) + "\n"
  }

  /// Replaces characters that could control a terminal, since file names may contain anything.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.isCommand && $0 != "\n" ? "\u{fffd}" : $0 }))
  }

  /// Makes a text printable and hides commands from CI systems. GitHub looks for `::` at the start of a
  /// line, also after spaces, and for `##[` anywhere (actions/runner, `ActionCommand.cs`). Azure looks for
  /// `##vso[` and TeamCity for `##teamcity[` anywhere.
  static func withoutCommands(_ text: String) -> String {
    printable(text).replacing(/##([A-Za-z]*)\[/) { "##\($0.1)\u{fffd}" }
      .split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
        let words = line.unicodeScalars.drop { $0.properties.isWhitespace }
        return words.starts(with: "::".unicodeScalars) ? "\u{fffd}\(line)" : String(line)
      }.joined(separator: "\n")
  }

  /// Whether the terminal accepts control sequences, according to `TERM`.
  private static var takesCommands: Bool {
    !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
  }

  /// Whether progress may be redrawn in place on standard error.
  static var showsProgressBar: Bool {
    verbosity == .usual && isatty(STDERR_FILENO) == 1 && takesCommands
  }

  /// Whether standard output is a terminal with colours that the user has not turned off
  /// (https://no-color.org).
  static var hasColours: Bool {
    let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
    return isatty(STDOUT_FILENO) == 1 && refusal.isEmpty && takesCommands
  }

  /// Whether standard output is a terminal with a UTF-8 locale, which can show block characters.
  static var hasBars: Bool {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let isUnicode = ["utf-8", "utf8"].contains { locale?.lowercased().contains($0) ?? false }
    return isUnicode && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The width of standard output in columns: a terminal's own, otherwise `COLUMNS`, or 80.
  static var outputWidth: Int { columns(of: STDOUT_FILENO) }

  private static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return descriptor == STDOUT_FILENO ? askedWidth ?? 80 : 80
    }
    return Int(size.ws_col)
  }

  /// The columns of standard output if it is a terminal, otherwise nil, since lines are not broken.
  static var terminalWidth: Int? { isatty(STDOUT_FILENO) == 1 ? outputWidth : nil }

  /// The columns of a run's tables: a terminal's, otherwise `COLUMNS`, or ``Terminal/usualWidth``.
  static var tableWidth: Int { terminalWidth ?? askedWidth ?? Terminal.usualWidth }

  private static var askedWidth: Int? {
    guard let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }),
      Terminal.leastWidth...Terminal.unlimitedWidth ~= columns
    else { return nil }
    return columns
  }

  /// Redraws the last line of a terminal, cut to its width. A wider line would leave a part behind.
  static func redraw(_ text: String) {
    let line = redrawn(text, columns: columns(of: STDERR_FILENO))
    speech.withLock { speech in
      speech.isRedrawn = !text.isEmpty
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
  }

  /// Returns the characters that redraw the last line of a terminal of this width.
  static func redrawn(_ text: String, columns: Int) -> String {
    "\r\(text.displayable.prefix(columns: columns - 1))\u{1b}[K"
  }

  /// Redraws the last line of a terminal as a bar, filled to `part` of 1, with a text.
  static func redraw(_ part: Double, _ text: String) {
    redraw(barred(part, text, columns: columns(of: STDERR_FILENO)))
  }

  /// Puts the longest bar that fits before a text. Returns only the text if no bar fits.
  static func barred(_ part: Double, _ text: String, columns: Int) -> String {
    guard let width = [20, 10].first(where: { $0 + 1 + text.displayWidth < columns }) else {
      return text
    }
    let full = min(width, max(0, Int(part * Double(width))))
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
      + " \(text)"
  }

  /// Writes an error in two lines, `error:` and `help:`.
  ///
  /// - Returns: the exit status.
  static func report<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Int32 {
    if let error = ErrorWording.cliError(for: error) {
      let help = error.help.map { "\nhelp: \($0.displayable)" } ?? ""
      warn("error: \(error.message.displayable)\(help)")
      return error.status.rawValue
    }
    let status = root.exitCode(for: error).rawValue
    let message = shown(root.fullMessage(for: error))
    if status == 0 {
      do { try output(message + "\n") } catch { return report(error, of: root) }
    } else if !message.isEmpty {
      warn(message.hasPrefix("Error: ") ? "error: " + message.dropFirst("Error: ".count) : message)
    }
    return status
  }

  /// Puts what was typed on one line in a message of the argument parser, which has several lines.
  static func shown(_ message: String, typed: [String] = CommandLine.arguments) -> String {
    typed.flatMap { [$0] + $0.split(separator: "=", maxSplits: 1).map(String.init) }
      .reduce(message) {
        $0.replacingOccurrences(of: $1, with: $1.displayable, options: .literal)
      }
  }
}

extension String {
  /// Returns the text padded with spaces to at least this width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}

extension [String] {
  /// Returns these texts after a head, wrapped to a width and indented to the end of the head. A
  /// web address stays whole, so that it can be followed.
  func lines(behind head: String, columns: Int?) -> [String] {
    let margin = String(repeating: " ", count: head.displayWidth)
    let lines = flatMap { text -> [String] in
      guard let columns, !text.hasPrefix("http") else { return [text] }
      // Leaves at least 20 columns for the text, however narrow the terminal.
      return text.wrapped(to: Swift.max(columns - head.displayWidth, 20))
    }
    return lines.enumerated().map { ($0.offset == 0 ? head : margin) + $0.element }
  }
}
