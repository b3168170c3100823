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
      let fits = line.count <= columns || line.split(separator: " ").contains { $0.count > columns }
      return fits ? [String(line)] : String(line).wrapped(to: columns)
    }.joined(separator: "\n")
  }

  /// Writes what only somebody who looks for a cause wants to know.
  static func detail(_ text: @autoclosure () -> String) {
    if loudness == .verbose { warn(text()) }
  }

  /// Whether anything was said yet on standard error.
  private static let hasSpoken = Mutex(false)

  /// Notes what is under way, where nothing else is said within the time that people wait for a sign of life.
  static func noteUnlessHeard(_ text: String) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(800)) {
      if !hasSpoken.withLock({ $0 }) { note(text) }
    }
  }

  /// Writes what nobody can ask not to hear: an error, a line for a CI system.
  static func warn(_ text: String) {
    hasSpoken.withLock { $0 = true }
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
    loudness == .usual && isatty(STDERR_FILENO) == 1
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Whether standard output is a terminal with colours that nobody asked not to have
  /// (https://no-color.org).
  static var hasColours: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"]?.isEmpty ?? true
      && !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// Whether standard output is a terminal that shows block characters: one whose locale is of UTF-8.
  static var hasBars: Bool {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let isUnicode = ["utf-8", "utf8"].contains { locale?.lowercased().contains($0) ?? false }
    return isUnicode && isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The columns that standard output has: a terminal's own, and 80 of everything else.
  static var outputWidth: Int { columns(of: STDOUT_FILENO) }

  private static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The columns of a run's tables: those of a terminal, else ``TableReporter/width``.
  static var tableWidth: Int {
    isatty(STDOUT_FILENO) == 1 ? outputWidth : TableReporter.width
  }

  /// Replaces the last line of a terminal, of which what is wider than it would leave a part behind.
  static func redraw(_ text: String) {
    let line = redrawn(text, columns: columns(of: STDERR_FILENO))
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }

  /// What replaces the last line of a terminal of so many columns.
  static func redrawn(_ text: String, columns: Int) -> String {
    "\r\(text.prefix(max(0, columns - 1)))\u{1b}[K"
  }

  /// Replaces the last line of a terminal by how far something is: a bar of that part of 1, then words.
  static func redraw(_ part: Double, _ text: String) {
    redraw(barred(part, text, columns: columns(of: STDERR_FILENO)))
  }

  /// Words behind the longest bar that leaves them room in so many columns; the words alone where none does.
  static func barred(_ part: Double, _ text: String, columns: Int) -> String {
    guard let width = [20, 10].first(where: { $0 + 1 + text.count < columns }) else { return text }
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
  /// The text with spaces behind it, so many characters in all at least.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// Shows how far a run or a gate is: a bar on a terminal, lines elsewhere. Saves a run's record as it
/// grows.
final class ProgressDisplay: RunObserver {
  private struct State {
    var reported: Set<Cell> = []
    var saysSaving = true
    var blocks = 0
    /// Timed blocks of each cell, and when the first of all had ended.
    var timed: [Cell: Int] = [:]
    var timingSince: Double?
    var lastLine = 0.0
    var stage = ""
    /// When the stage's first block had ended.
    var stageSince = 0.0
  }

  private let folder: OutputFolder?
  private let blocks: Int?
  private let showsBar: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: where the record is saved; nil for a gate's, of which half is no use.
  ///   - blocks: timed blocks that every cell is to have; nil where that is found out.
  init(
    folder: OutputFolder?, blocks: Int? = nil, showsBar: Bool = Console.showsProgressBar
  ) {
    self.folder = folder
    self.blocks = blocks
    self.showsBar = showsBar
  }

  func blockEnded(_ progress: RunProgress, record: RunRecord) {
    if let folder { save(record, in: folder) }
    Console.detail(Self.detail(progress))
    if let stage = progress.stage {
      show(stage, progress)
    } else if showsBar {
      note(progress)
      draw(
        part(progress), "\(progress.cellsDone)/\(progress.cells) cells" + time(progress),
        progress.cell)
    } else {
      report(record)
      if let line = line(progress) { Console.note(line) }
    }
  }

  /// Takes the bar away, and says how the cells of a run ended.
  func finish(_ record: RunRecord) {
    if showsBar { Console.redraw("") }
    guard folder != nil else { return }
    report(record)
    let ends = record.outcomes.filter { ![.failed, .notApplicable].contains($0.stop) }
      .map(\.stop).grouped(by: \.self)
      .map { "\($0.elements.count) \(Self.words($0.key))" }
    if !ends.isEmpty { Console.note("cells: " + ends.joined(separator: ", ")) }
  }

  private func note(_ progress: RunProgress) {
    guard progress.kind == .timed else { return }
    state.withLock { state in
      state.timed[progress.cell] = progress.timedBlocks
      state.timingSince = state.timingSince ?? progress.elapsedSeconds
    }
  }

  private func save(_ record: RunRecord, in folder: OutputFolder) {
    // What another run left unfinished is not given up for nothing.
    guard record.cells.contains(where: { !$0.blocks.isEmpty }) else { return }
    do {
      try folder.save(partial: record)
    } catch {
      let isFirst = state.withLock { state in
        defer { state.saysSaving = false }
        return state.saysSaving
      }
      if isFirst { Console.note("note: \(ErrorWording.line(for: error)); measuring goes on") }
    }
  }

  /// A block that ended: `block: json/large/roundtrip/atomic, timing, 3 timed so far, 12 s`.
  private static func detail(_ progress: RunProgress) -> String {
    let of = progress.stage.map { "\($0.done) of \($0.total)" }
    return "block: \(progress.cell), \(words(progress.kind, progress.stage?.look)), "
      + (of ?? "\(progress.timedBlocks) timed so far") + ", \(Int(progress.elapsedSeconds)) s"
  }

  // MARK: bar

  private func draw(_ part: Double, _ text: String, _ cell: Cell) {
    Console.redraw(part, "\(text)  \(Console.printable(cell.description))")
  }

  /// The larger of the parts of cells done, of blocks and of time gone.
  private func part(_ progress: RunProgress) -> Double {
    let cells = Double(progress.cellsDone) / Double(max(progress.cells, 1))
    let time = progress.budgetSeconds.map { progress.elapsedSeconds / $0 } ?? 0
    return min(1, max(cells, time, timedPart(progress) ?? 0))
  }

  /// The part of the blocks asked for that was timed; nil where nobody asked for a number.
  private func timedPart(_ progress: RunProgress) -> Double? {
    blocks.map { blocks in
      let done = state.withLock { $0.timed.values.reduce(0, +) }
      return Double(done) / Double(max(1, blocks * progress.cells))
    }
  }

  /// Time gone, and what remains as far as it is known: `, 20 s of at most 40 s`.
  private func time(_ progress: RunProgress) -> String {
    let gone = ", \(Int(progress.elapsedSeconds)) s"
    if let budget = progress.budgetSeconds {
      return progress.elapsedSeconds <= budget
        ? gone + " of at most \(Int(budget.rounded())) s"
        : gone + ": every cell is measured once, whatever the budget"
    }
    let since = state.withLock(\.timingSince)
    guard let part = timedPart(progress), let since, part > 0.02 else { return gone }
    let rest = (progress.elapsedSeconds - since) * (1 - part) / part
    return gone + ", about \(Wording.wait(rest)) more"
  }

  // MARK: stages of a gate

  /// Draws the bar; without one says how far a stage is, now and then and at its end.
  private func show(_ stage: RunProgress.Stage, _ progress: RunProgress) {
    let words = Self.words(progress.kind, stage.look)
    let total = max(stage.total, 1)
    let now = progress.elapsedSeconds
    let (since, isDue) = state.withLock { state in
      if state.stage != words { (state.stage, state.stageSince) = (words, now) }
      let isDue = stage.done == stage.total || now - state.lastLine >= Self.interval
      if isDue { state.lastLine = now }
      return (state.stageSince, isDue)
    }
    // The first block of a stage tells nothing of how long one takes.
    let rest =
      stage.done > 1 ? (now - since) * Double(total - stage.done) / Double(stage.done - 1) : 0
    let text =
      "\(words): \(stage.done) of \(stage.total), \(Int(now)) s"
      + (rest >= 1 ? ", about \(Wording.wait(rest)) more" : "")
    if showsBar {
      draw(Double(stage.done) / Double(total), text, progress.cell)
    } else if isDue {
      Console.note(text)
    }
  }

  private static func words(_ kind: BlockRequest.Kind, _ look: Int?) -> String {
    switch kind {
    case .counted: "counting"
    case .resident: "measuring memory"
    case .instructions: "counting instructions"
    case .profiled: "profiling"
    case .timed: look.map { $0 == 1 ? "timing pairs" : "timing more pairs (\($0))" } ?? "timing"
    }
  }

  // MARK: lines of a run

  /// Seconds between two lines on how far the run is: cells end late, and silence looks like a hang.
  private static let interval = 10.0

  /// How far the run is, now and then: `1 of 12 cells done, 27 blocks, 20 s of at most 40 s`.
  func line(_ progress: RunProgress) -> String? {
    note(progress)
    let blocks = state.withLock { state -> Int? in
      state.blocks += 1
      guard progress.elapsedSeconds - state.lastLine >= Self.interval else { return nil }
      state.lastLine = progress.elapsedSeconds
      return state.blocks
    }
    guard let blocks else { return nil }
    let words = blocks == 1 ? "1 block" : "\(blocks) blocks"
    return "\(progress.cellsDone) of \(progress.cells) cells done, \(words)" + time(progress)
  }

  private func report(_ record: RunRecord) {
    for line in endings(record) { Console.note(line) }
  }

  /// Why cells have no figures, once: a line for each that failed, and one for all that make no sense for the same
  /// reason, which every storage of a workload may.
  func endings(_ record: RunRecord) -> [String] {
    let ended = record.outcomes.filter { outcome in
      [.failed, .notApplicable].contains(outcome.stop)
        && state.withLock { $0.reported.insert(outcome.cell).inserted }
    }
    let reasons = Dictionary(record.failures.map { ($0.cell, $0.reason) }) { first, _ in first }
    let failed = ended.compactMap { outcome in
      reasons[outcome.cell].map { "\(outcome.cell): failed: \($0)" }
    }
    let senseless = ended.filter { reasons[$0.cell] == nil }
      .grouped { [$0.cell.workload, $0.reason ?? "see the workload"] }
    let lines = senseless.map { key, alike -> String in
      let menus = Wording.list(alike.map(\.cell.menu).distinct)
      let backends = Wording.list(alike.map(\.cell.backend).distinct)
      let place = record.menus.count > 1 ? " on \(menus)" : ""
      return "\(key[0])\(place) makes no sense for \(backends): \(key[1])"
    }
    return failed + lines
  }

  private static func words(_ stop: Outcome.Stop) -> String {
    switch stop {
    case .narrow: "narrow enough"
    case .blocks: "with the blocks asked for"
    case .budget: "until the time was up"
    case .interrupted: "interrupted"
    case .failed: "failed"
    case .notApplicable: "without sense"
    case .running: "under way"
    }
  }
}

/// The signal that came before its source was registered; 0 for none.
private nonisolated(unsafe) var earlySignal: Int32 = 0

/// Ctrl-C and its like: the first stops measuring and keeps what is there, the second ends at once.
final class Interruption: Sendable {
  private let received = Mutex<Int32?>(nil)
  // Written once, before any signal can arrive; kept only so that the sources live.
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  /// Runs work in a task that the first SIGINT, SIGTERM or SIGHUP cancels.
  func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task(operation: work)
    watch { task.cancel() }
    return try await task.value
  }

  /// Calls the handler on the first SIGINT, SIGTERM or SIGHUP.
  func watch(_ handler: @escaping @Sendable () -> Void) {
    let registered = DispatchGroup()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Whoever started us with a signal ignored, as nohup does, wants it ignored.
      let old = signal(number) { earlySignal = $0 }
      guard !Self.ignores(old) else {
        signal(number, SIG_IGN)
        continue
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in take(number, handler) }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.resume()
      sources.append(source)
    }
    // A source that is not registered yet sees nothing: what comes before that is not to be lost.
    registered.wait()
    if earlySignal != 0 { take(earlySignal, handler) }
  }

  private func take(_ number: Int32, _ handler: () -> Void) {
    let isFirst = received.withLock { first in
      defer { first = first ?? number }
      return first == nil
    }
    if isFirst { handler() } else { Self.die(by: number) }
  }

  /// Ends the process by the signal received; returns where there was none.
  func reraise() {
    guard let number = received.withLock({ $0 }) else { return }
    Self.die(by: number)
  }

  private static func ignores(_ handler: sighandler_t?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// See Martin Cracauer, "Proper handling of SIGINT/SIGQUIT": a caller can only tell an interrupted
  /// program from a failed one by the signal that ended it.
  private static func die(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}
