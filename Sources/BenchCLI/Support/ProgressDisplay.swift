import BenchHarness
import BenchResults
import Foundation
import Synchronization

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
