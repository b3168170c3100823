import Basics
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchReports
import BenchResults
import Foundation
import Synchronization

/// Shows the progress of a run or a gate, as a bar on a terminal and as lines elsewhere. Saves a
/// run's record as it grows.
final class ProgressDisplay: RunObserver {
  private struct State {
    var reported: Set<Cell> = []
    /// The notes that are made only once.
    var said: Set<String> = []
    var blocks = 0
    /// Timed blocks of each cell, and the seconds at which the first block of all ended.
    var timed: [Cell: Int] = [:]
    var timingSince: Double?
    var lastLine = 0.0
    var stage = ""
    /// The seconds at which the stage's first block ended.
    var stageSince = 0.0
  }

  private let folder: OutputFolder?
  private let blocks: Int?
  private let timing: TimingLock?
  private let showsBar: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - folder: The folder to save the record in, or nil for a gate, since half a gate is useless.
  ///   - blocks: Timed blocks planned for every cell, or nil if their number is not fixed.
  ///   - timing: The lock of programs that take times, or nil if the plan has none.
  init(
    folder: OutputFolder?, blocks: Int? = nil, timing: TimingLock? = nil,
    showsBar: Bool = Console.showsProgressBar
  ) {
    self.folder = folder
    self.blocks = blocks
    self.timing = timing
    self.showsBar = showsBar
    noteOthers()
  }

  func blockEnded(_ progress: RunProgress, record: RunRecord) {
    noteOthers()
    if let folder { save(record, in: folder) }
    Console.detail(Self.detail(progress))
    if let stage = progress.stage {
      show(stage, progress)
    } else if showsBar {
      note(progress)
      Console.redraw(
        part(progress),
        "\(progress.cellsDone)/\(progress.cells) cells\(time(progress))  \(progress.cell)")
    } else {
      report(record)
      if let line = line(progress) { Console.note(line) }
    }
  }

  /// Removes the bar, and summarizes how the cells of a run ended.
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
    // Another run's unfinished record is kept until there are results to replace it.
    guard record.cells.contains(where: { !$0.blocks.isEmpty }) else { return }
    do {
      try folder.save(partial: record)
    } catch {
      noteOnce("\(ErrorWording.line(for: error)). Measuring goes on")
    }
  }

  private func noteOthers() {
    guard timing?.isShared == true else { return }
    noteOnce("another bench takes times here as well, so both are less precise. Measure one by one")
  }

  private func noteOnce(_ text: String) {
    if state.withLock({ $0.said.insert(text).inserted }) { Console.note("note: \(text)") }
  }

  /// Describes a block that ended: `block: json/large/roundtrip/atomic, timing, 3 timed so far, 12 s`.
  private static func detail(_ progress: RunProgress) -> String {
    let of = progress.stage.map { "\($0.done) of \($0.total)" }
    return "block: \(progress.cell), \(words(progress.kind, progress.stage?.look)), "
      + (of ?? "\(progress.timedBlocks) timed so far") + ", \(Int(progress.elapsedSeconds)) s"
  }

  // MARK: bar

  /// The largest of the shares of cells, blocks and time that are done, from 0 to 1.
  private func part(_ progress: RunProgress) -> Double {
    let cells = Double(progress.cellsDone) / Double(max(progress.cells, 1))
    let time = progress.budgetSeconds.map { progress.elapsedSeconds / $0 } ?? 0
    let blocks = timedBlocks(progress).map { Double($0.done) / Double(max(1, $0.done + $0.left)) }
    return min(1, max(cells, time, blocks ?? 0))
  }

  /// Counts timed blocks that are done, and those left to do. Nil if no number was asked for.
  private func timedBlocks(_ progress: RunProgress) -> (done: Int, left: Int)? {
    blocks.map { blocks in
      let timed = state.withLock { Array($0.timed.values) }
      let begun = timed.filter { $0 < blocks }.reduce(0, +)
      let left = blocks * (progress.cells - progress.cellsDone) - begun
      return (done: timed.reduce(0, +), left: max(0, left))
    }
  }

  /// Formats the elapsed time and the rest as far as it is known: `, 20 s of at most 40 s`.
  private func time(_ progress: RunProgress) -> String {
    let gone = ", \(Int(progress.elapsedSeconds)) s"
    func rest(_ left: Int, after done: Int) -> String {
      state.withLock(\.timingSince).map {
        Self.rest(left, after: done, in: progress.elapsedSeconds - $0)
      } ?? ""
    }
    if let budget = progress.budgetSeconds {
      guard progress.elapsedSeconds > budget else {
        return gone + " of at most \(RunPlan.seconds(budget))"
      }
      let begun = state.withLock { $0.timed.count }
      return gone + ": every cell is measured once, whatever the budget"
        + rest(progress.cells - max(begun, progress.cellsDone), after: begun)
    }
    return gone + (timedBlocks(progress).map { rest($0.left, after: $0.done) } ?? "")
  }

  /// Estimates the time left: `, about 30 s more`, or nothing for less than a second. The first
  /// block does not count, since the clock starts at its end.
  private static func rest(_ left: Int, after done: Int, in seconds: Double) -> String {
    let rest = done > 1 ? seconds * Double(left) / Double(done - 1) : 0
    return rest >= 1 ? ", about \(Wording.wait(rest)) more" : ""
  }

  // MARK: stages of a gate

  /// Draws the bar. Without one, prints a stage's progress now and then and at its end.
  private func show(_ stage: RunProgress.Stage, _ progress: RunProgress) {
    let words = Self.words(progress.kind, stage.look)
    let now = progress.elapsedSeconds
    let (since, isDue) = state.withLock { state in
      if state.stage != words { (state.stage, state.stageSince) = (words, now) }
      let isDue = stage.done == stage.total || now - state.lastLine >= Self.interval
      if isDue { state.lastLine = now }
      return (state.stageSince, isDue)
    }
    let text =
      "\(words): \(stage.done) of \(stage.total), \(Int(now)) s"
      + Self.rest(stage.total - stage.done, after: stage.done, in: now - since)
    if showsBar {
      Console.redraw(Double(stage.done) / Double(max(stage.total, 1)), "\(text)  \(progress.cell)")
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

  /// Seconds between two progress lines of a run: cells take long, and silence looks like a hang.
  private static let interval = 10.0

  /// Returns a progress line if one is due: `1 of 12 cells done, 27 blocks, 20 s of at most 40 s`.
  func line(_ progress: RunProgress) -> String? {
    note(progress)
    let blocks = state.withLock { state -> Int? in
      state.blocks += 1
      guard progress.elapsedSeconds - state.lastLine >= Self.interval else { return nil }
      state.lastLine = progress.elapsedSeconds
      return state.blocks
    }
    guard let blocks else { return nil }
    return "\(progress.cellsDone) of \(progress.cells) cells done, "
      + Wording.plural(blocks, "block") + time(progress)
  }

  private func report(_ record: RunRecord) {
    for line in endings(record) { Console.note(line) }
  }

  /// Explains once why cells have no figures. Each failed cell has its own line. Cells that do not
  /// apply for the same reason share one, since that may be all backends of a workload.
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
      return "\(key[0])\(place) does not apply to \(backends): \(key[1])"
    }
    return failed + lines
  }

  private static func words(_ stop: Outcome.Stop) -> String {
    switch stop {
    case .narrow: "precise enough"
    case .blocks: "with the blocks asked for"
    case .budget: "stopped by the budget"
    case .interrupted: "interrupted"
    case .failed: "failed"
    case .notApplicable: "not applicable"
    case .running: "unfinished"
    }
  }
}
