import ArgumentParser
import BenchEngine
import RevisionBuild
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

/// Shows how far a run is: a bar on a terminal, a line a cell elsewhere. Saves the record as it grows.
final class ProgressDisplay: RunObserver {
  private struct State {
    var reported: Set<Cell> = []
    var saysSaving = true
    var blocks = 0
    var lastLine = 0.0
  }

  private let folder: OutputFolder
  private let showsBar: Bool
  private let state = Mutex(State())

  init(folder: OutputFolder, showsBar: Bool) {
    self.folder = folder
    self.showsBar = showsBar
  }

  func blockEnded(_ progress: RunProgress, record: RunRecord) {
    save(record)
    if showsBar {
      draw(progress)
    } else {
      report(record.outcomes.filter { $0.stop != .running }, record)
      if let line = line(progress) { Console.note(line) }
    }
  }

  /// Seconds between two lines on how far the run is: cells end late, and silence looks like a hang.
  private static let interval = 10.0

  /// How far the run is, now and then: `1 of 12 cells done, 27 blocks, 20 s of at most 40 s`.
  func line(_ progress: RunProgress) -> String? {
    let blocks = state.withLock { state -> Int? in
      state.blocks += 1
      guard progress.elapsedSeconds - state.lastLine >= Self.interval else { return nil }
      state.lastLine = progress.elapsedSeconds
      return state.blocks
    }
    guard let blocks else { return nil }
    let end = progress.budgetSeconds.map { " of at most \(Int($0.rounded())) s" } ?? ""
    return "\(progress.cellsDone) of \(progress.cells) cells done, \(blocks) blocks,"
      + " \(Int(progress.elapsedSeconds)) s\(end)"
  }

  /// Says how every cell ended that was not reported yet.
  func finish(_ record: RunRecord) {
    if showsBar {
      Console.redraw("")
    } else {
      report(record.outcomes, record)
    }
  }

  private func save(_ record: RunRecord) {
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

  private func draw(_ progress: RunProgress) {
    let width = 20
    let done = Self.part(progress)
    let full = Int(done * Double(width))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let place = String(Console.printable(progress.cell.description).prefix(36))
    Console.redraw("\(bar) \(progress.cellsDone)/\(progress.cells) cells  \(place)")
  }

  /// The larger of the parts of cells done and of time gone.
  private static func part(_ progress: RunProgress) -> Double {
    let cells = Double(progress.cellsDone) / Double(max(progress.cells, 1))
    let time = progress.budgetSeconds.map { progress.elapsedSeconds / $0 } ?? 0
    return min(1, max(cells, time))
  }

  private func report(_ outcomes: [Outcome], _ record: RunRecord) {
    for outcome in outcomes {
      guard state.withLock({ $0.reported.insert(outcome.cell).inserted }) else { continue }
      let failure = record.failures.first { $0.cell == outcome.cell }
      let end = failure.map { "failed: \($0.reason)" } ?? Self.words(outcome)
      Console.note("\(outcome.cell): \(end)")
    }
  }

  private static func words(_ outcome: Outcome) -> String {
    let blocks = outcome.timedBlocks == 1 ? "1 block" : "\(outcome.timedBlocks) blocks"
    return switch outcome.stop {
    case .narrow: "\(blocks), narrow enough"
    case .blocks: outcome.timedBlocks == 0 ? "counted" : "\(blocks), as asked"
    case .budget: "\(blocks), then the time was up"
    case .interrupted: "\(blocks), interrupted"
    case .failed: "failed"
    case .notApplicable: "makes no sense: \(outcome.reason ?? "see the workload")"
    case .running: "\(blocks) so far"
    }
  }
}

/// Ctrl-C and its like: the first stops measuring and keeps what is there, the second ends at once.
final class Interruption: Sendable {
  private let received = Mutex<Int32?>(nil)
  // Written once, before any signal can arrive; kept only so that the sources live.
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  /// Calls the handler on the first SIGINT, SIGTERM or SIGHUP.
  func watch(_ handler: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Whoever started us with a signal ignored, as nohup does, wants it ignored.
      guard !Self.ignores(signal(number, SIG_IGN)) else { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        let isFirst = received.withLock { first in
          defer { first = first ?? number }
          return first == nil
        }
        if isFirst { handler() } else { Self.die(by: number) }
      }
      source.resume()
      sources.append(source)
    }
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
