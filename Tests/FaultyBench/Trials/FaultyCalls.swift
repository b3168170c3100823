import Basics
import Foundation
import PersistenceBackends

/// The preloaded library that counts this process's calls on files, and has one of them fail
/// (`Tests/FaultyCalls`, whose header says what each function does).
struct FaultyCalls {
  /// The fault at one call. The raw values are those of the header.
  enum Fault: Int32, CaseIterable {
    case nothing, killBefore, killAfter, stopBefore, noSpace, badDrive, short

    /// The name of the fault in a table.
    var title: String {
      switch self {
      case .nothing: "undisturbed"
      case .killBefore: "killed before a call"
      case .killAfter: "killed after a call"
      case .stopBefore: "stopped before a call while another writes"
      case .noSpace: "ENOSPC at a call"
      case .badDrive: "EIO at a call"
      case .short: "a short write"
      }
    }
  }

  private typealias Begin = @convention(c) (UnsafePointer<CChar>, Int32, Int, Int32) -> Void
  private typealias End = @convention(c) () -> Int
  private typealias Note = @convention(c) (UnsafePointer<CChar>) -> Void

  private let library: (begin: Begin, end: End, note: Note)

  /// Finds the library's functions, or returns nil if it was not preloaded.
  init?() {
    guard let begin = dlsym(nil, "faulty_calls_begin"), let end = dlsym(nil, "faulty_calls_end"),
      let note = dlsym(nil, "faulty_calls_note")
    else { return nil }
    library = (
      unsafeBitCast(begin, to: Begin.self), unsafeBitCast(end, to: End.self),
      unsafeBitCast(note, to: Note.self)
    )
  }

  /// Causes a fault at a call, counted from 1, on the files of a folder, and logs each call.
  func begin(below folder: String, log: Int32 = -1, _ fault: Fault = .nothing, at call: Int = 0) {
    library.begin(folder, log, call, fault.rawValue)
  }

  /// Writes a line to the log.
  func note(_ text: String) { library.note(text) }

  /// Stops the count, and returns the number of calls.
  @discardableResult
  func end() -> Int { library.end() }
}

/// A child made by fork(2), which has everything that this process has at hand, and takes it along when
/// it dies.
///
/// Only for a process without other threads, which is why trials leave their stores to children.
struct Child {
  /// How a child ended, or that it was stopped.
  enum Ending: Equatable {
    /// The result of its body.
    case gave(String)
    /// The error of its body.
    case threw(String)
    case signalled(Int32)
    case stopped
  }

  private let process: pid_t
  private let answer: String

  /// Runs a body in a child.
  ///
  /// - Parameter answer: The path of a file for what the body gives or throws.
  init(answer: String, _ body: () throws -> String) throws {
    self.answer = answer
    unlink(answer)
    guard let symbol = dlsym(nil, "fork") else {
      throw StoreError(operation: "find", path: "fork", reason: "there is no such function")
    }
    // Swift hides it, for the sake of processes with threads.
    process = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    guard process >= 0 else { throw StoreError.system("fork", answer) }
    guard process == 0 else { return }
    // A child that hangs ends all the same.
    alarm(60)
    let words: String
    do { words = "gave " + (try body()) } catch { words = "threw \(error)" }
    try? Data(words.utf8).write(to: URL(filePath: answer))
    _exit(0)
  }

  /// Waits until it has ended or stopped.
  func wait() throws -> Ending {
    while true { if let ending = try look(WUNTRACED) { return ending } }
  }

  /// Waits for its end. Returns nil if it continues and was seen to sleep that many times, a
  /// millisecond apart. On a busy machine it may wait longer for a processor, which is not sleep.
  func wait(unlessAsleep sleeps: Int) throws -> Ending? {
    var seen = 0
    while seen < sleeps {
      if let ending = try look(WUNTRACED | WNOHANG) { return ending }
      usleep(1_000)
      if isAsleep { seen += 1 }
    }
    return nil
  }

  /// Whether it sleeps, by the letter after the name in parentheses (proc_pid_stat(5)). True if the
  /// system does not say.
  private var isAsleep: Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = status.lastIndex(of: ")")
    else { return true }
    return status[end...].hasPrefix(") S")
  }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(process, signal) }

  private func look(_ options: Int32) throws -> Ending? {
    var status: Int32 = 0
    let found = waitpid(process, &status, options)
    guard found == process else {
      guard found == 0 || errno == EINTR else { throw StoreError.system("wait", answer) }
      return nil
    }
    // As wait(2) packs it, which Swift can't import.
    if status & 0xff == 0x7f { return .stopped }
    guard status & 0x7f == 0 else { return .signalled(status & 0x7f) }
    let words = (try? String(contentsOf: URL(filePath: answer), encoding: .utf8)) ?? ""
    if words.hasPrefix("gave ") { return .gave(String(words.dropFirst(5))) }
    return .threw(words.hasPrefix("threw ") ? String(words.dropFirst(6)) : "gave no answer")
  }
}
