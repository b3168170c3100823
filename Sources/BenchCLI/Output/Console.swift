import ArgumentParser
import Basics
import BenchAnalysis
import BenchEngine
import BenchReports
import BenchResults
import Dispatch
import Foundation
import Synchronization

/// Standard output and standard error, for people and for pipes.
enum Console {
  /// A reader that goes away is an error of the write, not the death of the process.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Holds the standard descriptors that the caller closed (`2>&-`): files opened later would take their numbers, and
  /// what is said would go into them. Each is open the wrong way round, so that reads and writes fail as before.
  static func holdClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a report or a value asked for.
  ///
  /// - Parameter isForPrograms: Whether programs read it, so that it is written as it is. In other texts a step of
  ///   GitHub, which looks for commands here as well, finds none.
  /// - Throws: a ``CLIError`` when standard output is full or broken; a pipe that its reader closed
  ///   is no error.
  static func output(_ text: String, isForPrograms: Bool = false) throws {
    let text = isForPrograms || !GitHubStep.isHere ? text : withoutCommands(text)
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      guard (error as NSError).underlyingPOSIXCode != EPIPE else { return }
      throw CLIError(
        "standard output could not be written: \(systemReason(error))", status: .failed
      )
    }
  }

  /// How much is said beside what was asked for and what is wrong.
  enum Loudness { case quiet, usual, verbose }

  /// Whether progress and notes are kept back, or details said as well; set before anything else is done.
  nonisolated(unsafe) static var loudness = Loudness.usual

  /// Writes progress or a note, on a terminal in lines that fit it; losing it is no error.
  static func note(_ text: String) {
    guard loudness != .quiet else { return }
    warn(isatty(STDERR_FILENO) == 1 ? fitted(text, columns: columns(of: STDERR_FILENO)) : text)
  }

  /// A text whose lines are broken between words where they are wider than so many columns. What has a word
  /// that is wider itself, such as a path, is left to the terminal, from which it can be copied then.
  static func fitted(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      let fits =
        line.displayWidth <= columns
        || line.split(separator: " ").contains { $0.displayWidth > columns }
      return fits ? [String(line)] : String(line).wrapped(to: columns)
    }.joined(separator: "\n")
  }

  /// Writes what only somebody who looks for a cause wants to know.
  static func detail(_ text: @autoclosure () -> String) {
    if loudness == .verbose { warn(text()) }
  }

  /// Of standard error: whether anything was said yet, and whether its last line is one that is redrawn.
  private static let speech = Mutex((hasBegun: false, isRedrawn: false))

  /// Notes on a terminal what is under way, where nothing else is said within the time that people wait for a sign of
  /// life. What a pipe gets does not depend on how fast a machine is.
  static func noteUnlessHeard(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(800)) {
      if !speech.withLock({ $0.hasBegun }) { note(text) }
    }
  }

  /// Writes what nobody can ask not to hear: an error, a line for a CI system.
  ///
  /// - Parameter isCommand: Whether GitHub is to take it for a command.
  static func warn(_ text: String, isCommand: Bool = false) {
    let text = GitHubStep.isHere && !isCommand ? withoutCommands(text) : text
    speech.withLock { speech in
      let words = said(text, over: speech.isRedrawn)
      speech = (true, false)
      try? FileHandle.standardError.write(contentsOf: Data(words.utf8))
    }
  }

  /// What is written to say something: in the place of a line that is redrawn, where there is one.
  static func said(_ text: String, over isRedrawn: Bool) -> String {
    (isRedrawn ? redrawn("", columns: 0) : "") + printable(text) + "\n"
  }

  /// A text without what would steer a terminal: names of files may hold anything.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.isCommand && $0 != "\n" ? "\u{fffd}" : $0 }))
  }

  /// A printable text of which GitHub takes no line for a command, whatever is in the names of files: it looks for `::`
  /// where a line begins, behind spaces too, and for `##[` anywhere (actions/runner, `ActionCommand.cs`).
  static func withoutCommands(_ text: String) -> String {
    printable(text).replacing("##[", with: "##\u{fffd}")
      .split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
        let words = line.unicodeScalars.drop { $0.properties.isWhitespace }
        return words.starts(with: "::".unicodeScalars) ? "\u{fffd}\(line)" : String(line)
      }.joined(separator: "\n")
  }

  /// Whether a terminal takes control sequences, as far as anybody said which it is.
  private static var takesCommands: Bool {
    !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
  }

  /// Whether standard error is a terminal, so that progress may be redrawn in place.
  static var showsProgressBar: Bool {
    loudness == .usual && isatty(STDERR_FILENO) == 1 && takesCommands
  }

  /// Whether standard output is a terminal with colours that nobody asked not to have
  /// (https://no-color.org).
  static var hasColours: Bool {
    let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
    return isatty(STDOUT_FILENO) == 1 && refusal.isEmpty && takesCommands
  }

  /// Whether standard output is a terminal that shows block characters: one whose locale is of UTF-8.
  static var hasBars: Bool {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let isUnicode = ["utf-8", "utf8"].contains { locale?.lowercased().contains($0) ?? false }
    return isUnicode && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The columns that standard output has: a terminal's own, and of everything else what `COLUMNS` asks for, or 80.
  static var outputWidth: Int { columns(of: STDOUT_FILENO) }

  private static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return descriptor == STDOUT_FILENO ? askedWidth ?? 80 : 80
    }
    return Int(size.ws_col)
  }

  /// The columns of standard output where it is a terminal; nil of everything else, which breaks no lines.
  static var terminalWidth: Int? { isatty(STDOUT_FILENO) == 1 ? outputWidth : nil }

  /// The columns of a run's tables: those of a terminal, else what `COLUMNS` asks for, else ``Terminal/usualWidth``.
  static var tableWidth: Int { terminalWidth ?? askedWidth ?? Terminal.usualWidth }

  private static var askedWidth: Int? {
    guard let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }),
      Terminal.leastWidth...Terminal.unlimitedWidth ~= columns
    else { return nil }
    return columns
  }

  /// Replaces the last line of a terminal, of which what is wider than it would leave a part behind.
  static func redraw(_ text: String) {
    let line = redrawn(text, columns: columns(of: STDERR_FILENO))
    speech.withLock { speech in
      speech.isRedrawn = !text.isEmpty
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
  }

  /// What replaces the last line of a terminal of so many columns.
  static func redrawn(_ text: String, columns: Int) -> String {
    "\r\(text.prefix(columns: columns - 1))\u{1b}[K"
  }

  /// Replaces the last line of a terminal by how far something is: a bar of that part of 1, then words.
  static func redraw(_ part: Double, _ text: String) {
    redraw(barred(part, text, columns: columns(of: STDERR_FILENO)))
  }

  /// Words behind the longest bar that leaves them room in so many columns; the words alone where none does.
  static func barred(_ part: Double, _ text: String, columns: Int) -> String {
    guard let width = [20, 10].first(where: { $0 + 1 + text.displayWidth < columns }) else {
      return text
    }
    let full = min(width, max(0, Int(part * Double(width))))
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
      + " \(text)"
  }

  /// Says an error in the two lines of the contract.
  ///
  /// - Returns: the exit status.
  static func report<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Int32 {
    if let error = ErrorWording.cliError(for: error) {
      warn("error: \(error.message)" + (error.help.map { "\nhelp: \($0)" } ?? ""))
      return error.status.rawValue
    }
    let status = root.exitCode(for: error).rawValue
    let message = withoutWildGuess(root.fullMessage(for: error))
    if status == 0 {
      try? output(message + "\n")
    } else if !message.isEmpty {
      warn(message.hasPrefix("Error: ") ? "error: " + message.dropFirst("Error: ".count) : message)
    }
    return status
  }

  /// A parser's message without a guess that we would not make: it takes an option of three other letters for meant,
  /// however short it is.
  static func withoutWildGuess(_ message: String) -> String {
    message.replacing(/(Unknown option '-+([^']*)')\. Did you mean '-+([^']*)'\?/) { match in
      let (whole, fact, typed, guess) = match.output
      let isLikely = NearestMatch.of(String(typed), among: [String(guess)]) != nil
      return String(isLikely ? whole : fact)
    }
  }
}

extension String {
  /// The text with spaces behind it, so many columns in all at least.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}

extension [String] {
  /// These texts behind a head, each in lines of its own of at most so many columns, those below indented as far. An
  /// address stays whole, for whoever follows it.
  func lines(behind head: String, columns: Int?) -> [String] {
    let margin = String(repeating: " ", count: head.displayWidth)
    let lines = flatMap { text -> [String] in
      guard let columns, !text.hasPrefix("http") else { return [text] }
      // No terminal is so narrow that nothing fits behind the head.
      return text.wrapped(to: Swift.max(columns - head.displayWidth, 20))
    }
    return lines.enumerated().map { ($0.offset == 0 ? head : margin) + $0.element }
  }
}

extension [[String]] {
  /// What the widest text in each column of some rows takes.
  var columnWidths: [Int] {
    (first ?? []).indices.map { column in self.map { $0[column].displayWidth }.max() ?? 0 }
  }
}
