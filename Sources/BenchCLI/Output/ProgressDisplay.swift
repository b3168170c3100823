import Basics
import BenchAnalysis
import BenchEngine
import BenchReports
import BenchResults
import Foundation
import Synchronization

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
    let blocks = timedBlocks(progress).map { Double($0.done) / Double(max(1, $0.done + $0.left)) }
    return min(1, max(cells, time, blocks ?? 0))
  }

  /// Timed blocks that are done, and those that remain of the cells under way; nil where nobody asked for a number.
  private func timedBlocks(_ progress: RunProgress) -> (done: Int, left: Int)? {
    blocks.map { blocks in
      let timed = state.withLock { Array($0.timed.values) }
      let begun = timed.filter { $0 < blocks }.reduce(0, +)
      let left = blocks * (progress.cells - progress.cellsDone) - begun
      return (done: timed.reduce(0, +), left: max(0, left))
    }
  }

  /// Time gone, and what remains as far as it is known: `, 20 s of at most 40 s`.
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

  /// What so many blocks will take by the time that those before took since the first had ended, which tells nothing:
  /// `, about 30 s more`; nothing of less than a second.
  private static func rest(_ left: Int, after done: Int, in seconds: Double) -> String {
    let rest = done > 1 ? seconds * Double(left) / Double(done - 1) : 0
    return rest >= 1 ? ", about \(Wording.wait(rest)) more" : ""
  }

  // MARK: stages of a gate

  /// Draws the bar; without one says how far a stage is, now and then and at its end.
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
      draw(Double(stage.done) / Double(max(stage.total, 1)), text, progress.cell)
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
    return "\(progress.cellsDone) of \(progress.cells) cells done, "
      + Wording.plural(blocks, "block") + time(progress)
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
