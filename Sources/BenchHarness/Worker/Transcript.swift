import BenchResults
import Foundation
import Subprocess

/// What a worker said before it ended, and what that makes of its block.
actor Transcript {
  /// What the process is called.
  private let who: String
  private(set) var stage: String?
  private(set) var hello: WorkerHello?
  private(set) var reply: ColdReply?
  private var answer: BlockOutcome?
  private var heard = ContinuousClock.now
  private var errors: [String] = []

  /// An empty one of a worker, or of whatever else the process is.
  init(of who: String = "its worker") { self.who = who }

  /// How long ago the worker gave a sign of life.
  var silence: Duration { heard.duration(to: .now) }

  /// Takes one line of standard output.
  func receive(_ line: String) {
    heard = .now
    guard let message = try? JSONDecoder().decode(WorkerMessage.self, from: Data(line.utf8)) else {
      return note(line)
    }
    switch message {
    case .hello(let said): hello = said
    case .found(let said): reply = said
    case .stage(let name): stage = name
    case .result(let series): answer = .measured(series)
    case .failure(let reason): answer = .failed(stage: stage, reason: reason)
    }
  }

  /// Takes one line of standard error; the last few may explain a crash.
  func note(_ line: String) {
    let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return }
    errors.append(text)
    if errors.count > 5 { errors.removeFirst() }
  }

  /// What came of the block whose process ended so.
  func outcome(of end: TerminationStatus, memoryLimit: Int?) -> BlockOutcome {
    switch end {
    case .exited(0):
      answer ?? .failed(stage: stage, reason: "\(who) ended without a result" + said)
    case .exited(let code):
      .failed(stage: stage, reason: "\(who) exited with status \(code)" + said)
    case .signaled(let signal):
      .failed(stage: stage, reason: death(by: signal, memoryLimit) + said)
    }
  }

  private func death(by signal: Int32, _ memoryLimit: Int?) -> String {
    let name = String(cString: strsignal(signal))
    let crash = "\(who) crashed with signal \(signal) (\(name))"
    if let memoryLimit {
      return crash + "; it was limited to \(memoryLimit / 1_000_000) MB of memory"
    }
    return signal == SIGKILL ? crash + ", as it does when the machine is out of memory" : crash
  }

  private var said: String {
    errors.isEmpty ? "" : "; it said: " + errors.joined(separator: " / ")
  }
}
