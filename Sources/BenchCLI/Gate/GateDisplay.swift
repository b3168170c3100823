import BenchHarness
import BenchResults
import Foundation
import Synchronization

/// Shows how far a gate is: a bar on a terminal, a line every tenth part elsewhere.
final class GateDisplay: GateObserver {
  private let showsBar: Bool
  private let last = Mutex("")

  init(showsBar: Bool) { self.showsBar = showsBar }

  func advanced(_ progress: GateProgress) {
    showsBar ? draw(progress) : report(progress)
  }

  /// Takes the bar away.
  func finish() {
    if showsBar { Console.redraw("") }
  }

  private func draw(_ progress: GateProgress) {
    let width = 20
    let full = width * progress.done / max(progress.total, 1)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let cell = Console.printable(progress.cell.description).prefix(28)
    Console.redraw("\(bar) \(progress.stage.words): \(progress.done)/\(progress.total)  \(cell)")
  }

  /// A line when a stage begins, and one when it ends.
  private func report(_ progress: GateProgress) {
    let tenth = 10 * progress.done / max(progress.total, 1)
    guard tenth == 10 || tenth == 5 else { return }
    let line = "\(progress.stage.words): \(tenth * 10) % of \(progress.total)"
    let isNew = last.withLock { last in
      defer { last = line }
      return last != line
    }
    if isNew { Console.note("\(line), \(Int(progress.elapsedSeconds)) s") }
  }
}

extension GateProgress.Stage {
  /// What is being done.
  fileprivate var words: String {
    switch self {
    case .counting: "counting"
    case .tracing: "counting instructions"
    case .timing(let step): step == 1 ? "timing pairs" : "timing more pairs (\(step))"
    }
  }
}
